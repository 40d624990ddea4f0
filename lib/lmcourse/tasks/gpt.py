"""Tasks of chapter 08, first part: the loss at every position, the number of parameters, top-k and top-p."""

from collections.abc import Callable
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "08_gpt"
CLOSE = Compare(rtol=1e-5, atol=1e-8)


def drawer(seed: int, dtype: torch.dtype = torch.float64) -> Callable[..., Tensor]:
    """Return a function that draws tensors of the given sizes, for cases."""
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int, grad: bool = False) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=dtype).requires_grad_(grad)

    return draw


def draw_ids(seed: int, vocab_size: int, *sizes: int) -> Tensor:
    """Return random token ids, for cases."""
    return torch.randint(vocab_size, sizes, generator=torch.Generator().manual_seed(seed))


# ------------------------------------------------------------------------------------------------- next_token_loss


def _next_token_loss(logits: Tensor, ids: Tensor) -> Tensor:
    V = logits.shape[-1]
    return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))


def _loss_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    worked = torch.tensor([[[0.0, 0.0], [0.0, 1.0986122886681098], [5.0, 5.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked, torch.tensor([[0, 1, 1]])),
        case("three texts of seven tokens", draw(3, 7, 5), draw_ids(seed, 5, 3, 7)),
        case("the gradients", draw(2, 5, 3, grad=True), draw_ids(seed + 1, 3, 2, 5)),
        case("as many tokens as there are in the vocabulary", draw(2, 5, 5), draw_ids(seed + 2, 5, 2, 5)),
        case("two tokens: one prediction", draw(3, 2, 7), draw_ids(seed + 3, 7, 3, 2)),
        case("one text", 3 * draw(1, 11, 2), draw_ids(seed + 4, 2, 1, 11)),
        case("the same token throughout", draw(1, 5, 3), torch.full((1, 5), 2)),
        case("float32", drawer(seed, torch.float32)(2, 3, 5), draw_ids(seed + 5, 5, 2, 3)),
    ]


def _loss_wrong(logits: Tensor, ids: Tensor, *, how: str) -> Tensor:
    V = logits.shape[-1]
    if how == "not_shifted":
        return F.cross_entropy(logits.reshape(-1, V), ids.reshape(-1))
    if how == "backwards":
        return F.cross_entropy(logits[:, 1:].reshape(-1, V), ids[:, :-1].reshape(-1))
    if how == "last_only":
        return F.cross_entropy(logits[:, -2], ids[:, -1])
    shifted, targets = logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1)
    if how == "sum":
        return F.cross_entropy(shifted, targets, reduction="sum")
    if how == "bits":
        return F.cross_entropy(shifted, targets) / torch.log(torch.tensor(2.0, dtype=logits.dtype))
    if how == "softmax_first":
        return F.cross_entropy(shifted.softmax(-1), targets)
    if how == "rolled":
        return F.cross_entropy(logits.reshape(-1, V), ids.roll(-1, dims=1).reshape(-1))
    return -shifted.softmax(-1).gather(-1, targets[:, None]).mean()


def _loss_by_gather(logits: Tensor, ids: Tensor) -> Tensor:
    log_probs = torch.log_softmax(logits, dim=-1)[:, :-1]
    return -log_probs.gather(2, ids[:, 1:, None]).mean()


def _loss_by_loop(logits: Tensor, ids: Tensor) -> Tensor:
    B, T, _ = logits.shape
    costs = [logits[b, t].logsumexp(0) - logits[b, t, ids[b, t + 1]] for b in range(B) for t in range(T - 1)]
    return torch.stack(costs).mean()


next_token_loss = Task(
    name="next_token_loss",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_loss_cases,
    reference=_next_token_loss,
    compare=Compare(rtol=1e-5, atol=1e-8, gradient=True),
    slips=(
        Slip(
            "not_shifted",
            partial(_loss_wrong, how="not_shifted"),
            "Each position was asked for the token that it has just read. The logits at t are about the token at "
            "t + 1: leave out the last logits and the first token.",
        ),
        Slip(
            "backwards",
            partial(_loss_wrong, how="backwards"),
            "Shifted the wrong way: each position was asked for the token before it. It must be logits[:, :-1] with "
            "ids[:, 1:].",
        ),
        Slip(
            "last_only",
            partial(_loss_wrong, how="last_only"),
            "Only the last prediction was counted. A decoder predicts at every position at once; that is what makes it "
            "cheap to train.",
        ),
        Slip(
            "sum",
            partial(_loss_wrong, how="sum"),
            "This is the sum over all predictions. Return the mean, so that the size of a batch does not matter.",
        ),
        Slip(
            "bits",
            partial(_loss_wrong, how="bits"),
            "The result is in bits. Losses in this course are in nats: natural logarithms, no division by ln 2.",
        ),
        Slip(
            "softmax_first",
            partial(_loss_wrong, how="softmax_first"),
            "cross_entropy takes a softmax itself, so two were taken. Give it the logits.",
        ),
        Slip(
            "rolled",
            partial(_loss_wrong, how="rolled"),
            "After roll, the last position is asked for the first token of the text. It has no next token: leave it "
            "out.",
        ),
        Slip(
            "no_log",
            partial(_loss_wrong, how="no_log"),
            "The probabilities of the right tokens were averaged without a logarithm. The loss is the mean of -log p.",
        ),
    ),
    alternatives=(_loss_by_gather, _loss_by_loop),
    hints=(
        "Of T tokens, how many can be predicted, and which logits are about the token at place 1?",
        "Take logits[:, :-1] and ids[:, 1:]; both have T - 1 places. F.cross_entropy wants (N, V) and (N,).",
        "V = logits.shape[-1]; return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1))",
    ),
)


# -------------------------------------------------------------------------------------------------- gpt_parameters


def _gpt_parameters(vocab_size: int, context_length: int, embed_dim: int, num_layers: int) -> int:
    D = embed_dim
    attention = 4 * D * D + 4 * D
    feed_forward = 8 * D * D + 5 * D
    norms = 4 * D
    return (vocab_size + context_length) * D + num_layers * (attention + feed_forward + norms) + 2 * D


def _parameter_cases(seed: int) -> list[Case]:
    vocabulary, context, width, layers = (7 + 2 * int(n) for n in draw_ids(seed, 500, 4))
    return [
        case("the worked example", 3, 2, 1, 1),
        case("a model of some size", vocabulary, context, width, layers),
        case("GPT-2 small", 50_257, 1_024, 768, 12),
        case("GPT-2 XL", 50_257, 1_024, 1_600, 48),
        case("no layers: embeddings and the last norm", vocabulary, context, width, 0),
        case("one layer", vocabulary, context, width, 1),
        case("a width of one", vocabulary, context, 1, layers),
    ]


def _parameters_wrong(vocab_size: int, context_length: int, embed_dim: int, num_layers: int, *, how: str) -> int:
    V, C, D, L = vocab_size, context_length, embed_dim, num_layers
    total = (V + C) * D + L * (12 * D * D + 13 * D) + 2 * D
    change = {
        "untied": V * D,
        "no_positions": -C * D,
        "no_biases": -L * 9 * D,
        "no_norms": -L * 4 * D - 2 * D,
        "no_last_norm": -2 * D,
        "no_output_projection": -L * (D * D + D),
        "narrow_feed_forward": -L * 6 * D * D - L * 3 * D,
        "norm_without_bias": -(2 * L + 1) * D,
    }
    return total + change[how]


def _parameters_by_matrices(vocab_size: int, context_length: int, embed_dim: int, num_layers: int) -> int:
    D = embed_dim
    matrices = [(D, 3 * D), (D, D), (D, 4 * D), (4 * D, D)]
    a_layer = sum(rows * columns + columns for rows, columns in matrices) + 2 * 2 * D
    return vocab_size * D + context_length * D + num_layers * a_layer + 2 * D


def _parameters_by_formula(vocab_size: int, context_length: int, embed_dim: int, num_layers: int) -> int:
    return embed_dim * (vocab_size + context_length + 2 + num_layers * (12 * embed_dim + 13))


gpt_parameters = Task(
    name="gpt_parameters",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_parameter_cases,
    reference=_gpt_parameters,
    slips=(
        Slip(
            "untied",
            partial(_parameters_wrong, how="untied"),
            "The head was counted as a matrix of its own. In GPT-2 it is the embedding table, used a second time.",
        ),
        Slip(
            "no_positions",
            partial(_parameters_wrong, how="no_positions"),
            "The learned positions are missing: a vector of D numbers for each place of the context.",
        ),
        Slip(
            "no_biases",
            partial(_parameters_wrong, how="no_biases"),
            "The biases of the linear layers are missing: 4 D in the attention, 4 D + D in the feed-forward block.",
        ),
        Slip(
            "no_norms",
            partial(_parameters_wrong, how="no_norms"),
            "The norms have parameters too, a gain and a bias of D numbers each: two norms a layer and one at the end.",
        ),
        Slip(
            "no_last_norm",
            partial(_parameters_wrong, how="no_last_norm"),
            "The norm after the last layer is missing: it has 2 D parameters more.",
        ),
        Slip(
            "no_output_projection",
            partial(_parameters_wrong, how="no_output_projection"),
            "The attention has four projections, not three: queries, keys, values, and the output after the heads are "
            "joined.",
        ),
        Slip(
            "narrow_feed_forward",
            partial(_parameters_wrong, how="narrow_feed_forward"),
            "The feed-forward block was counted as D by D. It is four times as wide inside: D to 4 D and back.",
        ),
        Slip(
            "norm_without_bias",
            partial(_parameters_wrong, how="norm_without_bias"),
            "A LayerNorm has a gain and a bias, 2 D; only the gain was counted, as an RMSNorm would have it.",
        ),
    ),
    alternatives=(_parameters_by_matrices, _parameters_by_formula),
    hints=(
        "Go through the model in order: two tables; per layer a norm, the attention, a norm, the feed-forward; a norm.",
        "Attention: four matrices D by D with biases, 4 D D + 4 D. Feed-forward: D by 4 D and 4 D by D, biases 5 D.",
        "return (vocab_size + context_length) * D + num_layers * (12 * D * D + 13 * D) + 2 * D",
    ),
)


# ----------------------------------------------------------------------------------------------------- top_k_probs


def _top_k_probs(logits: Tensor, k: int) -> Tensor:
    kept = logits.topk(min(k, logits.shape[-1]), dim=-1).indices
    masked = torch.full_like(logits, -torch.inf).scatter(-1, kept, logits.gather(-1, kept))
    return masked.softmax(dim=-1)


def _top_k_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    return [
        case("the worked example", torch.tensor([3.0, 1.0, 1.0, 3.0], dtype=torch.float64).log(), 2),
        case("three of seven", draw(7), 3),
        case("several rows at once", draw(3, 5), 2),
        case("rows of rows", draw(2, 3, 7), 5),
        case("k is 1: the likeliest alone", draw(3, 5), 1),
        case("k is the size of the vocabulary", draw(2, 5), 5),
        case("k beyond the size of the vocabulary", draw(3), 11),
        case("logits far above 0", 3 * draw(5) + 900, 2),
        case("float32", drawer(seed, torch.float32)(2, 7), 3),
    ]


def _top_k_wrong(logits: Tensor, k: int, *, how: str) -> Tensor:
    V = logits.shape[-1]
    largest = how != "lowest"
    kept = logits.topk(min(k, V), dim=-1, largest=largest).indices
    inside = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, kept, True)
    if how == "not_renormalised":
        return logits.softmax(-1).masked_fill(~inside, 0.0)
    if how == "zeros_as_logits":
        return logits.masked_fill(~inside, 0.0).softmax(-1)
    if how == "uniform":
        return inside.to(logits.dtype) / inside.sum(-1, keepdim=True)
    if how == "sorted":
        return logits.masked_fill(~inside, -torch.inf).softmax(-1).sort(-1, descending=True).values
    if how == "one_more":
        kept = logits.topk(min(k + 1, V), dim=-1).indices
        inside = torch.zeros_like(inside).scatter(-1, kept, True)
    if how == "strictly_above":
        inside = logits > logits.topk(min(k, V), dim=-1).values[..., -1:]
    return logits.masked_fill(~inside, -torch.inf).softmax(-1)


