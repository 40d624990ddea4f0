"""Tasks of chapter 04, third part: greedy search, a step of beam search, the length penalty."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.seq2seq import CHAPTER, generator_of

NextProbs = Callable[[list[int]], list[float]]

# -------------------------------------------------------------------------------------------------- greedy_decode


def _call_with_model(answer: Callable[..., Any], table: Mapping[int, Sequence[float]], *args: int) -> Any:
    """Hand the answer a model: a function from the tokens so far to the next one's probabilities.

    It depends on the last token and on how many there are, so that a model that is asked the wrong thing says
    something else.
    """

    def next_probs(ids: list[int]) -> list[float]:
        if not isinstance(ids, list) or not ids or ids[0] != args[0]:
            raise ValueError("`ids` must be a list of the tokens so far, the start token first.")
        row = list(table[ids[-1]])
        return row if len(ids) % 2 else [row[0], row[1], *row[:1:-1]]  # every other step the words change places

    return answer(next_probs, *args)


def _greedy(next_probs: NextProbs, start_id: int, stop_id: int, max_length: int) -> tuple[list[int], bool]:
    if max_length < 1:
        raise ValueError(f"`max_length` must be at least 1, got {max_length}.")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids)
        best = probs.index(max(probs))
        if best == stop_id:
            return ids[1:], True
        ids = [*ids, best]
    return ids[1:], False


def _table(rng: np.random.Generator, V: int, stop: float) -> dict[int, list[float]]:
    """A row of probabilities for each token: 0 for the start token, `stop` for the stop token, the rest shared."""
    rows = {}
    for token in range(V):
        shares = rng.dirichlet(np.ones(V - 2)) * (1 - stop)
        rows[token] = [0.0, stop, *map(float, shares)]
    return rows


def _greedy_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    worked = {0: [0.0, 0.1, 0.3, 0.6], 3: [0.0, 0.2, 0.5, 0.3], 2: [0.0, 0.7, 0.1, 0.2], 1: [0.0, 1.0, 0.0, 0.0]}
    stops_at_once = {token: [0.0, 0.9, 0.05, 0.05] for token in range(4)}
    last = int(rng.integers(3, 6))
    # 0 -> last -> 2 or its mirror -> stop: ends exactly at max_length 3, the stop token counted
    chain = {0: [0.0] * 7, last: [0.0, 0.3, 0.7, 0.0, 0.0, 0.0, 0.0], 1: [0.0, 1.0] + [0.0] * 5}
    chain[0][last] = 1.0
    chain |= {token: [0.0, 0.8, 0.2, 0.0, 0.0, 0.0, 0.0] for token in (2, 3, 4, 5, 6) if token != last}
    return [
        case("the worked example", worked, 0, 1, 5),
        case("seven tokens", _table(rng, 7, 0.21), 0, 1, 13),
        case("eleven tokens", _table(rng, 11, 0.19), 0, 1, 17),
        case("the model stops at once: an empty sentence", stops_at_once, 0, 1, 5),
        case("the model never stops", _table(rng, 5, 0.0), 0, 1, 7),
        case("the stop token is the last one allowed", chain, 0, 1, 3),
        case("one token allowed", _table(rng, 5, 0.1), 0, 1, 1),
        case("no token allowed", _table(rng, 5, 0.1), 0, 1, 0),
    ]


def _greedy_wrong(
    next_probs: NextProbs, start_id: int, stop_id: int, max_length: int, *, how: str
) -> tuple[list[int], bool]:
    if max_length < 1 and how != "unchecked":
        raise ValueError("max_length")
    ids, finished = [start_id], False
    for _ in range(max_length + (how == "one_more")):
        probs = next_probs([start_id, ids[-1]] if how == "last_only" and len(ids) > 1 else ids)
        best = probs.index(min(p for p in probs if p > 0)) if how == "least" else probs.index(max(probs))
        if how == "never_stops" and best == stop_id:
            best = probs.index(sorted(probs)[-2])
        if best == stop_id:
            finished = True
            if how == "stop_kept":
                ids = [*ids, best]
            break
        ids = [*ids, best]
    if how == "start_kept":
        return ids, finished
    if how == "always_finished":
        return ids[1:], True
    return ids[1:], finished


def _greedy_with_while(next_probs: NextProbs, start_id: int, stop_id: int, max_length: int) -> tuple[list[int], bool]:
    if max_length <= 0:
        raise ValueError("max_length")
    out: list[int] = []
    while len(out) < max_length:
        token = int(np.argmax(next_probs([start_id, *out])))
        if token == stop_id:
            return out, True
        out.append(token)
    return out, False


def _greedy_recursively(next_probs: NextProbs, start_id: int, stop_id: int, max_length: int) -> tuple[list[int], bool]:
    if max_length < 1:
        raise ValueError("max_length")

    def rest(ids: list[int]) -> list[int]:
        if ids[-1] == stop_id or len(ids) > max_length:
            return ids
        probs = next_probs(ids)
        return rest([*ids, max(range(len(probs)), key=probs.__getitem__)])

    found = rest([start_id])[1:]
    return (found[:-1], True) if found and found[-1] == stop_id else (found, False)


greedy_decode = Task(
    name="greedy_decode",
    chapter=CHAPTER,
    points=3,
    difficulty=2,
    minutes=20,
    cases=_greedy_cases,
    reference=_greedy,
    call=_call_with_model,
    slips=(
        Slip(
            "stop_kept",
            partial(_greedy_wrong, how="stop_kept"),
            "The stop token is part of the sentence that came back. It ends the search; nobody says it.",
        ),
        Slip(
            "start_kept",
            partial(_greedy_wrong, how="start_kept"),
            "The start token is part of the sentence that came back. It is only there for the model to read.",
        ),
        Slip(
            "never_stops",
            partial(_greedy_wrong, how="never_stops"),
            "The sentence goes on when the likeliest token is the stop token. That is how the model says that it is "
            "done: stop there.",
        ),
        Slip(
            "always_finished",
            partial(_greedy_wrong, how="always_finished"),
            "A sentence that was cut off at max_length is called finished. Say False: it has no end of its own.",
        ),
        Slip(
            "last_token_only",
            partial(_greedy_wrong, how="last_only"),
            "The model was shown only the start and the last token. Show it all tokens so far: what comes next depends "
            "on more than the last one.",
        ),
        Slip(
            "one_more",
            partial(_greedy_wrong, how="one_more"),
            "One token more than max_length was chosen. Count the stop token among those that are allowed.",
        ),
        Slip(
            "least_likely",
            partial(_greedy_wrong, how="least"),
            "The least likely token was taken. Greedy search takes the one with the largest probability.",
        ),
        Slip(
            "unchecked",
            partial(_greedy_wrong, how="unchecked"),
            "The search is right, but a max_length below 1 went through. It allows nothing, not even the stop token: "
            "raise ValueError.",
        ),
    ),
    alternatives=(_greedy_with_while, _greedy_recursively),
    hints=(
        "Keep a list that begins with the start token. What do you ask the model each time, and when do you leave the "
        "loop?",
        "for _ in range(max_length): probs = next_probs(ids); best = probs.index(max(probs)). If best is the stop "
        "token, return what is there without the start, and True; else append it.",
        "After the loop return ids[1:], False; inside it, at the stop token, return ids[1:], True. Check max_length "
        "< 1 first.",
    ),
)

# ------------------------------------------------------------------------------------------------------ beam_step


def _beam_step(totals: Tensor, next_log_probs: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("`beam_size` must be at least 1 and each hypothesis must have a row of log-probabilities.")
    every = (totals[:, None] + next_log_probs).flatten()
    best, places = every.topk(min(beam_size, every.numel()))
    V = next_log_probs.shape[1]
    return best, places // V, places % V


def _beam_cases(seed: int) -> list[Case]:
    generator = generator_of(seed)

    def draw(k: int, V: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
        totals = -3 * torch.rand(k, generator=generator, dtype=torch.float64)
        return totals.to(dtype), (2 * torch.randn(k, V, generator=generator, dtype=torch.float64)).log_softmax(1).to(
            dtype
        )

    worked = torch.tensor([[0.5, 0.3, 0.2], [0.9, 0.05, 0.05]]).log()
    totals, log_probs = draw(5, 11)
    lonely = totals.clone()
    lonely[1:] = -50.0  # all the best continue the first
    forbidden = log_probs.clone()
    forbidden[:, 3] = -torch.inf
    return [
        case("the worked example", torch.tensor([0.6, 0.4]).log(), worked, 2),
        case("5 hypotheses, 11 tokens", totals, log_probs, 5),
        case("7 hypotheses, 5 tokens", *draw(7, 5), 7),
        case("all the best go on from one hypothesis", lonely, log_probs, 5),
        case("a token of probability zero", totals, forbidden, 3),
        case("float64", *draw(3, 7, torch.float64), 3),
        case("the first step: one hypothesis, a beam of 5", *draw(1, 13), 5),
        case("a beam of one: greedy", *draw(1, 7), 1),
        case("a beam larger than all there is", *draw(2, 3), 11),
        case("a beam of size zero", *draw(2, 3), 0),
        case("a row too many, of no hypothesis", draw(2, 3)[0], draw(3, 3)[1], 2),
    ]


def _beam_wrong(totals: Tensor, next_log_probs: Tensor, beam_size: int, *, how: str) -> tuple[Tensor, Tensor, Tensor]:
    if beam_size < 1 or len(totals) != len(next_log_probs):
        if how == "unchecked":
            n = min(len(totals), len(next_log_probs))
            totals, next_log_probs, beam_size = totals[:n], next_log_probs[:n], max(beam_size, 1)
        else:
            raise ValueError("sizes")
    k, V = next_log_probs.shape
    size = min(beam_size, k * V)
    every = totals[:, None] + next_log_probs
    if how == "per_hypothesis":
        tokens = next_log_probs.argmax(1)
        return every.gather(1, tokens[:, None])[:, 0], torch.arange(k), tokens
    if how == "no_totals":
        _, places = next_log_probs.flatten().topk(size)
        return every.flatten()[places], places // V, places % V
    if how == "multiplied":
        best, places = (totals[:, None] * next_log_probs).flatten().nan_to_num(neginf=-1e9, posinf=-1e9).topk(size)
        return best, places // V, places % V
    if how == "worst":
        best, places = every.flatten().topk(size, largest=False)
        return best, places // V, places % V
    best, places = every.flatten().topk(size)
    if how == "swapped":
        return best, places % V, places // V
    if how == "wrong_divisor":
        return best, places // k, places % k
    if how == "probabilities":
        return best.exp(), places // V, places % V
    if how == "step_only":
        return next_log_probs.flatten()[places], places // V, places % V
    return best, places // V, places % V  # "unchecked"


def _beam_by_sorting(totals: Tensor, next_log_probs: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    if not beam_size > 0 or totals.shape[0] != next_log_probs.shape[0]:
        raise ValueError("sizes")
    candidates = [
        (totals[parent] + log_prob, parent, token)
        for parent, row in enumerate(next_log_probs)
        for token, log_prob in enumerate(row)
    ]
    kept = sorted(candidates, key=lambda c: float(c[0]), reverse=True)[:beam_size]
    parents, tokens = (torch.tensor([c[i] for c in kept]) for i in (1, 2))
    return torch.stack([c[0] for c in kept]), parents, tokens


def _beam_by_unravel(totals: Tensor, next_log_probs: Tensor, beam_size: int) -> tuple[Tensor, Tensor, Tensor]:
    if beam_size <= 0 or totals.numel() != next_log_probs.size(0):
        raise ValueError("sizes")
    every = next_log_probs + totals.unsqueeze(1)
    order = every.reshape(-1).argsort(descending=True, stable=True)[:beam_size]
    parents, tokens = torch.unravel_index(order, every.shape)
    return every[parents, tokens], parents, tokens


beam_step = Task(
    name="beam_step",
    chapter=CHAPTER,
    points=4,
    difficulty=4,
    minutes=30,
    cases=_beam_cases,
    reference=_beam_step,
    compare=Compare(rtol=1e-5, atol=1e-6),
    slips=(
        Slip(
            "best_of_each",
            partial(_beam_wrong, how="per_hypothesis"),
            "Each hypothesis went on with its own best token: that is several greedy searches side by side. The best "
            "are chosen among all continuations of all hypotheses.",
        ),
        Slip(
            "totals_forgotten",
            partial(_beam_wrong, how="no_totals"),
            "The choice went by the new token alone. A likely token after an unlikely beginning is an unlikely "
            "sentence: add the total so far before you choose.",
        ),
        Slip(
            "multiplied",
            partial(_beam_wrong, how="multiplied"),
            "Log-probabilities were multiplied. Probabilities multiply; their logarithms add.",
        ),
        Slip(
            "worst",
            partial(_beam_wrong, how="worst"),
            "The least likely continuations were kept. Log-probabilities are negative: the best are those nearest to "
            "0, the largest.",
        ),
        Slip(
            "parents_and_tokens_swapped",
            partial(_beam_wrong, how="swapped"),
            "Parents and tokens are exchanged. In the flat list of k * V sums, place // V is the hypothesis and "
            "place % V the token.",
        ),
        Slip(
            "divided_by_the_beam",
            partial(_beam_wrong, how="wrong_divisor"),
            "The flat places were divided by the number of hypotheses. A row of the table has V entries, so divide "
            "by V.",
        ),
        Slip(
            "step_only",
            partial(_beam_wrong, how="step_only"),
            "The right continuations were chosen, but what came back are their last steps alone. Return the totals, "
            "which the next step goes on from.",
        ),
        Slip(
            "probabilities",
            partial(_beam_wrong, how="probabilities"),
            "The totals came back as probabilities. Stay with logarithms: after a hundred steps the product is below "
            "the smallest float.",
        ),
        Slip(
            "unchecked",
            partial(_beam_wrong, how="unchecked"),
            "The step is right, but a beam of size 0, or a row without a hypothesis, went through. Raise ValueError.",
        ),
    ),
    alternatives=(_beam_by_sorting, _beam_by_unravel),
    hints=(
        "There are k hypotheses and V tokens, so k * V candidates. What is the log-probability of each, and how do you "
        "find the largest of a table?",
        "every = totals[:, None] + next_log_probs is the table (k, V). Flatten it, take topk, and turn each flat place "
        "back into a row (the parent) and a column (the token).",
        "best, places = every.flatten().topk(min(beam_size, every.numel())); V = next_log_probs.shape[1]; return best, "
        "places // V, places % V",
    ),
)

# ------------------------------------------------------------------------------------------------ best_hypothesis

Hypotheses = Sequence[tuple[Sequence[int], float]]


def _best_hypothesis(hypotheses: Hypotheses, alpha: float) -> tuple[list[int], float]:
    if not hypotheses or alpha < 0:
        raise ValueError("`hypotheses` must not be empty and `alpha` must be at least 0.")
    scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, list(ids)) for ids, log_prob in hypotheses]
    score, ids = max(scored, key=lambda pair: pair[0])
    return ids, score


def _best_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(lengths: Sequence[int], a_token: float) -> list[tuple[list[int], float]]:
        return [
            ([int(i) for i in rng.integers(3, 31, size=n)], float(-a_token * n * rng.uniform(0.9, 1.1) - 0.01 * n))
            for n in lengths
        ]

    rows = draw([3, 5, 7, 11, 13], 0.5)
    long_wins = [([3] * 2, -2.0), ([4] * 17, -3.1 - float(rng.uniform(0, 0.2))), ([5] * 23, -9.0)]
    return [
        case("the worked example", [([7, 9], -2.0), ([7, 9, 4, 5, 8], -2.4)], 1.0),
        case("five hypotheses, no penalty: alpha zero", rows, 0.0),
        case("five hypotheses, alpha 0.6", draw([5, 2, 13, 7, 3], 0.4), 0.6),
        case("a long one wins at alpha 1", long_wins, 1.0),
        case("the same at alpha 0.3", long_wins, 0.3),
        case("a large alpha", draw([11, 3, 7, 17, 2], 0.3), 2.0),
        case("one hypothesis", draw([7], 0.7), 1.0),
        case("an empty sentence among them", [([], -1.7), ([5, 8, 4], -1.9)], 0.5),
        case("no hypotheses", [], 1.0),
        case("a negative alpha", rows, -0.5),
    ]


def _best_wrong(hypotheses: Hypotheses, alpha: float, *, how: str) -> tuple[list[int], float]:
    if how != "unchecked" and (not hypotheses or alpha < 0):
        raise ValueError("hypotheses")
    if not hypotheses:
        return [], 0.0

    def score(ids: Sequence[int], log_prob: float) -> float:
        n = len(ids)
        return {
            "ignored": log_prob,
            "by_length": log_prob / max(n, 1),
            "multiplied": log_prob * ((5 + n) / 6) ** alpha,
            "no_power": log_prob / ((5 + n) / 6 * alpha) if alpha else log_prob,
            "subtracted": log_prob - alpha * n,
            "raw_score": log_prob / ((5 + n) / 6) ** alpha,
            "worst": log_prob / ((5 + n) / 6) ** alpha,
            "unchecked": log_prob / ((5 + n) / 6) ** alpha,
        }[how]

    scored = [(score(ids, log_prob), list(ids), log_prob) for ids, log_prob in hypotheses]
    best = min(scored, key=lambda s: s[0]) if how == "worst" else max(scored, key=lambda s: s[0])
    return best[1], best[2] if how == "raw_score" else best[0]


def _best_by_numpy(hypotheses: Hypotheses, alpha: float) -> tuple[list[int], float]:
    if len(hypotheses) == 0 or not alpha >= 0:
        raise ValueError("hypotheses")
    lengths = np.array([len(ids) for ids, _ in hypotheses])
    scores = np.array([log_prob for _, log_prob in hypotheses]) / np.power((5.0 + lengths) / 6.0, alpha)
    at = int(scores.argmax())
    return list(hypotheses[at][0]), float(scores[at])


def _best_by_loop(hypotheses: Hypotheses, alpha: float) -> tuple[list[int], float]:
    if alpha < 0 or len(list(hypotheses)) < 1:
        raise ValueError("hypotheses")
    winner, winning = None, -math.inf
    for ids, log_prob in hypotheses:
        divided = log_prob * math.exp(-alpha * math.log((5 + len(ids)) / 6))
        if winner is None or divided > winning:
            winner, winning = list(ids), divided
    return winner or [], winning


best_hypothesis = Task(
    name="best_hypothesis",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_best_cases,
    reference=_best_hypothesis,
    slips=(
        Slip(
            "penalty_ignored",
            partial(_best_wrong, how="ignored"),
            "The plain log-probability decided. It prefers short sentences: divide it by ((5 + n) / 6) ** alpha first.",
        ),
        Slip(
            "divided_by_the_length",
            partial(_best_wrong, how="by_length"),
            "The log-probability was divided by the length, whatever alpha says. Wu et al. divide by ((5 + n) / 6) ** "
            "alpha, which for alpha 0 changes nothing.",
        ),
        Slip(
            "multiplied",
            partial(_best_wrong, how="multiplied"),
            "The log-probability was multiplied with the penalty. It is negative, so long sentences suffer twice: "
            "divide.",
        ),
        Slip(
            "times_alpha",
            partial(_best_wrong, how="no_power"),
            "Alpha was multiplied with, instead of being the power. At alpha 0 the power makes the divisor 1.",
        ),
        Slip(
            "subtracted",
            partial(_best_wrong, how="subtracted"),
            "Something was subtracted for every token, which makes short sentences win all the more.",
        ),
        Slip(
            "raw_score",
            partial(_best_wrong, how="raw_score"),
            "The right sentence was chosen, but its plain log-probability came back instead of the score it won with.",
        ),
        Slip(
            "worst",
            partial(_best_wrong, how="worst"),
            "The worst one was taken. Scores are negative: the best is the largest, nearest to 0.",
        ),
        Slip(
            "unchecked",
            partial(_best_wrong, how="unchecked"),
            "The choice is right, but no hypotheses, or a negative alpha, went through. Raise ValueError.",
        ),
    ),
    alternatives=(_best_by_numpy, _best_by_loop),
    hints=(
        "Make one number out of each hypothesis: its log-probability and its length. Which is then the best?",
        "score = log_prob / ((5 + len(ids)) / 6) ** alpha; take the hypothesis with the largest score.",
        "scored = [(log_prob / ((5 + len(ids)) / 6) ** alpha, list(ids)) for ids, log_prob in hypotheses]; score, "
        "ids = max(scored, key=lambda pair: pair[0]); return ids, score",
    ),
)
