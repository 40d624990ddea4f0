"""Text to shards and back: the ids are those of the whole text, whatever happened on the way."""

import json
import random

import numpy as np
import pytest

from lmcourse import data
from lmcourse.pretraining import TokensError, TokenShards, read_tokenizer, shards, tokenize
from lmcourse.tokenizers import BPETokenizer, Vocabulary, save_tokenizer

END = "<|endoftext|>"


@pytest.fixture(scope="module")
def text():
    return data.load_text("python-docs", split="valid")[:30_000] + "\n  Füße, 水は  冷たい。\n\n" * 40


@pytest.fixture(scope="module")
def bpe(text):
    return BPETokenizer.train(text, 400, special_tokens=[END])


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(shards, "BLOCK", 700)


def write(folder, *texts):
    paths = []
    for number, each in enumerate(texts):
        paths.append(folder / f"text-{number}.txt")
        paths[-1].write_bytes(each.encode())
    return paths


def ids_of(folder, split):
    tokens = TokenShards(folder, split)
    return tokens[:].tolist()


def test_ids_are_those_of_the_whole_text(tmp_path, text, bpe, small_blocks):
    one, two = write(tmp_path, text, "A short one."[:-1])
    counts = tokenize([one, two], tmp_path / "out", bpe, valid=[two], shard_tokens=1000)
    end = bpe.special_tokens[END]
    wanted = [*bpe.encode(text), end, *bpe.encode("A short one"), end]
    assert ids_of(tmp_path / "out", "train") == wanted
    assert ids_of(tmp_path / "out", "valid") == [*bpe.encode("A short one"), end]
    assert counts == {"train": len(wanted), "valid": len(bpe.encode("A short one")) + 1}
    assert len(list((tmp_path / "out").glob("train-*.npy"))) > 5
    assert np.load(tmp_path / "out" / "train-00000.npy").dtype == np.uint16


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5])
def test_the_last_share_is_kept_for_validation(tmp_path, text, bpe, small_blocks, share):
    paths = write(tmp_path, text[:20_000], text[20_000:])
    tokenize(paths, tmp_path / "out", bpe, valid_share=share)
    train, valid = (bpe.decode(ids_of(tmp_path / "out", split)) for split in ("train", "valid"))
    assert (train + valid).replace(END, "") == text
    assert len(valid.encode()) == pytest.approx(share * len(text.encode()), abs=60)


def test_a_run_that_is_cut_off_anywhere_goes_on(tmp_path, text, bpe, small_blocks, monkeypatch):
    paths = write(tmp_path, text, text[::-1])
    tokenize(paths, tmp_path / "whole", bpe, shard_tokens=500)
    write_json, left = shards.json_files.write, 0

    def failing(*arguments):
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        write_json(*arguments)

    monkeypatch.setattr(shards.json_files, "write", failing)
    interrupted = 0
    while True:
        left = random.Random(interrupted).choice([0, 1, 3])
        try:
            tokenize(paths, tmp_path / "parts", bpe, shard_tokens=500)
            break
        except KeyboardInterrupt:
            interrupted += 1
            if (tmp_path / "parts" / "tokens.json").exists():
                with pytest.raises(TokensError, match="is incomplete: run the same"):
                    TokenShards(tmp_path / "parts", "train")
    assert interrupted > 5
    for split in ("train", "valid"):
        assert ids_of(tmp_path / "parts", split) == ids_of(tmp_path / "whole", split)


def test_a_tokenizer_is_trained_on_the_text(tmp_path, text):
    paths = write(tmp_path, text)
    tokenize(paths, tmp_path / "out", 300)
    tokens = TokenShards(tmp_path / "out", "train")
    assert tokens.vocab_size == tokens.tokenizer.vocab_size == 300
    assert tokens.tokenizer.special_tokens == {END: 299}
    valid = TokenShards(tmp_path / "out", "valid")
    assert tokenize(paths, tmp_path / "out", 300) == {"train": len(tokens), "valid": len(valid)}  # it was done


SMALL = ["a", "\n", "hello world\n", "aaaa aaaa", "é", " \n \n", "水"]


@pytest.mark.parametrize("small", SMALL)
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5])
def test_a_small_text_is_tokenized_again_and_goes_on_and_gets_more_files(tmp_path, monkeypatch, small, share):
    first, second, held = write(tmp_path, small, "hello again\n", "held out")
    out = tmp_path / "out"
    counts = tokenize([first], out, 8192, valid_share=share)
    assert TokenShards(out, "train").vocab_size < 300  # there was less to learn
    written = (out / "tokens.json").read_text()
    assert tokenize([first], out, 8192, valid_share=share) == counts
    assert (out / "tokens.json").read_text() == written
    assert tokenize([first], out, read_tokenizer(out / "tokenizer.json"), valid_share=share) == counts
    with pytest.raises(TokensError, match="tokens of another tokenizer"):
        tokenize([first], out, 8191, valid_share=share)
    before = {split: ids_of(out, split) for split in ("train", "valid")}
    tokenize([first, second], out, 8192, valid_share=share)
    bpe = TokenShards(out, "train").tokenizer
    tokenize([first, second], out, 8192, valid=[held], valid_share=share)
    after = {split: ids_of(out, split) for split in ("train", "valid")}
    assert all(after[split][: len(before[split])] == before[split] for split in before)
    parts = [bpe.decode(each) for each in after.values()]
    assert sum(len(part.replace(END, "")) for part in parts) == len(small + "hello again\n" + "held out")
    assert parts[1].endswith("held out" + END)
    with pytest.raises(TokensError, match="sources differ"):
        tokenize([second, first], out, 8192, valid=[held], valid_share=share)


