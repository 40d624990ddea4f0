"""What is written is what is read: our JSON, Hugging Face's, GPT-2's, tiktoken's ranks; damaged files are named."""

import json
import os
import random
from pathlib import Path

import pytest
import tokenizers

from lmcourse.data import load_text
from lmcourse.tokenizers.bpe import GPT2_PATTERN, BPETokenizer
from lmcourse.tokenizers.bpe_io import SINGLE_DIGITS_PATTERN, text_to_token, token_to_text
from lmcourse.tokenizers.bpe_pretokenize import PreTokenizer

TEXTS = [
    "The cat's 12 hats, 3 of them   red.\n\n\tdef f(x): return x1\n",
    "na\u00efve \u65e5\u672c\u8a9e 1\u00bd2 \U0001f469\u200d\U0001f680 <s></s>",
    "a 1  23   x 4\n5 \t6 'll 7's  ",
]
THREE_DIGITS = r"\p{N}{1,3}| ?\p{L}+|\s+|[^\s\p{L}\p{N}]+"
PATTERNS = {
    "gpt2": GPT2_PATTERN,
    "words": r"\p{L}+|\s+|[^\p{L}\s]",
    "gaps": r"\p{L}+",
    "digits": SINGLE_DIGITS_PATTERN,
}


@pytest.fixture(scope="module", params=PATTERNS)
def ours(request):
    return BPETokenizer.train(
        load_text("python-docs")[:50_000], 499, pattern=PATTERNS[request.param], special_tokens=["<s>", "</s>"]
    )


def everything(tokenizer):
    ids = [tokenizer.encode(text) for text in TEXTS]
    with_specials = [tokenizer.encode(text, allowed_special="all") for text in TEXTS]
    return tokenizer.merges, tokenizer.pattern, tokenizer.special_tokens, tokenizer.vocab_size, ids, with_specials


def test_visible_alphabet():
    assert token_to_text(b" the\n") == "\u0120the\u010a"
    assert token_to_text(bytes(range(256))).isprintable()
    assert text_to_token(token_to_text(bytes(range(256)))) == bytes(range(256))
    for outside in ("a b", "\xad", "\u0144", "\u65e5"):
        with pytest.raises(ValueError, match="outside GPT-2's byte alphabet"):
            text_to_token(outside)


def test_save_and_load(ours, tmp_path):
    path = tmp_path / "tokenizer.json"
    ours.save(path)
    assert everything(BPETokenizer.load(path)) == everything(ours)
    assert json.loads(path.read_text(encoding="utf-8"))["pattern"] == ours.pattern
    again = tmp_path / "again.json"
    BPETokenizer.load(str(path)).save(str(again))
    assert again.read_bytes() == path.read_bytes()


def test_hugging_face_reads_ours(ours, tmp_path):
    path = tmp_path / "tokenizer.json"
    ours.to_tokenizer_json(path)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    assert theirs.get_vocab_size() == ours.vocab_size
    for text in [*TEXTS, load_text("python-docs")[50_000:80_000]]:
        assert theirs.encode(text).ids == ours.encode(text, allowed_special="all")
        assert theirs.decode(theirs.encode(text).ids, skip_special_tokens=False) == text
    theirs.encode_special_tokens = True
    for text in TEXTS:
        assert theirs.encode(text).ids == ours.encode(text)


def test_we_read_our_own_tokenizer_json(ours, tmp_path):
    path = tmp_path / "tokenizer.json"
    ours.to_tokenizer_json(path)
    assert everything(BPETokenizer.from_tokenizer_json(path)) == everything(ours)


def stage(kind, **options):
    return getattr(tokenizers.pre_tokenizers, kind)(**options)


