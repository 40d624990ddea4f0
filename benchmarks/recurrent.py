"""Time of the recurrent layers beside torch.nn's, forward and backward: `python -m benchmarks.recurrent`.

Batch 32, 128 steps, 256 wide. nn.LSTM's kernel computes the gradient of the inputs whether or not
it is asked for; the loop does so only on request. Both cases are timed.

With `--lengths`, the time of one pass forward over longer and longer sequences, beside a causal convolution with as
many weights: what has to be done step by step, and what can be done at once; and how long the live training of
chapter 03 takes.

With `--dependent`, the share of an LSTM's time that goes into steps which must wait for the step before, on one thread:
all but the product of the inputs, which is done for all steps at once. Chapter 06 quotes it.
"""

import functools
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from benchmarks.rounds import Row, options, take_turns, write_record
from lmcourse.layers.recurrent import GRU, LSTM, RNN, CausalConv
from lmcourse.models import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.training import adamw, fit, token_batches

BATCH, STEPS, WIDTH, SEED = 32, 128, 256, 0
LIMITS = {1: 1.15, 2: 1.5}  # readable loop over nn.LSTM, by threads
LENGTHS, KERNEL = (64, 128, 256, 512, 1024, 2048, 4096), 8
LIVE: dict[str, Any] = {
    "name": "character LSTM, 256 wide",
    "steps": 1_000,
    "rows": 64,
    "length": 32,
    "vocabulary": 85,
}  # chapter 03


def contestants(reference: nn.Module, layer: type, needs_input_grad: bool) -> dict[str, Callable[[], None]]:
    """Return one training step for each of: torch.nn, the fused path, the readable loop; with equal weights."""
    fused, loop = layer(WIDTH, WIDTH), layer(WIDTH, WIDTH, fused=False)
    fused.load_state_dict(reference.state_dict())
    loop.load_state_dict(reference.state_dict())
    x = torch.randn(BATCH, STEPS, WIDTH, requires_grad=needs_input_grad)

    def step(module: nn.Module) -> Callable[[], None]:
        return lambda: module(x)[0].sum().backward()

    return {"torch.nn": step(reference), "fused": step(fused), "loop": step(loop)}


def by_length(rounds: int) -> list[Row]:
    """Return the milliseconds of the fastest pass forward over one sequence, by layer and length."""
    kernel, loop = LSTM(WIDTH, WIDTH), LSTM(WIDTH, WIDTH, fused=False)
    loop.load_state_dict(kernel.state_dict())
    layers = {"LSTM, readable loop": loop, "LSTM, kernel": kernel, "convolution": CausalConv(WIDTH, WIDTH, KERNEL)}
    rows = []
    print(f"{'layer':22}{'weights':>10}{'length':>8}{'ms':>10}")
    for length in LENGTHS:
        x = torch.randn(1, length, WIDTH)
        steps = {name: functools.partial(_forward, layer, x) for name, layer in layers.items()}
        for name, seconds in take_turns(steps, rounds).items():
            weights = sum(p.numel() for p in layers[name].parameters() if p.dim() > 1)
            ms = round(1e3 * min(seconds), 3)  # whatever else the machine does only adds to it
            rows.append(
                {"layer": name, "weights": weights, "threads": torch.get_num_threads(), "length": length, "ms": ms}
            )
            print(f"{name:22}{weights:10,}{length:8d}{ms:10.2f}")
    return rows


@torch.no_grad()
def _forward(layer: nn.Module, x: torch.Tensor) -> None:
    layer(x)


def dependent_share(rounds: int, length: int = 512, width: int = 128) -> Row:
    """Return the share of a pass forward of torch's LSTM over one sequence that is spent in dependent steps."""
    torch.set_num_threads(1)
    layer, x = nn.LSTM(width, width, batch_first=True), torch.randn(1, length, width)
    weight, bias = (getattr(layer, name).detach() for name in ("weight_ih_l0", "bias_ih_l0"))
    steps: dict[str, Callable[[], object]] = {
        "layer": functools.partial(_forward, layer, x),
        "inputs": functools.partial(nn.functional.linear, x, weight, bias),
    }
    ms = {name: 1e3 * min(seconds) for name, seconds in take_turns(steps, rounds).items()}
    share = 1 - ms["inputs"] / ms["layer"]
    print(f"LSTM, {length} steps, {width} wide: {ms['layer']:.2f} ms, {share:.0%} in dependent steps")
    row = {"layer": "LSTM, kernel", "threads": 1, "length": length, "width": width}
    return {**row, **{f"{name}_ms": round(value, 3) for name, value in ms.items()}, "dependent_share": round(share, 3)}


