"""The roofline of this machine: `python -m benchmarks.roofline`. Chapter 13 draws it.

One core. How fast it reads memory (256 MB, summed or multiplied by a vector), and how many operations a second it does
when it multiplies n rows by a matrix of 4,096 x 4,096 in float32, for n from 1 to 512; each round takes another of two
matrices, so that none is left in the caches. Then what a model does: SmolLM2's shape with random weights, writing with
batches of several sizes. Intensity is operations for each byte that must come from memory. The best of several rounds
counts, in processor time: a busy machine can only be slower.
"""

import time
from collections.abc import Callable
from typing import Any

import torch

from benchmarks.rounds import options, write_record
from lmcourse.models import GPT, GPTConfig

WIDTH, ROWS, BATCHES = 4_096, (1, 2, 4, 8, 16, 32, 64, 128, 256, 512), (1, 4, 16, 64)
SHAPE = GPTConfig(
    49_152, 512, embed_dim=576, num_heads=9, num_layers=30, num_kv_heads=3, hidden_size=1_536, positions="rotary",
    norm="rms", activation="swiglu", bias=False,
)  # fmt: skip


def best(function: Callable[[int], object], rounds: int) -> float:
    """Seconds of the fastest of some rounds; each is told its number."""
    function(0), function(1)
    seconds = []
    for number in range(rounds):
        begin = time.process_time()
        function(number)
        seconds.append(time.process_time() - begin)
    return min(seconds)


def bandwidth(rounds: int) -> dict[str, Any]:
    numbers = [torch.ones(64 * 2**20) for _ in range(2)]  # 256 MB each
    as_rows = [each.view(2**13, 2**13) for each in numbers]
    x = torch.ones(2**13)
    seconds = min(best(lambda n: numbers[n % 2].sum(), rounds), best(lambda n: as_rows[n % 2] @ x, rounds))
    return {"what": "reads", "unit": "bytes/s", "value": numbers[0].numel() * 4 / seconds}


def products(dtype: torch.dtype, rows: int, rounds: int) -> dict[str, Any]:
    matrices = [torch.randn(WIDTH, WIDTH).to(dtype) for _ in range(2)]
    x, size = torch.randn(rows, WIDTH).to(dtype), dtype.itemsize
    seconds = best(lambda n: x @ matrices[n % 2], rounds)
    flops = 2 * rows * WIDTH * WIDTH
    moved = size * (WIDTH * WIDTH + 2 * rows * WIDTH)
    return {
        "what": "multiplies", "dtype": str(dtype).removeprefix("torch."), "rows": rows, "intensity": flops / moved,
        "unit": "FLOP/s", "value": flops / seconds,
    }  # fmt: skip


@torch.no_grad()
def writes(model: GPT, batch: int, rounds: int) -> dict[str, Any]:
    """One more token for each of `batch` texts of 4 tokens."""
    cache = model.new_cache(batch, 64)
    ids = torch.randint(SHAPE.vocab_size, (batch, 4))
    model(ids, cache=cache, last_only=True)
    ready = model.decoder() or model

    def step(_: int) -> None:
        ready(ids[:, :1], cache=cache, attention_mask=None, last_only=True)
        cache.length = 4  # the token is taken back
        for layer in cache.layers:
            layer.length = 4

    weights = sum(p.numel() for p in model.parameters())
    seconds = best(step, rounds)
    return {
        "what": "writes", "batch": batch, "parameters": weights, "intensity": 2 * weights * batch / (4 * weights),
        "unit": "FLOP/s", "value": 2 * weights * batch / seconds, "tokens_per_second": round(batch / seconds, 1),
    }  # fmt: skip


def main() -> None:
    arguments = options(__doc__, rounds=5).parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    rows = [bandwidth(arguments.rounds)]
    rows += [products(torch.float32, n, arguments.rounds * (3 if n <= 32 else 1)) for n in ROWS]
    model = GPT(SHAPE).eval()
    rows += [writes(model, batch, arguments.rounds) for batch in BATCHES]
    for row in rows:
        row["value"] = float(f"{row['value']:.3g}")
        if "intensity" in row:
            row["intensity"] = round(row["intensity"], 3)
        print(row, flush=True)
    write_record(arguments.out, "roofline", rows, seed=0)


if __name__ == "__main__":
    main()
