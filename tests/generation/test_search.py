"""Greedy and beam search against the enumeration of every sequence, on models with and without a memory."""

import itertools
import math

import pytest
import torch

from lmcourse.generation import Hypothesis, beam_search, beam_search_batch, greedy_search, length_divisor

START, STOP, V = 0, 1, 5


def table_model(seed, sharpness=1.5, vocab=V):
    """A model with a memory of two tokens: the logits of the next token from a table."""
    table = sharpness * torch.randn(vocab, vocab, vocab, generator=torch.Generator().manual_seed(seed)).double()
    table[:, :, START] = -torch.inf  # the start token never comes again

    def step(ids, rows):
        before = ids[:, -2] if ids.shape[1] > 1 else ids[:, -1]
        return table[before, ids[:, -1]]

    return step


def every_sequence(step, max_length, length_penalty=0.0, vocab=V):
    """All sequences that end within max_length, and those that are cut off there, with their log-probabilities."""
    found = {}
    others = [token for token in range(vocab) if token not in (START, STOP)]
    for n in range(max_length + 1):
        for body in itertools.product(others, repeat=n):
            chosen = (*body, STOP) if n < max_length else body
            total = 0.0
            for t, token in enumerate(chosen):
                logits = step(torch.tensor([[START, *chosen[:t]]]), torch.zeros(1).long())
                total += logits.log_softmax(-1)[0, token].item()
            found[body] = (total, total / length_divisor(len(chosen), length_penalty), n < max_length)
    return found


