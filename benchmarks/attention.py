"""Time and memory of attention beside torch.nn's, forward and backward: `python -m benchmarks.attention`.

torch.nn.MultiheadAttention is run without its weights
(need_weights=False), which is its fast path. The second table shows what attention costs against the length T.
"""

from collections.abc import Callable

import torch
from torch import nn

from benchmarks.rounds import Row, Table, options, take_turns, write_record
from lmcourse.layers.attention import (
    MultiHeadAttention,
    causal_mask,
    naive_attention,
    padding_mask,
    scaled_dot_product_attention,
)
from lmcourse.layers.recurrent import LSTM

SEED, BATCH, LENGTH, WIDTH, HEADS = 0, 16, 128, 256, 8
LIMIT_LAYER, LIMIT_READABLE = 1.0, 6.0
LENGTHS = (128, 256, 512, 1024, 2048, 4096)


def layer_steps(case: str) -> dict[str, Callable[[], None]]:
    """Return one training step, forward and backward, of torch's layer and of ours on the same weights' shapes."""
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)
    ours = MultiHeadAttention(WIDTH, HEADS)
    x = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    memory = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    keep = padding_mask(torch.linspace(LENGTH // 2, LENGTH, BATCH).long(), LENGTH)
    upper = ~causal_mask(LENGTH)

    def torch_nn() -> None:
        source = memory if case == "cross" else x
        theirs(
            x,
            source,
            source,
            key_padding_mask=~keep if case == "padding" else None,
            attn_mask=upper if case == "causal" else None,
            is_causal=case == "causal",
            need_weights=False,
        )[0].sum().backward()

    def lmcourse() -> None:
        ours(
            x,
            memory if case == "cross" else None,
            keep[:, None, None, :] if case == "padding" else None,
            causal=case == "causal",
        ).sum().backward()

    return {"torch.nn": torch_nn, "lmcourse": lmcourse}


def function_steps(length: int, batch: int, causal: bool) -> dict[str, Callable[[], None]]:
    query, key, value = (torch.randn(batch, HEADS, length, 32, requires_grad=True) for _ in range(3))

    def run(function: Callable[..., torch.Tensor]) -> Callable[[], None]:
        return lambda: function(query, key, value, causal=causal).sum().backward()

    return {"attention": run(scaled_dot_product_attention), "readable": run(naive_attention)}


def length_steps(length: int) -> dict[str, Callable[[], None]]:
    """One sequence of `length` tokens, 128 wide: an LSTM, a layer of attention, attention alone, its readable twin."""
    layer, lstm = MultiHeadAttention(128, 2), LSTM(128, 128)
    x = torch.randn(1, length, 128, requires_grad=True)
    query, key, value = (torch.randn(1, 2, length, 64, requires_grad=True) for _ in range(3))
    return {
        "lstm": lambda: lstm(x)[0].sum().backward(),
        "layer": lambda: layer(x, causal=True).sum().backward(),
        "attention": lambda: scaled_dot_product_attention(query, key, value).sum().backward(),
        "readable": lambda: naive_attention(query, key, value).sum().backward(),
    }


def kept_bytes(function: Callable[..., torch.Tensor], *tensors: torch.Tensor) -> int:
    """Return the bytes that autograd keeps for the backward pass: what grows with the table of weights."""
    storages: dict[int, int] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        kept = function(*tensors)  # alive until all storages are counted
    total = sum(storages.values())
    del kept
    return total


def memory_rows() -> list[Row]:
    rows = []
    for length in LENGTHS:
        query, key, value = (torch.randn(1, 2, length, 64, requires_grad=True) for _ in range(3))
        for name, function in (("attention", scaled_dot_product_attention), ("readable", naive_attention)):
            n_bytes = kept_bytes(function, query, key, value)
            rows.append({"what": "memory", "length": length, "who": name, "value": n_bytes, "unit": "bytes"})
    return rows


def main() -> None:
    parser = options(__doc__, rounds=25)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    table = Table()
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        for case in ("plain", "causal", "padding", "cross"):
            turns = take_turns(layer_steps(case), arguments.rounds)
            table.add("multi-head layer", threads, turns, LIMIT_LAYER, case=case)
        for length, batch in ((128, 16), (1024, 1)):
            for causal in (False, True):
                turns = take_turns(function_steps(length, batch, causal), arguments.rounds)
                table.add("readable attention", threads, turns, LIMIT_READABLE, length=length, causal=causal)
    torch.set_num_threads(1)
    for length in LENGTHS:
        turns = take_turns(length_steps(length), max(3, arguments.rounds * 128 // length))
        table.add("length", 1, turns, None, length=length)
    table.rows += memory_rows()
    write_record(arguments.out, "attention", table.rows, seed=SEED)


if __name__ == "__main__":
    main()
