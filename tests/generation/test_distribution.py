"""From logits to a distribution and on to a token: by definition, by hand, beside transformers, by many draws."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.generation import SamplingConfig, sample_categorical, sampling_distribution
from lmcourse.generation.config import SamplingSettings


def by_definition(logits: list[float], temperature: float, top_k: int | None, top_p: float | None) -> list[float]:
    """One token at a time, as the papers say it."""
    weights = torch.tensor(logits, dtype=torch.float64).div(temperature).softmax(0).tolist()
    order = sorted(range(len(weights)), key=lambda i: -weights[i])
    kept = order[:top_k]
    total = sum(weights[i] for i in kept)
    if top_p is not None:
        so_far, nucleus = 0.0, []
        for i in kept:
            nucleus.append(i)
            so_far += weights[i] / total
            if so_far >= top_p:
                break
        kept = nucleus
    total = sum(weights[i] for i in kept)
    return [weights[i] / total if i in kept else 0.0 for i in range(len(weights))]


@given(
    st.lists(st.integers(-400, 400), min_size=1, max_size=13, unique=True),
    st.sampled_from([0.3, 1.0, 2.5]),
    st.sampled_from([None, 1, 3, 40]),
    st.sampled_from([None, 0.2, 0.77, 1.0]),
)
@settings(max_examples=100, deadline=None)
def test_distribution_is_its_definition(hundredths, temperature, top_k, top_p):
    logits = [value / 100 for value in hundredths]
    ours = sampling_distribution(
        torch.tensor(logits, dtype=torch.float64), temperature=temperature, top_k=top_k, top_p=top_p
    )
    expected = torch.tensor(by_definition(logits, temperature, top_k, top_p), dtype=torch.float64)
    torch.testing.assert_close(ours, expected, atol=1e-9, rtol=1e-6)


def test_nucleus_by_hand():
    # probabilities .5 .25 .15 .1: .5 and .25 are the fewest that reach .7; they become 2/3 and 1/3
    logits = torch.tensor([0.5, 0.25, 0.15, 0.1]).log()
    torch.testing.assert_close(sampling_distribution(logits, top_p=0.7), torch.tensor([2 / 3, 1 / 3, 0, 0]))
    torch.testing.assert_close(sampling_distribution(logits, top_k=1, top_p=0.7), torch.tensor([1.0, 0, 0, 0]))
    torch.testing.assert_close(sampling_distribution(logits, top_p=1e-320), torch.tensor([1.0, 0, 0, 0]))
    torch.testing.assert_close(sampling_distribution(logits, temperature=0.0), torch.tensor([1.0, 0, 0, 0]))


def test_what_has_no_probability_is_never_drawn():
    probs = torch.tensor([0.0, 0.3, 0.0, 0.7, 0.0, 0.0]).expand(4_000, 6)
    counts = torch.bincount(sample_categorical(probs, generator=torch.Generator().manual_seed(1)), minlength=6).tolist()
    assert counts[0] == counts[2] == counts[4] == counts[5] == 0
    assert abs(counts[1] / 4_000 - 0.3) < 0.03  # 4 standard deviations
    tiny = torch.full((1, 50_000), 1e-30, dtype=torch.float64)
    assert 0 <= int(sample_categorical(tiny)) < 50_000


@pytest.mark.parametrize(("number", "expected"), [(0.0, 1), (0.29, 1), (0.31, 3), (1.0 - 2**-53, 3), (1.0, 3)])
def test_draws_by_hand(monkeypatch, number, expected):
    # cumulated 0, .3, .3, 1, 1: the first above the number drawn
    monkeypatch.setattr(torch, "rand", lambda shape, **_: torch.full(shape, number, dtype=torch.float64))
    assert sample_categorical(torch.tensor([[0.0, 0.3, 0.0, 0.7, 0.0]])).tolist() == [expected]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 0.0, -1.0])
def test_no_sample_from_what_is_no_distribution(bad):
    with pytest.raises(ValueError, match=r"`probs` must be finite, 0 or more, with a sum above 0 .* logits finite"):
        sample_categorical(torch.tensor([[1.0, 0.5], [0.0, bad]]))


@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (torch.ones(3), ValueError, r"`probs` must have shape \(B, V\), got \(3,\)"),
        (torch.ones(0, 3), ValueError, "with B and V at least 1"),
        (torch.ones(2, 3, dtype=torch.long), TypeError, "`probs` must be a floating-point tensor"),
    ],
)
def test_bad_probs(bad, error, message):
    with pytest.raises(error, match=message):
        sample_categorical(bad)


def by_transformers(logits, ids, temperature, top_k, top_p, min_p, repetition_penalty):
    """Its processors in the order in which its `generate` applies them."""
    process = pytest.importorskip("transformers.generation.logits_process")
    processors = [process.RepetitionPenaltyLogitsProcessor(repetition_penalty)]
    processors += [process.TemperatureLogitsWarper(temperature)]
    processors += [] if top_k is None else [process.TopKLogitsWarper(top_k)]
    processors += [] if top_p is None else [process.TopPLogitsWarper(top_p)]
    processors += [] if min_p is None else [process.MinPLogitsWarper(min_p)]
    return process.LogitsProcessorList(processors)(ids, logits.clone()).softmax(-1)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.31, 1.0, 2.7]),
    st.sampled_from([None, 1, 5, 40]),
    st.sampled_from([None, 0.29, 0.83]),
    st.sampled_from([None, 0.0, 0.07, 0.43, 1.0]),
    st.sampled_from([1.0, 0.71, 1.3, 4.1]),
)
@settings(max_examples=200, deadline=None)
def test_all_settings_together_equal_transformers(seed, temperature, top_k, top_p, min_p, repetition_penalty):
    generator = torch.Generator().manual_seed(seed)
    logits = 2.0 * torch.randn(3, 17, dtype=torch.float64, generator=generator)
    ids = torch.randint(17, (3, 7), generator=generator)
    expected = by_transformers(logits, ids, temperature, top_k, top_p, min_p, repetition_penalty)
    config = SamplingConfig(temperature, top_k, top_p, min_p, repetition_penalty)
    seen = torch.zeros(3, 17, dtype=torch.bool).scatter_(1, ids, True)
    torch.testing.assert_close(sampling_distribution(logits, config, seen=seen), expected, atol=1e-12, rtol=1e-9)


def test_min_p_by_hand():
    # probabilities .5 .25 .15 .1: half of .5 is .25, which is kept
    logits = torch.tensor([0.5, 0.25, 0.15, 0.1]).log()
    torch.testing.assert_close(sampling_distribution(logits, min_p=0.49), torch.tensor([2 / 3, 1 / 3, 0, 0]))
    torch.testing.assert_close(sampling_distribution(logits, min_p=1.0), torch.tensor([1.0, 0, 0, 0]))


def test_repetition_penalty_by_hand():
    # with a penalty of 2 a logit of 1 becomes 1/2, one of -1 becomes -2; the third token was not seen
    logits, seen = torch.tensor([1.0, -1.0, 1.0]), torch.tensor([True, True, False])
    expected = torch.tensor([0.5, -2.0, 1.0]).softmax(0)
    torch.testing.assert_close(sampling_distribution(logits, repetition_penalty=2.0, seen=seen), expected)
    greedy = sampling_distribution(logits, repetition_penalty=2.0, temperature=0.0, seen=seen)
    assert greedy.tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("temperature", [1e-45, 1e-300, 5e-324])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_temperature_next_to_nothing_is_greedy(temperature, dtype):
    logits = torch.tensor([[0.3, -3e30, 0.7, 0.1], [-torch.inf, -5.0, -7.0, -torch.inf]], dtype=dtype)
    assert sampling_distribution(logits, temperature=temperature).tolist() == [[0, 0, 1, 0], [0, 1, 0, 0]]


def test_a_row_without_any_token_is_refused():
    logits = torch.tensor([[0.1, -torch.inf], [-torch.inf, -torch.inf]])
    with pytest.raises(ValueError, match="`logits` must be finite, or -inf for some tokens of a row but not for all"):
        sampling_distribution(logits)


def test_single_settings_replace_those_of_a_config():
    logits, config = torch.tensor([0.5, 0.25, 0.15, 0.1]).log(), SamplingConfig(temperature=0.5, top_k=2)
    expected = sampling_distribution(logits, temperature=0.5, top_k=3)
    torch.testing.assert_close(sampling_distribution(logits, config, top_k=3), expected)
    assert SamplingSettings.__annotations__ == SamplingConfig.__annotations__


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"temperature": -0.1}, ValueError, "`temperature` must be at least 0, got temperature=-0.1"),
        ({"temperature": math.nan}, ValueError, "`temperature` must be finite"),
        ({"temperature": math.inf}, ValueError, "`temperature` must be finite"),
        ({"temperature": "0.7"}, TypeError, "`temperature` must be a number"),
        ({"top_k": 0}, ValueError, "`top_k` must be at least 1, got top_k=0"),
        ({"top_k": 2.0}, TypeError, "`top_k` must be a whole number, got top_k=2.0"),
        ({"top_p": 0.0}, ValueError, "`top_p` must be more than 0 and at most 1, got top_p=0"),
        ({"top_p": 1.1}, ValueError, "`top_p` must be more than 0 and at most 1, got top_p=1.1"),
        ({"min_p": -0.1}, ValueError, "`min_p` must be at least 0 and at most 1, got min_p=-0.1"),
        ({"min_p": 1.1}, ValueError, "`min_p` must be at least 0 and at most 1, got min_p=1.1"),
        ({"repetition_penalty": 0.0}, ValueError, "`repetition_penalty` must be at least 0.01 and"),
        ({"repetition_penalty": 1e-320}, ValueError, "`repetition_penalty` must be at least 0.01 and"),
        ({"repetition_penalty": 1e300}, ValueError, "`repetition_penalty` must be at least 0.01 and"),
        ({"repetition_penalty": None}, TypeError, "`repetition_penalty` must be a number, got"),
        ({"temprature": 0.5}, TypeError, "temprature"),
    ],
)
def test_bad_settings(settings, error, message):
    with pytest.raises(error, match=message):
        SamplingConfig(**settings)
    with pytest.raises(error, match=message):
        sampling_distribution(torch.zeros(3), **settings)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"logits": torch.zeros(2, 3).long()}, TypeError, "`logits` must be a floating-point tensor"),
        ({"logits": torch.tensor(1.0)}, ValueError, r"`logits` must have shape \(..., V\) with V at least 1, got \(\)"),
        ({"logits": torch.zeros(2, 0)}, ValueError, r"V at least 1, got \(2, 0\)"),
        ({"logits": torch.tensor([[0.0, 1.0], [-torch.inf, -torch.inf]])}, ValueError, "`logits` must be finite"),
        ({"logits": torch.tensor([[0.0, 1.0], [0.0, torch.nan]])}, ValueError, "`logits` must be finite"),
        ({"logits": torch.tensor([[0.0, torch.inf]]), "temperature": 0.0}, ValueError, "`logits` must be finite"),
        ({"repetition_penalty": 1.2}, ValueError, "`seen` must be given with repetition_penalty=1.2"),
        ({"repetition_penalty": 1.2, "seen": torch.ones(2, 3)}, TypeError, "`seen` must be a bool tensor"),
        (
            {"repetition_penalty": 1.2, "seen": torch.ones(3) > 0},
            ValueError,
            "`logits`, `seen` must have the same shape",
        ),
        ({"config": 0.7}, TypeError, "`config` must be of type SamplingConfig, got float"),
    ],
)
def test_bad_logits(arguments, error, message):
    with pytest.raises(error, match=message):
        sampling_distribution(**({"logits": torch.zeros(2, 3)} | arguments))
