"""Tasks of chapter 03, fourth part: sampling with a temperature, and the causal convolution."""

import math
from collections.abc import Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.recurrent import CHAPTER, drawer

# ------------------------------------------------------------------------------------------------- tempered_probs


def _tempered_probs(logits: Tensor, temperature: float) -> Tensor:
    if temperature < 0:
        raise ValueError(f"`temperature` must be 0 or more, got {temperature}.")
    if temperature == 0:
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)


def _tempered_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([0.0, math.log(2.0)], dtype=torch.float64)
    return [
        case("the worked example", worked, 0.5),
        case("one row of seven logits, cold", draw(7), 0.3),
        case("hot", draw(5), 2.5),
        case("three rows at once", draw(3, 5), 0.7),
        case("as many rows as logits", 3 * draw(3, 3), 1.7),
        case("temperature 1: the model's own", draw(5), 1.0),
        case("temperature 0: the likeliest token", draw(3, 5), 0.0),
        case("temperature 0 and two equal logits", torch.tensor([1.0, 3.0, 3.0], dtype=torch.float64), 0.0),
        case("logits far above 0", 5 * draw(5) + 900, 0.5),
        case("one token", draw(1), 0.8),
        case("float32", drawer(seed, torch.float32)(2, 3), 0.6),
        case("a negative temperature", draw(3), -1.0),
    ]


def _tempered_wrong(logits: Tensor, temperature: float, *, how: str) -> Tensor:
    if temperature < 0 and how != "any":
        raise ValueError("temperature")
    if temperature == 0 and how not in ("nan", "all_best"):
        return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)
    if temperature == 0 and how == "all_best":
        best = (logits == logits.max(-1, keepdim=True).values).to(logits.dtype)
        return best / best.sum(-1, keepdim=True)
    if how == "times":
        return (logits * temperature).softmax(-1)
    if how == "ignored":
        return logits.softmax(-1)
    if how == "softmax_first":
        return (logits.softmax(-1) / temperature).softmax(-1)
    if how == "unstable":
        raised = (logits / temperature).exp()
        return raised / raised.sum(-1, keepdim=True)
    if how == "first_dim":
        return (logits / temperature).softmax(0)
    if how == "not_divided":
        return (logits.softmax(-1)) ** (1 / temperature)
    return (logits / temperature).softmax(-1)


def _tempered_by_powers(logits: Tensor, temperature: float) -> Tensor:
    if not temperature >= 0:
        raise ValueError("negative")
    if not temperature:
        probs = torch.zeros_like(logits)
        return probs.scatter_(-1, logits.argmax(-1, keepdim=True), 1.0)
    logs = logits.log_softmax(-1) / temperature
    return (logs - logs.logsumexp(-1, keepdim=True)).exp()


def _tempered_by_differences(logits: Tensor, temperature: float) -> Tensor:
    if temperature < 0.0:
        raise ValueError("temperature < 0")
    first = logits.max(-1, keepdim=True)
    if temperature == 0.0:
        return (torch.arange(logits.shape[-1]) == first.indices).to(logits.dtype)
    weights = ((logits - first.values) / temperature).exp()
    return weights / weights.sum(-1, keepdim=True)