def live_training(n_steps: int = 60) -> Row:
    """Return the seconds that the live training of chapter 03 takes: its fastest step times the number of steps."""
    model = RecurrentLM(RecurrentConfig(LIVE["vocabulary"], 64, WIDTH))
    ids = torch.randint(LIVE["vocabulary"], (500_000,))
    optimizer, loss = adamw(model, lr=2e-2), TruncatedBPTTLoss()
    batches = token_batches(ids, LIVE["rows"], LIVE["length"])
    seconds = []
    for step in range(n_steps):
        start = time.perf_counter()
        fit(model, [batches(step + 1)], loss, optimizer=optimizer, max_steps=1, progress=False)
        seconds.append(time.perf_counter() - start)
    total = LIVE["steps"] * min(seconds)
    print(f"{LIVE['name']}: {LIVE['steps']} steps take {total:.0f} s")
    return {"what": f"train {LIVE['name']}", "who": "lmcourse", "unit": "s", "value": total}


def main() -> None:
    parser = options(__doc__, rounds=25)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--lengths", action="store_true", help="time against length, and the live training")
    parser.add_argument("--dependent", action="store_true", help="share of an LSTM's time in steps that must wait")
    arguments = parser.parse_args()
    torch.manual_seed(SEED)
    if arguments.dependent:
        write_record(arguments.out, "recurrent-dependent", [dependent_share(arguments.rounds)], seed=SEED)
    elif arguments.lengths:
        rows = [*by_length(arguments.rounds), live_training()]
        write_record(arguments.out, "recurrent-lengths", rows, seed=SEED)
    else:
        rows = beside_torch(arguments.threads, arguments.rounds)
        write_record(arguments.out, "recurrent", rows, seed=SEED)


def beside_torch(thread_counts: list[int], rounds: int) -> list[Row]:
    """Return the milliseconds of a training step of each layer: torch.nn's, the fused path, the readable loop."""
    pairs = {"RNN": (nn.RNN, RNN), "GRU": (nn.GRU, GRU), "LSTM": (nn.LSTM, LSTM)}
    rows = []
    columns = ("torch.nn", "fused", "loop", "fused/nn", "loop/nn")
    print(f"{'layer':6}{'threads':>8}{'input grad':>12}" + "".join(f"{column:>11}" for column in columns))
    for threads in thread_counts:
        torch.set_num_threads(threads)
        for name, (reference, layer) in pairs.items():
            for needs_input_grad in (False, True):
                module = reference(WIDTH, WIDTH, batch_first=True)
                turns = take_turns(contestants(module, layer, needs_input_grad), rounds)
                times = {who: statistics.median(seconds) for who, seconds in turns.items()}
                row = {
                    "layer": name,
                    "threads": threads,
                    "input_grad": needs_input_grad,
                    **{f"{key.replace('.', '_')}_ms": round(1e3 * value, 2) for key, value in times.items()},
                    "fused_ratio": round(times["fused"] / times["torch.nn"], 3),
                    "loop_ratio": round(times["loop"] / times["torch.nn"], 3),
                    "loop_limit": LIMITS.get(threads) if name == "LSTM" and not needs_input_grad else None,
                }
                rows.append(row)
                print(
                    f"{name:6}{threads:8d}{'yes' if needs_input_grad else 'no':>12}"
                    f"{row['torch_nn_ms']:8.1f} ms{row['fused_ms']:8.1f} ms{row['loop_ms']:8.1f} ms"
                    f"{row['fused_ratio']:11.2f}{row['loop_ratio']:11.2f}"
                    + (f"  (at most {row['loop_limit']})" if row["loop_limit"] else "")
                )
    return rows


if __name__ == "__main__":
    main()
