"""WordPiece beside Hugging Face's, and the fewest pieces beside trying every cutting."""

import random
import string
import unicodedata
from itertools import combinations

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcourse import data
from lmcourse.tokenizers.wordpiece import WordPiece, fewest_pieces

ALPHABET = [
    *string.ascii_lowercase,
    *string.digits,
    *string.punctuation,
    *"\u00e6\u03b1\u03c3\u03bf\u5317\u4eac\u306e\u0142\u0436",
]
TOY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *ALPHABET,
    *("##" + letter for letter in ALPHABET if letter.isalnum()),
    *("the", "un", "##aff", "##able", "##ing", "token", "##ization", "cafe", "\u03bf\u03b4", "kitten"),
]


def reference(vocabulary, lower_case=True):
    theirs = tokenizers.BertWordPieceTokenizer(
        {piece: number for number, piece in enumerate(vocabulary)}, lowercase=lower_case
    )
    return lambda text: theirs.encode(text, add_special_tokens=False).ids


@pytest.fixture(scope="module")
def toy():
    return WordPiece(TOY)


@pytest.fixture(scope="module")
def real():
    """The 30,522 pieces of an uncased BERT and their reader, if the course's pretrained encoder is here already."""
    if not data.is_cached("minilm"):
        pytest.skip("needs `lmcourse data fetch minilm` (83 MB)")
    path = data.fetch("minilm") / "vocab.txt"
    return WordPiece.load(path), reference(path.read_text(encoding="utf-8").splitlines())


def test_by_hand(toy):
    assert toy.tokens("Unaffable tokenization!") == ["un", "##aff", "##able", "token", "##ization", "!"]
    assert toy.tokens("Caf\u00e9s") == ["cafe", "##s"]
    assert toy.tokens("don't") == ["d", "##o", "##n", "'", "t"]
    assert toy.tokens("\u5317\u4eac\u306e") == ["\u5317", "\u4eac", "\u306e"]
    assert toy.tokens("the \u2603 the") == ["the", "[UNK]", "the"]
    assert toy.tokens("") == toy.tokens(" \t\n") == []


def test_greedy_from_the_left_can_get_stuck():
    """ab is taken first, and then ##c is missing, though a ##bc would have fitted: the word is lost."""
    assert WordPiece(["[UNK]", "a", "ab", "##bc"]).tokens("abc") == ["[UNK]"]


def test_long_words_are_unknown(toy):
    assert toy.tokens("a" * 100) == ["a"] + ["##a"] * 99
    assert toy.tokens("a" * 101) == ["[UNK]"]


TRICKY = [
    "\u0130stanbul I\u0307",
    "\u039f\u0394\u039f\u03a3 \u03a3\u03c2",
    "\ufb01ne \u2460\u00b2 \u00bd",
    "a\u0300\u0301b \u1e69",
    "zero\u200bwidth\u00adhyphen\ufeff",
    "tab\tnew\nline\rfeed\x0b\x0c\x1c\x85\u00a0\u2028\u3000end",
    "null\x00and\ufffdbad",
    "$5+3=8^2`~|<>",
    "\u00a15\u20ac \u00b63 \u00ab\u00bb \u2014",
    "\u5317\u4eac\u3042\u30a2\ud55c\u6f22a\u5b57b",
    "\uac00\uac01 \u1100\u1161",
    "\U0001f469\u200d\U0001f680 \U0001f600!",
    "[MASK] [CLS]x",
    "\U00020000\U0002a6df\U0002b81d\uf900\U0002f800",
]


@pytest.mark.parametrize("lower_case", [True, False])
def test_toy_equals_theirs(lower_case):
    ours, theirs = WordPiece(TOY, lower_case=lower_case), reference(TOY, lower_case)
    for text in (*TRICKY, data.load_text("python-docs")[:100_000]):
        plain = text.replace("[MASK]", "").replace("[CLS]", "")
        assert ours.encode(plain) == theirs(plain)