@pytest.mark.parametrize(
    "stages",
    [
        [("ByteLevel", {"add_prefix_space": False})],
        [("Digits", {"individual_digits": True}), ("ByteLevel", {"add_prefix_space": False})],
        [
            ("Split", {"pattern": tokenizers.Regex(THREE_DIGITS), "behavior": "isolated"}),
            ("ByteLevel", {"add_prefix_space": False, "use_regex": False}),
        ],
        [
            ("Split", {"pattern": tokenizers.Regex(r"\S+|\s+"), "behavior": "removed", "invert": True}),
            ("ByteLevel", {"add_prefix_space": False, "use_regex": False}),
        ],
        [("ByteLevel", {"add_prefix_space": False, "use_regex": False})],
    ],
    ids=["byte-level", "digits", "split", "split-inverted", "no-split"],
)
def test_we_read_theirs(stages, tmp_path):
    """Trained by them, with their numbering of bytes and special_tokens in front."""
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    made = [stage(kind, **options) for kind, options in stages]
    theirs.pre_tokenizer = made[0] if len(made) == 1 else tokenizers.pre_tokenizers.Sequence(made)
    theirs.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=499,
        show_progress=False,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    lines = load_text("python-docs")[:20_000].splitlines(keepends=True)
    theirs.train_from_iterator(lines, trainer)
    path = tmp_path / "tokenizer.json"
    theirs.save(str(path))
    ours = BPETokenizer.from_tokenizer_json(path)
    assert ours.special_tokens == {"<s>": 0, "</s>": 1}
    assert ours.vocab_size == 499
    generator = random.Random(5)
    fragments = ["  ", "the", "'s", "23", *" \na1.\u00bd\u00e9"]
    mixed = ["".join(generator.choices(fragments, k=37)) for _ in range(200)]
    for text in [*TEXTS, *mixed, *lines[:100]]:
        assert ours.encode(text, allowed_special="all") == theirs.encode(text).ids
        assert ours.decode(ours.encode(text)) == text
    theirs.encode_special_tokens = True
    assert [ours.encode(text) for text in TEXTS] == [theirs.encode(text).ids for text in TEXTS]
    # And back: what we write, they read alike.
    ours.to_tokenizer_json(tmp_path / "back.json")
    back = tokenizers.Tokenizer.from_file(str(tmp_path / "back.json"))
    for text in mixed:
        assert back.encode(text).ids == ours.encode(text)


@pytest.mark.parametrize(("pattern", "digits"), [(GPT2_PATTERN, False), (SINGLE_DIGITS_PATTERN, True)])
def test_pre_tokens_are_theirs(pattern, digits):
    """The pre-tokens themselves, since merges learnt on single digits would give the same ids on longer ones."""
    theirs = stage("ByteLevel", add_prefix_space=False)
    if digits:
        theirs = tokenizers.pre_tokenizers.Sequence([stage("Digits", individual_digits=True), theirs])
    generator = random.Random(9)
    fragments = ["  ", "the", "'s", "'", "23", *" \n\ta1.-\u00bd\u2167\u0663\u00e9\u3000\u65e5"]
    for _ in range(500):
        text = "".join(generator.choices(fragments, k=23))
        pre_tokens = [text_to_token(part).decode() for part, _ in theirs.pre_tokenize_str(text)]
        assert PreTokenizer(pattern).split(text) == pre_tokens


def test_merges_written_as_strings_are_read_too(ours, tmp_path):
    path = tmp_path / "tokenizer.json"
    ours.to_tokenizer_json(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["model"]["merges"] = [
        merge.split(" ") if isinstance(merge, str) else " ".join(merge) for merge in content["model"]["merges"]
    ]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert BPETokenizer.from_tokenizer_json(path).merges == ours.merges


# Special tokens that are spelled like ordinary ones in the visible alphabet, and tokenizers of others -----------------


@pytest.mark.parametrize("name", ["é", "§", "¶", "Ġ", "Ġthe", "Ċ", "½x"])
def test_a_special_token_spelled_like_an_ordinary_one_is_refused_in_files_of_others(tmp_path, name):
    merges = [(b"t", b"h"), (b"th", b"e"), (b" ", b"the"), (b"\xbd", b"x")]
    tokenizer = BPETokenizer(merges, special_tokens=[name, "<s>"])
    path = tmp_path / "tokenizer.json"
    with pytest.raises(ValueError, match=f"`special_tokens` must not be spelled .*got '{name}'"):
        tokenizer.to_tokenizer_json(path)
    assert not path.exists()
    tokenizer.save(path)  # our own files tell them apart
    assert BPETokenizer.load(path).encode(f"龍{name}<s>", allowed_special="all")[-2:] == [260, 261]


def trained_by_the_courses_recipe(vocab_size=60):
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=vocab_size, special_tokens=["<|endoftext|>"])
    theirs.train_from_iterator(["the cat and the other hat, the naïve one"] * 3, trainer)  # no initial_alphabet
    return theirs