def _top_k_by_rank(logits: Tensor, k: int) -> Tensor:
    rank = logits.argsort(dim=-1, descending=True, stable=True).argsort(-1)
    weights = (logits - logits.max(-1, keepdim=True).values).exp() * (rank < k)
    return weights / weights.sum(-1, keepdim=True)


def _top_k_by_threshold(logits: Tensor, k: int) -> Tensor:
    least = logits.sort(-1, descending=True).values[..., min(k, logits.shape[-1]) - 1].unsqueeze(-1)
    return torch.where(logits >= least, logits, torch.tensor(-torch.inf, dtype=logits.dtype)).softmax(-1)


top_k_probs = Task(
    name="top_k_probs",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_top_k_cases,
    reference=_top_k_probs,
    compare=CLOSE,
    slips=(
        Slip(
            "not_renormalised",
            partial(_top_k_wrong, how="not_renormalised"),
            "The unlikely tokens were taken out after the softmax, and the rest no longer sums to 1. Mask the logits "
            "before it, or divide by the sum.",
        ),
        Slip(
            "zeros_as_logits",
            partial(_top_k_wrong, how="zeros_as_logits"),
            "The logits of the others were set to 0, and exp(0) is 1: they can still be drawn. Set them to minus "
            "infinity.",
        ),
        Slip(
            "uniform",
            partial(_top_k_wrong, how="uniform"),
            "The k tokens that are kept all got the same probability. Between them the model's own shares stay.",
        ),
        Slip(
            "lowest",
            partial(_top_k_wrong, how="lowest"),
            "The k least likely tokens were kept. Keep the k likeliest.",
        ),
        Slip(
            "sorted",
            partial(_top_k_wrong, how="sorted"),
            "The probabilities come back in order of size, so that nobody knows which token is which. Place i of the "
            "result is for token i.",
        ),
        Slip(
            "one_more",
            partial(_top_k_wrong, how="one_more"),
            "One token too many was kept. With k = 1 only the likeliest is left.",
        ),
        Slip(
            "strictly_above",
            partial(_top_k_wrong, how="strictly_above"),
            "The k-th likeliest token itself was dropped: keep what is at least as large, not only what is larger.",
        ),
    ),
    alternatives=(_top_k_by_rank, _top_k_by_threshold),
    hints=(
        "What must the logit of a token be, so that its probability after the softmax is exactly 0?",
        "logits.topk(k, dim=-1).values[..., -1:] is the smallest logit that is kept. k may be larger than the "
        "vocabulary: use min(k, logits.shape[-1]).",
        "least = logits.topk(min(k, V), dim=-1).values[..., -1:]; return logits.masked_fill(logits < least, "
        "float('-inf')).softmax(-1)",
    ),
)