@pytest.mark.parametrize("length_penalty", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_beam_that_holds_everything_finds_the_best(seed, length_penalty):
    step, max_length = table_model(seed), 4
    wanted = every_sequence(step, max_length, length_penalty)
    found = beam_search(step, START, STOP, beam_size=200, max_length=max_length, length_penalty=length_penalty)
    assert len(found) == len(wanted) == 1 + 3 + 9 + 27 + 81
    best_first = sorted((score for _, score, _ in wanted.values()), reverse=True)
    assert [h.score for h in found] == pytest.approx(best_first, rel=1e-9)
    for hypothesis in found:
        log_prob, score, finished = wanted[hypothesis.ids]
        assert hypothesis.log_prob == pytest.approx(log_prob, rel=1e-9)
        assert hypothesis.score == pytest.approx(score, rel=1e-9)
        assert hypothesis.finished is finished


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("length_penalty", [0.0, 1.0])
def test_a_beam_of_one_is_greedy(seed, length_penalty):
    step = table_model(seed)
    one = beam_search(step, START, STOP, beam_size=1, max_length=7, length_penalty=length_penalty)
    (greedy,) = greedy_search(step, START, STOP, max_length=7)
    assert len(one) == 1
    assert (one[0].ids, one[0].finished) == (greedy.ids, greedy.finished)
    assert one[0].log_prob == pytest.approx(greedy.log_prob, rel=1e-12)


def test_greedy_by_hand():
    # After the start: a .6, b .4. After a: stop .5, a .3, b .2. After b: stop .9.
    # Greedy takes a, stop: .30. The best is b, stop: .36.
    probs = {(): [0, 0, 0.6, 0.4], (2,): [0, 0.5, 0.3, 0.2], (3,): [0, 0.9, 0.05, 0.05]}

    def step(ids, rows):
        rows_of_probs = [probs.get(tuple(row[1:]), [0, 1, 0, 0]) for row in ids.tolist()]
        return torch.tensor(rows_of_probs, dtype=torch.float64).log()

    (greedy,) = greedy_search(step, START, STOP, max_length=4)
    assert greedy.ids == (2,)
    assert math.exp(greedy.log_prob) == pytest.approx(0.30)
    best, second = beam_search(step, START, STOP, beam_size=2, max_length=4)
    assert (best.ids, second.ids) == ((3,), (2,))
    assert math.exp(best.log_prob) == pytest.approx(0.36)


def test_a_length_penalty_prefers_the_longer_of_two():
    # "stop" at once .5; or a (.5), then a (.9), then stop (1): .45.
    # With alpha 1: log .5 / 1 = -.69; log .45 / (8/6) = -.60
    def step(ids, rows):
        of_length = {1: [0, 0.5, 0.5], 2: [0, 0.1, 0.9], 3: [0, 1.0, 0.0]}[ids.shape[1]]
        return torch.tensor(of_length).log().expand(len(ids), -1)

    def best(alpha):
        return beam_search(step, START, STOP, beam_size=3, max_length=5, length_penalty=alpha)[0].ids

    assert best(0.0) == ()
    assert best(1.0) == (2, 2)
    assert length_divisor(7, 0.0) == 1.0
    assert length_divisor(7, 0.5) == pytest.approx(math.sqrt(2))


class StateModel:
    """A model whose scores depend on all tokens through a state that it keeps itself, in rows or another dimension."""

    def __init__(self, seed, batch, dimension=0):
        generator = torch.Generator().manual_seed(seed)
        self.moves = torch.randn(V, 3, generator=generator).double()
        self.scores = torch.randn(3, V, generator=generator).double()
        self.scores[:, START] = -50
        state = torch.randn(batch, 3, generator=generator).double()
        self.dimension = dimension
        self.first = state if dimension == 0 else state.T

    def step(self):
        state = self.first

        def step(ids, rows):
            nonlocal state
            state = state.index_select(self.dimension, rows)
            move = self.moves[ids[:, -1]]
            state = (state + (move if self.dimension == 0 else move.T)).tanh()
            return 3 * (state if self.dimension == 0 else state.T) @ self.scores

        return step

    def without_a_memory(self, source):
        """The same scores, from the whole prefix each time."""

        def step(ids, rows):
            state = (self.first if self.dimension == 0 else self.first.T)[source : source + 1].expand(len(ids), -1)
            for column in ids.T:
                state = (state + self.moves[column]).tanh()
            return 3 * state @ self.scores

        return step


@pytest.mark.parametrize("dimension", [0, 1])
@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
def test_sources_side_by_side_get_what_each_gets_alone_and_the_state_follows_its_hypothesis(beam_size, dimension):
    batch = 7
    model = StateModel(beam_size, batch, dimension)
    options = {"beam_size": beam_size, "max_length": 6, "length_penalty": 0.4}
    together = beam_search_batch(model.step(), START, STOP, batch_size=batch, **options)
    for source in range(batch):
        alone = beam_search(model.without_a_memory(source), START, STOP, **options)
        assert [h.ids for h in together[source]] == [h.ids for h in alone]
        assert [h.score for h in together[source]] == pytest.approx([h.score for h in alone], rel=1e-9)
    greedy = greedy_search(model.step(), START, STOP, max_length=6, batch_size=batch)
    alone = [greedy_search(model.without_a_memory(s), START, STOP, max_length=6)[0] for s in range(batch)]
    assert [h.ids for h in greedy] == [h.ids for h in alone]
    if beam_size == 1:
        assert [h.ids for h in greedy] == [found[0].ids for found in together]


def test_log_probs_are_those_of_the_model():
    step = table_model(3)
    for hypothesis in beam_search(step, START, STOP, beam_size=4, max_length=6):
        chosen = [*hypothesis.ids, *([STOP] if hypothesis.finished else [])]
        total = sum(
            step(torch.tensor([[START, *chosen[:t]]]), None).log_softmax(-1)[0, token].item()
            for t, token in enumerate(chosen)
        )
        assert hypothesis.log_prob == pytest.approx(total, rel=1e-9)


def test_the_maximum_length_is_said():
    def endless(ids, rows):
        return torch.tensor([-50.0, -50.0, 1.0]).expand(len(ids), -1)

    (greedy,) = greedy_search(endless, START, STOP, max_length=4)
    assert greedy == Hypothesis((2, 2, 2, 2), greedy.log_prob, greedy.log_prob, finished=False)
    best = beam_search(endless, START, STOP, beam_size=2, max_length=4)[0]
    assert (best.ids, best.finished) == ((2, 2, 2, 2), False)


def test_the_search_ends_when_all_are_finished():
    calls = []

    def step(ids, rows):
        calls.append(ids.shape)
        return torch.tensor([-1e9, 5.0, 0.0]).expand(len(ids), -1)

    greedy_search(step, START, STOP, max_length=50)
    assert calls == [(1, 1)]
    calls.clear()
    beam_search(step, START, STOP, beam_size=2, max_length=50)
    assert len(calls) <= 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beam_size": 0, "max_length": 3}, "`beam_size` must be at least 1, got beam_size=0"),
        ({"beam_size": 2, "max_length": 0}, "`max_length` must be at least 1, got max_length=0"),
        (
            {"beam_size": 2, "max_length": 3, "length_penalty": -1.0},
            "`length_penalty` must be at least 0 and at most 10, got length_penalty=-1",
        ),
    ],
)
def test_bad_sizes(options, message):
    with pytest.raises(ValueError, match=message):
        beam_search(table_model(0), START, STOP, **options)


def test_bad_steps():
    options = {"beam_size": 2, "max_length": 3}
    with pytest.raises(
        ValueError, match=r"`step` must return logits \(N, V\) with N=1 and V above stop_id=1, got \(1,"
    ):
        beam_search(lambda ids, rows: torch.zeros(len(ids), 1, V), START, STOP, **options)
    with pytest.raises(ValueError, match=r"V above stop_id=9, got \(1, 5\)"):
        beam_search(table_model(0), START, 9, **options)
    with pytest.raises(ValueError, match="without NaN"):
        beam_search(lambda ids, rows: torch.full((len(ids), V), torch.nan), START, STOP, **options)
    with pytest.raises(ValueError, match="at least one token possible"):
        greedy_search(lambda ids, rows: torch.full((len(ids), V), -torch.inf), START, STOP, max_length=3)
