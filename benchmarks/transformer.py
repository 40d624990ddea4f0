"""Time of the transformer's layers beside torch.nn's, and of models by length: `python -m benchmarks.transformer`.

Training steps, forward and backward. dropout=0.1 is on the sublayers' outputs alone in ours, in torch.nn's
layers also inside; with dropout=0 both do the same work. nn.Transformer builds its own masks from what it is given.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from benchmarks.rounds import Table, options, take_turns, write_record
from lmcourse.generation import translate
from lmcourse.layers.attention import causal_mask, padding_mask
from lmcourse.layers.transformer import DecoderLayer, EncoderLayer
from lmcourse.models import Seq2Seq, Seq2SeqConfig, Transformer, TransformerConfig

SEED, BATCH, LENGTH, WIDTH, HEADS, HIDDEN = 0, 8, 64, 256, 8, 1024
LIMIT = 1.0
LENGTHS = (16, 32, 64, 128, 256, 512)


def layer_steps(kind: str, norm: Any, dropout: float) -> dict[str, Callable[[], None]]:
    theirs_class = nn.TransformerEncoderLayer if kind == "encoder" else nn.TransformerDecoderLayer
    theirs = theirs_class(WIDTH, HEADS, HIDDEN, dropout, batch_first=True, norm_first=norm == "pre")
    x = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    memory = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    keep = padding_mask(torch.linspace(LENGTH // 2, LENGTH, BATCH).long(), LENGTH)
    padding, upper, mask = ~keep, ~causal_mask(LENGTH), keep[:, None, None, :]
    if kind == "encoder":
        encoder = EncoderLayer(WIDTH, HEADS, HIDDEN, norm=norm, dropout=dropout)
        return {
            "torch.nn": lambda: theirs(x, src_key_padding_mask=padding).sum().backward(),
            "lmcourse": lambda: encoder(x, mask).sum().backward(),
        }
    decoder = DecoderLayer(WIDTH, HEADS, HIDDEN, norm=norm, dropout=dropout)
    return {
        "torch.nn": lambda: (
            theirs(x, memory, tgt_mask=upper, tgt_is_causal=True, memory_key_padding_mask=padding).sum().backward()
        ),
        "lmcourse": lambda: decoder(x, memory, None, mask).sum().backward(),
    }


def model_steps(length: int, tokens: int) -> dict[str, Callable[[], None]]:
    """A training step of chapter 04's best model and of the transformer, on about `tokens` tokens in all."""
    batch = max(1, tokens // length)
    source = torch.randint(3, 40, (batch, length))
    target = torch.cat(
        [torch.ones(batch, 1).long(), torch.randint(3, 40, (batch, length)), torch.full((batch, 1), 2)], 1
    )
    lstm = Seq2Seq(Seq2SeqConfig(40, 40, 64, 64), attention="dot")
    transformer = Transformer(TransformerConfig(40, 40, 64, 4, 2, 2))
    return {
        "lstm with attention": lambda: lstm.loss(source, target).backward(),
        "transformer": lambda: transformer.loss(source, target).backward(),
    }


def writing_steps(length: int) -> dict[str, Callable[[], object]]:
    """Writing `length` tokens one after another, for 8 sources: with the cache and without it."""
    model = Transformer(TransformerConfig(40, 40, 64, 4, 2, 2, stop_id=39)).eval()
    with torch.no_grad():
        model.head.bias[39] = -1e9  # never stops
    source = torch.randint(3, 38, (8, length))

    @torch.no_grad()
    def without() -> None:
        keep = model.source_mask(source)
        memory = model.encode(source, keep)
        ids = torch.ones(8, 1).long()
        for _ in range(length):
            last = model.decode(ids, memory, keep)[:, -1].argmax(-1)
            ids = torch.cat([ids, last[:, None]], dim=1)

    return {"no cache": without, "cache": lambda: translate(model, source, max_length=length)}


def main() -> None:
    parser = options(__doc__, rounds=25)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    table = Table()
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for kind in ("encoder", "decoder"):
            for norm in ("post", "pre"):
                for dropout in (0.0, 0.1):
                    turns = take_turns(layer_steps(kind, norm, dropout), arguments.rounds)
                    table.add(f"{kind} layer", threads, turns, LIMIT, norm=norm, dropout=dropout)
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for length in LENGTHS:
            turns = take_turns(model_steps(length, 2048), max(5, arguments.rounds // 2))
            table.add("training step", threads, turns, None, length=length)
    torch.set_num_threads(1)
    for length in (16, 64, 256):
        table.add("writing", 1, take_turns(writing_steps(length), 3), None, length=length)
    write_record(arguments.out, "transformer", table.rows, seed=SEED)


if __name__ == "__main__":
    main()
