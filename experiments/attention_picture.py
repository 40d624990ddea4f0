"""Where a trained model looks when it reads "It": `python -m experiments.attention_picture`. Half a minute.

The picture at the head of chapter 05: of all heads of SmolLM2, read into our own class, the one that looks most from
"It" to the squirrel.
"""

from typing import Any

import torch

from experiments.pretrained import Smol
from experiments.recording import Record, Row, launch

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
    smol = Smol()
    tokens = smol.tokens(TEXT)
    looks = maps(smol.model, torch.tensor([smol.encode(TEXT)]))[:, :, tokens.index(ASKS)]  # (layers, H, T)
    layer, head = divmod(int(looks[:, :, tokens.index(MEANT)].argmax()), looks.shape[1])
    about: Row = {"model": "SmolLM2-135M", "layer": layer, "head": head, "heads": looks.shape[0] * looks.shape[1]}
    record = Record("attention-it", **about)
    for token, share in zip(tokens, looks[layer, head].tolist(), strict=True):
        record.add({"token": token, "weight": round(share, 4)})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