tempered_probs = Task(
    name="tempered_probs",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_tempered_cases,
    reference=_tempered_probs,
    compare=Compare(rtol=1e-5, atol=1e-8),
    slips=(
        Slip(
            "times",
            partial(_tempered_wrong, how="times"),
            "The logits were multiplied with the temperature, so that hot and cold are exchanged. Divide: a small "
            "temperature makes the differences large.",
        ),
        Slip(
            "ignored",
            partial(_tempered_wrong, how="ignored"),
            "The temperature changes nothing here: it is not used, or the probabilities were divided by it and then "
            "made to sum to 1 again. Divide the logits by it, before the softmax.",
        ),
        Slip(
            "softmax_first",
            partial(_tempered_wrong, how="softmax_first"),
            "The softmax was taken twice, before the division and after it. Divide the logits, then take it once.",
        ),
        Slip(
            "not_normalised",
            partial(_tempered_wrong, how="not_divided"),
            "The probabilities were raised to the power 1 / temperature, which is right, but they no longer sum to 1.",
        ),
        Slip(
            "zero_divides",
            partial(_tempered_wrong, how="nan"),
            "At temperature 0 the logits are divided by 0 and the result is NaN. By convention 0 means: the likeliest "
            "token with probability 1.",
        ),
        Slip(
            "ties_share",
            partial(_tempered_wrong, how="all_best"),
            "At temperature 0 two equal logits share the probability. Here the first of them gets all, so that greedy "
            "choices are always the same.",
        ),
        Slip(
            "unstable",
            partial(_tempered_wrong, how="unstable"),
            "exp of a large logit is infinite, and infinity by infinity is no number. torch.softmax subtracts the "
            "largest logit first.",
        ),
        Slip(
            "first_dimension",
            partial(_tempered_wrong, how="first_dim"),
            "The softmax ran over the first dimension. Each row is a distribution of its own: dim=-1.",
        ),
        Slip(
            "any_temperature",
            partial(_tempered_wrong, how="any"),
            "The numbers are right, but a negative temperature prefers the least likely tokens in silence. Raise "
            "ValueError.",
        ),
    ),
    alternatives=(_tempered_by_powers, _tempered_by_differences),
    hints=(
        "What happens to the differences between logits when all are divided by 0.5? By 2?",
        "torch.softmax(logits / temperature, dim=-1), with two cases to treat before: 0 and below 0.",
        "if temperature == 0: return F.one_hot(logits.argmax(-1), logits.shape[-1]).to(logits.dtype)",
    ),
)


# ---------------------------------------------------------------------------------------------------- stack_reach


def _stack_reach(layers: Sequence[tuple[int, int]]) -> int:
    return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)


def _reach_cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def stack(count: int) -> list[tuple[int, int]]:
        numbers = torch.randint(2, 9, (count, 2), generator=generator).tolist()
        return [(kernel, dilation) for kernel, dilation in numbers]

    return [
        case("the worked example", [(2, 1), (2, 2), (2, 4)]),
        case("three layers", stack(3)),
        case("seven layers", stack(7)),
        case("no dilation", [(3, 1), (3, 1), (5, 1)]),
        case("one layer", stack(1)),
        case("kernels of one: nothing before is seen", [(1, 1), (1, 5)]),
        case("no layers", []),
    ]


def _reach_by_hand(layers: Sequence[tuple[int, int]]) -> int:
    seen = {0}
    for kernel_size, dilation in layers:
        seen = {place - back * dilation for place in seen for back in range(kernel_size)}
    return 1 - min(seen)


def _reach_step_by_step(layers: Sequence[tuple[int, int]]) -> int:
    first = last = 0
    for kernel_size, dilation in reversed(layers):
        first -= dilation * kernel_size - dilation
    return last - first + 1


def _reach_wrong(layers: Sequence[tuple[int, int]], *, how: str) -> int:
    pairs = [(int(kernel), int(dilation)) for kernel, dilation in layers]
    if how == "product":
        return math.prod((kernel - 1) * dilation + 1 for kernel, dilation in pairs)
    if how == "no_dilation":
        return 1 + sum(kernel - 1 for kernel, _ in pairs)
    if how == "no_self":
        return sum((kernel - 1) * dilation for kernel, dilation in pairs)
    if how == "own_ones":
        return sum((kernel - 1) * dilation + 1 for kernel, dilation in pairs)
    if how == "kernel_times_dilation":
        return 1 + sum(kernel * dilation for kernel, dilation in pairs)
    if how == "multiplied":
        total, spread = 1, 1
        for kernel, dilation in pairs:
            spread *= dilation
            total += (kernel - 1) * spread
        return total
    return 1 + max([(kernel - 1) * dilation for kernel, dilation in pairs], default=0)


