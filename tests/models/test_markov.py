"""The worked cases of the first chapter: 20/30/50, 40/60, votes 4 against 5, masked 0 against 1."""

import json
import math

import numpy as np
import pytest

from lmcourse.models.ngram import MarkovChain, SkipModel

COMMANDS = [f"show me my {word} please".split() for word in ("directories", "files", "photos")]
RAN = [
    ["check", "whether", "the", "battery", "ran", "down", "please"],
    ["check", "whether", "the", "program", "ran", "please"],
]
PROGRAM = ["check", "the", "program", "log", "and", "find", "out", "whether", "it", "ran", "please"]
BATTERY = ["check", "the", "battery", "log", "and", "find", "out", "whether", "it", "ran", "down", "please"]


def test_three_commands():
    chain = MarkovChain().fit(COMMANDS, weights=[0.2, 0.3, 0.5])
    assert chain.states == ["show", "me", "my", "directories", "please", "files", "photos"]
    matrix = chain.transition_matrix()
    assert matrix.shape == (7, 7)
    one_hot = np.array([word == "my" for word in chain.states], float)
    row = dict(zip(chain.states, one_hot @ matrix))
    assert row["directories"] == pytest.approx(0.2)
    assert row["files"] == pytest.approx(0.3)
    assert row["photos"] == pytest.approx(0.5)
    np.testing.assert_allclose(matrix.sum(axis=1), [1, 1, 1, 1, 0, 1, 1])  # nothing follows "please"
    assert chain.contexts[3] == ("directories",)


def test_battery_and_program_ambiguous_then_certain():
    one = MarkovChain(1).fit(RAN, weights=[40, 60])
    assert one.probabilities("the") == pytest.approx({"battery": 0.4, "program": 0.6})
    assert one.probabilities("ran") == pytest.approx({"down": 0.4, "please": 0.6})
    two = MarkovChain(history=2).fit(RAN, weights=[40, 60])
    assert two.probabilities(["battery", "ran"]) == {"down": 1}
    assert two.probabilities(["the", "program", "ran"]) == {"please": 1}
    words = len(two.states)
    matrix = two.transition_matrix()
    assert matrix.shape == (words**2, words)
    row = two.contexts.index(("whether", "the"))
    assert matrix[row, two.states.index("battery")] == pytest.approx(0.4)
    assert matrix.sum() == pytest.approx(len([r for r in matrix if r.any()]))


def test_skip_votes_four_against_five():
    model = SkipModel().fit([PROGRAM, BATTERY])
    until = PROGRAM.index("ran") + 1
    assert model.votes(PROGRAM[:until]) == {"please": 5.0, "down": 4.0}
    assert model.votes(BATTERY[:until]) == {"please": 4.0, "down": 5.0}
    assert model.pair_probabilities("program", "ran") == {"please": 1.0}
    assert model.pair_probabilities("log", "ran") == {"please": 0.5, "down": 0.5}


def test_masking_leaves_zero_against_one():
    model = SkipModel().fit([PROGRAM, BATTERY])
    keep = {"program", "battery"}
    assert model.masked_votes(PROGRAM[: PROGRAM.index("ran") + 1], keep) == {"please": 1.0, "down": 0.0}
    assert model.masked_votes(BATTERY[: BATTERY.index("ran") + 1], keep) == {"please": 0.0, "down": 1.0}
    assert set(model.masked_votes(PROGRAM[:10], ()).values()) == {0.0}


def test_weights_of_the_skip_model():
    model = SkipModel().fit([PROGRAM, BATTERY], weights=[3, 1])
    assert model.pair_probabilities("log", "ran") == {"please": 0.75, "down": 0.25}


def test_a_word_that_comes_twice_votes_once():
    model = SkipModel().fit([["a", "a", "b", "x"], ["c", "b", "y"]])
    assert model.votes(["a", "a", "b"]) == model.votes(["a", "b"]) == {"x": 1.0, "y": 0.0}
    # after "a a" the first a stands before the second
    assert model.votes(["a", "a"]) == {"a": 0.0, "b": 1.0}
    assert model.votes(["zebra", "b"]) == {"x": 0.0, "y": 0.0}
    assert model.votes(["zebra"]) == {}


def test_characters():
    assert MarkovChain().fit(["abab"]).probabilities("a") == {"b": 1.0}


