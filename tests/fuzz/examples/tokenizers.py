"""Good arguments for what `lmcourse.tokenizers` makes public."""

import gguf

from lmcourse import tokenizers
from tests.fuzz.examples import things
from tests.fuzz.judge import Example

ANY_TEXT = ("text", "empty, other text", "any text")
ANY_WORDS = ("tokens", "item empty, item other text", "any word")
SAVED = things.folder() / "tokenizer.json"
TEXTS = ["the cat sat on the mat", "the dog ran"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s"]


def bpe():
    return tokenizers.BPETokenizer.train(TEXTS, 262, special_tokens=["<|end|>"])


def wordpiece():
    return tokenizers.WordPiece(PIECES)


def vocabulary():
    return tokenizers.Vocabulary(["<unk>", "cat", "the"])


def _saved(make, name):
    path = things.folder() / name
    make().save(path)
    return path


def _gguf_file():
    path = things.folder() / "tokenizer.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    bpe().add_to_gguf(writer, 270)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def _gpt2_files():
    import json

    from lmcourse.tokenizers.bpe_io import token_to_text

    tokenizer = bpe()
    merges, ids = things.folder() / "vocab.bpe", things.folder() / "encoder.json"
    pairs = [f"{token_to_text(left)} {token_to_text(right)}" for left, right in tokenizer.merges]
    merges.write_text("\n".join(["#version", *pairs]), encoding="utf-8")
    names = {token_to_text(token): number for token, number in tokenizer.to_ranks().items()}
    ids.write_text(json.dumps(names), encoding="utf-8")
    return {"vocab_bpe": merges, "encoder_json": ids}


def _hugging_face_file():
    path = things.folder() / "hf.json"
    bpe().to_tokenizer_json(path)
    return path


_SPECIAL = ("special_tokens", "empty, item other text, item negative, other text", "no special tokens, or others")
_ALLOWED = ("allowed_special", "empty", "no special token is allowed")
_IDS = ("ids", "empty, item zero, item kind: bool", "no tokens, or the first two, as lists are indexed")

EXAMPLES = {
    "tokenizers.BPETokenizer": Example(
        lambda: (
            {"merges": [(b"t", b"h"), (b"th", b"e")], "pattern": r"\S+|\s+", "special_tokens": ["<|end|>"]}
            | {"ids": None, "cache_size": 8, "ignore_merges": True, "normalizer": "NFC"}
        ),
        accepts=(
            ("merges", "empty", "bytes alone"),
            ("pattern", "empty, other text", "what it does not match lies between"),
            _SPECIAL,
            ("cache_size", "zero", "nothing is remembered"),
        ),
    ),
    "tokenizers.BPETokenizer.train": Example(
        lambda: {
            "text": TEXTS,
            "vocab_size": 262,
            "pattern": r"\S+|\s+",
            "special_tokens": ["<|end|>"],
            "progress": False,
        },
        accepts=(
            ("text", "kind: str, empty, item empty, item other text", "a text, or no text"),
            ("pattern", "empty, other text", "what it does not match lies between"),
            _SPECIAL,
        ),
    ),
    "tokenizers.BPETokenizer.from_ranks": Example(
        lambda: {"ranks": bpe().to_ranks(), "pattern": r"\S+|\s+", "special_tokens": {"<|end|>": 300}},
        accepts=(
            ("pattern", "empty, other text", "what it does not match lies between"),
            ("ranks", "value zero, value huge", "ids may have gaps"),
            ("special_tokens", "value zero, value huge", "an id that no token has"),
            _SPECIAL,
        ),
    ),
    "tokenizers.BPETokenizer.from_gpt2_files": Example(lambda: _gpt2_files()),
    "tokenizers.BPETokenizer.from_gguf": Example(lambda: {"path": _gguf_file()}),
    "tokenizers.BPETokenizer.from_tokenizer_json": Example(lambda: {"path": _hugging_face_file()}),
    "tokenizers.BPETokenizer.to_tokenizer_json": Example(lambda: (bpe().to_tokenizer_json, {"path": SAVED})),
    "tokenizers.BPETokenizer.add_to_gguf": Example(
        lambda: (bpe().add_to_gguf, {"writer": gguf.GGUFWriter(things.folder() / "x.gguf", "llama"), "vocab_size": 270})
    ),
    "tokenizers.BPETokenizer.encode": Example(
        lambda: (bpe().encode, {"text": TEXTS[0], "allowed_special": ["<|end|>"]}), accepts=(ANY_TEXT, _ALLOWED)
    ),
    "tokenizers.BPETokenizer.tokens": Example(
        lambda: (bpe().tokens, {"text": TEXTS[0], "allowed_special": ["<|end|>"]}), accepts=(ANY_TEXT, _ALLOWED)
    ),
    "tokenizers.BPETokenizer.encode_iter": Example(
        lambda: (bpe().encode_iter, {"lines": TEXTS, "allowed_special": ["<|end|>"]}),
        accepts=(("lines", "kind: str, empty, item empty, item other text", "lines of any length"), _ALLOWED),
        parts=("text",),
    ),
    "tokenizers.BPETokenizer.encode_bytes": Example(
        lambda: (bpe().encode_bytes, {"data": b"the cat"}), accepts=(("data", "empty", "no bytes"),)
    ),
    "tokenizers.BPETokenizer.decode": Example(lambda: (bpe().decode, {"ids": [99, 97]}), accepts=(_IDS,)),
    "tokenizers.BPETokenizer.decode_bytes": Example(lambda: (bpe().decode_bytes, {"ids": [99, 97]}), accepts=(_IDS,)),
    "tokenizers.BPETokenizer.from_dict": Example(lambda: {"content": bpe().to_dict()}),
    "tokenizers.BPETokenizer.load": Example(lambda: {"path": _saved(bpe, "bpe.json")}),
    "tokenizers.BPETokenizer.save": Example(lambda: (bpe().save, {"path": SAVED})),
    "tokenizers.StreamDecoder": Example(
        lambda: {"decode_bytes": bpe().decode_bytes},
        accepts=(("decode_bytes", "returns None", "its use, `feed`, says what is wrong"),),
    ),
    "tokenizers.StreamDecoder.feed": Example(
        lambda: (bpe().stream_decoder().feed, {"number": 99}),
        accepts=(("number", "zero", "the first token"),),
        parts=("ids",),
    ),
    "tokenizers.Vocabulary": Example(
        lambda: {"tokens": ["<unk>", "cat"]}, accepts=(ANY_WORDS, ("tokens", "empty", "no words"))
    ),
    "tokenizers.Vocabulary.build": Example(
        lambda: {"tokens": ["the", "cat", "the"], "min_count": 2, "special_tokens": ["<unk>"]},
        accepts=(
            ("tokens", "kind: str, empty, item empty, item other text", "any words; a str is its characters"),
            ("min_count", "huge", "only special tokens are kept"),
            _SPECIAL,
        ),
    ),
    "tokenizers.Vocabulary.from_counts": Example(
        lambda: {"counts": {"the": 2, "cat": 1}, "min_count": 2, "special_tokens": ["<unk>"]},
        accepts=(
            ("counts", "empty", "no words"),
            ("counts", "value zero, value huge", "any count"),
            ("min_count", "huge", "only special tokens are kept"),
            _SPECIAL,
        ),
    ),
    "tokenizers.Vocabulary.encode": Example(
        lambda: (vocabulary().encode, {"tokens": ["the", "cat"]}),
        accepts=(("tokens", "kind: str, empty, item empty, item other text", "an unknown word is <unk>"),),
    ),
    "tokenizers.Vocabulary.decode": Example(lambda: (vocabulary().decode, {"ids": [1, 2]}), accepts=(_IDS,)),
    "tokenizers.Vocabulary.index": Example(
        lambda: (vocabulary().index, {"token": "cat"}), accepts=(("token", "empty, other text", "an unknown word"),)
    ),
    "tokenizers.Vocabulary.from_dict": Example(lambda: {"content": vocabulary().to_dict()}),
    "tokenizers.Vocabulary.load": Example(lambda: {"path": _saved(vocabulary, "words.json")}),
    "tokenizers.Vocabulary.save": Example(lambda: (vocabulary().save, {"path": SAVED})),
    "tokenizers.WordPiece": Example(
        lambda: {"vocabulary": PIECES, "lower_case": True}, accepts=(("vocabulary", "item *", "any piece"),)
    ),
    "tokenizers.WordPiece.encode": Example(
        lambda: (wordpiece().encode, {"text": "the cats", "allowed_special": ["[MASK]"]}), accepts=(ANY_TEXT, _ALLOWED)
    ),
    "tokenizers.WordPiece.tokens": Example(
        lambda: (wordpiece().tokens, {"text": "the cats", "allowed_special": ["[MASK]"]}), accepts=(ANY_TEXT, _ALLOWED)
    ),
    "tokenizers.WordPiece.words": Example(lambda: (wordpiece().words, {"text": "the cats"}), accepts=(ANY_TEXT,)),
    "tokenizers.WordPiece.encode_pair": Example(
        lambda: (wordpiece().encode_pair, {"first": "the", "second": "cat", "allowed_special": ["[MASK]"]}),
        accepts=(("first", "empty, other text", "any text"), ("second", "empty, other text", "any text"), _ALLOWED),
    ),
    "tokenizers.WordPiece.decode": Example(lambda: (wordpiece().decode, {"ids": [5, 6]}), accepts=(_IDS,)),
    "tokenizers.WordPiece.from_dict": Example(lambda: {"content": wordpiece().to_dict()}),
    "tokenizers.WordPiece.load": Example(lambda: {"path": _saved(wordpiece, "pieces.json"), "lower_case": True}),
    "tokenizers.WordPiece.save": Example(lambda: (wordpiece().save, {"path": SAVED})),
    "tokenizers.fewest_pieces": Example(
        lambda: {"word": "cats", "vocabulary": {"cat", "##s"}, "continuation": "##"},
        accepts=(("word", "empty", "no pieces"), ("vocabulary", "item *", "any piece")),
        frees=(
            ("word", "empty", "nothing is looked for in the vocabulary"),
            ("word", "other text", "another vocabulary may hold it"),
        ),
    ),
    "tokenizers.load_tokenizer": Example(lambda: {"path": _saved(vocabulary, "words.json")}),
    "tokenizers.save_tokenizer": Example(lambda: {"tokenizer": vocabulary(), "path": SAVED}),
    "tokenizers.tokenizer_from_dict": Example(lambda: {"content": vocabulary().to_dict()}),
    "tokenizers.tokenizer_to_dict": Example(lambda: {"tokenizer": vocabulary()}),
    "tokenizers.split_sentences": Example(lambda: {"text": "One. Two.", "lowercase": True}, accepts=(ANY_TEXT,)),
    "tokenizers.split_words": Example(lambda: {"text": "One. Two.", "lowercase": True}, accepts=(ANY_TEXT,)),
}
