"""The trainer beside the naive one and beside Hugging Face's, merge for merge."""

import json
import time
import tracemalloc
from collections import Counter
from itertools import pairwise

import pytest
import regex
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.data import load_text
from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.bpe_io import text_to_token
from lmcourse.tokenizers.bpe_naive import merge, naive_train_merges
from lmcourse.tokenizers.bpe_pretokenize import BLOCK, PreTokenizer
from lmcourse.tokenizers.bpe_training import count_pre_tokens, train_merges


def naive_merges(text, num_merges, pattern=GPT2_PATTERN):
    return naive_train_merges(regex.findall(pattern, text), num_merges)


def merges_of(text, num_merges, **options):
    return train_merges(
        count_pre_tokens(text, PreTokenizer(options.pop("pattern", GPT2_PATTERN))), num_merges, **options
    )


def hugging_face_merges(text, num_merges):
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=256 + num_merges,
        show_progress=False,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    trained.train_from_iterator([text], trainer)
    merges = json.loads(trained.to_str())["model"]["merges"]
    return [tuple(text_to_token(side) for side in merge) for merge in merges]


def first_counts(text, merges):
    """How often the pair of each merge occurs when it is merged, and the highest count then, by recounting."""
    pre_tokens = Counter(
        {tuple(bytes([byte]) for byte in p.encode()): n for p, n in Counter(regex.findall(GPT2_PATTERN, text)).items()}
    )
    for pair in merges:
        counts = Counter()
        for pre_token, times in pre_tokens.items():
            for neighbours in pairwise(pre_token):
                counts[neighbours] += times
        yield counts[pair], max(counts.values())
        pre_tokens = Counter({tuple(merge(pre_token, pair)): times for pre_token, times in pre_tokens.items()})


TRAINERS = [merges_of, naive_merges]


def test_a_merge_goes_from_the_left():
    assert merge([b"a", b"a", b"a", b"b", b"a", b"a"], (b"a", b"a")) == [b"aa", b"a", b"b", b"aa"]
    assert merge([b"a"], (b"a", b"a")) == [b"a"]
    assert merge([], (b"a", b"a")) == []


@pytest.mark.parametrize("train", TRAINERS)
def test_by_hand(train):
    # aaabdaaabac: aa 4 times (overlapping), ab 2, da 1, ... -> aa; [aa]abd[aa]abac: (aa)a 2, ab 2 -> "a" < "aa": ab;
    # [aa][ab]d[aa][ab]ac: (aa)(ab) 2 -> [aaab]d[aaab]ac, five symbols: X d X a c.
    merges = train("aaabdaaabac", 3)
    assert merges == [(b"a", b"a"), (b"a", b"b"), (b"aa", b"ab")]
    tokenizer = BPETokenizer(merges)
    assert tokenizer.tokens("aaabdaaabac") == [b"aaab", b"d", b"aaab", b"a", b"c"]
    assert tokenizer.decode(tokenizer.encode("aaabdaaabac")) == "aaabdaaabac"


@pytest.mark.parametrize("train", TRAINERS)
def test_sennrichs_example(train):
    # The words of Sennrich et al. 2016, figure 1, cut at spaces: e+s occurs 6 + 3 = 9 times, then es+t 9 times.
    text = " ".join(["low"] * 5 + ["lower"] * 2 + ["newest"] * 6 + ["widest"] * 3)
    merges = train(text, 4, pattern=r"\w+|\s")
    assert merges == [(b"e", b"s"), (b"es", b"t"), (b"l", b"o"), (b"lo", b"w")]


@pytest.mark.parametrize("merges_of", TRAINERS)
def test_ties_are_broken_on_bytes(merges_of):
    # All four pairs occur once. Lowest left token first, then lowest right token.
    assert merges_of("ba", 1, pattern=r"\S+") == [(b"b", b"a")]
    assert merges_of("zy ba bc ab", 4, pattern=r"\S+") == [(b"a", b"b"), (b"b", b"a"), (b"b", b"c"), (b"z", b"y")]
    # Of equally frequent pairs a longer token that starts alike comes later: b"a" < b"aa".
    assert merges_of("aab aab ac ac", 3, pattern=r"\S+")[:2] == [(b"a", b"a"), (b"a", b"c")]


def test_merges_do_not_depend_on_the_order_of_the_text():
    words = load_text("python-docs")[:20_000].split(" ")
    backwards = " ".join(reversed(words))
    assert merges_of(" ".join(words), 300, pattern=r"[^ ]+| ") == merges_of(backwards, 300, pattern=r"[^ ]+| ")