def test_the_dense_table_refuses_absurd_sizes():
    chain = MarkovChain(history=3).fit([[str(i) for i in range(2000)]])
    with pytest.raises(ValueError, match=r"2000 words and history=3 would have 2000\*\*4 = 1.6e\+13 entries, 128 TB"):
        chain.transition_matrix()
    with pytest.raises(ValueError, match="64 GB"):
        _ = chain.contexts
    with pytest.raises(ValueError, match="more than the `max_bytes` of 10 bytes"):
        MarkovChain().fit(COMMANDS).transition_matrix(max_bytes=10)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: MarkovChain(0), ValueError, "`history` must be at least 1, got history=0"),
        (lambda: MarkovChain(1.5), TypeError, "`history` must be a whole number"),
        (lambda: MarkovChain().fit([]), ValueError, "at least one word"),
        (lambda: MarkovChain().fit([["a"]]), ValueError, "longer than history=1"),
        (lambda: MarkovChain().fit("a b"), TypeError, "not one str|got one str"),
        (lambda: MarkovChain().fit([["a", 1]]), TypeError, "got 1"),
        (lambda: MarkovChain().fit([7]), TypeError, "iterables of str"),
        (lambda: MarkovChain().fit(COMMANDS, weights=[1]), ValueError, "got 1 for 3 sentences"),
        (
            lambda: MarkovChain().fit(COMMANDS, weights=[1, -1, 1]),
            ValueError,
            r"`weights\[1\]` must be at least 0, got weights\[1\]=-1",
        ),
        (lambda: MarkovChain().fit(COMMANDS, weights=[1, math.nan, 1]), ValueError, r"`weights\[1\]` must be finite"),
        (lambda: MarkovChain().fit(COMMANDS, weights=[0, 0, 0]), ValueError, "must not all be 0"),
        (lambda: MarkovChain().transition_matrix(), RuntimeError, "fit"),
        (lambda: MarkovChain(2).fit(COMMANDS).probabilities(["me"]), ValueError, "at least history=2"),
        (lambda: MarkovChain().fit(COMMANDS).probabilities("zebra"), ValueError, "unknown 'zebra'"),
        (lambda: MarkovChain().fit(COMMANDS, weights=3), TypeError, "`weights` must be a sequence of numbers"),
        (lambda: MarkovChain().fit(COMMANDS, weights=["1", 1, 1]), TypeError, r"`weights\[0\]` must be a number"),
        (lambda: MarkovChain().fit(7), TypeError, "`sentences` must be an iterable of sentences, got 7"),
        (lambda: MarkovChain().fit(COMMANDS).probabilities(7), TypeError, "`context` must hold iterables of str"),
        (lambda: MarkovChain().fit(COMMANDS).transition_matrix(max_bytes=-1), ValueError, "`max_bytes`"),
        (lambda: SkipModel().fit([PROGRAM]).masked_votes(["it"], None), TypeError, "`keep`"),
        (lambda: SkipModel().votes(["a"]), RuntimeError, "fit"),
        (lambda: SkipModel().fit([["a", "b"]]), ValueError, "three words"),
        (lambda: SkipModel().fit([PROGRAM]).votes([]), ValueError, "`prefix` must hold"),
        (lambda: SkipModel().fit([PROGRAM]).votes("it ran"), TypeError, "`prefix` must be"),
        (lambda: SkipModel().fit([PROGRAM]).masked_votes(["it"], "it"), TypeError, "`keep`"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


MODELS = [
    lambda: MarkovChain(2).fit(COMMANDS, weights=[2, 3, 5]),
    lambda: SkipModel().fit([PROGRAM, BATTERY], weights=[0.3, 0.7]),
]


def everything(model):
    if isinstance(model, MarkovChain):
        return model.history, model.states, [model.probabilities(context) for context in model.contexts]
    return [model.votes(PROGRAM[:end]) for end in range(1, len(PROGRAM))]


@pytest.mark.parametrize("make", MODELS)
def test_a_model_comes_back_from_its_file(make, tmp_path):
    model = make()
    model.save(tmp_path / "model.json")
    assert everything(type(model).load(tmp_path / "model.json")) == everything(model)


@pytest.mark.parametrize(
    ("make", "damage", "message"),
    [
        (MODELS[0], {"format": "lmcourse-skip-model"}, "\"format\" must be 'lmcourse-markov-chain'"),
        (MODELS[0], {"history": 0}, "`history` must be at least 1"),
        (MODELS[0], {"states": ["me", "me"]}, "`states` must be distinct"),
        (MODELS[0], {"states": ["me"]}, "must be 2 known words"),
        (MODELS[0], {"history": 1}, "must be 1 known words"),
        (MODELS[0], {"follow": 3}, "can't be read"),
        (MODELS[0], {"follow": [[["show", "me"], {"me": -1}]]}, "`weight of 'me'` must be at least 0"),
        (MODELS[1], {"follow": [[["check", "ran"], {"zebra": 1}]]}, "the words after 'ran' must all be listed"),
        (MODELS[1], {"next": None}, "can't be read"),
    ],
)
def test_a_damaged_file_is_named(make, damage, message, tmp_path):
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(make().to_dict() | damage), encoding="utf-8")
    with pytest.raises(ValueError, match=message) as caught:
        type(make()).load(path)
    assert str(path) in str(caught.value)