# ----------------------------------------------------------------------------------------------------- top_p_probs


def _top_p_probs(probs: Tensor, p: float) -> Tensor:
    if not 0.0 < p <= 1.0:
        raise ValueError(f"`p` must be above 0 and at most 1, got {p}.")
    ordered, order = probs.sort(dim=-1, descending=True, stable=True)
    before = ordered.cumsum(dim=-1) - ordered
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * (before < p))
    return kept / kept.sum(dim=-1, keepdim=True)


def _sharp(draw: Callable[..., Tensor], *sizes: int) -> Tensor:
    return (2 * draw(*sizes)).softmax(-1)


def _top_p_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    spread = torch.tensor([0.1, 0.4, 0.2, 0.3], dtype=torch.float64)
    return [
        case("the worked example", spread, 0.65),
        case("seven tokens", _sharp(draw, 7), 0.8),
        case("several rows, each with its own number of tokens", _sharp(draw, 3, 5), 0.75),
        case("rows of rows", _sharp(draw, 2, 3, 7), 0.9),
        case("p smaller than the likeliest token: that one is kept", _sharp(draw, 3, 5), 0.01),
        case("p is 1: nothing is cut", _sharp(draw, 2, 5), 1.0),
        case("one token holds nearly everything", torch.tensor([0.01, 0.97, 0.02], dtype=torch.float64), 0.5),
        case("float32", _sharp(drawer(seed, torch.float32), 2, 7), 0.6),
        case("p is 0", spread, 0.0),
        case("p above 1", spread, 1.5),
    ]