@pytest.mark.parametrize("num_merges", [1, 7, 151])
def test_equals_the_naive_trainer_on_english(num_merges):
    text = load_text("shakespeare")[5_000:10_000]
    assert merges_of(text, num_merges) == naive_merges(text, num_merges)


@pytest.mark.parametrize(
    "text",
    [
        "aaaaaaaaaaaaa aaaaaaa aaa aa a",
        "abababab ababa bababa",
        "\u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u0ba4\u0bae\u0bbf\u0bb4\u0bcd \u65e5\u672c\u8a9e \u65e5\u672c",
        "\U0001f469\u200d\U0001f680 \U0001f469\u200d\U0001f680\U0001f469\u200d\U0001f680",
        "    \n\n\n\n   \t\t  x    \n\n",
        "xyzxyzxyz" * 31,
    ],
)
def test_equals_the_naive_trainer_on_runs_and_scripts(text):
    assert merges_of(text, 53) == naive_merges(text, 53)


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("ab c\n\u00e9"), min_size=1, max_size=60))
def test_equals_the_naive_trainer_on_any_small_text(text):
    assert merges_of(text, 43) == naive_merges(text, 43)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.sampled_from("abc"), min_size=1, max_size=9), min_size=1, max_size=40))
def test_equals_hugging_face_by_their_rule_for_ties(words):
    text = " ".join(words)
    theirs = hugging_face_merges(text, 59)
    assert merges_of(text, 59, ties="ids") == theirs


def test_hugging_face_differs_at_ties_only():
    """Every merge of theirs is a commonest pair when it is made, and so is every merge of ours; the lists differ."""
    text = load_text("shakespeare")[20_000:32_000]
    ours, theirs = merges_of(text, 97), hugging_face_merges(text, 97)
    assert ours != theirs
    first = next(index for index, pairs in enumerate(zip(ours, theirs)) if pairs[0] != pairs[1])
    assert all(count == highest for count, highest in first_counts(text, ours))
    assert all(count == highest for count, highest in first_counts(text, theirs))
    # At the first difference both pairs are equally frequent and ours is the lower in bytes.
    assert ours[first] < theirs[first]


def test_equals_hugging_face_on_shakespeare():
    text = load_text("shakespeare")[:700_000]
    assert merges_of(text, 2_000, ties="ids") == hugging_face_merges(text, 2_000)


@pytest.mark.slow
def test_equals_hugging_face_on_all_of_shakespeare():
    text = load_text("shakespeare")
    assert merges_of(text, 8_000, ties="ids") == hugging_face_merges(text, 8_000)


def test_many_times_faster_than_the_naive_trainer():
    """A wide margin on a small text; benchmarks/bpe.py measures the real factor."""
    text = load_text("shakespeare")[:20_000]
    start = time.perf_counter()
    ours = merges_of(text, 29)
    between = time.perf_counter()
    assert naive_merges(text, 29) == ours
    assert (time.perf_counter() - between) > 8 * (between - start)


def test_an_iterable_gives_the_merges_of_its_documents():
    documents = ["the cat", " the dog", "", "the catalogue " * 3]
    merges = merges_of((document for document in documents), 20)
    counts = Counter(part for document in documents for part in regex.findall(GPT2_PATTERN, document))
    assert merges == train_merges(counts, 20)
    # No pre-token crosses documents: here "ab" is never seen.
    assert merges_of(["a", "b", "a", "b"], 5) == []


def test_a_long_text_is_never_held_as_pre_tokens():
    """The pre-tokens of 1.2 MB would take over 12 MB; counting them holds the distinct ones and one block."""
    text = load_text("python-docs")[:300_000] * 4
    tracemalloc.start()
    counts = count_pre_tokens(text, PreTokenizer())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert counts == Counter(regex.findall(GPT2_PATTERN, text))
    assert len(text) > 16 * BLOCK
    assert peak < 9e6


def test_stops_early_and_says_so(capsys):
    tokenizer = BPETokenizer.train("abc", 300)
    assert tokenizer.merges == [(b"a", b"b"), (b"ab", b"c")]
    assert tokenizer.vocab_size == 258
    printed = capsys.readouterr()
    assert printed.out == tokenizer.training_note + "\n"
    assert "2 of 44 merges" in printed.out
    assert "258 tokens instead of 300" in printed.out
    assert printed.err == ""


