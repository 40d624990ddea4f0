"""Tasks of chapter 09, second part: labels for pieces, the mean over tokens, F1."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.bert import CHAPTER, CLOSE

_IGNORE = -100
Pieces = Sequence[Sequence[str]]

# ---------------------------------------------------------------------------------------------------- label_pieces


def _label(labels: Sequence[int], pieces: Sequence[Sequence[str]], max_length: int) -> list[int]:
    inner: list[int] = []
    for label, cut in zip(labels, pieces, strict=True):
        inner += [label, *[_IGNORE] * (len(cut) - 1)] if cut else []
    return [_IGNORE, *inner[: max_length - 2], _IGNORE]


_WORDS = (["king"], ["un", "##break", "##able"], ["para", "##sol"], ["the"], ["el", "##sin", "##ore"], ["was"], ["##s"])


def _label_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, max_length: int = 512) -> Case:
        pieces = [list(_WORDS[int(i)]) for i in rng.integers(0, len(_WORDS), n)]
        return case(label, [int(i) for i in rng.integers(0, 5, n)], pieces, max_length)

    return [
        case("the worked example", [0, 1, 0], [["go"], ["el", "##sin", "##ore"], ["!"]], 16),
        draw("eleven words", 11),
        draw("seventeen words", 17),
        draw("a row that is longer than max_length", 23, 13),
        case("cut in the middle of a word, shorter", [1, 0, 2], [["a", "##b"], ["c", "##d", "##e"], ["f"]], 6),
        case("single pieces only", [3, 0, 0, 2], [["a"], ["b"], ["c"], ["d"]], 32),
        case("a word of no pieces, such as a control sign", [1, 2, 3], [["a"], [], ["b", "##c"]], 32),
        case("words whose label is unknown already", [_IGNORE, 1, _IGNORE], [["a"], ["b", "##c"], ["d"]], 32),
        case("no words", [], [], 32),
        case("room for the special tokens only, no more", [1, 2], [["a"], ["b"]], 2),
    ]


def _label_by_flags(labels: Sequence[int], pieces: Pieces, max_length: int) -> list[int]:
    flat = [label if first else -100 for label, cut in zip(labels, pieces, strict=True)
            for first in [True] * bool(cut) + [False] * (len(cut) - 1)]  # fmt: skip
    return [-100, *flat[: max(0, max_length - 2)], -100]


def _label_by_places(labels: Sequence[int], pieces: Pieces, max_length: int) -> list[int]:
    ends = np.cumsum([0] + [len(cut) for cut in pieces])
    row = np.full(int(ends[-1]), -100)
    for start, end, label in zip(ends[:-1], ends[1:], labels, strict=True):
        if end > start:
            row[start] = label
    return [-100, *row[: max_length - 2].tolist(), -100]


def _label_wrong(labels: Sequence[int], pieces: Pieces, max_length: int, *, how: str) -> list[int]:
    if how == "every_piece":
        inner = [label for label, cut in zip(labels, pieces, strict=True) for _ in cut]
        return [_IGNORE, *inner[: max_length - 2], _IGNORE]
    if how == "last_piece":
        inner = [x for label, cut in zip(labels, pieces, strict=True) if cut
                 for x in [*[_IGNORE] * (len(cut) - 1), label]]  # fmt: skip
        return [_IGNORE, *inner[: max_length - 2], _IGNORE]
    if how == "by_word":
        return [_IGNORE, *list(labels)[: max_length - 2], _IGNORE]
    whole = _label(labels, pieces, 10_000)
    if how == "no_cls":
        return _label(labels, pieces, max_length)[1:]
    if how == "cut_the_end":
        return whole[:max_length]
    if how == "no_cut":
        return whole
    if how == "zeros":
        return [0 if label == _IGNORE else label for label in _label(labels, pieces, max_length)]
    inner = []  # an empty word keeps its label
    for label, cut in zip(labels, pieces, strict=True):
        inner += [label, *[_IGNORE] * (len(cut) - 1)]
    return [_IGNORE, *inner[: max_length - 2], _IGNORE]


label_pieces = Task(
    name="label_pieces",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_label_cases,
    reference=_label,
    slips=(
        Slip(
            "every_piece",
            partial(_label_wrong, how="every_piece"),
            "Every piece got the word's label, so that a word of five pieces counts five times. Only the first has it.",
        ),
        Slip(
            "last_piece",
            partial(_label_wrong, how="last_piece"),
            "The label stands on the last piece of a word. It belongs on the first; the rest are -100.",
        ),
        Slip(
            "by_word",
            partial(_label_wrong, how="by_word"),
            "This is one label a word. The model sees pieces: after the label come as many -100 as the word has "
            "further pieces.",
        ),
        Slip(
            "no_cls",
            partial(_label_wrong, how="no_cls"),
            "[CLS] stands in front and needs a place too, with -100; without it all labels are off by one.",
        ),
        Slip(
            "cut_the_end",
            partial(_label_wrong, how="cut_the_end"),
            "The finished row was cut, and [SEP] lost its -100. Cut the pieces to max_length - 2 first.",
        ),
        Slip(
            "no_cut",
            partial(_label_wrong, how="no_cut"),
            "The row is longer than max_length. Keep the first max_length - 2 pieces.",
        ),
        Slip(
            "zeros",
            partial(_label_wrong, how="zeros"),
            "Places that must not count have the label 0, which is a class. They are -100.",
        ),
        Slip(
            "empty_word",
            partial(_label_wrong, how="empty_word"),
            "A word of no pieces does not appear in the model's row, so its label must not either.",
        ),
    ),
    alternatives=(_label_by_flags, _label_by_places),
    hints=(
        "Go through labels and pieces together and build one list; [CLS] and [SEP] come around it at the end.",
        "A word of n pieces gives its label once and -100 n - 1 times; a word of no pieces gives nothing.",
        "for label, cut in zip(labels, pieces): if cut: inner += [label] + [-100] * (len(cut) - 1). Then "
        "[-100, *inner[:max_length - 2], -100].",
    ),
)

# ------------------------------------------------------------------------------------------------- mean_over_tokens


def _mean(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    total = (vectors * attention_mask[..., None]).sum(1)
    return total / attention_mask.sum(1, keepdim=True).clamp(min=1)


def _mean_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, D: int, *, dtype: torch.dtype = torch.float64, left: bool = False) -> Case:
        vectors = torch.from_numpy(rng.normal(size=(B, T, D)) + 1.0).to(dtype).requires_grad_()
        lengths = torch.from_numpy(rng.integers(1, T, (B, 1)))
        lengths[0] = T
        keep = torch.arange(T) < lengths
        return case(label, vectors, keep.flip(1) if left else keep)

    worked = torch.tensor([[[1.0, 2.0], [3.0, 6.0], [50.0, 50.0]]], dtype=torch.float64).requires_grad_()
    return [
        case("the worked example", worked, torch.tensor([[True, True, False]])),
        draw("padding at the end", 5, 7, 3),
        draw("padding at the beginning", 3, 11, 2, left=True),
        draw("two rows", 2, 5, 13),
        case("a row in which nothing takes part, zeros", torch.from_numpy(rng.normal(size=(3, 5, 2))).requires_grad_(),
             torch.tensor([[True] * 5, [False] * 5, [True, False, True, False, False]])),
        case("no padding", torch.from_numpy(rng.normal(size=(2, 3, 7))).requires_grad_(),
             torch.ones(2, 3, dtype=torch.bool)),
        draw("float32", 3, 5, 2, dtype=torch.float32),
    ]  # fmt: skip


def _mean_in_loops(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    rows = [
        row[keep].mean(0) if keep.any() else row.sum(0) * 0 for row, keep in zip(vectors, attention_mask, strict=True)
    ]
    return torch.stack(rows)


def _mean_by_product(vectors: Tensor, attention_mask: Tensor) -> Tensor:
    shares = attention_mask.to(vectors.dtype)
    shares = shares / shares.sum(-1, keepdim=True).clamp(min=1.0)
    return torch.einsum("bt,btd->bd", shares, vectors)


def _mean_wrong(vectors: Tensor, attention_mask: Tensor, *, how: str) -> Tensor:
    m = attention_mask[..., None]
    total = (vectors * m).sum(1)
    if how == "all":
        return vectors.mean(1)
    if how == "over_length":
        return total / vectors.shape[1]
    if how == "sum":
        return total
    if how == "turned":
        return (vectors * ~m).sum(1) / (~m).sum(1).clamp(min=1)
    if how == "nan":
        return total / m.sum(1)
    if how == "cls":
        return vectors[:, 0]
    if how == "whole_batch":
        return total / attention_mask.sum().clamp(min=1)
    if how == "max":
        return vectors.masked_fill(~m, float("-inf")).amax(1).nan_to_num(neginf=0.0)
    return (vectors * m).sum(2) / attention_mask.sum(1, keepdim=True).clamp(min=1)


mean_over_tokens = Task(
    name="mean_over_tokens",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_mean_cases,
    reference=_mean,
    compare=CLOSE,
    slips=(
        Slip(
            "all",
            partial(_mean_wrong, how="all"),
            "Padding was averaged in, so a sentence's vector depends on its neighbours in the batch. Leave it out.",
        ),
        Slip(
            "over_length",
            partial(_mean_wrong, how="over_length"),
            "The sum is right, but it was divided by the padded length. Divide each row by its own number of tokens.",
        ),
        Slip(
            "sum",
            partial(_mean_wrong, how="sum"),
            "This is the sum. Divide by the number of tokens that take part, or long sentences get long vectors.",
        ),
        Slip(
            "turned",
            partial(_mean_wrong, how="turned"),
            "The mask is the wrong way round: True is a token that takes part, False is padding.",
        ),
        Slip(
            "nan",
            partial(_mean_wrong, how="nan"),
            "A row in which nothing takes part gave 0 / 0. Divide by at least 1, so that it is zeros.",
        ),
        Slip(
            "cls",
            partial(_mean_wrong, how="cls"),
            "This is the vector over the first place, [CLS]. Here the mean over all tokens is wanted.",
        ),
        Slip(
            "whole_batch",
            partial(_mean_wrong, how="whole_batch"),
            "Each row was divided by the number of tokens in the whole batch. Each has a number of its own.",
        ),
        Slip(
            "max",
            partial(_mean_wrong, how="max"),
            "This takes the largest number of each column (max pooling). The mean is wanted.",
        ),
    ),
    alternatives=(_mean_in_loops, _mean_by_product),
    hints=(
        "Multiply by the mask, so that padding is 0, and sum over the tokens.",
        "The mask is (B, T), the vectors are (B, T, D): attention_mask[..., None] fits. Then divide by attention_mask.sum(1).",
        "(vectors * attention_mask[..., None]).sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)",
    ),
)

# ------------------------------------------------------------------------------------------------------- f1_of_tags


def _f1(said: Sequence[int], wanted: Sequence[int]) -> float:
    pairs = [(s, w) for s, w in zip(said, wanted, strict=True) if w != _IGNORE]
    hits = sum(s == w == 1 for s, w in pairs)
    total = sum(s == 1 for s, _ in pairs) + sum(w == 1 for _, w in pairs)
    return 2 * hits / total if total else 0.0


def _f1_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, rare: float, unknown: float) -> Case:
        wanted = (rng.uniform(size=n) < rare).astype(int)
        said = np.where(rng.uniform(size=n) < 0.3, 1 - wanted, wanted)
        wanted[rng.uniform(size=n) < unknown] = _IGNORE
        wanted[:4], said[:4] = [1, 1, 0, _IGNORE], [1, 0, 1, 1]
        return case(label, said.tolist(), wanted.tolist())

    return [
        case("the worked example", [1, 1, 0, 0, 1], [1, 0, 1, 0, _IGNORE]),
        draw("some tags", 53, 0.4, 0.2),
        draw("rare tags", 211, 0.1, 0.3),
        draw("more tags than not", 31, 0.8, 0.1),
        case("nothing is said to be a name, no hits", [0] * 7, [1, 0, 0, 1, 0, 0, 0]),
        case("no names and none said", [0] * 5, [0] * 5),
        case("all places unknown", [1, 0, 1], [_IGNORE] * 3),
        case("an empty row", [], []),
        case("all right, the score is 1", [1, 0, 1, 1], [1, 0, 1, 1]),
    ]


def _f1_by_means(said: Sequence[int], wanted: Sequence[int]) -> float:
    s, w = np.array(said, dtype=int), np.array(wanted, dtype=int)
    s, w = s[w != -100] == 1, w[w != -100] == 1
    if not (s & w).any():
        return 0.0
    precision, recall = (s & w).sum() / s.sum(), (s & w).sum() / w.sum()
    return float(2 / (1 / precision + 1 / recall))


def _f1_by_counting(said: Sequence[int], wanted: Sequence[int]) -> float:
    table: dict[tuple[int, int], int] = {}
    for pair in zip(said, wanted, strict=True):
        table[pair] = table.get(pair, 0) + 1
    right, wrong, missed = table.get((1, 1), 0), table.get((1, 0), 0), table.get((0, 1), 0)
    return right / (right + (wrong + missed) / 2) if right + wrong + missed else 0.0


def _f1_wrong(said: Sequence[int], wanted: Sequence[int], *, how: str) -> float:
    if how == "with_unknown":
        return _f1(said, [0 if w == _IGNORE else w for w in wanted])
    pairs = [(s, w) for s, w in zip(said, wanted, strict=True) if w != _IGNORE]
    hits, claimed, real = sum(s == w == 1 for s, w in pairs), sum(s for s, _ in pairs), sum(w for _, w in pairs)
    if how == "accuracy":
        return sum(s == w for s, w in pairs) / len(pairs) if pairs else 0.0
    if how == "precision":
        return hits / claimed if claimed else 0.0
    if how == "recall":
        return hits / real if real else 0.0
    precision, recall = hits / claimed if claimed else 0.0, hits / real if real else 0.0
    if how == "plain_mean":
        return (precision + recall) / 2
    if how == "product":
        return precision * recall
    if how == "other_class":
        return _f1([1 - s for s, _ in pairs], [1 - w for _, w in pairs])
    if not claimed + real:
        return 1.0
    return 2 * hits / (claimed + real)


f1_of_tags = Task(
    name="f1_of_tags",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_f1_cases,
    reference=_f1,
    slips=(
        Slip(
            "with_unknown",
            partial(_f1_wrong, how="with_unknown"),
            "A place whose label is -100 was counted as no name. Nothing is known there: leave it out.",
        ),
        Slip(
            "accuracy",
            partial(_f1_wrong, how="accuracy"),
            "This is the share of right tags, which is high for a model that never says name. F1 looks at the names.",
        ),
        Slip(
            "precision",
            partial(_f1_wrong, how="precision"),
            "This is the precision: right ones among those said. Names that were missed do not lower it.",
        ),
        Slip(
            "recall",
            partial(_f1_wrong, how="recall"),
            "This is the recall: names that were found. Tagging everything as a name would get 1.",
        ),
        Slip(
            "plain_mean",
            partial(_f1_wrong, how="plain_mean"),
            "This is the plain mean of precision and recall. F1 is the harmonic mean, 2PR / (P + R), low if one of "
            "the two is low.",
        ),
        Slip(
            "product",
            partial(_f1_wrong, how="product"),
            "This is precision times recall. The harmonic mean is 2PR / (P + R).",
        ),
        Slip(
            "other_class",
            partial(_f1_wrong, how="other_class"),
            "This is the F1 of the words that are no names. Count those with tag 1.",
        ),
        Slip(
            "one_for_nothing",
            partial(_f1_wrong, how="one_for_nothing"),
            "With no names at all, said or wanted, the score is 0 here, by agreement.",
        ),
    ),
    alternatives=(_f1_by_means, _f1_by_counting),
    hints=(
        "Leave out the places where wanted is -100. Then three counts: hits, said to be names, names.",
        "P = hits / said, R = hits / names; 2PR / (P + R) is 2 hits / (said + names), which is easier.",
        "return 2 * hits / (said_names + names) if said_names + names else 0.0",
    ),
)