def test_real_equals_theirs(real):
    ours, theirs = real
    assert ours.vocab_size == 30_522
    for text in (*TRICKY, data.load_text("shakespeare")[:300_000], data.load_text("python-docs")[:100_000]):
        plain = text.replace("[MASK]", "").replace("[CLS]", "")
        assert ours.encode(plain) == theirs(plain)
    assert ours.encode("a [MASK] [CLS]", allowed_special="all") == theirs("a [MASK] [CLS]")


@settings(deadline=None, max_examples=300)
@given(st.text(st.characters(max_codepoint=0x24F, exclude_categories=["Cs"]), max_size=40))
def test_any_latin_text_equals_theirs(text):
    assert WordPiece(TOY).encode(text, allowed_special="all") == reference(TOY)(text)


CHANGED = {"\u166d", "\u1734", "\u1885", "\u1886"}


def around(character):
    return f"ab{character}cd {character} .{character}. "


def differing(ours, theirs, characters):
    found = []
    for start in range(0, len(characters), 128):
        some = characters[start : start + 128]
        text = "".join(map(around, some))
        if ours.encode(text) != theirs(text):
            found.extend(c for c in some if ours.encode(around(c)) != theirs(around(c)))
    return found


def test_every_character_of_unicode_3_equals_theirs(toy):
    """Their tables of punctuation and accents are those of about Unicode 8, ours as new as `regex`: so old ones only.

    Four characters changed class in between: U+166D was punctuation, U+1734 an accent, U+1885 and U+1886 letters.
    """
    old = [
        chr(code)
        for code in range(0xFFFF)
        if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs")
        and not 0x4E20 < code < 0x9F00  # ideographs and syllables are all alike
        and not 0xAC20 < code < 0xD700
    ]
    assert len(old) > 10_000
    assert set(differing(toy, reference(TOY), old)) <= CHANGED


@pytest.mark.slow
def test_where_we_differ_from_theirs(toy):
    """Over all of Unicode: signs and accents newer than their tables, and 256 ideographs their range leaves out."""
    every = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    found = differing(toy, reference(TOY), every)
    ideographs = [c for c in found if "\U0002b820" <= c <= "\U0002b91f"]
    assert len(ideographs) == 256
    assert len(found) < 1_000
    newer = set(found) - set(ideographs) - CHANGED
    assert all(unicodedata.ucd_3_2_0.category(character) == "Cn" for character in newer)


# Specials, pairs, decoding


def test_specials_must_be_allowed(toy):
    assert "[MASK]" not in toy.tokens("the [MASK] the")
    assert toy.tokens("the [MASK] the", allowed_special=["[MASK]"]) == ["the", "[MASK]", "the"]
    assert toy.tokens("[CLS][MASK]the", allowed_special="all") == ["[CLS]", "[MASK]", "the"]
    assert toy.special_tokens == {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}


def test_pairs(toy):
    the, kitten = toy.vocabulary["the"], toy.vocabulary["kitten"]
    assert toy.encode_pair("the") == ([2, the, 3], [0, 0, 0])
    assert toy.encode_pair("the", "kitten [MASK]", allowed_special="all") == (
        [2, the, 3, kitten, 4, 3],
        [0, 0, 0, 1, 1, 1],
    )
    with pytest.raises(ValueError, match=r"without \['\[SEP\]'\]"):
        WordPiece(["[UNK]", "[CLS]"]).encode_pair("a")


def test_decode(toy):
    ids = toy.encode("Unaffable, the kitten")
    assert toy.decode(ids) == toy.decode(np.array(ids)) == "unaffable , the kitten"
    assert toy.decode([toy.vocabulary["##able"]]) == "##able"
    assert toy.decode([]) == ""


@settings(deadline=None)
@given(st.data())
def test_any_ids_decode(toy, data):
    assert isinstance(toy.decode(data.draw(st.lists(st.integers(0, len(TOY) - 1), max_size=20))), str)