stack_reach = Task(
    name="stack_reach",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=10,
    cases=_reach_cases,
    reference=_stack_reach,
    slips=(
        Slip(
            "product",
            partial(_reach_wrong, how="product"),
            "The reaches were multiplied. Each layer looks (kernel - 1) * dilation further back than the one below: "
            "the steps add up.",
        ),
        Slip(
            "no_dilation",
            partial(_reach_wrong, how="no_dilation"),
            "The dilation plays no part. It is the distance between two inputs of the kernel, so it stretches the "
            "reach.",
        ),
        Slip(
            "without_itself",
            partial(_reach_wrong, how="no_self"),
            "That is how far back the earliest input stands. The present one is seen too: one more.",
        ),
        Slip(
            "one_a_layer",
            partial(_reach_wrong, how="own_ones"),
            "The present input was counted once a layer. It is one and the same: add 1 only once.",
        ),
        Slip(
            "kernel_not_less_one",
            partial(_reach_wrong, how="kernel_times_dilation"),
            "A kernel of k inputs spans k - 1 distances, not k.",
        ),
        Slip(
            "dilations_multiplied",
            partial(_reach_wrong, how="multiplied"),
            "The dilations were multiplied from layer to layer, as strides are. A dilation counts places of the text "
            "in every layer.",
        ),
        Slip(
            "widest_layer",
            partial(_reach_wrong, how="max"),
            "Only the layer that looks furthest was counted. An output of the top layer sees through all of them.",
        ),
    ),
    alternatives=(_reach_by_hand, _reach_step_by_step),
    hints=(
        "How far back does one layer look? Then: the earliest input it sees is itself an output of the layer below.",
        "One layer looks (kernel_size - 1) * dilation places back. The steps of the layers add up.",
        "return 1 + sum((kernel_size - 1) * dilation for kernel_size, dilation in layers)",
    ),
)


# ---------------------------------------------------------------------------------------------- causal_convolution


def _causal_convolution(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1) -> Tensor:
    padding = (weight.shape[-1] - 1) * dilation
    channels_first = F.pad(x.transpose(1, 2), (padding, 0))
    return F.conv1d(channels_first, weight, bias, dilation=dilation).transpose(1, 2)


def _conv_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    steps = torch.tensor([[[1.0], [2.0], [3.0]]], dtype=torch.float64)
    weight = torch.tensor([[[10.0, 1.0]]], dtype=torch.float64)
    return [
        case("the worked example", steps, weight, torch.zeros(1, dtype=torch.float64)),
        case("two sequences, a kernel of three", draw(2, 11, 3), draw(5, 3, 3), draw(5)),
        case("a dilation of four", draw(2, 13, 3), draw(5, 3, 3), draw(5), 4),
        case(
            "the gradients too",
            draw(2, 7, 2, grad=True),
            draw(3, 2, 2, grad=True),
            draw(3, grad=True),
            dilation=2,
        ),
        case("a sequence shorter than the kernel's reach", draw(2, 3, 2), draw(3, 2, 5), draw(3), 2),
        case("as many steps as channels", draw(3, 3, 3), draw(3, 3, 3), draw(3)),
        case("a kernel of one", draw(2, 5, 3), draw(7, 3, 1), draw(7)),
        case("one step", draw(2, 1, 3), draw(5, 3, 2), draw(5)),
        case("float32", single(2, 5, 3), single(2, 3, 3), single(2)),
    ]


