"""Tokenizers as Llama 3 and Qwen have them, `ignore_merges` and a Unicode form: ids are Hugging Face's."""

import json
import pickle
import random

import gguf
import pytest
import tokenizers
import transformers

from lmcourse.data import load_text
from lmcourse.models import GPT, GPTConfig
from lmcourse.models.export import export_gguf
from lmcourse.tokenizers.bpe import BPETokenizer
from lmcourse.tokenizers.bpe_gguf import LLAMA3_PATTERN, QWEN2_PATTERN
from lmcourse.tokenizers.bpe_io import token_to_text

TEXT = load_text("python-docs")[:30_000]
NOT_COMPOSED = [
    "cafe\u0301 nai\u0308ve A\u030angstro\u0308m",
    "\u1112\u1161\u11ab\u1100\u1173\u11af",  # Hangul, letter by letter
    "\u212b \u2126 \ufb01ne 2\u2075 \u2460",  # Angstrom, Ohm, a ligature, raised and circled digits
    "q\u0307\u0323 q\u0323\u0307 <s>\u0301e\u0301</s>\u0301",  # two orders; a mark after a special token
    "\u0958\u0344 \U0001d15e x\u0338=",  # composed characters that no form keeps
    "plain",
    "",
]
UNMADE = [" zephyr", "\n\n\n\n\n", "import"[1:], " " + 300 * "a", "\u00e9t\u00e9"]


def theirs_with(*, pattern, normalizer=None, special_tokens=("<s>", "</s>")):
    """One of theirs, trained on `TEXT`."""
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.normalizer = normalizer
    split = tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
    byte_level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([split, byte_level])
    theirs.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=600,
        show_progress=False,
        special_tokens=list(special_tokens),
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    theirs.train_from_iterator(TEXT.splitlines(keepends=True), trainer)
    return theirs


def ignoring_merges(path, removed=80):
    """A file with tokens that no merge makes: those of the last merges, which are taken out, and `UNMADE`."""
    theirs_with(pattern=LLAMA3_PATTERN).save(str(path))
    content = json.loads(path.read_text(encoding="utf-8"))
    model = content["model"]
    del model["merges"][-removed:]
    model["ignore_merges"] = True
    for token in UNMADE:
        model["vocab"].setdefault(token_to_text(token.encode()), len(model["vocab"]))
    path.write_text(json.dumps(content), encoding="utf-8")
    return tokenizers.Tokenizer.from_file(str(path))


def texts():
    generator = random.Random(3)
    fragments = [*UNMADE, *NOT_COMPOSED, "the", " function", "<s>", "12345", "'LL", "\r\n", " \t", "(x)", "return"]
    return [*NOT_COMPOSED, *("".join(generator.choices(fragments, k=11)) for _ in range(200)), TEXT[:5_000]]


def again_in_every_way(ours, folder):
    """The tokenizer after each way to write and read it, GGUF apart."""
    ours.save(folder / "own.json")
    ours.to_tokenizer_json(folder / "back.json")
    return [
        BPETokenizer.load(folder / "own.json"),
        BPETokenizer.from_tokenizer_json(folder / "back.json"),
        pickle.loads(pickle.dumps(ours)),
    ]


def check_equal(ours, theirs, folder):
    wanted = [theirs.encode(text).ids for text in texts()]
    for each in (ours, *again_in_every_way(ours, folder)):
        assert [each.encode(text, allowed_special="all") for text in texts()] == wanted
        assert each.decode(wanted[-1]) == theirs.decode(wanted[-1], skip_special_tokens=False)
    back = tokenizers.Tokenizer.from_file(str(folder / "back.json"))
    assert [back.encode(text).ids for text in texts()] == wanted


@pytest.mark.parametrize("removed", [80, 341])
def test_a_pre_token_that_is_a_token_is_that_one(removed, tmp_path):
    theirs = ignoring_merges(tmp_path / "tokenizer.json", removed)
    ours = BPETokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert ours.ignore_merges
    check_equal(ours, theirs, tmp_path)
    assert ours.tokens(UNMADE[0]) == [UNMADE[0].encode()]
    # Within a longer pre-token only merges count, and half of a character is still bytes.
    assert len(ours.tokens(UNMADE[0] + "s")) > 2
    assert ours.decode_bytes(ours.encode_bytes(b" zephyr\xff")) == b" zephyr\xff"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("in_a_sequence", [False, True])
def test_text_is_brought_into_the_form_of_the_file(form, in_a_sequence, tmp_path):
    stage = getattr(tokenizers.normalizers, form)()
    normalizer = tokenizers.normalizers.Sequence([stage]) if in_a_sequence else stage
    theirs = theirs_with(pattern=QWEN2_PATTERN, normalizer=normalizer)
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = BPETokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert ours.normalizer == form
    check_equal(ours, theirs, tmp_path)
    assert list(ours.encode_iter(NOT_COMPOSED)) == [number for text in NOT_COMPOSED for number in ours.encode(text)]
    with pytest.raises(ValueError, match=r"lone surrogate '\\ud800' at position 1"):
        ours.encode("e\ud800")


