"""The file of a whole n-gram model: every method comes back bit by bit, damage is named, an old file survives."""

import contextlib
import copy
import io
import json
import pickle
import zipfile
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
    Smoothing,
    StupidBackoff,
)

DATA = Path(__file__).parent / "data"
TEXT = [line.split() for line in (DATA / "grammar.txt").read_text(encoding="utf-8").splitlines()]
TEST = [["the", "pump", "hides", "Ada"], ["zebra", "finds", "zebra", "."], [], ["."] * 5]
SMOOTHINGS = [
    MLE(),
    AddK(0.3),
    Interpolated([0.1, 0.2, 0.7], uniform=0.01),
    StupidBackoff(0.7),
    AbsoluteDiscounting(0.3, uniform=False, fallback=None),
    KneserNey(),
    KneserNey(modified=False, fallback=(0.4, 0.9, 1.1)),
    KneserNey(discounts=(0.5, 0.9, 1.7)),
]


def everything(model):
    """All that tells one fitted model from another."""
    scores = model.score(TEST).tolist(), [model.logprob(sentence) for sentence in TEST], model.coverage(TEST).tolist()
    contexts = [(), ("the",), ("<s>", "the"), ("zebra",)]
    settings = model.order, model.smoothing, model.discounts, model.fell_back, model.num_ngrams, model.nbytes
    vocabulary = model.vocabulary.tokens, model.vocabulary.counts
    return scores, [model.distribution(context).tolist() for context in contexts], settings, vocabulary


@pytest.fixture(params=SMOOTHINGS, ids=lambda smoothing: type(smoothing).__name__)
def model(request):
    return NGramModel(3, request.param).fit(TEXT, min_count=2)


def test_every_model_comes_back_from_its_file(model, tmp_path):
    path = tmp_path / "model.npz"
    model.save(path)
    again = NGramModel.load(str(path))
    assert everything(again) == everything(model)
    assert again.count(["the"]) == model.count(["the"]) > 0
    assert again.continuation_count(["the"]) == model.continuation_count(["the"]) > 0
    assert again.followers(["the"]) == model.followers(["the"])
    again.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert everything(again.fit(TEXT[:50])) == everything(NGramModel(3, model.smoothing).fit(TEXT[:50]))


@pytest.mark.parametrize("use", [lambda m: None, lambda m: m.prob("the"), lambda m: m.score(TEST)])
def test_models_are_copied_and_pickled_at_any_time(model, use):
    use(model)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
        assert everything(twin) == everything(model)
    unfitted = pickle.loads(pickle.dumps(NGramModel(2)))
    with pytest.raises(RuntimeError, match="fit"):
        unfitted.prob("a")


def test_a_model_from_an_arpa_file_is_kept_too(tmp_path):
    model = NGramModel.from_arpa(DATA / "tiny.3.arpa")
    model.save(tmp_path / "model.npz")
    again = NGramModel.load(tmp_path / "model.npz")
    assert everything(again) == everything(model)
    with pytest.raises(RuntimeError, match="no counts"):
        again.count(["the"])


def test_an_unigram_model_and_odd_words(tmp_path):
    model = NGramModel(1).fit([["a b", "\u2028", "\ud800", ""], ["naïve"]])
    model.save(tmp_path / "model.npz")
    assert NGramModel.load(tmp_path / "model.npz").vocabulary.tokens == model.vocabulary.tokens


def test_the_file_is_plain_numpy(tmp_path):
    NGramModel(2).fit(TEXT).save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as archive:
        header = json.loads(archive["header"].tobytes())
        assert (header["format"], header["version"], header["order"]) == ("lmcourse-ngram", 1, 2)
        assert header["smoothing"]["name"] == "KneserNey"
        assert archive["keys_2"].dtype == np.int64


def test_a_smoothing_of_ones_own_cannot_be_saved(tmp_path):
    class Own(MLE):
        pass

    assert isinstance(Own(), Smoothing)
    with pytest.raises(TypeError, match=r"`smoothing` must be one of MLE, AddK, .* to be saved, got .*Own"):
        NGramModel(2, Own()).fit(TEXT).save(tmp_path / "model.npz")
    assert list(tmp_path.iterdir()) == []