def _conv_wrong(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1, *, how: str) -> Tensor:
    if how == "no_dilation":
        dilation = 1
    if how == "reversed":
        weight = weight.flip(-1)
    if how == "no_bias":
        bias = torch.zeros_like(bias)
    padding = (weight.shape[-1] - 1) * dilation
    sides = {
        "both_sides": (padding // 2, padding - padding // 2),
        "right": (0, padding),
        "shifted": (padding + 1, 0),
        "too_little": (weight.shape[-1] - 1, 0),
    }.get(how, (padding, 0))
    if how == "valid" and padding < x.shape[1]:
        sides = (0, 0)
    channels_first = x.transpose(1, 2)
    if how == "edge":
        padded = F.pad(channels_first, (padding, 0), mode="replicate")
    else:
        padded = F.pad(channels_first, sides)
    result = F.conv1d(padded, weight, bias, dilation=dilation)
    if how == "shifted":
        result = result[..., : x.shape[1]]
    return result if how == "channels_first" else result.transpose(1, 2)


def _conv_by_shifts(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1) -> Tensor:
    n_steps, kernel_size = x.shape[1], weight.shape[-1]
    result = bias.expand(*x.shape[:2], -1)
    for back in range(kernel_size):
        shift = min(back * dilation, n_steps)
        shifted = torch.cat([torch.zeros_like(x[:, :shift]), x[:, : n_steps - shift]], 1)
        result = result + shifted @ weight[:, :, kernel_size - 1 - back].T
    return result


def _conv_step_by_step(x: Tensor, weight: Tensor, bias: Tensor, dilation: int = 1) -> Tensor:
    outputs = []
    for t in range(x.shape[1]):
        total = bias + torch.zeros_like(x[:, t] @ weight[:, :, 0].T)
        for place in range(weight.shape[-1]):
            at = t - (weight.shape[-1] - 1 - place) * dilation
            if at >= 0:
                total = total + x[:, at] @ weight[:, :, place].T
        outputs.append(total)
    return torch.stack(outputs, 1)


causal_convolution = Task(
    name="causal_convolution",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=25,
    cases=_conv_cases,
    reference=_causal_convolution,
    compare=Compare(rtol=1e-5, atol=1e-5, gradient=True),
    slips=(
        Slip(
            "both_sides",
            partial(_conv_wrong, how="both_sides"),
            "Zeros were put on both sides, as for pictures, so an output sees inputs that come after it. A language "
            "model would read its answer. All zeros go to the left.",
        ),
        Slip(
            "right_side",
            partial(_conv_wrong, how="right"),
            "The zeros were put at the end, so that each output sees only what comes after it. They belong before the "
            "start.",
        ),
        Slip(
            "shifted",
            partial(_conv_wrong, how="shifted"),
            "One zero too many: the output at t does not see the input at t. That is right for a first layer that "
            "guesses its own input, but this one reads a token and guesses the next.",
        ),
        Slip(
            "reversed",
            partial(_conv_wrong, how="reversed"),
            "The kernel is used the wrong way round: its last entry belongs to the present input, its first to the "
            "one furthest back.",
        ),
        Slip(
            "no_dilation",
            partial(_conv_wrong, how="no_dilation"),
            "The dilation plays no part. Neighbouring entries of the kernel read inputs `dilation` places apart.",
        ),
        Slip(
            "padding_without_dilation",
            partial(_conv_wrong, how="too_little"),
            "The padding fits a dilation of 1 only, so the result is too short. The reach is (kernel - 1) * dilation.",
        ),
        Slip(
            "repeated_edge",
            partial(_conv_wrong, how="edge"),
            "Before the start the first input was repeated. There is nothing there: zeros.",
        ),
        Slip(
            "no_bias",
            partial(_conv_wrong, how="no_bias"),
            "The bias is missing: it is added to every output.",
        ),
        Slip(
            "channels_first",
            partial(_conv_wrong, how="channels_first"),
            "The result is (B, C, T), as F.conv1d gives it. Batch first and width last: transpose it back.",
        ),
    ),
    alternatives=(_conv_by_shifts, _conv_step_by_step),
    hints=(
        "An output must see the present input and those before it. What stands before the start of the text?",
        "F.conv1d wants (B, C, T): transpose. F.pad(..., (left, 0)) puts zeros at the left; how many does the "
        "furthest entry of the kernel need?",
        "padded = F.pad(x.transpose(1, 2), ((weight.shape[-1] - 1) * dilation, 0)); then F.conv1d(padded, weight, "
        "bias, dilation=dilation).transpose(1, 2).",
    ),
)
