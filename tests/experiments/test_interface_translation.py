"""Words are cut at random and come back whole; the kept translator says what its record says."""

from pathlib import Path

import pytest
import torch

from experiments import interface_translation as interface
from lmcourse import data
from lmcourse.models import Transformer, TransformerConfig
from lmcourse.tokenizers import BPETokenizer
from lmcourse.training import load_checkpoint, load_recorded, read_recipe

CHAPTERS = Path(__file__).parents[2] / "chapters"
KEPT = CHAPTERS / "checkpoints" / "interface_transformer"
TEXTS = ["the unhappy owl happily unpacks", "der Eulenhof, unverpackt", "Grüße"]


@pytest.fixture(scope="module")
def tokenizer():
    return BPETokenizer.train(TEXTS, 280)


def test_pieces_with_no_merge_left_out_are_the_tokenizers(tokenizer):
    pieces = interface.RandomPieces(tokenizer, 0.0, seed=0)
    assert [pieces.encode(text) for text in TEXTS] == [tokenizer.encode(text) for text in TEXTS]


def test_pieces_with_all_merges_left_out_are_bytes(tokenizer):
    pieces = interface.RandomPieces(tokenizer, 1.0, seed=0)
    assert all(pieces.encode(text) == list(text.encode()) for text in TEXTS)


def test_pieces_differ_from_time_to_time_and_always_give_the_text_back(tokenizer):
    pieces = interface.RandomPieces(tokenizer, 0.3, seed=1)
    cuts = [pieces.encode(TEXTS[0]) for _ in range(23)]
    assert len({tuple(cut) for cut in cuts}) > 10
    assert {tokenizer.decode(cut) for cut in cuts} == {TEXTS[0]}
    again = interface.RandomPieces(tokenizer, 0.3, seed=1)
    assert [again.encode(TEXTS[0]) for _ in range(23)] == cuts


@pytest.fixture(scope="module")
def kept():
    model = Transformer(TransformerConfig(**read_recipe(KEPT)["config"]))
    load_checkpoint(KEPT, model)
    return model.eval(), BPETokenizer.load(KEPT.with_suffix(".bpe.json"))


@pytest.fixture(scope="module")
def record():
    return load_recorded("interface", CHAPTERS / "recorded")


@pytest.fixture(scope="module")
def sentences():
    if not data.is_cached("interface-en-de"):
        pytest.skip("the interface sentences are not here: lmcourse data fetch interface-en-de")
    return data.load_pairs("interface-en-de", split="test")


def test_the_kept_translator_says_what_its_record_says(kept, record, sentences):
    model, tokenizer = kept
    examples = [row for row in record["rows"] if row["what"] == "example"][:11]
    ids = interface.encode(tokenizer, [sentences[row["test_pair"]] for row in examples])
    said = interface.translations(model, tokenizer, ids, beam_size=interface.BEAM)
    agree = [one == row["transformer"] for one, row in zip(said, examples, strict=True)]
    assert sum(agree) >= len(agree) - 1  # another machine may round a tie the other way
    assert sum(p.numel() for p in model.parameters()) == read_recipe(KEPT)["parameters"]


def test_its_loss_is_far_from_that_of_fresh_weights(kept, sentences):
    model, tokenizer = kept
    ids = interface.encode(tokenizer, sentences[::25])
    torch.manual_seed(0)
    assert interface.nats_per_token(model, ids) < interface.nats_per_token(Transformer(model.config).eval(), ids) - 3


def test_the_recorded_run_is_whole_and_ahead_of_copying_by_what_the_page_says(record):
    scored = {row["who"]: row for row in record["rows"] if row["what"] == "test"}
    assert set(scored) == {"transformer, greedy", "transformer, beam of 4", "copy of the nearest neighbour"}
    for measure in ("bleu", "chrf", "exact"):
        assert scored["transformer, beam of 4"][measure] > scored["copy of the nearest neighbour"][measure]
    validation = next(row for row in record["rows"] if row["what"] == "validation")
    assert len(validation["bleu"]) == read_recipe(KEPT)["steps"] // validation["every"]
