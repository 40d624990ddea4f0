"""Tasks of chapter 09, first part: the input of two sentences, hiding words, the loss at the hidden places."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case

CHAPTER = "09_bert"
Row = Sequence[int]
Dice = Sequence[float]
TwoLists = tuple[list[int], list[int]]
CLOSE = Compare(rtol=1e-5, atol=1e-7, gradient=True)

# ------------------------------------------------------------------------------------------------------- pair_input


def _pair(
    first: Sequence[int], second: Sequence[int] | None, cls_id: int, sep_id: int, max_length: int
) -> tuple[list[int], list[int]]:
    a, b = list(first), None if second is None else list(second)
    room = max_length - (2 if b is None else 3)
    if room < 0:
        raise ValueError(f"`max_length` must leave room for the special tokens, got {max_length}.")
    while len(a) + len(b or []) > room:
        (a if b is None or len(a) > len(b) else b).pop()
    ids = [cls_id, *a, sep_id]
    segments = [0] * len(ids)
    if b is not None:
        ids, segments = [*ids, *b, sep_id], [*segments, *[1] * (len(b) + 1)]
    return ids, segments


def _pair_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(n: int) -> list[int]:
        return [int(i) for i in rng.integers(5, 97, n)]

    return [
        case("the worked example", [11, 12], [21, 22, 23], 2, 3, 16),
        case("two sentences with room to spare", draw(7), draw(5), 2, 3, 31),
        case("one sentence alone", draw(7), None, 2, 3, 31),
        case("one sentence that is too long", draw(13), None, 2, 3, 11),
        case("a first sentence that is too long", draw(17), draw(3), 2, 3, 13),
        case("a longer second sentence", draw(3), draw(17), 2, 3, 13),
        case("both too long, of equal length", draw(11), draw(11), 2, 3, 17),
        case("just enough room, none to spare", draw(5), draw(3), 1, 4, 11),
        case("an empty second sentence", draw(5), [], 2, 3, 11),
        case("two empty sentences", [], [], 2, 3, 3),
        case("no room for the special tokens", draw(3), draw(2), 2, 3, 2),
    ]


def _pair_by_counting(first: Row, second: Row | None, cls_id: int, sep_id: int, max_length: int) -> TwoLists:
    if second is None:
        if max_length < 2:
            raise ValueError("max_length")
        ids = [cls_id, *list(first)[: max_length - 2], sep_id]
        return ids, [0 for _ in ids]
    room = max_length - 3
    if room < 0:
        raise ValueError("max_length")
    keep_a, keep_b = len(first), len(second)
    for _ in range(max(0, keep_a + keep_b - room)):
        if keep_a > keep_b:
            keep_a -= 1
        else:
            keep_b -= 1
    one = [cls_id, *list(first)[:keep_a], sep_id]
    two = [*list(second)[:keep_b], sep_id]
    return one + two, [0] * len(one) + [1] * len(two)


def _pair_by_recursion(first: Row, second: Row | None, cls_id: int, sep_id: int, max_length: int) -> TwoLists:
    parts = [list(first)] if second is None else [list(first), list(second)]
    if max_length < len(parts) + 1:
        raise ValueError("too short")
    size = sum(map(len, parts)) + len(parts) + 1
    if size > max_length:
        lengths = [len(part) for part in parts]
        longest = 0 if lengths[0] > lengths[-1] else len(parts) - 1
        parts[longest] = parts[longest][:-1]
        return _pair_by_recursion(parts[0], parts[1] if second is not None else None, cls_id, sep_id, max_length)
    ids, segments = [cls_id], [0]
    for number, part in enumerate(parts):
        ids += [*part, sep_id]
        segments += [number] * (len(part) + 1)
    return ids, segments


def _pair_wrong(first: Row, second: Row | None, cls_id: int, sep_id: int, max_length: int, *, how: str) -> TwoLists:
    ids, segments = _pair(first, second, cls_id, sep_id, max_length)
    if how == "one_sep" and second is not None:
        at = ids.index(sep_id)
        return ids[:at] + ids[at + 1 :], segments[:at] + segments[at + 1 :]
    if how == "sep_is_second" and second is not None:
        segments[ids.index(sep_id)] = 1
    if how == "no_last_sep":
        return (ids[:-1], segments[:-1]) if second is not None else (ids, segments)
    if how == "segments_from_one":
        return ids, [number + 1 for number in segments]
    if how == "all_zero":
        return ids, [0] * len(ids)
    if how == "cut_the_end":
        whole_ids, whole_segments = _pair(first, second, cls_id, sep_id, 10_000)
        return whole_ids[:max_length], whole_segments[:max_length]
    if how == "second_first" and second is not None:
        room = max_length - 3
        return _pair(list(first)[:room], list(second)[: max(0, room - len(first))], cls_id, sep_id, max_length)
    if how == "no_cut":
        return _pair(first, second, cls_id, sep_id, 10_000)
    return ids, segments


pair_input = Task(
    name="pair_input",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_pair_cases,
    reference=_pair,
    slips=(
        Slip(
            "one_sep",
            partial(_pair_wrong, how="one_sep"),
            "There is no [SEP] between the sentences. Each of the two ends with one of its own.",
        ),
        Slip(
            "sep_is_second",
            partial(_pair_wrong, how="sep_is_second"),
            "The first [SEP] belongs to the first sentence: its segment is 0. The 1s begin after it.",
        ),
        Slip(
            "no_last_sep",
            partial(_pair_wrong, how="no_last_sep"),
            "The second sentence ends with a [SEP] too, with segment 1.",
        ),
        Slip(
            "segments_from_one",
            partial(_pair_wrong, how="segments_from_one"),
            "Segments count from 0: the first sentence is 0, the second is 1.",
        ),
        Slip(
            "all_zero",
            partial(_pair_wrong, how="all_zero"),
            "All segments are 0, so the model cannot tell which sentence a token belongs to. The second one's are 1.",
        ),
        Slip(
            "cut_the_end",
            partial(_pair_wrong, how="cut_the_end"),
            "The finished row was cut, and with it the last [SEP]. Shorten the sentences first, then put the special "
            "tokens around them.",
        ),
        Slip(
            "second_first",
            partial(_pair_wrong, how="second_first"),
            "Only the second sentence was shortened until nothing was left of it. Take a token from the longer one at "
            "a time, from the second when both are equally long.",
        ),
        Slip(
            "no_cut",
            partial(_pair_wrong, how="no_cut"),
            "The row is longer than max_length. Shorten the longer sentence, a token at a time, until all fits.",
        ),
    ),
    alternatives=(_pair_by_counting, _pair_by_recursion),
    hints=(
        "First make the two sentences short enough: max_length less the special tokens, two for one sentence, three "
        "for a pair.",
        "while len(a) + len(b) > room: take the last token from a if len(a) > len(b), else from b.",
        "ids = [cls_id, *a, sep_id, *b, sep_id]; segments = [0] * (len(a) + 2) + [1] * (len(b) + 1). Without a second "
        "sentence: [cls_id, *a, sep_id] and zeros. Raise ValueError if room is below 0.",
    ),
)

# ------------------------------------------------------------------------------------------------------- hide_words

_IGNORE = -100


def _hide(
    ids: Sequence[int],
    chance: Sequence[float],
    lot: Sequence[float],
    drawn: Sequence[int],
    mask_id: int,
    special_ids: Sequence[int],
) -> tuple[list[int], list[int]]:
    inputs, labels = list(ids), [_IGNORE] * len(ids)
    for place, word in enumerate(ids):
        if chance[place] < 0.15 and word not in special_ids:
            labels[place] = word
            if lot[place] < 0.8:
                inputs[place] = mask_id
            elif lot[place] < 0.9:
                inputs[place] = drawn[place]
    return inputs, labels


def _hide_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, *, high: float = 1.0, special_tokens: Sequence[int] = (0, 2, 3)) -> Case:
        ids = [int(i) for i in rng.integers(0, 41, n)]
        chance, lot = rng.uniform(0, high, n).round(3).tolist(), rng.uniform(0, 1, n).round(3).tolist()
        drawn = [int(i) for i in rng.integers(5, 41, n)]
        return case(label, ids, chance, lot, drawn, 4, list(special_tokens))

    few = [int(i) for i in rng.integers(10, 30, 7)]
    return [
        case("the worked example", [2, 17, 18, 19, 20, 3], [0.1, 0.1, 0.1, 0.1, 0.9, 0.1],
             [0.1, 0.5, 0.85, 0.95, 0.1, 0.1], [7, 7, 7, 7, 7, 7], 4, [0, 2, 3, 4]),
        draw("a long row", 211),
        draw("a row in which many are chosen", 61, high=0.2),
        draw("no special tokens", 53, high=0.18, special_tokens=()),
        case("numbers that are exactly at the border", few, [0.15, 0.1, 0.1, 0.1, 0.0, 0.149, 0.151],
             [0.5, 0.8, 0.9, 0.799, 0.0, 0.899, 0.1], [31, 32, 33, 34, 35, 36, 37], 4, [0, 2, 3]),
        case("a drawn word that is the same", few[:3], [0.1, 0.1, 0.9], [0.85, 0.3, 0.85], few[:3], 4, [0]),
        case("only special tokens", [2, 3, 0, 0], [0.0] * 4, [0.5] * 4, [9] * 4, 4, [0, 2, 3]),
        case("an empty row", [], [], [], [], 4, [0]),
    ]  # fmt: skip


def _hide_by_array(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row) -> TwoLists:
    row, lots = np.array(ids, dtype=int), np.array(lot, dtype=float)
    chosen = (np.array(chance, dtype=float) < 0.15) & ~np.isin(row, np.array(special_ids, dtype=int))
    shown = np.where(chosen & (lots < 0.8), mask_id, row)
    shown = np.where(chosen & (lots >= 0.8) & (lots < 0.9), np.array(drawn, dtype=int), shown)
    return shown.tolist(), np.where(chosen, row, -100).tolist()


def _hide_by_zip(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row) -> TwoLists:
    def one(word: int, p: float, q: float, other: int) -> tuple[int, int]:
        if p >= 0.15 or word in set(special_ids):
            return word, -100
        return (mask_id if q < 0.8 else other if q < 0.9 else word), word

    done = [one(*parts) for parts in zip(ids, chance, lot, drawn, strict=True)]
    return [shown for shown, _ in done], [label for _, label in done]


def _hide_wrong(ids: Row, chance: Dice, lot: Dice, drawn: Row, mask_id: int, special_ids: Row, *, how: str) -> TwoLists:
    special: Row = () if how == "specials_too" else special_ids
    if how == "swapped":
        lot = [q - 0.1 if q >= 0.9 else q + 0.1 if q >= 0.8 else q for q in lot]
    if how == "always_mask":
        lot = [0.0] * len(lot)
    if how == "of_all":  # 80 % of all, not of the chosen
        lot = [0.0 if p < 0.12 else 0.85 if p < 0.135 else 0.95 for p in chance]
    inputs, labels = _hide(ids, chance, lot, drawn, mask_id, special)
    if how == "labels_everywhere":
        labels = list(ids)
    if how == "only_changed":
        labels = [_IGNORE if shown == word else word for shown, word in zip(inputs, ids, strict=True)]
    if how == "labels_from_inputs":
        labels = [shown if label != _IGNORE else _IGNORE for shown, label in zip(inputs, labels, strict=True)]
    if how == "zero":
        labels = [0 if label == _IGNORE else label for label in labels]
    return inputs, labels


hide_words = Task(
    name="hide_words",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_hide_cases,
    reference=_hide,
    slips=(
        Slip(
            "specials_too",
            partial(_hide_wrong, how="specials_too"),
            "A special token was chosen. [CLS], [SEP] and padding are never hidden: there is nothing to guess.",
        ),
        Slip(
            "labels_everywhere",
            partial(_hide_wrong, how="labels_everywhere"),
            "Every place has a label. Only the chosen ones may teach; all others are -100.",
        ),
        Slip(
            "only_changed",
            partial(_hide_wrong, how="only_changed"),
            "A chosen token that stays as it is has lost its label. It is to be guessed too, or the 10 % that stay "
            "would teach nothing.",
        ),
        Slip(
            "labels_from_inputs",
            partial(_hide_wrong, how="labels_from_inputs"),
            "The label is what stands there after hiding. It has to be the token that was there before.",
        ),
        Slip(
            "zero",
            partial(_hide_wrong, how="zero"),
            "Places that are not chosen got the label 0, which is a token. Use -100, which the loss leaves out.",
        ),
        Slip(
            "always_mask",
            partial(_hide_wrong, how="always_mask"),
            "All chosen tokens became [MASK]. Only a lot below 0.8 does that; up to 0.9 a drawn word; the rest stay.",
        ),
        Slip(
            "swapped",
            partial(_hide_wrong, how="swapped"),
            "The last two tenths are exchanged: from 0.8 to 0.9 comes the drawn word, from 0.9 on the token stays.",
        ),
        Slip(
            "of_all",
            partial(_hide_wrong, how="of_all"),
            "What happens to a chosen token was read from `chance`. It has a number of its own, `lot`.",
        ),
    ),
    alternatives=(_hide_by_array, _hide_by_zip),
    hints=(
        "Start from a copy of ids and a list of -100. A place is chosen if its chance is below 0.15 and its token is "
        "not special.",
        "At a chosen place the label is the old token, whatever happens to the input. Then look at lot.",
        "labels[t] = ids[t]; if lot[t] < 0.8: inputs[t] = mask_id; elif lot[t] < 0.9: inputs[t] = drawn[t]",
    ),
)

# ------------------------------------------------------------------------------------------------------ masked_loss


def _loss(logits: Tensor, labels: Tensor) -> Tensor:
    chosen = labels != _IGNORE
    if not chosen.any():
        return logits.sum() * 0.0
    log_probs = logits[chosen].log_softmax(dim=-1)
    return -log_probs.gather(1, labels[chosen][:, None]).mean()


def _loss_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, B: int, T: int, V: int, share: float, dtype: torch.dtype = torch.float64) -> Case:
        logits = torch.from_numpy(rng.normal(size=(B, T, V)) * 2).to(dtype).requires_grad_()
        labels = torch.from_numpy(rng.integers(0, V, (B, T)))
        labels[torch.from_numpy(rng.uniform(size=(B, T)) >= share)] = _IGNORE
        labels[0, -1] = int(rng.integers(0, V)) if share > 0 else _IGNORE
        return case(label, logits, labels)

    worked = torch.tensor([[[0.0, 0.0], [0.0, 100.0], [9.0, 0.0]]], dtype=torch.float64)
    return [
        case("the worked example", worked.requires_grad_(), torch.tensor([[1, _IGNORE, _IGNORE]])),
        draw("some places", 3, 11, 7, 0.3),
        draw("rows with different numbers of hidden words", 5, 13, 3, 0.15),
        draw("one hidden word", 2, 5, 11, 1e-9),
        draw("no place is hidden", 2, 3, 5, 0.0),
        draw("every place is hidden", 2, 7, 5, 1.0),
        draw("float32", 3, 5, 13, 0.4, torch.float32),
        case("a score beyond the range of exp, no overflow",
             torch.tensor([[[1000.0, 0.0, -3.0], [1.0, 2.0, 3.0]]]).double().requires_grad_(), torch.tensor([[1, 2]])),
    ]  # fmt: skip


def _loss_by_library(logits: Tensor, labels: Tensor) -> Tensor:
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return total / max(1, int((labels != -100).sum()))


def _loss_by_mask(logits: Tensor, labels: Tensor) -> Tensor:
    keep = labels.ne(-100)
    right = logits.gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    nats = (logits.logsumexp(-1) - right) * keep
    return nats.sum() / keep.sum().clamp(min=1)


def _loss_wrong(logits: Tensor, labels: Tensor, *, how: str) -> Tensor:
    chosen = labels != _IGNORE
    filled = labels.clamp(min=0)
    nats = -logits.log_softmax(-1).gather(-1, filled[..., None])[..., 0]
    if how == "all_places":
        return nats.mean()
    if how == "mean_over_all":
        return (nats * chosen).mean()
    if how == "sum":
        return (nats * chosen).sum()
    if how == "nan":
        return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=_IGNORE)
    if how == "by_row":
        rows = (nats * chosen).sum(1) / chosen.sum(1).clamp(min=1)
        return rows.mean()
    if how == "sign":
        return -_loss(logits, labels)
    if how == "wrong_dim":
        other = -logits.log_softmax(1).gather(-1, filled[..., None])[..., 0]
        return (other * chosen).sum() / chosen.sum().clamp(min=1)
    return _loss(logits, labels) / float(np.log(2))


masked_loss = Task(
    name="masked_loss",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=15,
    cases=_loss_cases,
    reference=_loss,
    compare=CLOSE,
    slips=(
        Slip(
            "all_places",
            partial(_loss_wrong, how="all_places"),
            "Places with the label -100 were counted, as if token 0 were wanted there. Choose the others first.",
        ),
        Slip(
            "mean_over_all",
            partial(_loss_wrong, how="mean_over_all"),
            "The sum was divided by all places. Divide by the number of hidden ones, or the loss depends on how many "
            "were drawn.",
        ),
        Slip(
            "sum",
            partial(_loss_wrong, how="sum"),
            "This is the sum over the hidden places. The mean is wanted.",
        ),
        Slip(
            "nan",
            partial(_loss_wrong, how="nan"),
            "With nothing hidden this is 0 / 0, not a number, and one such batch ruins all weights. Give 0 then.",
        ),
        Slip(
            "by_row",
            partial(_loss_wrong, how="by_row"),
            "The mean was taken for each row and then over the rows, so a word in a row with few blanks counts more. "
            "Take one mean over all hidden places.",
        ),
        Slip(
            "sign",
            partial(_loss_wrong, how="sign"),
            "The sign is turned round: this falls as the model gets worse. The loss is minus the log-probability.",
        ),
        Slip(
            "wrong_dim",
            partial(_loss_wrong, how="wrong_dim"),
            "The softmax runs over the places. It must run over the words of the vocabulary, the last dimension.",
        ),
        Slip(
            "bits",
            partial(_loss_wrong, how="bits"),
            "This is in bits. Losses are in nats here: use the natural logarithm.",
        ),
    ),
    alternatives=(_loss_by_library, _loss_by_mask),
    hints=(
        "Choose the places first: logits[labels != -100] has shape (N, V), labels[labels != -100] has shape (N,).",
        "Then the usual cross-entropy: log_softmax over the last dimension, and the entry of the right word in each "
        "row. And if N is 0?",
        "log_probs = logits[chosen].log_softmax(-1); -log_probs[torch.arange(N), labels[chosen]].sum() / max(N, 1)",
    ),
)