def _top_p_wrong(probs: Tensor, p: float, *, how: str) -> Tensor:
    if how != "unchecked" and not 0.0 < p <= 1.0:
        raise ValueError("p")
    ordered, order = probs.sort(dim=-1, descending=how != "ascending", stable=True)
    summed = ordered.cumsum(-1)
    inside = (summed - ordered) < p
    if how == "stops_short":
        inside = summed <= p
        inside[..., 0] = True
    if how == "single_threshold":
        inside = ordered >= p * ordered[..., :1]
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * inside)
    if how == "order_lost":
        kept = ordered * inside
    if how == "not_renormalised":
        return kept
    if how == "uniform":
        kept = (kept > 0).to(probs.dtype)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-30)


def _top_p_by_loop(probs: Tensor, p: float) -> Tensor:
    if p <= 0 or p > 1:
        raise ValueError("out of range")
    rows = probs.reshape(-1, probs.shape[-1])
    result = torch.zeros_like(rows)
    for row, out in zip(rows, result, strict=True):
        total = 0.0
        for token in row.argsort(descending=True).tolist():
            if total >= p:
                break
            out[token] = row[token]
            total += float(row[token])
        out /= out.sum()
    return result.reshape(probs.shape)


def _top_p_by_comparison(probs: Tensor, p: float) -> Tensor:
    if not (p > 0 and p <= 1):
        raise ValueError("p must be in (0, 1]")
    larger = probs.unsqueeze(-2) > probs.unsqueeze(-1)  # [i, j]: token j is likelier than token i
    before = (larger * probs.unsqueeze(-2)).sum(-1)
    kept = torch.where(before < p, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)


