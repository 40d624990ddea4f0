"""The tokenizer itself: splitting, encoding, decoding, special_tokens, cache, errors."""

import copy
import itertools
import pickle
import random
import re
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse.data import load_text
from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.bpe_merging import LONG_PRE_TOKEN, LONGEST_CACHED, MergeTable
from lmcourse.tokenizers.bpe_pretokenize import BLOCK, PreTokenizer

VALID_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.fixture(scope="module")
def tokenizer():
    return BPETokenizer.train(
        load_text("python-docs")[:150_000], 1_009, special_tokens=["<|end|>", "<|end|>er", "<|pad|>"]
    )


# Splitting


@pytest.mark.parametrize(
    ("text", "pre_tokens"),
    [
        ("I'll say it's 42, ok?", ["I", "'ll", " say", " it", "'s", " 42", ",", " ok", "?"]),
        ("a  b\n\n c ", ["a", " ", " b", "\n\n", " c", " "]),
        ("THEY'LL", ["THEY", "'", "LL"]),  # contractions in small letters only: a known flaw of the pattern
        ("x=3.14;", ["x", "=", "3", ".", "14", ";"]),
        ("", []),
    ],
)
def test_gpt2s_split(text, pre_tokens):
    assert PreTokenizer().split(text) == pre_tokens


def test_the_ascii_shortcut_splits_as_the_pattern_does():
    """Every ASCII character beside every other, in three contexts, and random strings of all of them."""
    pre_tokenizer, compiled = PreTokenizer(), regex.compile(GPT2_PATTERN)
    ascii_letters = [chr(code) for code in range(128)]
    for first in ascii_letters:
        text = "".join(f"{first}{second}a{first} {second}'{first}{second}" for second in ascii_letters)
        assert pre_tokenizer.split(text) == compiled.findall(text)
    generator = random.Random(7)
    for _ in range(2_000):
        text = "".join(generator.choices(ascii_letters + list("  \n'strevml") * 4, k=29))
        assert pre_tokenizer.split(text) == compiled.findall(text)


@pytest.mark.parametrize("foreign", ["", "\u00e9", "\u65e5\u672c\u3000"])
def test_blocks_are_cut_where_nothing_changes(foreign):
    generator = random.Random(11)
    fragments = ["word", " ", "  ", "\n", "'re", "'", "12", "...", "\u00a0" if foreign else "\t", foreign]
    text = "".join(generator.choices(fragments, k=80_000))
    assert len(text) > 2 * BLOCK
    blocks = list(PreTokenizer().blocks(text))
    assert len(blocks) > 2
    assert [pre_token for block in blocks for pre_token in block] == regex.findall(GPT2_PATTERN, text)


def test_a_text_with_no_safe_cut_is_one_block():
    assert len(list(PreTokenizer().blocks("x" * (2 * BLOCK)))) == 1
    assert len(list(PreTokenizer(r"\w+").blocks("x y " * BLOCK))) == 1


@pytest.mark.parametrize("pattern", [r"\w+", r"[^,]+", r"x*", r"(?s:.)", r"(?=b)", GPT2_PATTERN])
@given(text=st.text(st.sampled_from("ab, x\n\u00e9"), max_size=30))
@settings(deadline=None)
def test_no_pattern_loses_text(pattern, text):
    assert "".join(PreTokenizer(pattern).split(text)) == text
    untrained = BPETokenizer(pattern=pattern)
    assert untrained.decode(untrained.encode(text)) == text


def test_bad_patterns():
    with pytest.raises(ValueError, match="`pattern` must be a regular expression"):
        PreTokenizer("(")
    with pytest.raises(ValueError, match="`pattern` must have no capturing groups"):
        PreTokenizer(r"(a)|b")
    with pytest.raises(TypeError, match="`pattern` must be a str, got NoneType"):
        PreTokenizer(None)


# Merging one pre-token


def slowly(merges, data):
    """The obvious encoder: for each merge in order, walk over the pre-token and merge."""
    tokens = [bytes([byte]) for byte in data]
    for left, right in merges:
        merged = []
        for token in tokens:
            if merged and (merged[-1], token) == (left, right):
                merged[-1] = left + right
            else:
                merged.append(token)
        tokens = merged
    return tokens


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("abc "), min_size=2, max_size=40), st.text(st.sampled_from("abc"), max_size=40))
def test_three_ways_to_apply_merges_agree(corpus, word):
    merges = BPETokenizer.train(corpus + "ab", 256 + 29).merges
    table = MergeTable(merges)
    data = word.encode()
    expected = slowly(merges, data)
    assert [table.tokens[ord(symbol)] for symbol in table.apply(data)] == expected
    assert [table.tokens[ord(symbol)] for symbol in table._apply_with_heap(data.decode("latin-1"))] == expected