def test_a_byte_that_a_vocabulary_lacks_gets_an_id_beyond_all_others(tmp_path):
    theirs = trained_by_the_courses_recipe()
    theirs.add_tokens(["<|more|>"])
    theirs.save(str(tmp_path / "a.json"))
    ours = BPETokenizer.from_tokenizer_json(tmp_path / "a.json")
    size = theirs.get_vocab_size()
    assert ours.vocab_size == size + 256 - sum(len(token) == 1 for token in theirs.get_vocab())
    for text in ("the other naïve hat<|endoftext|><|more|>", "one"):
        assert ours.encode(text, allowed_special="all") == theirs.encode(text).ids
    assert ours.decode(ours.encode("xyz 龍 the")) == "xyz 龍 the"
    assert min(ours.encode("xyz龍")) >= size
    ours.to_tokenizer_json(tmp_path / "b.json")
    assert BPETokenizer.from_tokenizer_json(tmp_path / "b.json").to_dict() == ours.to_dict()


@pytest.mark.parametrize("added", [["the"], ["a", "hat"], [",", "<|more|>"]])
def test_an_added_token_may_be_an_ordinary_one_too(tmp_path, added):
    theirs = trained_by_the_courses_recipe()
    theirs.add_tokens(added)
    theirs.save(str(tmp_path / "a.json"))
    ours = BPETokenizer.from_tokenizer_json(tmp_path / "a.json")
    for text in ("the other hat, and haton", " the athe"):
        assert ours.encode(text, allowed_special="all") == theirs.encode(text).ids
        assert ours.decode(ours.encode(text)) == text
    ours.save(tmp_path / "own.json")
    ours.to_tokenizer_json(tmp_path / "b.json")
    again = tokenizers.Tokenizer.from_file(str(tmp_path / "b.json"))
    for other in (BPETokenizer.load(tmp_path / "own.json"), BPETokenizer.from_tokenizer_json(tmp_path / "b.json")):
        assert other.to_dict() == ours.to_dict()
    assert again.encode("the other hat, and haton").ids == theirs.encode("the other hat, and haton").ids


@pytest.mark.parametrize("added", ["Ġ", "Ã"])
def test_an_added_token_that_means_two_texts_is_refused_in_words(tmp_path, added):
    theirs = trained_by_the_courses_recipe()
    theirs.add_tokens([added])
    theirs.save(str(tmp_path / "a.json"))
    with pytest.raises(ValueError, match=f"its added token '{added}' is spelled like its ordinary token for b'"):
        BPETokenizer.from_tokenizer_json(tmp_path / "a.json")


@pytest.mark.parametrize("option", [{"unk_token": "<s>"}, {"byte_fallback": True}])
def test_what_is_for_unknown_bytes_changes_nothing_where_all_are_known(ours, tmp_path, option):
    path = tmp_path / "tokenizer.json"
    ours.to_tokenizer_json(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["model"] |= option
    path.write_text(json.dumps(content), encoding="utf-8")
    assert everything(BPETokenizer.from_tokenizer_json(path)) == everything(ours)
    content["model"]["vocab"] = {"龍" if k == "¡" else k: v for k, v in content["model"]["vocab"].items()}
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=f"its model option '{next(iter(option))}'"):
        BPETokenizer.from_tokenizer_json(path)


def test_gpt2_files_of_our_own(tmp_path):
    merges = [(b" ", b"t"), (b"h", b"e"), (b" t", b"he")]
    vocabulary = {token_to_text(bytes([byte])): 255 - byte for byte in range(256)}
    vocabulary |= {token_to_text(left + right): 256 + k for k, (left, right) in enumerate(merges)} | {"<|end|>": 259}
    (tmp_path / "vocab.bpe").write_bytes("#version: 0.2\r\n\u0120 t\r\nh e\r\n\u0120t he\r\n".encode())
    (tmp_path / "encoder.json").write_text(json.dumps(vocabulary), encoding="utf-8")
    ours = BPETokenizer.from_gpt2_files(tmp_path / "vocab.bpe", tmp_path / "encoder.json")
    assert ours.merges == merges
    assert ours.encode(" the<|end|>", allowed_special="all") == [258, 259]
    assert ours.encode("A") == [255 - ord("A")]


# Ranks

BYTES = {bytes([byte]): byte for byte in range(256)}


