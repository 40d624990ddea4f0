"""The tokenizer of a GGUF file: a small one made here, a real one beside Hugging Face's rules, damaged ones."""

import gguf
import numpy as np
import pytest

from lmcourse import data
from lmcourse.tokenizers import BPETokenizer
from lmcourse.tokenizers.bpe_io import token_to_text

TEXTS = [
    "The capital of France is Paris.",
    "3 examples, 27 tokens, 1999  40\n 7\n\n8",
    "don't   stop \t\n now  ",
    "na\u00efve \u4f60\u597d \U0001f642\u0301 x\u00b2 \u0664\u0662",
    "def f(x):\n    return x ** 2  # squared",
    "",
    " ",
    "<|im_start|>user\nhello<|im_end|>\n",
]
BYTES = [token_to_text(bytes([value])) for value in range(256)]


def write(path, *, tokens, merges, types, model="gpt2", pre="smollm"):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model(model)
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_tensor("t", np.zeros((2, 2), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def small(path, **options):
    tokens = ["<|end|>", *reversed(BYTES), "\u0120t", "\u0120th", "he"]
    settings = {"tokens": tokens, "merges": ["\u0120 t", "\u0120t h", "h e"], "types": [3] + [1] * 259}
    return write(path, **(settings | options))


def test_ids_merges_and_specials_of_a_small_file(tmp_path):
    tokenizer = BPETokenizer.from_gguf(small(tmp_path / "a.gguf"))
    assert tokenizer.merges == [(b" ", b"t"), (b" t", b"h"), (b"h", b"e")]
    assert tokenizer.special_tokens == {"<|end|>": 0}
    # byte b stands at 256 - b; " th" is 258, "he" would be 259 but " th" was merged before
    assert tokenizer.encode(" the 12") == [258, 256 - ord("e"), 256 - ord(" "), 256 - ord("1"), 256 - ord("2")]
    assert tokenizer.encode("<|end|>", allowed_special="all") == [0]
    for text in TEXTS:
        assert tokenizer.decode(tokenizer.encode(text)) == text


def test_a_byte_that_the_vocabulary_lacks_gets_an_id_beyond_it(tmp_path):
    tokens = ["<|end|>", *(text for text in BYTES if text != token_to_text(b"\x04")), "he"]
    path = small(tmp_path / "a.gguf", tokens=tokens, merges=["h e"], types=[3] + [1] * 256)
    tokenizer = BPETokenizer.from_gguf(path)
    assert tokenizer.encode("\x04") == [len(tokens)]
    assert max(tokenizer.encode("he\xff")) < len(tokens)
    assert tokenizer.decode(tokenizer.encode("a\x04b")) == "a\x04b"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "llama"}, "`tokenizer.ggml.model` of a.gguf must be gpt2, byte-level BPE, got 'llama'"),
        ({"pre": "tekken"}, "`tokenizer.ggml.pre` of a.gguf must be one of default, gpt-2, .*, got 'tekken'"),
        ({"merges": ["x y"]}, "a.gguf can't be read: its vocabulary must hold what its merges make, but 'xy' is not"),
        ({"merges": ["\u0120 t", "\u0120t h"]}, "a.gguf must hold bytes, merged tokens and special tokens only.*'he'"),
    ],
)
def test_files_that_do_not_fit(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        BPETokenizer.from_gguf(small(tmp_path / "a.gguf", **options))


def test_no_file_and_no_gguf(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"must be a GGUF file, there is none at a\.gguf"):
        BPETokenizer.from_gguf(tmp_path / "a.gguf")
    (tmp_path / "a.gguf").write_bytes(b"not a model, but long enough to hold a header of some kind")
    with pytest.raises(ValueError, match=r"a.gguf must be a GGUF file"):
        BPETokenizer.from_gguf(tmp_path / "a.gguf")


@pytest.fixture(scope="module")
def smollm():
    if not data.is_cached("smollm2"):
        pytest.skip("the model `smollm2` is not on this machine")
    return next(data.fetch("smollm2").glob("*.gguf"))


def test_a_real_files_ids_equal_hugging_face_tokenizers(smollm):
    tokenizers = pytest.importorskip("tokenizers")
    reader = gguf.GGUFReader(smollm)
    tokens, merges = (reader.get_field(f"tokenizer.ggml.{key}").contents() for key in ("tokens", "merges"))
    vocabulary = {token: number for number, token in enumerate(tokens)}
    pairs = [tuple(merge.split(" ")) for merge in merges]
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocabulary, merges=pairs))
    stages = tokenizers.pre_tokenizers  # SmolLM2's published rules: single digits, then GPT-2's split
    theirs.pre_tokenizer = stages.Sequence([stages.Digits(individual_digits=True), stages.ByteLevel(False)])
    ours = BPETokenizer.from_gguf(smollm)
    prose = data.load_text("python-docs")[:60_000]
    for text in [*TEXTS[:-1], prose]:
        assert ours.encode(text) == theirs.encode(text).ids
    chat = ours.encode(TEXTS[-1], allowed_special="all")
    assert chat[0] == 1
    assert chat[-2] == 2
    assert ours.decode(chat) == TEXTS[-1]


@pytest.mark.parametrize(
    ("tokenizer", "message"),
    [
        (lambda: BPETokenizer(), "`merges` must hold at least one"),
        (lambda: BPETokenizer(special_tokens=["<s>"]), "`merges` must hold at least one"),
        (lambda: BPETokenizer([(b"a", b"b")], special_tokens=["§"]), "must not be spelled .*got '§'"),
        (
            lambda: BPETokenizer([(b"a", b"b")], special_tokens=["[UNUSED259]"]),
            r"must not be spelled .*got '\[UNUSED259\]'",
        ),
        (lambda: BPETokenizer([(b"a", b"b")], special_tokens={"ab": 256}), "must not be spelled .*got 'ab'"),
    ],
)
def test_a_tokenizer_that_would_not_come_back_is_not_written(tmp_path, tokenizer, message):
    writer = gguf.GGUFWriter(tmp_path / "a.gguf", "llama")
    with pytest.raises(ValueError, match=message):
        tokenizer().add_to_gguf(writer, 270)
    writer.close()
