"""Tasks of chapter 04, first part: padding, teacher forcing, scheduled sampling."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case

CHAPTER = "04_seq2seq_attention"
Rows = Sequence[Sequence[int]]


def generator_of(seed: int) -> torch.Generator:
    """A torch generator for cases; seeds may be larger than an int of C."""
    return torch.Generator().manual_seed(seed)


# ------------------------------------------------------------------------------------------------------ pad_batch


def _pad_batch(rows: Rows, pad_id: int) -> tuple[Tensor, Tensor]:
    if not rows or min(map(len, rows)) == 0:
        raise ValueError("`rows` must hold at least one row, and each row at least one id.")
    longest = max(map(len, rows))
    ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])
    keep = torch.tensor([[t < len(row) for t in range(longest)] for row in rows])
    return ids, keep


def _pad_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int]) -> list[list[int]]:
        return [[int(i) for i in rng.integers(3, 41, size=length)] for length in lengths]

    with_pad_inside = draw([5, 7, 3])
    with_pad_inside[0][2] = with_pad_inside[1][6] = 9
    return [
        case("the worked example", [[5, 7, 4], [6]], 0),
        case("rows of 2 to 11 ids", draw([3, 11, 2, 7, 5]), 0),
        case("rows of equal length", draw([5, 5, 5]), 0),
        case("one row", draw([7]), 0),
        case("rows of one id", draw([1, 1, 1]), 0),
        case("another pad, which is also a token of the rows", with_pad_inside, 9),
        case("the longest row first, the shortest last", draw([13, 7, 1]), 2),
        case("no rows", [], 0),
        case("an empty row", [[4, 5], []], 0),
    ]


def _pad_wrong(rows: Rows, pad_id: int, *, how: str) -> tuple[Tensor, Tensor]:
    if how == "unchecked":
        longest = max(map(len, rows), default=0)
        ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows])
        return ids, torch.tensor([[t < len(row) for t in range(longest)] for row in rows])
    ids, keep = _pad_batch(rows, pad_id)
    if how == "left":
        width = ids.shape[1]
        ids = torch.tensor([[*[pad_id] * (width - len(row)), *row] for row in rows])
        return ids, keep.flip(1)
    if how == "from_the_ids":
        return ids, ids != pad_id
    if how == "reversed_mask":
        return ids, ~keep
    if how == "float_mask":
        return ids, keep.float()
    if how == "zero_always":
        return torch.where(keep, ids, 0), keep
    if how == "cut":
        shortest = min(map(len, rows))
        return ids[:, :shortest], keep[:, :shortest]
    return ids.T, keep.T  # "transposed"


def _pad_by_filling(rows: Rows, pad_id: int) -> tuple[Tensor, Tensor]:
    lengths = torch.tensor([len(row) for row in rows])
    if len(rows) == 0 or int(lengths.min()) < 1:
        raise ValueError("nothing to pad")
    keep = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.full(keep.shape, pad_id)
    ids[keep] = torch.tensor([i for row in rows for i in row])
    return ids, keep


def _pad_by_torch(rows: Rows, pad_id: int) -> tuple[Tensor, Tensor]:
    if not rows or not all(rows):
        raise ValueError("nothing to pad")
    sequences = [torch.tensor(row) for row in rows]
    ones = [torch.ones(len(row), dtype=torch.bool) for row in rows]
    padded = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True, padding_value=pad_id)
    return padded, torch.nn.utils.rnn.pad_sequence(ones, batch_first=True)


pad_batch = Task(
    name="pad_batch",
    chapter=CHAPTER,
    points=2,
    difficulty=1,
    minutes=10,
    cases=_pad_cases,
    reference=_pad_batch,
    slips=(
        Slip(
            "padded_at_the_front",
            partial(_pad_wrong, how="left"),
            "The pads stand in front of the tokens. Fill up at the end, so that token t of each row is in column t.",
        ),
        Slip(
            "mask_from_the_ids",
            partial(_pad_wrong, how="from_the_ids"),
            "The mask was read off the padded ids, so a real token that happens to have the pad's number was masked "
            "too. Make the mask from the lengths of the rows.",
        ),
        Slip(
            "mask_reversed",
            partial(_pad_wrong, how="reversed_mask"),
            "The mask is the wrong way round. In this course True means that a place takes part; pads are False.",
        ),
        Slip(
            "mask_of_floats",
            partial(_pad_wrong, how="float_mask"),
            "The mask holds 1.0 and 0.0. Make it bool: a float mask would be added to scores or multiplied with them "
            "by mistake, and nothing would complain.",
        ),
        Slip(
            "always_zero",
            partial(_pad_wrong, how="zero_always"),
            "The rows were filled up with 0, whatever `pad_id` says. Use pad_id.",
        ),
        Slip(
            "cut_to_the_shortest",
            partial(_pad_wrong, how="cut"),
            "The long rows were cut to the shortest. No token may get lost: pad all rows to the longest.",
        ),
        Slip(
            "transposed",
            partial(_pad_wrong, how="transposed"),
            "Rows and columns are exchanged: the batch comes first, shape (number of rows, longest row).",
        ),
        Slip(
            "unchecked",
            partial(_pad_wrong, how="unchecked"),
            "The batch is right, but no rows, or an empty row, went through. An encoder that has read nothing has "
            "nothing to tell: raise ValueError.",
        ),
    ),
    alternatives=(_pad_by_filling, _pad_by_torch),
    hints=(
        "How many columns must the tensor have, and which of them are real in a row of n ids?",
        "longest = max(len(row) for row in rows). A row becomes row + [pad_id] * (longest - len(row)); its mask is "
        "True len(row) times, then False.",
        "ids = torch.tensor([[*row, *[pad_id] * (longest - len(row))] for row in rows]) and keep = "
        "torch.arange(longest) < torch.tensor([[len(row)] for row in rows]); check for emptiness first.",
    ),
)

# -------------------------------------------------------------------------------------------------- teacher_pairs


def _teacher_pairs(rows: Rows, start_id: int, stop_id: int) -> list[tuple[list[int], list[int]]]:
    return [([start_id, *row], [*row, stop_id]) for row in rows]


def _teacher_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int]) -> list[list[int]]:
        return [[int(i) for i in rng.integers(3, 29, size=length)] for length in lengths]

    return [
        case("the worked example", [[7, 9, 4]], 1, 2),
        case("rows of 2 to 11 ids", draw([5, 2, 11, 3]), 1, 2),
        case("other special tokens", draw([3, 7]), 40, 41),
        case("a row of one id", draw([1]), 1, 2),
        case("an empty target: the decoder must stop at once", [[]], 1, 2),
        case("no rows", [], 1, 2),
    ]


def _teacher_wrong(rows: Rows, start_id: int, stop_id: int, *, how: str) -> list[tuple[list[int], list[int]]]:
    def one(row: Sequence[int]) -> tuple[list[int], list[int]]:
        whole = [start_id, *row, stop_id]
        return {
            "not_shifted": (whole, whole),
            "no_stop": ([start_id, *row][: max(1, len(row))], list(row)),
            "no_start": (list(row), [*row, stop_id][1:]),
            "start_to_predict": (whole[:-1], whole[:-1]),
            "stop_given": (whole[1:], whole[1:]),
            "backwards": (whole[1:], whole[:-1]),
            "swapped": ([stop_id, *row], [*row, start_id]),
        }[how]

    return [one(row) for row in rows]


def _teacher_by_slices(rows: Rows, start_id: int, stop_id: int) -> list[tuple[list[int], list[int]]]:
    wholes = [[start_id] + list(row) + [stop_id] for row in rows]  # noqa: RUF005
    return [(whole[:-1], whole[1:]) for whole in wholes]


def _teacher_by_loop(rows: Rows, start_id: int, stop_id: int) -> list[tuple[list[int], list[int]]]:
    pairs = []
    for row in rows:
        given, wanted, last = [], [], start_id
        for token in row:
            given.append(last)
            wanted.append(token)
            last = token
        pairs.append(([*given, last], [*wanted, stop_id]))
    return pairs


teacher_pairs = Task(
    name="teacher_pairs",
    chapter=CHAPTER,
    points=1,
    difficulty=1,
    minutes=5,
    cases=_teacher_cases,
    reference=_teacher_pairs,
    slips=(
        Slip(
            "not_shifted",
            partial(_teacher_wrong, how="not_shifted"),
            "What is given and what is to be predicted are the same tokens at the same places: the decoder would only "
            "have to copy. Shift them by one.",
        ),
        Slip(
            "no_stop",
            partial(_teacher_wrong, how="no_stop"),
            "The stop token is never to be predicted, so the decoder would not learn to end. It is the last token to "
            "predict.",
        ),
        Slip(
            "no_start",
            partial(_teacher_wrong, how="no_start"),
            "The start token is missing, so nothing is given before the first word and that word is never predicted. "
            "Give the start token first.",
        ),
        Slip(
            "start_to_predict",
            partial(_teacher_wrong, how="start_to_predict"),
            "The start token is among those to predict. It is only ever given; the first to predict is the first word.",
        ),
        Slip(
            "stop_given",
            partial(_teacher_wrong, how="stop_given"),
            "The stop token is among those that are given. Nothing follows it, so it is only ever predicted.",
        ),
        Slip(
            "backwards",
            partial(_teacher_wrong, how="backwards"),
            "The shift goes the wrong way: at each place the token before is to be predicted from the one after it.",
        ),
        Slip(
            "swapped",
            partial(_teacher_wrong, how="swapped"),
            "Start and stop are exchanged: start begins what is given, stop ends what is to be predicted.",
        ),
    ),
    alternatives=(_teacher_by_slices, _teacher_by_loop),
    hints=(
        "Write down for the target 7 9 4 what the decoder has just read when it has to say 7, 9, 4 and 'stop'.",
        "Put both special tokens around the row: start, row, stop. What is given is all of it but the last; what is to "
        "be predicted is all of it but the first.",
        "[([start_id, *row], [*row, stop_id]) for row in rows]",
    ),
)

# ------------------------------------------------------------------------------------------------- sampled_inputs


def _check_mix(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> None:
    if not 0.0 <= share <= 1.0 or not target.shape == drawn.shape == coins.shape:
        raise ValueError(f"`share` must be in 0..1 and the three shapes alike, got {share}.")


def _sampled_inputs(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> Tensor:
    _check_mix(target, drawn, coins, share)
    mixed = torch.where(coins < share, target, drawn)
    mixed[:, 0] = target[:, 0]
    return mixed


def _mix_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(B: int, T: int) -> tuple[Tensor, Tensor, Tensor]:
        target = torch.randint(3, 31, (B, T), generator=generator)
        target[:, 0] = 1
        drawn = target + torch.randint(40, 60, (B, T), generator=generator)
        coins = torch.rand(B, T, generator=generator)
        coins[:, 0] = 0.9 + 0.09 * torch.rand(B, generator=generator)  # the start would be drawn, were it not kept
        return target, drawn, coins

    worked = (torch.tensor([[1, 7, 9, 4]]), torch.tensor([[5, 6, 8, 3]]), torch.tensor([[0.9, 0.2, 0.7, 0.4]]))
    target, drawn, coins = draw(3, 5)
    coins[1, 2] = 0.5
    return [
        case("the worked example", *worked, 0.5),
        case("half from the teacher, 5 rows of 13", *draw(5, 13), 0.5),
        case("a small share", *draw(7, 11), 0.13),
        case("a coin equal to the share", target, drawn, coins, 0.5),
        case("a share of 1: teacher forcing", *draw(3, 7), 1.0),
        case("a share of 0: all its own but the first", *draw(3, 7), 0.0),
        case("one row of one token", *draw(1, 1), 0.3),
        case("a share above 1", *draw(2, 3), 1.5),
        case("shapes that differ by one", draw(2, 3)[0], draw(2, 4)[1], draw(2, 3)[2], 0.5),
    ]


def _mix_wrong(target: Tensor, drawn: Tensor, coins: Tensor, share: float, *, how: str) -> Tensor:
    if how == "unchecked":
        T = min(target.shape[1], drawn.shape[1])
        mixed = torch.where(coins[:, :T] < share, target[:, :T], drawn[:, :T])
        mixed[:, 0] = target[:, 0]
        return mixed
    right = _sampled_inputs(target, drawn, coins, share)
    if how == "reversed":
        right = torch.where(coins < share, drawn, target)
        right[:, 0] = target[:, 0]
    elif how == "start_mixed":
        right = torch.where(coins < share, target, drawn)
    elif how == "one_coin_a_row":
        right = torch.where(coins[:, 1:2] < share if coins.shape[1] > 1 else coins < share, target, drawn)
        right[:, 0] = target[:, 0]
    elif how == "at_most":
        right = torch.where(coins <= share, target, drawn)
        right[:, 0] = target[:, 0]
    elif how == "shifted":
        right = torch.where(coins < share, target, drawn.roll(1, dims=1))
        right[:, 0] = target[:, 0]
    elif how == "averaged":
        right = (share * target + (1 - share) * drawn).round().long()
        right[:, 0] = target[:, 0]
    return right


def _mix_by_loop(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> Tensor:
    if share < 0 or share > 1 or len({tuple(part.shape) for part in (target, drawn, coins)}) > 1:
        raise ValueError("share or shapes")
    rows = []
    for right, own, row in zip(target.tolist(), drawn.tolist(), coins, strict=True):
        rows.append([r if t == 0 or row[t] < share else o for t, (r, o) in enumerate(zip(right, own, strict=True))])
    return torch.tensor(rows)


def _mix_by_product(target: Tensor, drawn: Tensor, coins: Tensor, share: float) -> Tensor:
    if not (0 <= share <= 1 and target.shape == drawn.shape and drawn.shape == coins.shape):
        raise ValueError("share or shapes")
    teacher = (coins < share).long()
    teacher[:, 0] = 1
    return teacher * target + (1 - teacher) * drawn


sampled_inputs = Task(
    name="sampled_inputs",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_mix_cases,
    reference=_sampled_inputs,
    slips=(
        Slip(
            "reversed",
            partial(_mix_wrong, how="reversed"),
            "Teacher and model are exchanged: `share` is the probability of the teacher's token, so a coin below it "
            "takes the token of `target`.",
        ),
        Slip(
            "start_mixed",
            partial(_mix_wrong, how="start_mixed"),
            "The first column was mixed too. It is the start token, before which the model has said nothing: it is "
            "always the target's.",
        ),
        Slip(
            "one_coin_a_row",
            partial(_mix_wrong, how="one_coin_a_row"),
            "One coin decided for the whole row. Scheduled sampling throws a coin for every token.",
        ),
        Slip(
            "at_most",
            partial(_mix_wrong, how="at_most"),
            "A coin equal to the share took the teacher's token. Coins lie in [0, 1), so `coin < share` is true with "
            "probability exactly `share`; with <= a share of 0 could still let the teacher in.",
        ),
        Slip(
            "shifted",
            partial(_mix_wrong, how="shifted"),
            "The model's tokens were moved by one place. drawn[:, t] is already what the model would put at place t.",
        ),
        Slip(
            "averaged",
            partial(_mix_wrong, how="averaged"),
            "The ids were averaged. Ids are labels, their mean is some third word: choose one of the two for every "
            "place.",
        ),
        Slip(
            "unchecked",
            partial(_mix_wrong, how="unchecked"),
            "The mixture is right, but a share outside 0 to 1, or shapes that do not fit, went through. Raise "
            "ValueError.",
        ),
    ),
    alternatives=(_mix_by_loop, _mix_by_product),
    hints=(
        "For every place there is a coin. When does it choose the teacher, and which place needs no coin?",
        "torch.where(condition, a, b) chooses elementwise. The condition is coins < share; afterwards put the first "
        "column of the target back.",
        "Check share and shapes; mixed = torch.where(coins < share, target, drawn); mixed[:, 0] = target[:, 0]; return "
        "mixed.",
    ),
)
