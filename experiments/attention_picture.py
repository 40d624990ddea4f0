"""Where a trained model looks when it reads "It": `python -m experiments.attention_picture`. Half a minute.

The picture at the head of chapter 05: of all heads of SmolLM2, read into our own class, the one that looks most from
"It" to the squirrel.
"""

import argparse
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.models import GPT
from lmcourse.tokenizers import BPETokenizer

TEXT, ASKS, MEANT = "The owl spied a squirrel. It", " It", " squirrel"


@torch.no_grad()
def maps(model: Any, ids: torch.Tensor) -> torch.Tensor:
    """The weights of every head, (layers, H, T, T)."""
    x, found = model.embedding(ids), []
    for layer in model.layers:
        _, weights = layer.attention(layer.attention_norm(x), causal=True, return_weights=True)
        found.append(weights[0])
        x = layer(x, causal=True)
    return torch.stack(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("chapters/recorded/attention-it.json"))
    arguments = parser.parse_args()
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model, tokenizer = GPT.from_pretrained(path).eval(), BPETokenizer.from_gguf(path)
    ids = tokenizer.encode(TEXT)
    tokens = [tokenizer.decode([number]) for number in ids]
    looks = maps(model, torch.tensor([ids]))[:, :, tokens.index(ASKS)]  # (layers, H, T)
    layer, head = divmod(int(looks[:, :, tokens.index(MEANT)].argmax()), looks.shape[1])
    record = {"name": "attention-it"} | provenance("python -m experiments.attention_picture", seed=0)
    record |= {"model": "SmolLM2-135M", "layer": layer, "head": head, "heads": looks.shape[0] * looks.shape[1]}
    shares = looks[layer, head].tolist()
    record["rows"] = [{"token": token, "weight": round(share, 4)} for token, share in zip(tokens, shares, strict=True)]
    print(record)
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
