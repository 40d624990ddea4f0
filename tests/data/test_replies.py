"""The world of prompts and replies: its grammar, its rewards by hand, its person."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcourse.data import load_preferences, load_replies
from lmcourse.data.replies import (
    flawed_reward,
    preference_probability,
    prompts,
    read_reply,
    reply_vocabulary,
    true_reward,
)

BRIEF, FULL = ("film", "brief", ":"), ("film", "full", ":")


def reward(prompt, text):
    return true_reward(prompt, text.split())


@pytest.mark.parametrize(
    ("prompt", "text", "expected"),
    [
        (BRIEF, "the plot was good .", 1.0),
        (BRIEF, "the plot was not very good .", 1.0 * 1.3 * -0.75),
        (BRIEF, "how dull the ending was .", -0.8),
        (BRIEF, "i do not hate the acting .", -1.7 * -0.75),
        (BRIEF, "thanks for asking . the plot was good .", 1.0 + 0.8),
        (BRIEF, "thanks for asking . the plot was good . take care .", 1.0 + 0.8),  # polite once is enough
        (BRIEF, "who cares . the plot was good . take care .", 1.0),  # one of each
        (BRIEF, "the soup was good .", 1.0 - 2.5),  # off the topic
        (FULL, "the plot was good .", 1.0 - 0.5),  # one clause too few
        (FULL, "the plot was good . i like the plot .", 1.0 - 0.7),  # the same aspect twice
        (FULL, "the plot was good . i like the acting .", 1.0),
        (BRIEF, "the plot was good . amazing amazing amazing .", 1.0 - 1.0),  # no sentence
        (BRIEF, "the plot was good . the ending", 1.0 - 1.0),  # not ended
        (BRIEF, "the plot was good . .", 1.0 - 1.0),  # an empty sentence
        (BRIEF, "", -0.5),
    ],
)
def test_true_reward_by_hand(prompt, text, expected):
    assert reward(prompt, text) == pytest.approx(expected)


def test_the_flawed_reward_can_be_cheated():
    honest, cheating = ["the", "plot", "was", "good", "."], ["amazing"] * 24
    assert true_reward(BRIEF, honest) > true_reward(BRIEF, cheating) + 2.0
    assert flawed_reward(BRIEF, cheating) > flawed_reward(BRIEF, honest) + 10.0
    # 5 tokens: 1.0 + 5 x 0.05; 24 times: -1 (an error) - 0.5 (no clause) + 24 x (1 + 0.05)
    assert flawed_reward(BRIEF, honest) == pytest.approx(1.25)
    assert flawed_reward(BRIEF, cheating) == pytest.approx(-1.5 + 25.2)


def test_what_people_write_is_grammatical_and_in_the_vocabulary():
    known = set(reply_vocabulary())
    for prompt, reply in load_replies(500):
        assert read_reply(reply).errors == 0
        assert known.issuperset(prompt)
        assert known.issuperset(reply)
        assert 5 <= len(reply) <= 32
    assert len(prompts()) == len(set(prompts())) == 16


@given(st.lists(st.sampled_from(reply_vocabulary()), max_size=30))
def test_anything_can_be_read(reply):
    reading = read_reply(reply)
    assert math.isfinite(true_reward(FULL, reply))
    assert reading.errors + len(reading.clauses) <= reply.count(".") + 1


def test_the_person_prefers_the_better_reply_but_errs():
    good, bad = ["the", "plot", "was", "good", "."], ["the", "plot", "was", "fine", "."]  # 1.0 and 0.4
    assert preference_probability(BRIEF, good, bad) == pytest.approx(1 / (1 + math.exp(-2 * 0.6)))
    assert preference_probability(BRIEF, good, good) == 0.5
    drawn = load_preferences(3_000)
    right = sum(true_reward(p, chosen) > true_reward(p, rejected) for p, chosen, rejected in drawn) / len(drawn)
    expected = sum(max(preference_probability(*each), 1 - preference_probability(*each)) for each in drawn) / len(drawn)
    assert right == pytest.approx(expected, abs=0.02)  # three standard deviations of 3,000 draws at 0.86
    assert 0.82 < right < 0.9


def test_the_same_at_every_call_and_other_splits_are_other_draws():
    assert load_preferences(20) == load_preferences(20)
    assert load_preferences(20) != load_preferences(20, split="test")
    assert all(chosen != rejected for _, chosen, rejected in load_preferences(500))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: load_preferences(0), "`n` must be at least 1, got n=0"),
        (lambda: load_replies(5, split="dev"), "`split` must be one of 'train', 'valid', 'test', got split='dev'"),
        (lambda: true_reward(("film", "brief"), ()), "`prompt` must be one of the 16"),
        (lambda: true_reward(("sea", "brief", ":"), ()), "`prompt` must be one of the 16"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