def test_says_nothing_when_all_merges_were_found(capsys):
    tokenizer = BPETokenizer.train("abc", 258)
    assert tokenizer.training_note == ""
    assert capsys.readouterr() == ("", "")


def test_a_vocabulary_of_bytes_alone():
    tokenizer = BPETokenizer.train("x", 256)
    assert tokenizer.merges == []
    assert tokenizer.encode("h\u00e9") == [0x68, 0xC3, 0xA9]


def test_specials_get_the_last_ids_and_count():
    tokenizer = BPETokenizer.train("abab", 259, special_tokens=["<a>", "<b>"])
    assert tokenizer.merges == [(b"a", b"b")]
    assert tokenizer.special_tokens == {"<a>": 257, "<b>": 258}
    assert tokenizer.vocab_size == 259


def test_progress_is_shown_when_asked(capsys):
    BPETokenizer.train("the cat the hat", 260)
    assert capsys.readouterr().err == ""
    BPETokenizer.train("the cat the hat", 260, progress=True)
    shown = capsys.readouterr().err
    assert "learning merges" in shown
    assert "counting pre-tokens" in shown


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("", 300), ValueError, "`text` must hold at least one character"),
        (([], 300), ValueError, "`text` must hold at least one character"),
        ((["", ""], 300), ValueError, "`text` must hold at least one character"),
        ((b"bytes", 300), TypeError, "`text` must be a str or an iterable of str, got bytes"),
        ((7, 300), TypeError, "`text` must be a str or an iterable of str, got int"),
        ((["ok", 7], 300), TypeError, "got int as item 1"),
        (("text", 255), ValueError, "`vocab_size` must be at least 256 .* got vocab_size=255 with 0 special tokens"),
        (("text", 300.0), TypeError, "`vocab_size` must be a whole number, got vocab_size=300.0"),
        (("text", True), TypeError, "`vocab_size` must be a whole number, got vocab_size=True"),
        (("text", 256 + 0x110000), ValueError, "`vocab_size` must be at most 1.11411e.06, got"),
        (("ab\ud800cd", 300), ValueError, "lone surrogate"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        BPETokenizer.train(*arguments)


def test_bad_specials():
    with pytest.raises(ValueError, match="got vocab_size=257 with 2 special tokens"):
        BPETokenizer.train("text", 257, special_tokens=["<a>", "<b>"])
    with pytest.raises(ValueError, match="`special_tokens` must differ, got '<a>' twice"):
        BPETokenizer.train("text", 300, special_tokens=["<a>", "<a>"])
    with pytest.raises(ValueError, match="`special_tokens` must not be ordinary tokens already"):
        BPETokenizer.train("text", 300, special_tokens=["x"])
    with pytest.raises(TypeError, match="`special_tokens` must be a list of strings or a mapping, got '<a>'"):
        BPETokenizer.train("text", 300, special_tokens="<a>")
    with pytest.raises(ValueError, match="`ties` must be one of 'bytes', 'ids', got ties='random'"):
        train_merges({"ab": 1}, 1, ties="random")


@pytest.mark.parametrize("text", ["THE END, the END", ["a", "LEGENDS"], "x END"])
def test_a_special_token_that_training_could_learn_is_refused_before_training(text, monkeypatch):
    monkeypatch.setattr("lmcourse.tokenizers.bpe.train_merges", lambda *_, **__: pytest.fail("training began"))
    with pytest.raises(ValueError, match="`special_tokens` must not stand within a pre-token of `text`, got 'END' in"):
        BPETokenizer.train(text, 300, special_tokens=["<|end|>", "END"])


def test_a_special_token_that_the_pattern_takes_apart_may_stand_in_the_text():
    tokenizer = BPETokenizer.train("the<|end|> end<|end|>" * 3, 262, special_tokens=["<|end|>", "END"])
    assert tokenizer.decode(tokenizer.encode("<|end|>")) == "<|end|>"
    assert tokenizer.encode("<|end|>END", allowed_special="all") == [260, 261]


@pytest.mark.parametrize("num_merges", [-1, 1.5, None])
def test_the_naive_trainer_checks_too(num_merges):
    with pytest.raises((ValueError, TypeError), match="`num_merges` must be"):
        naive_train_merges(["ab"], num_merges)
    with pytest.raises((ValueError, TypeError), match="`num_merges` must be"):
        train_merges({"ab": 1}, num_merges)


def test_the_naive_trainer_stops_where_there_are_no_pairs():
    assert naive_merges("abc", 300) == [(b"a", b"b"), (b"ab", b"c")]
    assert naive_merges("", 3) == []