def test_long_pre_tokens_go_by_the_heap_and_agree(tokenizer):
    generator = random.Random(3)
    table = tokenizer._table
    for letters, length in (("a", 1_499), ("ab", 1_501), ("etaoin", 3_001), ("\u00e9e", 1_009)):
        data = "".join(generator.choices(letters, k=length)).encode()
        assert len(data) > LONG_PRE_TOKEN
        expected = slowly(tokenizer.merges, data)
        assert [table.tokens[ord(symbol)] for symbol in table.apply(data)] == expected


def test_a_pre_token_of_a_hundred_thousand_letters_is_no_trap(tokenizer):
    text = "".join(random.Random(5).choices("abcdefghij", k=100_000))
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_two_merges_that_make_the_same_token():
    """abcd: bc first, then a + bc, which is the token that ab + c makes, and so it joins with d."""
    merges = [(b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"a", b"bc"), (b"abc", b"d")]
    twice = BPETokenizer(merges)
    assert twice.vocab_size == 256 + 4
    assert twice.tokens("abcd") == [b"abcd"]
    assert twice.decode(twice.encode("abcdbc")) == "abcdbc"


@pytest.mark.parametrize(
    ("merges", "error", "message"),
    [
        ([(b"a", b"bc")], ValueError, "`merges` must be in order.*merge 0.*nothing before it makes b'bc'"),
        ([(b"a", b"b"), (b"a", b"b")], ValueError, "`merges` must not repeat.*again as merge 1"),
        ([(b"", b"b")], ValueError, "`merges` must be in order"),
        ([("a", "b")], TypeError, "`merges` must be pairs of bytes"),
    ],
)
def test_bad_merges(merges, error, message):
    with pytest.raises(error, match=message):
        BPETokenizer(merges)


# Round trips


@settings(deadline=None, max_examples=500)
@given(VALID_TEXT)
def test_any_text_comes_back(tokenizer, text):
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert b"".join(tokenizer.tokens(text)) == text.encode()
    assert tokenizer.encode_bytes(text.encode()) == tokenizer.encode(text)


@settings(deadline=None, max_examples=500)
@given(st.binary(max_size=60))
def test_any_bytes_come_back(tokenizer, data):
    ids = tokenizer.encode_bytes(data)
    assert tokenizer.decode_bytes(ids) == data
    assert tokenizer.decode(ids) == data.decode("utf-8", "replace")


@settings(deadline=None)
@given(st.data())
def test_any_ids_decode(tokenizer, data):
    ids = data.draw(st.lists(st.integers(0, tokenizer.vocab_size - 1), max_size=40))
    assert tokenizer.decode_bytes(ids).decode("utf-8", "replace") == tokenizer.decode(ids)


def test_a_broken_character_is_shown_as_such(tokenizer):
    untrained = BPETokenizer()
    ids = untrained.encode("\U0001f600")
    assert ids == [0xF0, 0x9F, 0x98, 0x80]
    assert untrained.decode([*ids[:2], ord("!")]) == "\ufffd!"
    assert untrained.decode_bytes(ids[:2]) == b"\xf0\x9f"


def test_cutting_the_text_where_the_pattern_cuts_changes_nothing(tokenizer):
    text = load_text("python-docs")[:5_000]
    assert tokenizer.encode(text) == [i for part in PreTokenizer().split(text) for i in tokenizer.encode(part)]


def test_empty(tokenizer):
    assert tokenizer.encode("") == []
    assert tokenizer.encode("", allowed_special="all") == []
    assert tokenizer.encode_bytes(b"") == []
    assert tokenizer.decode([]) == ""
    assert tokenizer.tokens("") == []


def test_arrays_decode_too(tokenizer):
    ids = tokenizer.encode("def f(x):")
    assert tokenizer.decode(np.array(ids)) == tokenizer.decode(tuple(ids)) == tokenizer.decode(iter(ids)) == "def f(x):"


# Many texts, and ids one at a time


def test_encode_iter_gives_the_ids_of_encode(tokenizer):
    text = load_text("python-docs")[:60_000]
    assert list(tokenizer.encode_iter(text)) == tokenizer.encode(text)
    lines = text.splitlines(keepends=True)
    by_line = [number for line in lines for number in tokenizer.encode(line)]
    assert list(tokenizer.encode_iter(iter(lines))) == by_line
    assert list(tokenizer.encode_iter([])) == []
    allowed = tokenizer.encode_iter(["a<|end|>", "<|pad|>"], allowed_special=["<|end|>"])
    assert list(allowed) == tokenizer.encode("a<|end|><|pad|>", allowed_special=["<|end|>"])