def test_the_file_of_a_qwen2_tokenizer(tmp_path):
    """As transformers writes it: further fields, an added token that is not special."""
    trained = json.loads(theirs_with(pattern=QWEN2_PATTERN, special_tokens=["<|endoftext|>"]).to_str())["model"]
    merges = [tuple(merge) for merge in trained["merges"]]
    qwen = transformers.Qwen2Tokenizer(vocab=trained["vocab"], merges=merges)
    qwen.add_tokens([tokenizers.AddedToken("<think>", normalized=False, special=False)])
    qwen.save_pretrained(tmp_path)
    ours = BPETokenizer.from_tokenizer_json(tmp_path / "tokenizer.json")
    assert (ours.normalizer, ours.pattern) == ("NFC", QWEN2_PATTERN)
    for text in [*texts(), "<think>e\u0301</think> x<|endoftext|>"]:
        assert ours.encode(text, allowed_special="all") == qwen(text, add_special_tokens=False)["input_ids"]


def gguf_of(tokenizer, path):
    model = GPT(GPTConfig(tokenizer.vocab_size + 3, 8, 8, 2, 1, positions="rotary", norm="rms", activation="swiglu",
                          bias=False))  # fmt: skip
    return export_gguf(model, path, tokenizer, dtype="F32")


def test_a_gguf_file_names_them(tmp_path):
    ignoring_merges(tmp_path / "llama.json")
    theirs_with(pattern=QWEN2_PATTERN, normalizer=tokenizers.normalizers.NFC()).save(str(tmp_path / "qwen.json"))
    for name, pre in (("llama", "llama-bpe"), ("qwen", "qwen2")):
        ours = BPETokenizer.from_tokenizer_json(tmp_path / f"{name}.json")
        path = gguf_of(ours, tmp_path / f"{name}.gguf")
        assert gguf.GGUFReader(path).get_field("tokenizer.ggml.pre").contents() == pre
        again = BPETokenizer.from_gguf(path)
        assert again._parts() == ours._parts()
        assert [again.encode(text) for text in texts()] == [ours.encode(text) for text in texts()]


@pytest.mark.parametrize(
    "options", [{"normalizer": "NFKC"}, {"ignore_merges": True}, {"normalizer": "NFC", "pattern": LLAMA3_PATTERN}]
)
def test_what_a_gguf_file_has_no_name_for(options, tmp_path):
    tokenizer = BPETokenizer([(b"a", b"b")], **{"pattern": QWEN2_PATTERN, **options})
    with pytest.raises(ValueError, match="`pattern`, `ignore_merges` and `normalizer` must be those that a name"):
        gguf_of(tokenizer, tmp_path / "a.gguf")


def test_ranks_hold_neither(tmp_path):
    assert BPETokenizer([(b"a", b"b")], ignore_merges=True).to_ranks()[b"ab"] == 256
    unmade = {bytes([value]): value for value in range(256)} | {b"xyz": 256}
    with pytest.raises(ValueError, match="`ids` must name only what merges make to be ranks, got also b'xyz'"):
        BPETokenizer(ids=unmade, ignore_merges=True).to_ranks()
    with pytest.raises(ValueError, match="no merge makes b'xyz'"):
        BPETokenizer(ids=unmade)
    with pytest.raises(ValueError, match="`normalizer` must be None for ranks"):
        BPETokenizer(normalizer="NFC").to_ranks()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"normalizer": "nfc"}, "`normalizer` must be one of None, 'NFC', 'NFD', 'NFKC', 'NFKD'"),
        ({"ignore_merges": 1}, "`ignore_merges` must be of type bool"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        BPETokenizer(**options)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            lambda c: c.update(normalizer={"type": "Lowercase"}),
            "its normalizer must be null or one of NFC, .*'Lowercase'",
        ),
        (
            lambda c: c.update(
                normalizer={"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "StripAccents"}]}
            ),
            r"its normalizer must be null or one of .* got \['NFC', 'StripAccents'\]",
        ),
        (
            lambda c: (c.update(normalizer={"type": "NFC"}), c["added_tokens"][0].update(normalized=True)),
            "added token '<s>' has the option 'normalized'",
        ),
        (  # " END" would be this token
            lambda c: (
                c["model"].update(ignore_merges=True),
                c["model"]["vocab"].update({"\u0120END": 900}),
                c["added_tokens"][0].update(content="\u0120END", id=900),
            ),
            "its added token '\u0120END' is spelled like its ordinary token for b' END'",
        ),
    ],
)
def test_what_is_not_read_is_named(edit, message, tmp_path):
    path = tmp_path / "tokenizer.json"
    BPETokenizer.train("the cat and the hat", 260, special_tokens=["<s>"]).to_tokenizer_json(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    edit(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        BPETokenizer.from_tokenizer_json(path)
