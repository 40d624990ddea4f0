"""ARPA files: KenLM's lmplz and kenlm module against ours, and damaged files. The expected values: data/README.md."""

import math
import os
import re
import runpy
import stat
from pathlib import Path

import numpy as np
import pytest

from lmcourse.models.ngram import (
    MLE,
    AbsoluteDiscounting,
    AddK,
    Interpolated,
    KneserNey,
    NGramModel,
    StupidBackoff,
)

kenlm = pytest.importorskip("kenlm", reason="the kenlm package is not installed")

DATA = Path(__file__).parent / "data"
LN10 = math.log(10)
UNSEEN = [["the", "pump", "hides", "Ada"], ["zebra", "finds", "zebra", "."], [], ["."] * 5, ["Ada", "moves"]]


def sentences(name):
    return [line.split() for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def arpa_rows(path):
    """Every n-gram of an ARPA file with its two numbers, read here and not by the library."""
    rows, n = {}, 0
    for line in Path(path).read_text(encoding="utf-8").split("\n"):
        if line.endswith("-grams:"):
            n = int(line[1:-7])
        elif n and "\t" in line:
            prob, words, *backoff = line.split("\t")
            rows[tuple(words.split(" "))] = float(prob), float(backoff[0]) if backoff else None
    return rows


@pytest.fixture(scope="module", params=["grammar", "tiny"])
def pair(request):
    """Our model of a text and what lmplz wrote for it."""
    return NGramModel(3).fit(sentences(f"{request.param}.txt")), DATA / f"{request.param}.3.arpa"


def test_the_texts_are_what_their_maker_writes():
    made = runpy.run_path(str(DATA / "make_lmplz_text.py"))
    assert (DATA / "grammar.txt").read_text(encoding="utf-8") == made["GRAMMAR"]
    assert (DATA / "tiny.txt").read_text(encoding="utf-8") == made["TINY"]


def test_discounts_are_those_of_lmplz():
    model = NGramModel(3).fit(sentences("grammar.txt"))
    assert model.fell_back == ()
    assert model.num_ngrams == (137, 708, 1481)
    printed = [(0.326923, 1.4956, 2.20085), (0.713855, 0.963031, 2.00681), (0.735117, 1.16464, 1.82381)]
    np.testing.assert_allclose(model.discounts, printed, rtol=3e-6)


def test_the_fallback_is_that_of_lmplz():
    assert NGramModel(3).fit(sentences("tiny.txt")).fell_back == (1, 2, 3)


def test_order_1_is_that_of_lmplz():
    # lmplz -o 1 --discount_fallback < tiny.txt. Plain counts: the 4, </s> 4, cat 2, sat 2, four words 1. n3 = 0, so
    # the fallback; of 16 the discounts are 2 * 1.5 + 2 * 1 + 4 * .5 = 7, over V = 9: p(the) = 2.5/16 + 7/16/9
    model = NGramModel(1).fit(sentences("tiny.txt"))
    for word, log10 in [("<unk>", -1.3132645), ("</s>", -0.68854046), ("cat", -0.9542425), ("mat", -1.0976646)]:
        assert math.log10(model.prob(word)) == pytest.approx(log10, abs=1e-6)


def test_every_probability_and_back_off_weight_is_that_of_lmplz(pair, tmp_path):
    model, path = pair
    model.to_arpa(tmp_path / "ours.arpa")
    ours, theirs = arpa_rows(tmp_path / "ours.arpa"), arpa_rows(path)
    assert ours.keys() == theirs.keys()
    for ngram, (prob, backoff) in theirs.items():
        assert ours[ngram][0] == pytest.approx(prob, abs=1e-6), ngram
        assert (ours[ngram][1] is None) == (backoff is None)
        if backoff is not None:
            assert ours[ngram][1] == pytest.approx(backoff, abs=1e-6), ngram


def test_perplexity_is_that_of_lmplz(pair):
    model, path = pair
    text = [*sentences("grammar.txt")[:40], *UNSEEN]
    theirs = kenlm.Model(str(path))
    tokens = sum(len(sentence) + 1 for sentence in text)
    log10 = -sum(theirs.score(" ".join(sentence)) for sentence in text) / tokens
    assert math.log10(model.perplexity(text)) == pytest.approx(log10, abs=1e-5)


def test_what_lmplz_wrote_is_read(pair):
    model, path = pair
    read = NGramModel.from_arpa(path)
    assert read.order == 3
    assert read.num_ngrams == model.num_ngrams
    for context in [(), ("the",), ("<s>",), ("<s>", "the"), ("zebra",), ("on", "the")]:
        by_word = dict(zip(model.vocabulary, model.distribution(context)))
        for word, p in zip(read.vocabulary, read.distribution(context)):
            assert p == pytest.approx(by_word[word], rel=1e-5)
    np.testing.assert_allclose(read.score(UNSEEN), model.score(UNSEEN), rtol=1e-6)


@pytest.mark.parametrize(
    "smoothing",
    [
        KneserNey(),
        KneserNey(modified=False),
        AbsoluteDiscounting(),
        Interpolated([0.2, 0.3, 0.5], uniform=0.1),
        MLE(),
    ],
)
def test_the_kenlm_module_gives_our_scores(smoothing, tmp_path):
    model = NGramModel(3, smoothing).fit(sentences("grammar.txt"))
    model.to_arpa(tmp_path / "model.arpa")
    theirs = kenlm.Model(str(tmp_path / "model.arpa"))
    assert theirs.order == 3
    for sentence in [*sentences("grammar.txt")[:60], *UNSEEN]:
        for ours, n, (log10, order, _) in zip(
            model.token_logprobs(sentence),
            model.matched_orders(sentence),
            theirs.full_scores(" ".join(sentence)),
            strict=True,
        ):
            if math.isinf(ours):
                assert log10 < -90  # the file says -99 for 0
            else:
                assert log10 == pytest.approx(ours / LN10, abs=1e-5)
                assert order == n


@pytest.mark.parametrize("smoothing", [KneserNey(), MLE(), Interpolated([0.1, 0.2, 0.3, 0.4])])
def test_our_own_file_comes_back_the_same(smoothing, tmp_path):
    model = NGramModel(4, smoothing).fit(sentences("grammar.txt"))
    model.to_arpa(tmp_path / "model.arpa")
    read = NGramModel.from_arpa(tmp_path / "model.arpa")
    assert read.vocabulary.tokens == model.vocabulary.tokens
    np.testing.assert_allclose(read.score(UNSEEN), model.score(UNSEEN), rtol=1e-9)
    for context in [(), ("the", "pump"), ("<s>", "the")]:
        assert read.distribution(context).sum() == pytest.approx(1, abs=1e-9)
    read.to_arpa(tmp_path / "again.arpa")
    assert (tmp_path / "again.arpa").read_bytes() == (tmp_path / "model.arpa").read_bytes()


def test_a_model_from_a_file_says_what_it_lacks():
    model = NGramModel.from_arpa(DATA / "tiny.3.arpa")
    with pytest.raises(RuntimeError, match="no counts"):
        model.count(["the"])
    with pytest.raises(RuntimeError, match="no counts"):
        model.followers(["the"])
    with pytest.raises(RuntimeError, match="no smoothing"):
        model.fit([["a", "b"]])
    assert model.discounts == ()


@pytest.mark.parametrize("smoothing", [AddK(1), StupidBackoff()])
def test_no_back_off_form_no_file(smoothing, tmp_path):
    model = NGramModel(2, smoothing).fit(sentences("tiny.txt"))
    with pytest.raises(
        ValueError, match=f"`smoothing` must have a back-off form for an ARPA file, {type(smoothing).__name__} has none"
    ):
        model.to_arpa(tmp_path / "model.arpa")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("word", ["a b", "a\n", "\t", ""])
def test_a_word_with_a_blank_cannot_be_written(word, tmp_path):
    with pytest.raises(ValueError, match="`vocabulary` must hold no blanks"):
        NGramModel(2).fit([["a", word]]).to_arpa(tmp_path / "model.arpa")


def test_odd_words_survive(tmp_path):
    odd = ["naïve", "\u3000", "a\u00a0b", "\\data\\", "1.5", "\u2028", "ngram"]
    model = NGramModel(2).fit([odd, odd[::-1]])
    model.to_arpa(tmp_path / "model.arpa")
    read = NGramModel.from_arpa(tmp_path / "model.arpa")
    assert read.logprob(odd) == pytest.approx(model.logprob(odd))
    assert kenlm.Model(str(tmp_path / "model.arpa")).score(" ".join(odd)) == pytest.approx(
        model.logprob(odd) / LN10, abs=1e-5
    )


def test_unk_in_capitals_is_the_unknown_word_as_for_kenlm(tmp_path):
    path = tmp_path / "capitals.arpa"
    path.write_text(
        "\\data\\\nngram 1=4\nngram 2=2\n\n\\1-grams:\n-1.5\t<UNK>\t-0.1\n-99\t<s>\t-0.1\n-0.5\t</s>\n-0.7\ta\t-0.2\n\n"
        "\\2-grams:\n-0.3\ta <UNK>\n-0.2\t<s> a\n\n\\end\\\n",
        encoding="utf-8",
    )
    model, theirs = NGramModel.from_arpa(path), kenlm.Model(str(path))
    assert "<UNK>" not in model.vocabulary
    for sentence in (["a", "zebra"], ["a", "<UNK>"], ["<unk>"], []):
        expected = [log10 for log10, _, _ in theirs.full_scores(" ".join(sentence))]
        np.testing.assert_allclose(model.token_logprobs(sentence) / LN10, expected, atol=1e-6)


def test_unk_in_capitals_cannot_be_written_as_a_word(tmp_path):
    model = NGramModel(2).fit([["a", "<UNK>", "a"], ["<UNK>"]])
    assert model.prob("<UNK>") != model.prob("zebra")
    with pytest.raises(ValueError, match="`vocabulary` must not hold '<UNK>' for an ARPA file"):
        model.to_arpa(tmp_path / "model.arpa")


def test_the_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.arpa"
    path.write_text("the old one")
    model = NGramModel(2).fit(sentences("tiny.txt"))

    def full_disk(file, *_):
        file.write("half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lmcourse.models.arpa._write", full_disk)
        with pytest.raises(OSError, match="No space"):
            model.to_arpa(path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]
    model.to_arpa(path)
    assert path.read_text().endswith("\\end\\\n")
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) & 0o400
    with pytest.raises(OSError):
        model.to_arpa(tmp_path / "no" / "such" / "folder.arpa")