@pytest.mark.parametrize("small", ["hello world\n", "Füße, 水 " * 9])
def test_a_small_text_that_is_cut_off_anywhere_goes_on(tmp_path, monkeypatch, small):
    paths = write(tmp_path, small, "one more", "and a third")

    def tokens(out, calls=(2, 3)):
        for call in calls:
            done.append(call)
            tokenize(paths[:call], out, 8192, valid_share=0.3, shard_tokens=2)

    done = []

    monkeypatch.setattr(shards, "BLOCK", 8)
    tokens(tmp_path / "whole")
    real, kills = shards.json_files.write, 0

    def killed(path, content):
        raise KeyboardInterrupt

    for after in range(1, 30):
        left = [after]

        def write_some(path, content, left=left):
            left[0] -= 1
            return (real if left[0] >= 0 else killed)(path, content)

        monkeypatch.setattr(shards.json_files, "write", write_some)
        out = tmp_path / f"out-{after}"
        try:
            tokens(out)
        except KeyboardInterrupt:
            kills += 1
        monkeypatch.setattr(shards.json_files, "write", real)
        tokens(out, range(done[-1], 4))  # the killed command again, and the one after it
        for split in ("train", "valid"):
            assert ids_of(out, split) == ids_of(tmp_path / "whole", split)
        if left[0] >= 0:
            break
    assert kills > 4


def test_a_folder_of_before_the_number_was_noted_is_read(made, tmp_path):
    _edited(made, runs=..., asked=...)
    paths = [tmp_path / "text-0.txt"]
    again = tokenize(paths, made, BPETokenizer(), valid_share=0.2)
    assert again["train"] == len(TokenShards(made, "train"))
    (tmp_path / "more.txt").write_text("more")
    more = tokenize([*paths, tmp_path / "more.txt"], made, BPETokenizer(), valid_share=0.2)
    assert sum(more.values()) == sum(again.values()) + 4


def test_another_text_or_tokenizer_is_refused(tmp_path, text, bpe):
    one, two = write(tmp_path, text, text[5:])
    tokenize([one], tmp_path / "out", bpe)
    with pytest.raises(TokensError, match="the tokens of another run: sources differ"):
        tokenize([two], tmp_path / "out", bpe)
    with pytest.raises(TokensError, match="valid_share differ"):
        tokenize([one], tmp_path / "out", bpe, valid_share=0.5)
    with pytest.raises(TokensError, match="tokens of another tokenizer"):
        tokenize([one], tmp_path / "out", 300)


def test_text_that_is_none_is_refused(tmp_path, bpe):
    (tmp_path / "bad.txt").write_bytes(b"good so far \xff and on")
    with pytest.raises(ValueError, match=r"must be UTF-8, .*bad.txt is not at byte 12"):
        tokenize([tmp_path / "bad.txt"], tmp_path / "out", bpe)
    (tmp_path / "empty.txt").touch()
    with pytest.raises(ValueError, match=r"empty.txt is empty"):
        tokenize([tmp_path / "empty.txt"], tmp_path / "out", bpe)
    with pytest.raises(ValueError, match=r"`texts` must be files, there is no file .*none.txt"):
        tokenize([tmp_path / "none.txt"], tmp_path / "out", bpe)
    with pytest.raises(ValueError, match="`texts` must not be empty"):
        tokenize([], tmp_path / "out", bpe)
    with pytest.raises(TypeError, match="`texts` must be a sequence of paths, got str"):
        tokenize("text.txt", tmp_path / "out", bpe)


def test_a_long_text_without_a_place_to_cut(tmp_path, bpe, small_blocks, monkeypatch):
    monkeypatch.setattr(shards, "LONGEST", 2000)
    paths = write(tmp_path, "水" * 5000)
    tokenize(paths, tmp_path / "out", bpe, valid_share=0.0)
    assert bpe.decode(ids_of(tmp_path / "out", "train")[:-1]) == "水" * 5000