def test_encode_iter_reads_as_ids_are_taken(tokenizer):
    read = []

    def lines():
        for word in ("one", "two", "three"):
            read.append(word)
            yield word

    ids = tokenizer.encode_iter(lines())
    assert read == []
    next(ids)
    assert read == ["one"]


def test_encode_iter_needs_no_list_of_all_ids(tokenizer):
    """A list of these ids alone would take 5 MB."""
    line = load_text("python-docs")[:20_000]
    tokenizer.encode(line)
    tracemalloc.start()
    count = sum(1 for _ in tokenizer.encode_iter(itertools.repeat(line, 100)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count > 640_000
    assert peak < 1e6


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        (None, TypeError, "`lines` must be an iterable of str, got NoneType"),
        (["a", b"b"], TypeError, "`text` must be a str .*, got bytes"),
        (["a", "b\ud800"], ValueError, "lone surrogate .* at position 1"),
    ],
)
def test_encode_iter_refuses_what_encode_refuses(tokenizer, lines, error, message):
    with pytest.raises(error, match=message):
        list(tokenizer.encode_iter(lines))


def streamed(tokenizer, ids):
    decoder = tokenizer.stream_decoder()
    return [decoder.feed(number) for number in ids], decoder.end()


@settings(deadline=None, max_examples=500)
@given(st.data())
def test_streamed_text_is_decoded_text_whatever_the_ids(tokenizer, data):
    whole = st.integers(0, tokenizer.vocab_size - 1)
    raw_bytes = st.sampled_from(
        [0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0x98, 0x80, 0xC3, 0xA9, 0xED, 0xA0, 0xFF]
    )  # ids of bytes
    ids = data.draw(st.lists(whole | raw_bytes, max_size=30))
    parts, rest = streamed(tokenizer, ids)
    assert "".join(parts) + rest == tokenizer.decode(ids)


@settings(deadline=None, max_examples=300)
@given(VALID_TEXT)
def test_a_stream_never_shows_half_a_character(text):
    bytes_only = BPETokenizer()  # each byte is a token: every character of two bytes or more is cut
    parts, rest = streamed(bytes_only, bytes_only.encode(text))
    assert rest == ""
    assert [part for part in parts if part] == list(text)


def test_an_unfinished_character_waits_and_a_broken_one_does_not():
    decoder = BPETokenizer().stream_decoder()
    assert [decoder.feed(byte) for byte in "\u20ac".encode()] == ["", "", "\u20ac"]
    assert [decoder.feed(byte) for byte in b"\xe2\x82x"] == ["", "", "\ufffdx"]
    assert decoder.feed(0xFF) == "\ufffd"
    assert decoder.feed(0xF0) == ""
    assert decoder.end() == "\ufffd"
    assert decoder.feed(ord("a")) == "a", "after the end it begins anew"
    assert decoder.end() == ""


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        ("a", TypeError, "`number` must be a whole number, got number='a'"),
        (1.0, TypeError, "`number` must be a whole number, got number=1.0"),
        (-1, ValueError, "`ids` must be ids of this vocabulary"),
        (10**6, ValueError, "got 1000000"),
    ],
)
def test_a_stream_refuses_what_is_no_id(tokenizer, number, error, message):
    with pytest.raises(error, match=message):
        tokenizer.stream_decoder().feed(number)


def test_a_stream_takes_numbers_of_any_kind(tokenizer):
    assert "".join(map(tokenizer.stream_decoder().feed, np.array(tokenizer.encode("def f(x):")))) == "def f(x):"


# Specials


def test_special_text_is_ordinary_unless_allowed(tokenizer):
    text = "a<|end|>b<|pad|>"
    end, pad = tokenizer.special_tokens["<|end|>"], tokenizer.special_tokens["<|pad|>"]
    ordinary = tokenizer.encode(text)
    assert end not in ordinary
    assert tokenizer.decode(ordinary) == text
    assert tokenizer.encode(text, allowed_special=["<|end|>"]) == [
        *tokenizer.encode("a"),
        end,
        *tokenizer.encode("b<|pad|>"),
    ]
    assert tokenizer.encode(text, allowed_special="all") == [*tokenizer.encode("a"), end, *tokenizer.encode("b"), pad]
    assert tokenizer.tokens("<|end|>", allowed_special="all") == [b"<|end|>"]
    assert tokenizer.decode([end, pad]) == "<|end|><|pad|>"


