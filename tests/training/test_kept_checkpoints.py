"""The checkpoints that chapters load: whole, small, fit for their recipe, and as good as the recipe says."""

import hashlib
import math
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from lmcourse import course, data
from lmcourse.models import GPT, GPTConfig, RecurrentConfig, RecurrentLM
from lmcourse.tokenizers import BPETokenizer, Vocabulary
from lmcourse.training import Ladder, bits_per_byte, load_checkpoint, read_recipe

FOLDER = Path(__file__).parents[2] / "chapters" / "checkpoints"
NAMES = sorted(path.stem for path in FOLDER.glob("*.safetensors"))
CHAR_LSTM = FOLDER / "char_lstm"
LARGEST = 8_000_000  # bytes: it is committed


@pytest.fixture(scope="module")
def shakespeare():
    if data.text_source("shakespeare") != "shakespeare":
        pytest.skip("the corpus is not on this machine and cannot be fetched")
    return data.load_text("shakespeare", split="test")


@pytest.fixture(scope="module")
def char_lstm():
    recipe = read_recipe(CHAR_LSTM)
    model = RecurrentLM(RecurrentConfig(**recipe["config"]))
    load_checkpoint(CHAR_LSTM, model, vocabulary=recipe["vocabulary"])
    return model.eval(), recipe


