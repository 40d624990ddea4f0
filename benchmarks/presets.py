"""A preset of `lmcourse train` on this machine's GPUs beside what is expected: tokens a second, share of the peak.

`torchrun --standalone --nproc-per-node N -m benchmarks.presets NAME --out FILE`, with NAME one of those that
`lmcourse train --example` knows. It trains some steps on random tokens. Without GPUs it prints what is expected.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.rounds import write_record
from lmcourse.models import GPT
from lmcourse.pretraining import expected_cost, preset_names, preset_text, read_config
from lmcourse.pretraining.config import PretrainingConfig
from lmcourse.pretraining.expected import expectation
from lmcourse.pretraining.run import build_model, build_optimizer
from lmcourse.runtime import seed_everything
from lmcourse.training import distributed, fit, process_group
from lmcourse.training.scaling import DEVICES

SEED, WARM_UP = 0, 5


def read_preset(name: str, folder: Path) -> PretrainingConfig:
    path = folder / f"{name}.toml"
    path.write_text(preset_text(name))
    return read_config(path)


def measure(config: PretrainingConfig, steps: int) -> tuple[float, int]:
    """Return tokens a second over all processes, and the peak of memory of this one, in bytes."""
    rows, length = config.batch_size_of(distributed.world_size()), config.model.context_length
    seed_everything(SEED)
    model: GPT = build_model(config, config.vocab_size or 50_304, torch.device("cuda"))
    ids = torch.randint(config.vocab_size or 50_304, (rows, length + 1), device="cuda")
    began: list[float] = []

    def batches(number: int) -> tuple[torch.Tensor, torch.Tensor]:
        if (number - 1) % config.training.accumulate == 0:
            torch.cuda.synchronize()
            began.append(time.perf_counter())
        return ids[:, :-1], ids[:, 1:]

    fit(model, batches, lambda model, batch: model.loss(*batch), optimizer=build_optimizer(config, model),
        max_steps=steps + WARM_UP + 1, accumulate=config.training.accumulate, precision=config.training.precision,
        progress=False)  # fmt: skip
    seconds = (began[-1] - began[WARM_UP]) / (len(began) - 1 - WARM_UP)
    return config.training.batch_size * length / seconds, torch.cuda.max_memory_allocated()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=preset_names())
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--folder", type=Path, default=Path("/tmp"), help="where the preset is written")
    parser.add_argument("--out", type=Path, help="write the table to this JSON file")
    arguments = parser.parse_args()
    config = read_preset(arguments.name, arguments.folder)
    config = replace(config, training=replace(config.training, strategy="ddp"))
    if not torch.cuda.is_available():
        processes = 8 if arguments.name.endswith("8_gpus") else 1
        print("no CUDA device: nothing is measured. Expected:", expectation(config, "H100", processes), sep="\n")
        return
    with process_group():
        rate, memory = measure(config, arguments.steps)
        if distributed.rank() > 0:
            return
        name, processes = torch.cuda.get_device_name(), distributed.world_size()
        known = next((key for key in DEVICES if key in name), None)
        row = {"what": arguments.name, "who": "lmcourse", "device": name, "processes": processes,
               "value": round(rate), "unit": "tokens/s", "memory_gb": round(memory / 1e9, 1)}  # fmt: skip
        if known is not None:
            cost = expected_cost(config, known, processes)
            row |= {"expected": round(cost.tokens_per_s), "expected_memory_gb": round(cost.memory_bytes / 1e9, 1),
                    "share_of_peak": round(rate * cost.model_flops / cost.tokens / processes / cost.peak_flops, 3),
                    "expected_share_of_peak": round(cost.share_of_peak, 3)}  # fmt: skip
        print(row)
        write_record(arguments.out, "presets", [row], seed=SEED)


if __name__ == "__main__":
    main()