def test_shards_that_are_missing_or_damaged_are_named(tmp_path, text, bpe, small_blocks):
    out = tmp_path / "out"
    with pytest.raises(TokensError, match=r"has no tokens.json: write it with `lmcourse data tokenize"):
        TokenShards(out, "train")
    tokenize(write(tmp_path, text), out, bpe, shard_tokens=1000)
    (out / "train-00001.npy").unlink()
    np.save(out / "train-00002.npy", np.zeros(3, np.uint16))
    (out / "train-00003.npy").write_bytes(b"nothing")
    with pytest.raises(TokensError) as found:
        TokenShards(out, "train")
    message = str(found.value)
    assert "train-00001.npy is missing; train-00002.npy is damaged: it must hold" in message
    assert "train-00003.npy is damaged (" in message
    (out / "tokens.json").write_text("{}")
    with pytest.raises(TokensError, match="must be of format 'lmcourse-tokens-1'"):
        TokenShards(out, "train")


def test_positions_are_read_across_shards(tmp_path, text, bpe, small_blocks):
    tokenize(write(tmp_path, text), tmp_path / "out", bpe, shard_tokens=900, valid_share=0.0)
    tokens = TokenShards(tmp_path / "out", "train")
    whole = np.array([*bpe.encode(text), bpe.special_tokens[END]])
    at = np.random.default_rng(0).integers(len(whole), size=(5, 77))
    assert (tokens[at] == whole[at]).all()
    assert tokens[at].dtype == np.int64
    assert (tokens[100:2100] == whole[100:2100]).all()


def test_tokenizers_of_all_kinds_of_file(tmp_path, text, bpe):
    save_tokenizer(bpe, tmp_path / "ours.json")
    bpe.to_tokenizer_json(tmp_path / "tokenizer.json")
    for name in ("ours.json", "tokenizer.json"):
        assert read_tokenizer(tmp_path / name).encode(text[:500]) == bpe.encode(text[:500])
    save_tokenizer(Vocabulary(["a"]), tmp_path / "words.json")
    with pytest.raises(ValueError, match="has a Vocabulary"):
        read_tokenizer(tmp_path / "words.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ValueError, match=r"broken.json"):
        read_tokenizer(tmp_path / "broken.json")


@pytest.fixture
def made(tmp_path):
    """A whole folder of tokens."""
    (path,) = write(tmp_path, "one two three four five six seven " * 20)
    tokenize([path], tmp_path / "out", BPETokenizer(), valid_share=0.2)
    return tmp_path / "out"


def _edited(folder, **changes):
    """Change fields of tokens.json, or take them out."""
    content = json.loads((folder / "tokens.json").read_text()) | changes
    kept = {name: value for name, value in content.items() if value is not Ellipsis}
    (folder / "tokens.json").write_text(json.dumps(kept))


@pytest.mark.parametrize(
    "changes",
    [
        {"complete": ...},
        {"dtype": "x"},
        {"dtype": ...},
        {"vocab_size": "x"},
        {"tokenizer": None},
        {"shards": ...},
        {"shards": {"train": []}},
        {"shards": {"train": [{}], "valid": []}},
        {"shards": {"train": [{"file": 5, "tokens": 1}], "valid": []}},
        {"shards": {"train": [{"file": "../train-00000.npy", "tokens": 1}], "valid": []}},
        {"at": [1]},
        {"sources": ...},
        {"runs": [[1]]},
        {"asked": "8192"},
    ],
    ids=str,
)
def test_a_manifest_with_a_wrong_field_is_damaged(made, changes):
    _edited(made, **changes)
    (name,) = changes
    with pytest.raises(TokensError, match=rf"tokens\.json is damaged: {name} must be as it was written"):
        TokenShards(made, "train")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more"])
def test_a_shard_that_was_never_written_is_named(made, content):
    (made / "train-00000.npy").write_bytes(content)
    with pytest.raises(TokensError, match=r"train-00000\.npy is damaged"):
        TokenShards(made, "train")


def test_a_folder_without_its_tokenizer_is_not_whole(made):
    tokens = TokenShards(made, "train")
    (made / "tokenizer.json").unlink()
    with pytest.raises(TokensError, match=r"is not whole: tokenizer\.json is missing"):
        _ = tokens.tokenizer
    (made / "tokenizer.json").write_text("")
    with pytest.raises(TokensError, match=r"tokenizer\.json can't be read"):
        _ = tokens.tokenizer


def test_a_file_is_no_folder_of_tokens(made):
    with pytest.raises(TokensError, match="`folder` must be a folder"):
        TokenShards(made / "tokens.json", "train")


def test_positions_beyond_the_text_are_refused(made):
    tokens = TokenShards(made, "train")
    for wrong in (-1, len(tokens), 10**12):
        with pytest.raises(IndexError, match=rf"`positions` must be 0 to {len(tokens) - 1}, got"):
            tokens[np.array([0, wrong])]


def test_a_manifest_that_says_it_is_past_the_end_is_damaged(made):
    _edited(made, complete=False)
    with pytest.raises(TokensError, match="at must be before the end"):
        tokenize([made.parent / "text-0.txt"], made, BPETokenizer(), valid_share=0.2)
