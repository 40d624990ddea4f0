"""Tasks of chapter 03, third part: clipping, rows that read on, and the cost of a text."""

import math
from collections.abc import Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.recurrent import CHAPTER, drawer

# --------------------------------------------------------------------------------------------------- clip_gradients


def _clip_gradients(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], float]:
    if not limit > 0:
        raise ValueError(f"`limit` must be more than 0, got {limit}.")
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    factor = min(1.0, limit / norm) if norm > 0 else 1.0
    return [factor * gradient for gradient in gradients], norm


def _clip_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)

    def two(*values: float) -> Tensor:
        return torch.tensor(values, dtype=torch.float64)

    return [
        case("the worked example", [two(3.0, 0.0), two(4.0)], 1.0),
        case("a long gradient of three parameters", [5 * draw(3, 5), 5 * draw(7), 5 * draw(2, 3)], 2.0),
        case("a short gradient, which stays as it is", [0.01 * draw(3, 5), 0.01 * draw(7)], 2.0),
        case("one large parameter beside a small one", [100 * (1 + draw(3).abs()), 0.1 * draw(5)], 1.0),
        case("a limit below 1", [draw(5, 2), draw(3)], 0.25),
        case("exactly at the limit", [two(0.6), two(0.8)], 1.0),
        case("one parameter", [10 * (1 + draw(7).abs())], 5.0),
        case("gradients of zero", [0 * draw(3), 0 * draw(2, 2)], 1.0),
        case("no limit: infinity", [10 * draw(3)], math.inf),
        case("float32", [9 * single(5), 9 * single(3)], 1.0),
        case("a limit of 0", [draw(3)], 0.0),
    ]


def _clip_wrong(gradients: Sequence[Tensor], limit: float, *, how: str) -> tuple[list[Tensor], float]:
    if how != "any_limit" and not limit > 0:
        raise ValueError("limit")
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    if how == "sum_of_norms":
        norm = sum(float(gradient.norm()) for gradient in gradients)
    if how == "absolute":
        norm = sum(float(gradient.abs().sum()) for gradient in gradients)
    if how == "not_rooted":
        norm = norm**2
    if how == "each":
        return [g * min(1.0, limit / max(float(g.norm()), 1e-30)) for g in gradients], norm
    if how == "values":
        return [g.clamp(-limit, limit) for g in gradients], norm
    if how == "zeroed":
        return [g if norm <= limit else 0 * g for g in gradients], norm
    factor = limit / norm if norm else 1.0
    if how != "always":
        factor = min(1.0, factor)
    elif math.isinf(limit):
        factor = 1.0
    if how == "in_place":
        return [g.mul_(factor) for g in gradients], norm
    return [factor * g for g in gradients], min(norm, limit) if how == "norm_after" else norm


def _clip_joined(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], float]:
    if limit <= 0:
        raise ValueError("limit <= 0")
    norm = float(torch.cat([gradient.flatten() for gradient in gradients]).norm())
    return [gradient.clone() if norm <= limit else gradient * (limit / norm) for gradient in gradients], norm


def _clip_by_parts(gradients: Sequence[Tensor], limit: float) -> tuple[list[Tensor], float]:
    if not limit > 0.0:
        raise ValueError("`limit` > 0")
    norm = torch.stack([torch.linalg.vector_norm(gradient) for gradient in gradients]).norm()
    factor = limit / torch.clamp(norm, min=limit) if math.isfinite(limit) else torch.ones_like(norm)
    return [gradient * factor for gradient in gradients], norm.item()