def test_the_old_file_survives_a_failure(tmp_path, monkeypatch):
    path = tmp_path / "model.npz"
    path.write_text("the old one")
    model = NGramModel(2).fit(TEXT)

    def full_disk(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full_disk)
    with pytest.raises(OSError, match="No space"):
        model.save(path)
    assert path.read_text() == "the old one"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "model.npz"
    NGramModel(2).fit(TEXT[:20]).save(path)
    return path.read_bytes()


def test_any_cut_and_any_changed_byte_of_the_content_is_noticed(saved, tmp_path):
    path = tmp_path / "damaged.npz"
    whole = everything(NGramModel.load(_written(path, saved)))
    for length in [*range(0, len(saved), 997), len(saved) - 1]:
        with pytest.raises(ValueError, match=r"damaged\.npz can't be read"):
            NGramModel.load(_written(path, saved[:length]))
    for at in range(5, len(saved), 499):
        changed = saved[:at] + bytes([saved[at] ^ 0x55]) + saved[at + 1 :]
        with contextlib.suppress(ValueError):  # else it is a field of the zip format that means nothing here: a date
            assert everything(NGramModel.load(_written(path, changed))) == whole


def _written(path, content):
    path.write_bytes(content)
    return path


def rewritten(saved, path, **changes):
    """The file with other arrays; a dict changes the header."""
    with np.load(io.BytesIO(saved)) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes()) | changes.pop("header", {})
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    arrays |= {name: array(arrays[name]) for name, array in changes.items() if array is not None}
    for name in [name for name, array in changes.items() if array is None]:
        del arrays[name]
    np.savez(path, **arrays)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"header": {"format": "other"}}, "its format must be 'lmcourse-ngram'"),
        ({"header": {"version": 2}}, "its version must be 1, got 2"),
        ({"header": {"order": 3}}, "'backoffs_2' is missing"),
        ({"header": {"smoothing": {"name": "eval"}}}, "its smoothing must be one of MLE, AddK, .* got 'eval'"),
        ({"header": {"smoothing": {"name": "AddK", "k": -1}}}, "`k` must be more than 0"),
        ({"header": {"smoothing": {"name": "AddK", "l": 1}}}, "unexpected keyword argument 'l'"),
        ({"header": {"vocabulary": {}}}, '"format" must be'),
        ({"keys_2": lambda a: a[::-1]}, "its keys_2 must rise"),
        ({"keys_2": lambda a: a + 10**9}, "its keys_2 must rise, from 0 or more to less than"),
        ({"keys_2": lambda a: a - a[0] - 1}, "its keys_2 must rise"),
        ({"keys_2": lambda a: a.astype(float)}, "its keys_2 must be .* numbers, got float64"),
        ({"keys_1": lambda a: a[:-1]}, "numbers, got"),
        ({"logprobs_2": lambda a: a[:-1]}, "its logprobs_2 must be"),
        ({"logprobs_2": lambda a: a * np.nan}, "its logprobs_2 must be finite or minus infinity"),
        ({"backoffs_1": lambda a: a + np.inf}, "its backoffs_1 must be finite or minus infinity"),
        ({"backoffs_1": None}, "'backoffs_1"),
        ({"counts_1": lambda a: a.astype(object)}, "Object arrays cannot be loaded"),
    ],
)
def test_what_does_not_fit_together_is_refused(saved, tmp_path, changes, message):
    path = tmp_path / "odd.npz"
    rewritten(saved, path, **changes)
    with pytest.raises(ValueError, match=message) as caught:
        NGramModel.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"\\data\\\nngram 1=1\n", b"PK\x03\x04"])
def test_what_is_no_archive_at_all(tmp_path, content):
    with pytest.raises(ValueError, match=r"model\.npz can't be read"):
        NGramModel.load(_written(tmp_path / "model.npz", content))
    np.save(tmp_path / "array.npy", np.arange(3))
    with pytest.raises(ValueError, match=r"array\.npy can't be read"):
        NGramModel.load(tmp_path / "array.npy")
    with zipfile.ZipFile(tmp_path / "empty.zip", "w"):
        pass
    with pytest.raises(ValueError, match=r"empty\.zip can't be read"):
        NGramModel.load(tmp_path / "empty.zip")
    with pytest.raises(FileNotFoundError):
        NGramModel.load(tmp_path / "none.npz")