top_p_probs = Task(
    name="top_p_probs",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_top_p_cases,
    reference=_top_p_probs,
    compare=CLOSE,
    slips=(
        Slip(
            "stops_short",
            partial(_top_p_wrong, how="stops_short"),
            "The token with which the sum reaches p was left out. The kept ones must sum to at least p: a token stays "
            "if what is likelier than it sums to less than p.",
        ),
        Slip(
            "not_renormalised",
            partial(_top_p_wrong, how="not_renormalised"),
            "The right tokens are kept, but their probabilities no longer sum to 1. Divide by their sum.",
        ),
        Slip(
            "order_lost",
            partial(_top_p_wrong, how="order_lost"),
            "The result is in order of size. Put each probability back to its token's place (scatter).",
        ),
        Slip(
            "ascending",
            partial(_top_p_wrong, how="ascending"),
            "The tokens were added up from the least likely one. Begin with the likeliest.",
        ),
        Slip(
            "single_threshold",
            partial(_top_p_wrong, how="single_threshold"),
            "Tokens were kept by their share of the likeliest one's probability. That is another rule (min-p): top-p "
            "adds up from the likeliest until p is reached.",
        ),
        Slip(
            "uniform",
            partial(_top_p_wrong, how="uniform"),
            "All kept tokens got the same probability. Between them the model's own shares stay.",
        ),
        Slip(
            "unchecked",
            partial(_top_p_wrong, how="unchecked"),
            "The result is right, but p outside (0, 1] was taken without a word. Raise ValueError.",
        ),
    ),
    alternatives=(_top_p_by_loop, _top_p_by_comparison),
    hints=(
        "Sort from likely to unlikely and add up. Which tokens are reached before the sum is p?",
        "cumsum minus the probability itself is what stands before a token; keep it if that is less than p. The "
        "likeliest has 0 before it, so it always stays.",
        "ordered, order = probs.sort(-1, descending=True); before = ordered.cumsum(-1) - ordered; kept = "
        "torch.zeros_like(probs).scatter(-1, order, ordered * (before < p)); divide by kept.sum(-1, keepdim=True)",
    ),
)