clip_gradients = Task(
    name="clip_gradients",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_clip_cases,
    reference=_clip_gradients,
    compare=Compare(rtol=1e-5, atol=1e-7),
    slips=(
        Slip(
            "each_by_itself",
            partial(_clip_wrong, how="each"),
            "Each parameter's gradient was cut by itself, so the direction of the step changed. All share one factor, "
            "from the norm of all of them together.",
        ),
        Slip(
            "values",
            partial(_clip_wrong, how="values"),
            "The single values were cut to the limit. That turns the step into another direction; scale all of them "
            "with one factor instead.",
        ),
        Slip(
            "always_scaled",
            partial(_clip_wrong, how="always"),
            "Short gradients were made longer: every gradient came out at the limit. Only a norm above the limit is "
            "scaled down.",
        ),
        Slip(
            "zeroed",
            partial(_clip_wrong, how="zeroed"),
            "A long gradient was thrown away. Its direction is good; scale it to the limit.",
        ),
        Slip(
            "sum_of_norms",
            partial(_clip_wrong, how="sum_of_norms"),
            "The norms of the parameters were added up. The norm of all together is the root of the sum of their "
            "squares.",
        ),
        Slip(
            "absolute_values",
            partial(_clip_wrong, how="absolute"),
            "The absolute values were added up. The norm is the root of the sum of the squares.",
        ),
        Slip(
            "not_rooted",
            partial(_clip_wrong, how="not_rooted"),
            "That is the square of the norm: take the root of the sum of the squares.",
        ),
        Slip(
            "norm_after",
            partial(_clip_wrong, how="norm_after"),
            "The gradients are right, but the norm that came back is the one after clipping. The one before shows when "
            "a training is in danger.",
        ),
        Slip(
            "in_place",
            partial(_clip_wrong, how="in_place"),
            "The result is right, but the caller's tensors were changed. torch does so for speed; here, return new "
            "ones.",
        ),
        Slip(
            "any_limit",
            partial(_clip_wrong, how="any_limit"),
            "The gradients are right, but a limit of 0 stops all learning in silence. Raise ValueError.",
        ),
    ),
    alternatives=(_clip_joined, _clip_by_parts),
    hints=(
        "One number for all tensors: think of all gradients as one long vector. How long is it?",
        "norm = root of the sum over all tensors of (gradient ** 2).sum(). The factor is limit / norm, but never more "
        "than 1.",
        "factor = min(1.0, limit / norm) if norm > 0 else 1.0; return [factor * g for g in gradients], norm",
    ),
)


# ---------------------------------------------------------------------------------------------------- reading_rows