def test_load(tmp_path, toy):
    path = tmp_path / "vocab.txt"
    for end in ("\n", "\r\n"):
        path.write_bytes(end.join([*TOY, ""]).encode())
        assert WordPiece.load(path).vocabulary == toy.vocabulary
    path.write_bytes("\n".join(TOY).encode())
    assert len(WordPiece.load(str(path))) == len(TOY)
    assert WordPiece.load(path, lower_case=False).tokens("The") == ["[UNK]"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"`vocabulary` must hold '\[UNK\]', got 0 pieces"),
        (b"a\nb\n", r"`vocabulary` must hold '\[UNK\]', got 2 pieces"),
        (b"[UNK]\na\na\n", "none empty, got 'a' as id 2"),
        (b"[UNK]\n\na\n", "none empty, got '' as id 1"),
        (b"[UNK]\n\xff\n", "utf-8"),
    ],
)
def test_damaged_vocabularies_are_named(tmp_path, content, message):
    path = tmp_path / "vocab.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        WordPiece.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda w: w.encode(b"a"), TypeError, "`text` must be a str, got bytes"),
        (lambda w: w.encode("a", allowed_special="[MASK]"), TypeError, 'a collection of strings or "all"'),
        (lambda w: w.encode("a", allowed_special=["[NO]"]), ValueError, r"got \['\[NO\]'\]"),
        (lambda w: w.decode([-1]), ValueError, "got -1"),
        (lambda w: w.decode([len(TOY)]), ValueError, f"between 0 and {len(TOY) - 1}, got {len(TOY)}"),
        (lambda w: w.decode(["a"]), TypeError, "`ids` must be whole numbers, got 'a'"),
    ],
)
def test_bad_use(toy, use, error, message):
    with pytest.raises(error, match=message):
        use(toy)


# Fewest pieces


def test_man_and_plan():
    vocabulary = {*"amnpl", "an", "man"}
    assert fewest_pieces("man", vocabulary) == ["man"]
    assert fewest_pieces("plan", vocabulary) == ["p", "l", "an"]
    assert fewest_pieces("", vocabulary) == []


def test_fewer_than_greedy():
    # Greedy takes abc and is left with d, e: three pieces; ab + cde is two.
    assert fewest_pieces("abcde", {"abc", "ab", "cde", *"abcde"}) == ["ab", "cde"]
    assert WordPiece(["[UNK]", "abc", "ab", "##cde", "##d", "##e"]).tokens("abcde") == ["abc", "##d", "##e"]
    assert fewest_pieces("abcde", {"abc", "ab", "##cde", "##d", "##e"}, continuation="##") == ["ab", "##cde"]


def test_ties_take_the_longest_first_piece():
    assert fewest_pieces("abc", {"a", "ab", "bc", "c"}) == ["ab", "c"]


def test_what_can_not_be_spelt():
    with pytest.raises(ValueError, match="`vocabulary` must be able to spell `word`, got 'plan'"):
        fewest_pieces("plan", {"p", "an"})


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from("abc"), max_size=9), st.sets(st.text(st.sampled_from("abc"), min_size=2, max_size=4)))
def test_equals_trying_every_cutting(word, longer):
    vocabulary = {*"abc"} | longer
    best = []
    for cuts in range(len(word)):
        for places in combinations(range(1, len(word)), cuts):
            pieces = [word[start:end] for start, end in zip((0, *places), (*places, len(word)))]
            if all(piece in vocabulary for piece in pieces):
                best.append(pieces)
        if best:
            break
    expected = max(best, key=lambda pieces: [len(piece) for piece in pieces], default=[])
    assert fewest_pieces(word, vocabulary) == expected


def test_a_cache_that_is_full_changes_nothing(monkeypatch):
    monkeypatch.setattr("lmcourse.tokenizers.wordpiece.CACHE_SIZE", 2)
    small = WordPiece(TOY)
    words = random.Random(2).choices(["the", "kitten", "unaffable", "a", "b"], k=50)
    assert small.encode(" ".join(words)) == WordPiece(TOY).encode(" ".join(words))
    assert len(small._cache) <= 2