def windows_of(text, vocabulary, n_windows, length):
    """Rows of ids from places spread evenly over the text."""
    starts = range(0, len(text) - length, len(text) // n_windows)
    return torch.tensor([vocabulary.encode(text[start : start + length]) for start in list(starts)[:n_windows]])


@torch.no_grad()
def bits(model, rows, skip):
    logits, _ = model(rows[:, :-1])
    return F.cross_entropy(logits[:, skip:].flatten(0, 1), rows[:, skip + 1 :].flatten()).item() / math.log(2)


def test_there_is_one():
    assert "char_lstm" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_weights_and_recipe_belong_together_and_are_small(name):
    weights, recipe = FOLDER / f"{name}.safetensors", read_recipe(FOLDER / name)
    assert hashlib.sha256(weights.read_bytes()).hexdigest() == recipe["sha256"]
    assert weights.stat().st_size < LARGEST
    for key in ("command", "seed", "steps", "machine", "date", "config", "parameters"):
        assert recipe[key] not in (None, "", {}), key


def test_char_lstm_is_the_model_of_its_recipe(char_lstm):
    model, recipe = char_lstm
    assert sum(p.numel() for p in model.parameters()) == recipe["parameters"]
    assert len(recipe["vocabulary"]) == recipe["config"]["vocab_size"]
    assert all(parameter.isfinite().all() for parameter in model.parameters())
    steps = [step for step, _ in recipe["history"]["valid_bits_per_byte"]]
    assert steps == sorted(steps)
    assert steps[-1] == recipe["steps"]
    assert len(recipe["history"]["loss_bits_every_100_steps"]) == recipe["steps"] // 100


def test_char_lstm_beats_the_six_gram_by_its_recipe(char_lstm):
    _, recipe = char_lstm
    ladder = Ladder(FOLDER.parent / "ladder.csv")
    kneser = next(row for row in ladder.rungs if row.chapter == "01" and row.model.endswith("all"))
    assert recipe["test_bits_per_byte"] < kneser.bits_per_byte - 0.15


def test_char_lstm_scores_a_part_of_the_test_text_as_its_recipe_says(char_lstm, shakespeare):
    model, recipe = char_lstm
    rows = windows_of(shakespeare, Vocabulary(recipe["vocabulary"]), 96, 161)
    trained = bits(model, rows, skip=64)
    assert trained == pytest.approx(recipe["test_bits_per_byte"], abs=0.12)
    assert bits(RecurrentLM(model.config).eval(), rows[:8], skip=64) > trained + 3  # the measure can fail


def test_its_vocabulary_is_that_of_the_training_text(char_lstm, shakespeare):
    built = Vocabulary.build(data.load_text("shakespeare", split="train"))
    assert list(built.tokens) == char_lstm[1]["vocabulary"]


@pytest.mark.slow
def test_char_lstm_scores_the_whole_test_text_as_its_recipe_says(char_lstm, shakespeare):
    model, recipe = char_lstm
    ids = torch.tensor(Vocabulary(recipe["vocabulary"]).encode(shakespeare))
    whole = bits_per_byte(model.total_nll(ids, rows=64), len(shakespeare.encode()))
    assert whole == pytest.approx(recipe["test_bits_per_byte"], abs=2e-3)


def test_the_learners_folder_gets_the_checkpoints(tmp_path):
    done = course.deliver(tmp_path)
    for name in NAMES:
        for ending in (".safetensors", ".json"):
            assert f"chapters/checkpoints/{name}{ending}" in done.new
            copy = tmp_path / "chapters" / "checkpoints" / f"{name}{ending}"
            assert copy.read_bytes() == (FOLDER / f"{name}{ending}").read_bytes()


GPT_KEPT = FOLDER / "gpt"


@pytest.fixture(scope="module")
def kept_gpt():
    recipe = read_recipe(GPT_KEPT)
    model = GPT(GPTConfig(**recipe["config"]))
    load_checkpoint(GPT_KEPT, model, vocabulary=recipe["vocabulary"])
    return model.eval(), recipe, BPETokenizer.load(GPT_KEPT.with_suffix(".bpe.json"))


def test_gpt_is_the_model_of_its_recipe(kept_gpt):
    model, recipe, tokenizer = kept_gpt
    assert sum(p.numel() for p in model.parameters()) == recipe["parameters"]
    assert all(parameter.isfinite().all() for parameter in model.parameters())
    tokens = [tokenizer.decode_bytes([number]).decode("latin-1") for number in range(tokenizer.vocab_size)]
    assert tokens == recipe["vocabulary"]
    validation = dict(map(tuple, recipe["history"]["valid_bits_per_byte"]))
    assert recipe["best_step"] == min(validation, key=validation.get)
    assert max(validation) == recipe["steps"]


def test_gpt_is_the_best_of_the_ladder_by_its_recipe(kept_gpt):
    rungs = Ladder(FOLDER.parent / "ladder.csv").rungs
    others = [rung.bits_per_byte for rung in rungs if rung.chapter < "08"]
    assert kept_gpt[1]["test_bits_per_byte"] < min(others)
    six_gram = next(rung for rung in rungs if rung.chapter == "01" and rung.model.endswith("all"))
    assert kept_gpt[1]["test_bits_per_byte"] < six_gram.bits_per_byte - 0.2


def test_gpt_scores_a_part_of_the_test_text_as_its_recipe_says(kept_gpt, shakespeare):
    model, recipe, tokenizer = kept_gpt
    starts = range(0, len(shakespeare) - 4_000, len(shakespeare) // 12)
    passages = [shakespeare[start : start + 4_000] for start in starts]

    def scored(model, passages):
        nats = sum(model.total_nll(torch.tensor(tokenizer.encode(passage))) for passage in passages)
        return bits_per_byte(nats, sum(len(passage.encode()) for passage in passages))

    assert scored(model, passages) == pytest.approx(recipe["test_bits_per_byte"], abs=0.1)
    assert scored(GPT(model.config), passages[:1]) > recipe["test_bits_per_byte"] + 1  # the measure can fail


@pytest.mark.slow  # daily they are those of the recipe
def test_gpts_tokens_are_those_of_the_training_text(kept_gpt, shakespeare):
    built = BPETokenizer.train(data.load_text("shakespeare", split="train"), kept_gpt[2].vocab_size)
    assert built.merges == kept_gpt[2].merges


@pytest.mark.slow
def test_gpt_scores_the_whole_test_text_as_its_recipe_says(kept_gpt, shakespeare):
    model, recipe, tokenizer = kept_gpt
    whole = bits_per_byte(model.total_nll(torch.tensor(tokenizer.encode(shakespeare))), len(shakespeare.encode()))
    assert whole == pytest.approx(recipe["test_bits_per_byte"], abs=2e-3)