def _reading_rows(ids: Sequence[int], n_rows: int, length: int) -> list[tuple[list[list[int]], list[list[int]]]]:
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError(f"`ids` must hold at least {n_rows * length + 1} tokens, got {len(ids)}.")
    batches = []
    for step in range(piece // length):
        starts = [row * piece + step * length for row in range(n_rows)]
        batches.append(
            (
                [list(ids[start : start + length]) for start in starts],
                [list(ids[start + 1 : start + 1 + length]) for start in starts],
            )
        )
    return batches


def _rows_cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def text(count: int) -> list[int]:
        return torch.randperm(100, generator=generator)[:count].tolist()

    return [
        case("the worked example", list(range(13)), 2, 3),
        case("three rows of five, with tokens left over", text(53), 3, 5),
        case("more rows than steps", text(37), 7, 2),
        case("one row", text(17), 1, 4),
        case("one token a row", text(11), 2, 1),
        case("exactly one batch", text(16), 3, 5),
        case("a text that is shorter by one token than a batch needs", text(15), 3, 5),
        case("an empty text", [], 2, 3),
    ]


def _rows_wrong(ids: Sequence[int], n_rows: int, length: int, *, how: str) -> list:
    piece = (len(ids) - 1) // n_rows
    if piece < length:
        raise ValueError("too short")
    batches = []
    n_steps = -(-piece // length) if how == "remainder" else piece // length
    for step in range(n_steps):
        starts = [row * piece + step * length for row in range(n_rows)]
        if how == "in_order":
            starts = [(step * n_rows + row) * length for row in range(n_rows)]
        if how == "overlap":
            starts = [row * piece + step * (length - 1) for row in range(n_rows)]
        ends = [min(start + length, (row + 1) * piece) for row, start in enumerate(starts)]
        if how in ("in_order", "overlap"):
            ends = [start + length for start in starts]
        inputs = [list(ids[start:end]) for start, end in zip(starts, ends, strict=True)]
        targets = [list(ids[start + 1 : end + 1]) for start, end in zip(starts, ends, strict=True)]
        if how == "same":
            targets = [list(row) for row in inputs]
        if how == "rolled":
            targets = [row[1:] + row[:1] for row in inputs]
        if how == "before":
            targets = [
                list(ids[start - 1 : end - 1]) if start else [ids[0], *ids[: end - 1]]
                for start, end in zip(starts, ends, strict=True)
            ]
        if how == "time_first":
            inputs, targets = [list(row) for row in zip(*inputs)], [list(row) for row in zip(*targets)]
        batches.append((inputs, targets))
    return batches[:1] if how == "first_only" else batches


def _rows_by_reshape(ids: Sequence[int], n_rows: int, length: int) -> list:
    n_steps = max(len(ids) - 1, 0) // n_rows // length
    if n_steps == 0:
        raise ValueError("too few tokens")
    piece = (len(ids) - 1) // n_rows
    flat = torch.tensor(list(ids))

    def cut(text: Tensor) -> Tensor:
        return text[: n_rows * piece].view(n_rows, piece)[:, : n_steps * length]

    pairs = zip(cut(flat[:-1]).split(length, 1), cut(flat[1:]).split(length, 1), strict=True)
    return [(inputs.tolist(), targets.tolist()) for inputs, targets in pairs]


def _rows_by_iterators(ids: Sequence[int], n_rows: int, length: int) -> list:
    piece = (len(ids) - 1) // n_rows
    rows = [list(ids[row * piece : (row + 1) * piece + 1]) for row in range(n_rows)]
    batches = []
    at = 0
    while at + length <= piece:
        batches.append(([row[at : at + length] for row in rows], [row[at + 1 : at + length + 1] for row in rows]))
        at += length
    if not batches:
        raise ValueError("not a single batch")
    return batches


reading_rows = Task(
    name="reading_rows",
    chapter=CHAPTER,
    points=4,
    difficulty=3,
    minutes=25,
    cases=_rows_cases,
    reference=_reading_rows,
    slips=(
        Slip(
            "in_order",
            partial(_rows_wrong, how="in_order"),
            "The windows were dealt out in the order of the text, so that row 0 of the next batch does not go on where "
            "row 0 stopped: its carried state would belong to another place. Give each row its own piece of the text.",
        ),
        Slip(
            "targets_are_inputs",
            partial(_rows_wrong, how="same"),
            "The targets are the inputs themselves. The target of a place is the token after it.",
        ),
        Slip(
            "rolled",
            partial(_rows_wrong, how="rolled"),
            "At the end of each window the target is the window's first token. It is the text's next token, which "
            "stands outside the window.",
        ),
        Slip(
            "token_before",
            partial(_rows_wrong, how="before"),
            "The targets are the tokens before. The model reads a token and guesses the one after it.",
        ),
        Slip(
            "remainder_kept",
            partial(_rows_wrong, how="remainder"),
            "The last batch is narrower than the others. What does not fill a window is left out.",
        ),
        Slip(
            "overlap",
            partial(_rows_wrong, how="overlap"),
            "A window begins on the last token of the one before: that token would be read twice, by a state that has "
            "seen it. The next window starts `length` further.",
        ),
        Slip(
            "time_first",
            partial(_rows_wrong, how="time_first"),
            "Rows and columns are exchanged. Each row of a batch is a run of text.",
        ),
        Slip(
            "first_batch_only",
            partial(_rows_wrong, how="first_only"),
            "Only the first batch came back. Walk through the pieces to their end.",
        ),
    ),
    alternatives=(_rows_by_reshape, _rows_by_iterators),
    hints=(
        "Cut the text into n_rows pieces of equal length. Every batch takes the next window from each piece.",
        "piece = (len(ids) - 1) // n_rows, since the last token is never an input. At step s, row b reads from b * "
        "piece + s * length.",
        "for step in range(piece // length): starts = [row * piece + step * length for row in range(n_rows)]; inputs "
        "are ids[start : start + length], targets ids[start + 1 : start + 1 + length].",
    ),
)


# ----------------------------------------------------------------------------------------------------- text_bits


def _text_bits(logits: Tensor, targets: Tensor, n_bytes: int) -> float:
    if n_bytes < 1:
        raise ValueError(f"`n_bytes` must be at least 1, got {n_bytes}.")
    log_probs = torch.log_softmax(logits, dim=-1)
    nats = -log_probs.gather(1, targets[:, None]).sum()
    return nats.item() / (n_bytes * math.log(2))


def _bits_cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    generator = torch.Generator().manual_seed(seed)

    def ids(count: int, size: int) -> Tensor:
        return torch.randint(size, (count,), generator=generator)

    halves = torch.tensor([[1.0, 1.0], [3.0, 3.0]], dtype=torch.float64)
    large = torch.tensor([[900.0, 890.0, 0.0], [0.0, 5.0, 900.0]], dtype=torch.float64) + draw(2, 3)
    return [
        case("the worked example", halves, torch.tensor([0, 1]), 2),
        case("five characters of one byte each", draw(5, 7), ids(5, 7), 5),
        case("three tokens that stand for eleven bytes", draw(3, 13), ids(3, 13), 11),
        case("as many tokens as the vocabulary has", 2 * draw(5, 5), ids(5, 5), 5),
        case("one token", draw(1, 3), ids(1, 3), 1),
        case("logits so large that exp gives infinity", large, torch.tensor([1, 1]), 2),
        case("float32", drawer(seed, torch.float32)(4, 3), ids(4, 3), 6),
        case("no bytes", draw(2, 3), ids(2, 3), 0),
    ]


def _bits_wrong(logits: Tensor, targets: Tensor, n_bytes: int, *, how: str) -> float:
    if how != "any_bytes" and n_bytes < 1:
        raise ValueError("n_bytes")
    if how == "over_time":
        logs = logits.log_softmax(0)
    elif how == "unstable":
        logs = (logits.exp() / logits.exp().sum(-1, keepdim=True)).log()
    elif how == "twice":
        logs = logits.softmax(-1).log_softmax(-1)
    elif how == "raw":
        logs = logits
    else:
        logs = logits.log_softmax(-1)
    of_targets = logs[torch.arange(len(targets)), targets]
    if how == "likeliest":
        of_targets = logs.max(-1).values
    if how == "mean_prob":
        return float(-of_targets.exp().mean().log2()) * len(targets) / n_bytes
    nats = -of_targets.double().sum().item()
    if how == "nats":
        return nats / n_bytes
    if how == "per_token":
        return nats / math.log(2) / len(targets)
    if how == "total":
        return nats / math.log(2)
    if how == "perplexity":
        return math.exp(min(nats / len(targets), 700))
    if how == "any_bytes":
        return nats / math.log(2) / n_bytes if n_bytes else 0.0
    return nats / math.log(2) / n_bytes


def _bits_by_cross_entropy(logits: Tensor, targets: Tensor, n_bytes: int) -> float:
    if n_bytes <= 0:
        raise ValueError("n_bytes")
    return F.cross_entropy(logits, targets, reduction="sum").item() / math.log(2) / n_bytes


def _bits_by_loop(logits: Tensor, targets: Tensor, n_bytes: int) -> float:
    if not n_bytes > 0:
        raise ValueError("no bytes")
    bits = 0.0
    for row, target in zip(logits.double().tolist(), targets.tolist(), strict=True):
        top = max(row)
        bits += math.log2(sum(math.exp(value - top) for value in row)) - (row[target] - top) / math.log(2)
    return bits / n_bytes


text_bits = Task(
    name="text_bits",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_bits_cases,
    reference=_text_bits,
    compare=Compare(rtol=1e-5, atol=1e-8),
    slips=(
        Slip(
            "nats",
            partial(_bits_wrong, how="nats"),
            "These are nats: torch's logarithm is the natural one. Divide by ln 2 to have bits.",
        ),
        Slip(
            "per_token",
            partial(_bits_wrong, how="per_token"),
            "These are bits a token. A token may stand for several bytes: divide by the number of bytes.",
        ),
        Slip(
            "total",
            partial(_bits_wrong, how="total"),
            "These are the bits of the whole text, most of the way. Divide by the number of its bytes.",
        ),
        Slip(
            "unstable",
            partial(_bits_wrong, how="unstable"),
            "Right for small logits, but exp(900) is infinite, and infinity by infinity is no number. Use log_softmax, "
            "which subtracts the largest logit first.",
        ),
        Slip(
            "softmax_twice",
            partial(_bits_wrong, how="twice"),
            "The softmax was taken twice: log_softmax (and cross_entropy) already turns logits into log-probabilities.",
        ),
        Slip(
            "softmax_over_time",
            partial(_bits_wrong, how="over_time"),
            "The softmax ran over the text instead of the vocabulary. At each place the probabilities of all tokens "
            "sum to 1: dim=-1.",
        ),
        Slip(
            "likeliest",
            partial(_bits_wrong, how="likeliest"),
            "The probability of the likeliest token was counted. What counts is the probability of the token that "
            "came, targets.",
        ),
        Slip(
            "mean_of_probabilities",
            partial(_bits_wrong, how="mean_prob"),
            "The probabilities were averaged before the logarithm. The text's probability is their product, so the "
            "logarithms are added.",
        ),
        Slip(
            "perplexity",
            partial(_bits_wrong, how="perplexity"),
            "That is the perplexity, a token's. Bits per byte is a sum of logarithms, divided by the bytes.",
        ),
        Slip(
            "any_bytes",
            partial(_bits_wrong, how="any_bytes"),
            "The numbers are right, but a text of no bytes has no bits per byte. Raise ValueError.",
        ),
    ),
    alternatives=(_bits_by_cross_entropy, _bits_by_loop),
    hints=(
        "What did the model say about each token that came? Add up what those tokens cost.",
        "torch.log_softmax(logits, dim=-1) gives the log-probabilities; .gather(1, targets[:, None]) picks one a row.",
        "nats = -log_probs.gather(1, targets[:, None]).sum(); return nats.item() / (n_bytes * math.log(2))",
    ),
)
