"""One sentence continued by every model of the ladder: `python -m experiments.ladder_samples`. Two minutes."""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig, RecurrentConfig, RecurrentLM
from lmcourse.models.ngram import NGramModel
from lmcourse.tokenizers import BPETokenizer, Vocabulary
from lmcourse.training import load_checkpoint, read_recipe

PROMPT, CHARACTERS, TEMPERATURE, SEED = "My lord, the king is", 150, 0.8, 1
CHECKPOINTS = Path("chapters/checkpoints")


def n_gram(order: int, text: str) -> str:
    """Characters; an n-gram model has no temperature."""
    model = NGramModel(order).fit([text])
    return "".join(model.sample(CHARACTERS, context=list(PROMPT), generator=np.random.default_rng(SEED)))


def neural(
    model: RecurrentLM | GPT, encode: Callable[[str], list[int]], decode: Callable[[list[int]], str], n_tokens: int
) -> str:
    start = torch.tensor([encode(PROMPT)])
    draws = torch.Generator().manual_seed(SEED)
    written = generate(model.eval(), start, n_tokens, temperature=TEMPERATURE, generator=draws)
    return decode(written[0, start.shape[1] :].tolist())[:CHARACTERS]


def lstm() -> str:
    recipe = read_recipe(CHECKPOINTS / "char_lstm")
    model = RecurrentLM(RecurrentConfig(**recipe["config"]))
    load_checkpoint(CHECKPOINTS / "char_lstm", model)
    vocabulary = Vocabulary(recipe["vocabulary"])
    return neural(
        model,
        lambda text: vocabulary.encode(list(text)),
        lambda ids: "".join(vocabulary.decode(ids)),
        CHARACTERS,
    )


def gpt() -> str:
    model = GPT(GPTConfig(**read_recipe(CHECKPOINTS / "gpt")["config"]))
    load_checkpoint(CHECKPOINTS / "gpt", model)
    tokenizer = BPETokenizer.load(CHECKPOINTS / "gpt.bpe.json")
    return neural(model, tokenizer.encode, tokenizer.decode, CHARACTERS // 2)


def smollm2() -> str:
    path = next(data.fetch("smollm2").glob("*.gguf"))
    tokenizer = BPETokenizer.from_gguf(path)
    return neural(GPT.from_pretrained(path), tokenizer.encode, tokenizer.decode, CHARACTERS // 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("chapters/recorded/ladder-samples.json"))
    arguments = parser.parse_args()
    text = data.load_text("shakespeare", split="train")
    rows = [
        {"chapter": "01", "model": "pairs of characters, counted", "text": n_gram(2, text)},
        {"chapter": "01", "model": "six characters, counted and smoothed", "text": n_gram(6, text)},
        {"chapter": "03", "model": "LSTM, 1.9 million weights", "text": lstm()},
        {"chapter": "08", "model": "GPT, 3.7 million weights", "text": gpt()},
        {"chapter": "08", "model": "SmolLM2, 135 million weights, in your own class", "text": smollm2()},
    ]
    for row in rows:
        print(row["model"], repr(row["text"]), flush=True)
    record = {"name": "ladder-samples"} | provenance("python -m experiments.ladder_samples", seed=SEED)
    write_run(arguments.out, record | {"prompt": PROMPT, "temperature": TEMPERATURE, "rows": rows})


if __name__ == "__main__":
    main()