def test_ranks_round_trip(ours):
    again = BPETokenizer.from_ranks(ours.to_ranks(), pattern=ours.pattern, special_tokens=ours.special_tokens)
    assert everything(again) == everything(ours)


@pytest.mark.parametrize(
    ("ranks", "error", "message"),
    [
        ({b"a": 0}, ValueError, "`ranks` must hold all 256 single bytes"),
        (BYTES | {b"ab": 7}, ValueError, "`ranks` must differ, got 7 for both"),
        (BYTES | {b"ab": -7}, ValueError, "`ranks.*must be at least 0, got .*-7"),
        (BYTES | {b"ab": "x"}, TypeError, "`ranks.*must be a whole number"),
        (
            BYTES | {b"abc": 256},
            ValueError,
            r"each token made of two of lower rank, but b'abc' \(rank 256\) is made of 3",
        ),
        (BYTES | {b"": 256}, ValueError, "is made of 0"),
    ],
)
def test_bad_ranks(ranks, error, message):
    with pytest.raises(error, match=message):
        BPETokenizer.from_ranks(ranks)


def test_ids_out_of_order_have_no_ranks():
    ids = BYTES | {b"ab": 900, b"cd": 800}
    with pytest.raises(ValueError, match="`ids` must rise with the order of the merges"):
        BPETokenizer([(b"a", b"b"), (b"c", b"d")], ids=ids).to_ranks()


# Damage


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "saved.json"
    BPETokenizer.train("the cat and the hat and the bat", 265, special_tokens=["<s>"]).save(path)
    return path


def change(path, edit):
    content = json.loads(path.read_text(encoding="utf-8"))
    edit(content)
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda c: c.update(format="other"), "\"format\" must be 'lmcourse-bpe', got 'other'"),
        (lambda c: c.update(version=2), "version must be 1, got 2"),
        (lambda c: c.pop("pattern"), "'pattern' is missing"),
        (lambda c: c.pop("merges"), "'merges' is missing"),
        (lambda c: c["merges"].pop(), "it must hold 8 merges, got 7"),
        (lambda c: c["ids"].pop(), "it must hold 264 ids, got 263"),
        (lambda c: c["merges"].__setitem__(2, "a b c"), "a merge must be two tokens, got 'a b c'"),
        (lambda c: c["merges"].__setitem__(2, 7), "a merge must be two tokens, got 7"),
        (lambda c: c["merges"].__setitem__(0, "zzz y"), "nothing before it makes b'zzz'"),
        (lambda c: c["merges"].__setitem__(1, c["merges"][0]), "`merges` must not repeat"),
        (lambda c: c["merges"].__setitem__(0, "\u65e5 a"), "outside GPT-2's byte alphabet"),
        (lambda c: c["ids"].__setitem__(5, 6), "must differ, got 6"),
        (lambda c: c["ids"].__setitem__(5, "6"), "must be a whole number"),
        (lambda c: c.update(pattern="("), "`pattern` must be a regular expression"),
        (lambda c: c.update(pattern=None), "`pattern` must be a str"),
        (lambda c: c.update(special_tokens={"<s>": 3}), "must differ, got 3"),
        (lambda c: c.update(special_tokens=7), "can't be read"),
        (lambda c: c.update(merges=None), "can't be read"),
    ],
)
def test_a_damaged_file_is_named(saved, edit, message):
    change(saved, edit)
    with pytest.raises(ValueError, match=message) as caught:
        BPETokenizer.load(saved)
    assert str(saved) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"7", b"\xff\xfe", b'{"format": "lmcourse-bpe"'])