def change(number, new):
    """Replaces one line, counted from 1, of tiny.3.arpa; None deletes it."""

    def edit(lines):
        lines[number - 1 : number] = [] if new is None else [new]

    return edit


@pytest.mark.parametrize(
    ("edit", "line", "message"),
    [
        (change(1, "nonsense"), "after line", r"no \\data\\ line"),
        (change(2, "ngram one=10"), "line 2", "expected 'ngram 1=...'"),
        (change(3, "ngram 3=13"), "line 3", "expected the number of 2-grams"),
        (change(2, "ngram 1=9"), "line 16", "more 1-grams than the 9"),
        (change(2, "ngram 1=11"), "line 18", "10 1-grams, the header promises 11"),
        (change(6, "\\2-grams:"), "line 6", r"expected \\1-grams:"),
        (change(7, "abc\t<unk>\t0"), "line 7", "expected a number"),
        (change(7, "nan\t<unk>\t0"), "line 7", "must not be above 0"),
        (change(7, "0.5\t<unk>\t0"), "line 7", "must not be above 0, got 0.5"),
        (change(7, "-1\t<unk>\tnan"), "line 7", "back-off weight must be finite"),
        (change(10, "-1\tcat\t0"), "line 11", "'cat' comes twice"),
        (change(19, "-1\tsat"), "line 19", "must have 2 words"),
        (change(19, "-1\tsat\t0"), "line 19", "'0' is not among the unigrams"),
        (change(19, "-1\t<s> cat\t0\t0"), "line 19", "must have 2 words"),
        (change(19, "-1\t<s> zebra\t0"), "line 19", "'zebra' is not among the unigrams"),
        (change(20, "-1\t<s> </s>\t0"), "line 20", "'<s> </s>' comes twice"),
        (change(34, "-1\tcat cat sat"), "line 34", "'cat cat sat' has a context that is not listed"),
        (change(34, "-1\tcat sat </s>\t-0.5"), "line 34", "3-grams, the longest, must have no back-off .* got -0.5"),
        (change(34, "-1\tcat sat </s>\tnan"), "line 34", "3-grams, the longest, must have no back-off .* got nan"),
        (lambda lines: lines.__delitem__(slice(40, None)), "after line 40", "it ends among the 3-grams"),
        (lambda lines: lines.__delitem__(slice(3, None)), "after line 3", "ends in the header"),
        (change(46, "\\ende\\"), "line 46", r"expected \\end\\"),
        (lambda lines: lines.clear(), "after line 0", r"no \\data\\ line"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(edit, line, message, tmp_path):
    lines = (DATA / "tiny.3.arpa").read_text(encoding="utf-8").split("\n")
    edit(lines)
    path = tmp_path / "damaged.arpa"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(ValueError, match=f"damaged.arpa, {line}.*: damaged ARPA file: .*{message}"):
        NGramModel.from_arpa(path)


def test_a_file_that_is_not_text(tmp_path):
    path = tmp_path / "binary.arpa"
    path.write_bytes(b"\\data\\\nngram 1=1\n\n\\1-grams:\n-1\t\xff\xfe\n")
    with pytest.raises(ValueError, match="not UTF-8 text"):
        NGramModel.from_arpa(path)
    with pytest.raises(FileNotFoundError):
        NGramModel.from_arpa(tmp_path / "none.arpa")


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("ngram ", "ngram  ").replace("=", "=        "),  # IRSTLM
        lambda text: text.replace("ngram ", "ngram \t").replace("\n\n", "\n \t\n"),
        lambda text: text.replace("\n\n\\end", "\n\\end"),
        lambda text: re.sub(r"(?<=[a-z>]) (?=[a-z<])", "  ", text),
        lambda text: re.sub(r"(?<=[a-z>]) (?=[a-z<])", "\t", text),
        lambda text: re.sub(r"^(\S+\t\S+ \S+ \S+)$", r"\1\t0", text, flags=re.MULTILINE),
        lambda text: re.sub(r"^(\S+\t\S+ \S+ \S+)$", r"\1\t-0.0", text, flags=re.MULTILINE),
        lambda text: "\n\n" + text + "\n\n",
        lambda text: text.replace("\n", "\r\n").replace("ngram ", "ngram  "),
    ],
)
def test_blanks_and_zeros_that_kenlm_reads_are_read(edit, tmp_path):
    text = (DATA / "tiny.3.arpa").read_text(encoding="utf-8")
    changed = edit(text)
    assert changed != text
    path = tmp_path / "of-others.arpa"
    path.write_bytes(changed.encode())
    theirs, ours, plain = kenlm.Model(str(path)), NGramModel.from_arpa(path), NGramModel.from_arpa(DATA / "tiny.3.arpa")
    for sentence in ("the cat sat on the mat", "dog ran", "on the on", "mat mat mat"):
        words = ["<s>", *sentence.split(), "</s>"]
        logs = [math.log10(ours.prob(word, words[max(0, at - 2) : at])) for at, word in enumerate(words) if at]
        assert logs == [math.log10(plain.prob(word, words[max(0, at - 2) : at])) for at, word in enumerate(words) if at]
        assert sum(logs) == pytest.approx(theirs.score(sentence), abs=1e-5)


def test_windows_line_ends_blanks_for_tabs_and_missing_specials(tmp_path):
    path = tmp_path / "hand.arpa"
    path.write_bytes(
        b"made by hand\r\n\\data\\\r\nngram 1=2\r\nngram 2=1\r\n\r\n\\1-grams:\r\n-0.5 a -0.25\r\n-0.5 </s>\r\n\r\n"
        b"\\2-grams:\r\n-0.125 a a\r\n\r\n\\end\\\r\n"
    )
    model = NGramModel.from_arpa(path)
    assert math.log10(model.prob("a", ["a"])) == pytest.approx(-0.125)
    assert math.log10(model.prob("</s>", ["a"])) == pytest.approx(-0.75)
    assert model.prob("b") == 0