def test_the_longest_special_wins(tokenizer):
    assert tokenizer.encode("<|end|>er", allowed_special="all") == [tokenizer.special_tokens["<|end|>er"]]
    assert tokenizer.encode("<|end|>er", allowed_special={"<|end|>"})[0] == tokenizer.special_tokens["<|end|>"]


def test_no_specials_at_all():
    plain = BPETokenizer()
    assert plain.encode("<|end|>", allowed_special="all") == list(b"<|end|>")


@pytest.mark.parametrize(
    ("special_tokens", "error", "message"),
    [
        (["<a>", "<a>"], ValueError, "`special_tokens` must differ, got '<a>' twice"),
        ([""], ValueError, "`special_tokens` must not be empty"),
        (["ab"], ValueError, "`special_tokens` must not be ordinary tokens already, got 'ab'"),
        ([7], TypeError, "`special_tokens` must be strings, got 7"),
        ("<a>", TypeError, "must be a list of strings or a mapping, got '<a>'"),
        (["\ud800"], ValueError, "`special_tokens` must be valid Unicode"),
        ({"<a>": 0}, ValueError, "must differ, got 0 for both"),
        ({"<a>": -1}, ValueError, "must be at least 0, got .*-1"),
        ({"<a>": "1"}, TypeError, "must be a whole number, got .*'1'"),
        ({"<a>": 300, "<b>": 300}, ValueError, "must differ, got 300 for both '<a>' and '<b>'"),
    ],
)
def test_bad_specials(special_tokens, error, message):
    with pytest.raises(error, match=message):
        BPETokenizer([(b"a", b"b")], special_tokens=special_tokens)


def test_specials_may_have_any_free_ids():
    gap = BPETokenizer([(b"a", b"b")], special_tokens={"<x>": 1_000})
    assert gap.vocab_size == 1_001
    assert gap.decode([1_000, 256]) == "<x>ab"
    with pytest.raises(ValueError, match="got 999"):
        gap.decode([999])


# Ids


def test_own_ids():
    ids = {bytes([byte]): 255 - byte for byte in range(256)} | {b"ab": 700}
    own = BPETokenizer([(b"a", b"b")], ids=ids, special_tokens=["<s>"])
    assert own.encode("abc") == [700, 255 - ord("c")]
    assert own.special_tokens == {"<s>": 701}
    assert own.vocab_size == 702


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({b"ab": None}, ValueError, "got none for b'ab'"),
        ({b"zz": 5_000}, ValueError, "no merge makes b'zz'"),
        ({b"ab": 3}, ValueError, "`ids` must differ, got 3 for both"),
        ({b"ab": -3}, ValueError, "`ids.*must be at least 0, got .*-3"),
        ({b"ab": 3.5}, TypeError, "`ids.*must be a whole number, got .*3.5"),
    ],
)
def test_bad_ids(change, error, message):
    ids = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256} | change
    with pytest.raises(error, match=message):
        BPETokenizer([(b"a", b"b")], ids={token: number for token, number in ids.items() if number is not None})


# Errors of use