def test_what_is_no_tokenizer_at_all(tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    for read in (BPETokenizer.load, BPETokenizer.from_tokenizer_json):
        with pytest.raises(ValueError, match=r"broken\.json"):
            read(path)
    vocab_bpe = tmp_path / "vocab.bpe"
    vocab_bpe.write_text("#version: 0.2\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"broken\.json"):
        BPETokenizer.from_gpt2_files(vocab_bpe, path)


def test_any_cut_of_a_file_is_noticed(saved):
    whole = saved.read_bytes()
    for length in range(0, len(whole) - 2, 41):
        saved.write_bytes(whole[:length])
        with pytest.raises(ValueError, match=r"saved\.json"):
            BPETokenizer.load(saved)


def test_missing_files(tmp_path):
    for read in (BPETokenizer.load, BPETokenizer.from_tokenizer_json):
        with pytest.raises(FileNotFoundError):
            read(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda c: c["model"].update(type="WordPiece"), "its model must be BPE, got 'WordPiece'"),
        (lambda c: c["model"].update(dropout=0.1), "'dropout' = 0.1 is not supported"),
        (lambda c: c["model"].update(unk_token="<unk>", vocab={}, merges=[]), "'unk_token'"),
        (lambda c: c["model"].update(end_of_word_suffix="</w>"), "'end_of_word_suffix'"),
        (lambda c: c["model"].update(byte_fallback=True, vocab={}, merges=[]), "'byte_fallback'"),
        (lambda c: c["model"]["vocab"].pop("at"), "must hold what its merges make, but 'at' is not in it"),
        (lambda c: c["model"]["vocab"].update(extra=999), "got also 'extra'"),
        (lambda c: c.update(pre_tokenizer=None), "its pre-tokenizer must end in ByteLevel"),
        (lambda c: c.update(pre_tokenizer={"type": "Whitespace"}), "its pre-tokenizer must end in ByteLevel"),
        (lambda c: c["pre_tokenizer"].update(add_prefix_space=True), "'add_prefix_space'"),
        (
            lambda c: c.update(
                pre_tokenizer={"type": "Sequence", "pretokenizers": [{"type": "Punctuation"}, c["pre_tokenizer"]]}
            ),
            "its pre-tokenizer is not supported here",
        ),
        (lambda c: c.pop("model"), "'model' is missing"),
        (lambda c: c["added_tokens"][0].update(lstrip=True), "added token '<s>' has the option 'lstrip'"),
        (lambda c: c["added_tokens"][0].update(rstrip=True), "added token '<s>' has the option 'rstrip'"),
        (lambda c: c["added_tokens"][0].update(single_word=True), "added token '<s>' has the option 'single_word'"),
        (lambda c: c.update(truncation={"max_length": 5}), "'truncation' must be null"),
        (lambda c: c.update(padding={"strategy": {"Fixed": 7}}), "'padding' must be null"),
        (lambda c: c.update(decoder={"type": "WordPiece"}), "its decoder must be ByteLevel, got 'WordPiece'"),
        (lambda c: c.update(pre_tokenizer=removing(r"\w+")), "its Split drops what its pattern does not match"),
        (lambda c: c.update(pre_tokenizer=removing(r"\S+|\n+")), "its Split drops what"),
        (lambda c: c.update(pre_tokenizer=removing(r"[\x00-\uffff]+")), "its Split drops what"),
        (lambda c: c.update(pre_tokenizer=removing(r"\S+|\s+(?!\S)")), "its Split drops what"),
    ],
)
def test_what_we_do_not_do_is_refused_by_name(tmp_path, edit, message):
    path = tmp_path / "tokenizer.json"
    BPETokenizer.train("the cat and the hat", 260, special_tokens=["<s>"]).to_tokenizer_json(path)
    change(path, edit)
    with pytest.raises(ValueError, match=message) as caught:
        BPETokenizer.from_tokenizer_json(path)
    assert str(path) in str(caught.value)


def removing(pattern):
    """A split that drops what its pattern does not match."""
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Removed", "invert": True}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return {"type": "Sequence", "pretokenizers": [split, byte_level]}


@pytest.mark.parametrize("pattern", [GPT2_PATTERN, SINGLE_DIGITS_PATTERN, r"\S+|\s+(?!\S)|\s+", r"[\s\S]"])
def test_a_split_that_could_drop_text_but_does_not_is_read(tmp_path, pattern):
    path = tmp_path / "tokenizer.json"
    BPETokenizer.train("the cat and the hat", 260).to_tokenizer_json(path)
    change(path, lambda content: content.update(pre_tokenizer=removing(pattern)))
    ours, theirs = BPETokenizer.from_tokenizer_json(path), tokenizers.Tokenizer.from_file(str(path))
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text).ids


def test_writing_is_all_or_nothing(saved, monkeypatch):
    before = saved.read_bytes()
    tokenizer = BPETokenizer.load(saved)

    def fail(self, target):
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        tokenizer.save(saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == ["saved.json"]


def test_other_people_may_read_what_is_written(saved):
    mask = os.umask(0)
    os.umask(mask)
    assert saved.stat().st_mode & 0o666 == 0o666 & ~mask
