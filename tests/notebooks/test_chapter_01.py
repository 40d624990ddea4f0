"""What chapter 01 counts by hand is what the library counts, and its guessing game keeps the score."""

import itertools

import numpy as np
import pytest

from chapters.figures import ngrams
from lmcourse.models.ngram import KneserNey, NGramModel
from tests.notebooks.by_hand import defined


def test_kneser_ney_by_hand_is_the_librarys():
    rng = np.random.default_rng(1)
    share = 0.5 ** np.arange(1, 12) / (1 - 0.5**11)  # a in every other place, k hardly ever
    sentences = [rng.choice(list("abcdefghijk"), 1 + n % 7, p=share).tolist() for n in range(53)]
    sentences.append(list("abcdefghijk"))
    page = defined("01_ngrams", "bigrams", "discount", "continuation", "kneser_ney")
    for sentence in sentences:
        padded = ["<s>", *sentence, "</s>"]
        page["bigrams"].update(itertools.pairwise(padded))
        page["histories"].update(padded[:-1])
    page["continuations"] = page["Counter"](word for _, word in page["bigrams"])
    page["followed_by"] = page["Counter"](history for history, _ in page["bigrams"])
    page |= {"D": page["discount"](page["bigrams"]), "D_continuation": page["discount"](page["continuations"]), "V": 13}
    model = NGramModel(2, KneserNey(modified=False)).fit(sentences)
    for history in ("<s>", *"abcdefghijk"):
        ours = [page["kneser_ney"](word, history) for word in (*"abcdefghijk", "</s>")]
        theirs = [model.prob(word, [history]) for word in (*"abcdefghijk", "</s>")]
        np.testing.assert_allclose(ours, theirs, rtol=1e-9)


@pytest.mark.parametrize(
    ("guesses", "bounds"),
    [
        ([1, 1, 1], (0, 0)),
        ([1, 2, 1, 2], (1, 1)),  # 2 (1/2 - 0) log2 2 = 1
        ([1, 2, 3, 4], (2, 2)),
        ([1, 1, 1, 2], (0.5, 0.8113)),  # above -3/4 log2 3/4 - 1/4 log2 1/4; below 2 (1/4) log2 2
    ],
)
def test_shannons_bounds_by_hand(guesses, bounds):
    page = defined("01_ngrams", "shannon_bounds")
    np.testing.assert_allclose(page["shannon_bounds"](guesses), bounds, atol=1e-4)


def test_a_models_guesses_are_counted_from_the_likeliest():
    model = NGramModel(2).fit(["ab" * 40 + "ac" * 9 + "abcdefghijklmnopqrstuvwxyz "])
    assert ngrams.guesses_of(model, "xaabac", first=3) == [1, 1, 2]


def test_only_what_is_spoken_is_guessed():
    assert ngrams.only_letters("OLIVIA.\nWhy, then [Clock strikes.] 'tis time!") == "why then tis time"


def test_the_game_counts_each_wrong_letter_once(monkeypatch):
    widgets = []
    monkeypatch.setattr(ngrams.ipywidgets, "VBox", lambda children: widgets.extend(children) or _Shown())
    monkeypatch.setattr(ngrams, "display", lambda *_, **__: None)
    scores = []
    ngrams.guess_the_next("the cat", [1, 2, 1], lambda played: (scores.append(list(played)), (0.0, 1.0))[1], first=4)
    shown, box = widgets
    for typed in ("x", "x", "C", "7", "a"):
        box.value = typed
        assert box.value == ""
    assert scores[-2:] == [[2, 1], [1, 2]]  # x and then c; a at once; beside them the model's
    assert "the␣ca" in shown.value
    assert "cat" not in shown.value


class _Shown:
    def _repr_mimebundle_(self):
        return {}