def test_lone_surrogates_are_refused_with_a_way_out(tokenizer):
    for text in ("ab\ud800cd", "\udc80", "\ud83d\ude00"):
        with pytest.raises(ValueError, match="`text` must be valid Unicode, got the lone surrogate") as caught:
            tokenizer.encode(text)
        position = re.search("[\ud800-\udfff]", text).start()
        assert f"at position {position};" in str(caught.value)
        data = text.encode("utf-8", "surrogatepass")
        assert tokenizer.decode_bytes(tokenizer.encode_bytes(data)) == data
        with pytest.raises(ValueError, match="lone surrogate"):
            tokenizer.encode(text)  # encode_bytes has left nothing in the cache


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda t: t.encode(b"ab"), TypeError, r"`text` must be a str \(for bytes there is encode_bytes\), got bytes"),
        (lambda t: t.encode(None), TypeError, "`text` must be a str"),
        (lambda t: t.encode_bytes("ab"), TypeError, "`data` must be bytes, got str"),
        (lambda t: t.encode("a", allowed_special="<|end|>"), TypeError, 'a collection of strings or "all"'),
        (lambda t: t.encode("a", allowed_special=["<|no|>"]), ValueError, r"got \['<\|no\|>'\]"),
        (lambda t: t.decode([1_009]), ValueError, r"\(0 to 1008\), got 1009"),
        (lambda t: t.decode([-1]), ValueError, "got -1"),
        (lambda t: t.decode_bytes([5, 10**9]), ValueError, "got 1000000000"),
        (lambda t: t.decode(7), TypeError, "`ids` must be a flat sequence of whole numbers, got int"),
        (lambda t: t.decode(["a"]), TypeError, "`ids` must be whole numbers, got 'a'"),
        (lambda t: t.decode([[1, 2]]), TypeError, "flat sequence"),
        (lambda t: t.decode(np.ones((2, 3), dtype=int)), TypeError, "flat sequence"),
        (lambda t: t.encode("a", allowed_special=None), TypeError, 'a collection of strings or "all", got None'),
        (lambda t: BPETokenizer(7), TypeError, "`merges` must be an iterable of pairs of bytes, got 7"),
        (lambda t: BPETokenizer([(b"a",)]), TypeError, "`merges` must be an iterable of pairs of bytes"),
        (lambda t: BPETokenizer(special_tokens=None), TypeError, "`special_tokens` must be a list of strings"),
        (lambda t: BPETokenizer(ids=[1]), TypeError, "`ids` must be a mapping"),
        (lambda t: BPETokenizer(cache_size=1.5), TypeError, "`cache_size` must be a whole number"),
        (lambda t: BPETokenizer.from_ranks(None), TypeError, "`ranks` must be a mapping"),
        (lambda t: BPETokenizer.from_ranks({"a": 1}), TypeError, "`ranks` must be a mapping of bytes"),
        (lambda t: BPETokenizer(cache_size=-1), ValueError, "`cache_size` must be at least 0, got cache_size=-1"),
    ],
)
def test_bad_use(tokenizer, use, error, message):
    with pytest.raises(error, match=message):
        use(tokenizer)


# Cache


@pytest.mark.parametrize("cache_size", [0, 1, 2, 7, 100])
def test_the_cache_is_bounded_and_changes_no_id(tokenizer, cache_size):
    small = BPETokenizer(tokenizer.merges, special_tokens=tokenizer.special_tokens, cache_size=cache_size)
    text = load_text("python-docs")[:20_000]
    assert small.encode(text) == small.encode(text) == tokenizer.encode(text)
    assert small.cache_info()["limit"] == cache_size
    assert small.cache_info()["pre_tokens"] <= cache_size


def test_the_cache_says_what_it_holds():
    plain = BPETokenizer()
    plain.encode("one two " + "x" * (LONGEST_CACHED + 1))
    info = plain.cache_info()
    assert info["pre_tokens"] == 2  # "one" and " two"; the third is too long
    plain.clear_cache()
    assert plain.cache_info()["pre_tokens"] == 0
    assert 0 < plain.cache_info()["bytes"] < info["bytes"]


@pytest.mark.parametrize("cache_size", [3, 64])
def test_threads_share_a_tokenizer_with_a_full_cache(tokenizer, cache_size):
    """Eight threads, 200 texts each: what they encode is what one encodes alone."""
    shared = BPETokenizer(tokenizer.merges, special_tokens=tokenizer.special_tokens, cache_size=cache_size)
    words = load_text("python-docs")[:40_000].split()
    generator = random.Random(13)
    texts = [" ".join(generator.choices(words, k=60)) for _ in range(200)]
    expected = [tokenizer.encode(text) for text in texts]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # let the threads take turns as often as they can
    try:
        with ThreadPoolExecutor(8) as pool:
            jobs = [pool.submit(lambda: [shared.encode(text) for text in texts]) for _ in range(8)]
            assert all(job.result() == expected for job in jobs)
    finally:
        sys.setswitchinterval(interval)
    assert shared.cache_info()["pre_tokens"] <= cache_size


def test_copies_are_equal_and_whole(tokenizer):
    text = "def f(): <|end|>"
    for twin in (pickle.loads(pickle.dumps(tokenizer)), copy.deepcopy(tokenizer)):
        assert twin.merges == tokenizer.merges
        assert twin.encode(text, allowed_special="all") == tokenizer.encode(text, allowed_special="all")
    noted = BPETokenizer.train("ab", 300)
    assert pickle.loads(pickle.dumps(noted)).training_note == noted.training_note != ""


def test_no_torch_is_imported():
    code = "import sys, lmcourse.tokenizers.bpe, lmcourse.tokenizers.wordpiece; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_it_says_of_itself(tokenizer):
    assert (
        repr(tokenizer)
        == "BPETokenizer(vocab_size=1009, merges=750, special_tokens=['<|end|>', '<|end|>er', '<|pad|>'])"
    )
    assert len(tokenizer) == 1_009
