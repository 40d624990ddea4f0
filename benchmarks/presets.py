"""A preset of `lmcourse train` on this machine's GPUs beside what is expected: tokens a second, share of the peak.

`torchrun --standalone --nproc-per-node N -m benchmarks.presets NAME --out FILE`, with NAME one of those that
`lmcourse train --example` knows. It trains some steps on random tokens. Without GPUs it prints what is expected.
`--beside` trains transformers' GPT-2 of the same sizes too: gpt2_small_1_gpu so takes some minutes on an H100.
`--tiny` tries all of it on a CPU.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.gpt import pair
from benchmarks.rounds import processor, write_record
from lmcourse import runtime
from lmcourse.pretraining import expected_cost, preset_names, preset_text, read_config
from lmcourse.pretraining.config import PretrainingConfig
from lmcourse.pretraining.expected import expectation
from lmcourse.pretraining.run import build_loss, build_model, build_optimizer
from lmcourse.runtime import seed_everything
from lmcourse.training import distributed, fit, process_group
from lmcourse.training.resuming import Loss
from lmcourse.training.scaling import DEVICES

SEED, WARM_UP = 0, 5


def read_preset(name: str, folder: Path) -> PretrainingConfig:
    path = folder / f"{name}.toml"
    path.write_text(preset_text(name))
    return read_config(path)


def measure(config: PretrainingConfig, steps: int, device: torch.device, who: str = "lmcourse") -> tuple[float, int]:
    """Return tokens a second over all processes, and the peak of memory of this one, in bytes."""
    rows, length, sizes = config.batch_size_of(distributed.world_size()), config.model.context_length, config.model
    vocabulary, on_gpu = config.vocab_size or 50_304, device.type == "cuda"
    seed_everything(SEED)
    loss: Loss = build_loss(config)
    if who == "transformers":
        names = ("context_length", "embed_dim", "num_heads", "num_layers")
        model = pair({name: getattr(sizes, name) for name in names}, vocabulary)[1].to(device)
        loss = torch.compile(lambda model, batch: model(batch[0], labels=batch[0]).loss)
    else:
        model = build_model(config, vocabulary, device)
    ids = torch.randint(vocabulary, (rows, length + 1), device=device)
    began: list[float] = []

    def batches(number: int) -> tuple[torch.Tensor, torch.Tensor]:
        if (number - 1) // config.training.accumulate in (WARM_UP, WARM_UP + steps) and (
            (number - 1) % config.training.accumulate == 0
        ):  # the steps in between wait for nothing
            if on_gpu:
                torch.cuda.synchronize()
            began.append(time.perf_counter())
        return ids[:, :-1], ids[:, 1:]

    if on_gpu:
        torch.cuda.reset_peak_memory_stats()
    fit(model, batches, loss, optimizer=build_optimizer(config, model), max_steps=steps + WARM_UP + 1,
        accumulate=config.training.accumulate, precision=config.training.precision, progress=False,
        gather_every=config.training.gather_every)  # fmt: skip
    rate = config.training.batch_size * length / ((began[1] - began[0]) / steps)
    return rate, torch.cuda.max_memory_allocated() if on_gpu else 0


def contestants(config: PretrainingConfig) -> dict[str, PretrainingConfig]:
    """This library with its layers compiled, with model and loss compiled as one, and transformers' GPT-2 compiled."""
    whole = replace(config, training=replace(config.training, compile_whole=True))
    return {"lmcourse": config, "lmcourse, compiled as one": whole, "transformers": config}


def measure_what_fits(
    config: PretrainingConfig, steps: int, device: torch.device, who: str
) -> tuple[float, int, PretrainingConfig]:
    """Return what `measure` does, with as many windows at a time as there is memory for, and the config of that."""
    while True:
        try:
            return *measure(config, steps, device, who), config
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            config = replace(config, training=replace(config.training, accumulate=2 * config.training.accumulate))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=preset_names())
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--beside", action="store_true", help="transformers' GPT-2 and this library's ways to compile")
    parser.add_argument("--tiny", action="store_true", help="tiny sizes, on any device: does the program run?")
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where the preset is written")
    parser.add_argument("--out", type=Path, help="write the table to this JSON file")
    arguments = parser.parse_args()
    config = read_preset(arguments.name, arguments.folder)
    config = replace(config, training=replace(config.training, strategy="ddp"))
    if arguments.tiny:
        sizes = replace(config.model, context_length=16, embed_dim=32, num_heads=2, num_layers=2)
        training = replace(config.training, batch_size=8, accumulate=2)
        config = replace(config, model=sizes, vocab_size=512, training=training)
    elif not torch.cuda.is_available():
        processes = 8 if arguments.name.endswith("8_gpus") else 1
        print("no CUDA device: nothing is measured. Expected:", expectation(config, "H100", processes), sep="\n")
        return
    with process_group():
        device, processes, rows = runtime.device(), distributed.world_size(), []
        name = torch.cuda.get_device_name() if device.type == "cuda" else processor()
        known = next((key for key in DEVICES if key in name), None)
        for who, its in (contestants(config) if arguments.beside else {"lmcourse": config}).items():
            rate, memory, its = measure_what_fits(its, arguments.steps, device, who)
            torch.compiler.reset()
            row = {"what": arguments.name, "who": who, "device": name, "processes": processes, "value": round(rate),
                   "unit": "tokens/s", "memory_gb": round(memory / 1e9, 1),
                   "windows_at_once": its.batch_size_of(processes)}  # fmt: skip
            if known is not None:
                cost = expected_cost(its, known, processes)
                row |= {"expected": round(cost.tokens_per_s), "expected_memory_gb": round(cost.memory_bytes / 1e9, 1),
                        "share_of_peak": round(rate * cost.model_flops / cost.tokens / processes / cost.peak_flops, 3),
                        "expected_share_of_peak": round(cost.share_of_peak, 3)}  # fmt: skip
            rows.append(row)
            if distributed.rank() == 0:
                print(row, flush=True)
                write_record(arguments.out, "presets", rows, seed=SEED)  # after each: a run may be cut off


if __name__ == "__main__":
    main()
