"""What `fit` does in several processes, one case after another; `test_distributed` starts it by torchrun, or calls it.

Each case trains on the same global batches, however many processes there are, and gives what happened as JSON.
"""

import json
import sys
import tempfile
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributed.fsdp import fully_shard, register_fsdp_forward_method

from lmcourse.models import GPT, GPTConfig
from lmcourse.models.recurrent import RecurrentConfig, RecurrentLM, TruncatedBPTTLoss
from lmcourse.training import adamw, distributed, fit, muon, process_group, token_batches

V, T, ROWS, STEPS = 53, 11, 8, 12


def gpt():
    torch.manual_seed(0)
    return GPT(GPTConfig(V, T, 24, 3, 2, positions="rotary", qk_norm=True))


def shard(model):
    for layer in model.layers:
        fully_shard(layer)
    fully_shard(model)
    register_fsdp_forward_method(model, "loss")
    return model


def own_rows(micro_batches=1):
    """Batches of 8 rows in all, of which each process gets its part, in so many parts of its own."""
    ids = torch.randint(V, (2000,), generator=torch.Generator().manual_seed(1))
    whole = token_batches(ids, ROWS, T, shuffle=True, generator=torch.Generator().manual_seed(2))
    each = ROWS // distributed.world_size() // micro_batches

    def batch(number):
        step, part = divmod(number - 1, micro_batches)
        start = (distributed.rank() * micro_batches + part) * each
        return tuple(rows[start : start + each] for rows in whole(step + 1))

    return batch


def told(history):
    return {"loss": history.loss, "grad_norm": history.grad_norm, "validation": history.validation}


def train(model, *, optimizer=adamw, loss=lambda model, batch: model.loss(*batch), batches=None, **options):
    options = {"max_steps": STEPS, "progress": False, "precision": "float32", **options}
    return told(fit(model, batches or own_rows(), loss, optimizer=optimizer(model), **options))


def counted(model, batch):
    """The mean over the targets below 40, and their number: another one in each process."""
    inputs, targets = batch
    targets = targets.masked_fill(targets >= 40, -1)
    mean = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten(), ignore_index=-1)
    return mean, (targets >= 0).sum()


def rounded_muon(model):
    return muon(model, bfloat16=True)


def wrapped():
    return nn.parallel.DistributedDataParallel(gpt())


def through_forward(model, batch):
    return F.cross_entropy(model(batch[0]).flatten(0, 1), batch[1].flatten())


def nan_in_the_last(model, batch):
    nan_in_the_last.calls += 1
    bad = nan_in_the_last.calls == 4 and distributed.rank() == distributed.world_size() - 1
    return model.loss(*batch) * (float("nan") if bad else 1.0)


def error(case):
    try:
        case()
    except (RuntimeError, ValueError) as found:
        return {"error": f"{type(found).__name__}: {found}"}
    return {"error": None}


def nan():
    nan_in_the_last.calls = 0
    return error(lambda: train(gpt(), loss=nan_in_the_last))


def stop_in_the_last():
    asked = iter(range(1, STEPS))
    last = distributed.world_size() - 1
    return train(gpt(), stop=lambda: next(asked) == 5 and distributed.rank() == last)


def carried(folder, *, stop_at=None):
    """A loss that keeps a state for each process."""
    torch.manual_seed(0)
    model = RecurrentLM(RecurrentConfig(V, 8, 16, 1, cell="lstm", dropout=0.2))
    rank, size = distributed.rank(), distributed.world_size()
    ids = torch.randint(V, (2000,), generator=torch.Generator().manual_seed(1))
    asked = iter(range(1, STEPS + 1))
    options = {} if stop_at is None else {"stop": lambda: next(asked) == stop_at}
    torch.manual_seed(rank)  # dropout
    history = fit(model, token_batches(ids[rank * 2000 // size :], 3, T), TruncatedBPTTLoss(), max_steps=STEPS,
                  progress=False, checkpoint=folder / "carried", checkpoint_every=4, **options)  # fmt: skip
    return told(history)


def resumed(make, folder):
    """Training that is stopped after 5 steps and goes on; and what it would have been in one go."""
    whole = make(folder / "whole")
    make(folder / "parts", stop_at=5)
    return {"whole": whole, "parts": make(folder / "parts")}


def sharded(folder, *, optimizer=adamw, stop_at=None):
    asked = iter(range(1, STEPS + 1))
    options = {} if stop_at is None else {"stop": lambda: next(asked) == stop_at}
    return train(shard(gpt()), optimizer=optimizer, checkpoint=folder / "state", **options)


CASES = {
    "plain": lambda _: train(gpt()),
    "muon": lambda _: train(gpt(), optimizer=muon),
    "rounded muon": lambda _: train(gpt(), optimizer=rounded_muon),
    "sharded, rounded muon": lambda _: train(shard(gpt()), optimizer=rounded_muon),
    "accumulated": lambda _: train(gpt(), batches=own_rows(2), accumulate=2),
    "counted": lambda _: train(gpt(), loss=counted),
    "counted, accumulated": lambda _: train(gpt(), loss=counted, batches=own_rows(2), accumulate=2),
    "validated": lambda _: train(gpt(), validate=lambda model: float(distributed.rank()), validate_every=6),
    "sharded": lambda _: train(shard(gpt())),
    "sharded, muon": lambda _: train(shard(gpt()), optimizer=muon),
    "sharded, accumulated": lambda _: train(shard(gpt()), batches=own_rows(2), accumulate=2),
    "wrapped": lambda _: train(wrapped(), loss=through_forward),
    "round forward": lambda _: error(lambda: train(wrapped(), loss=lambda model, batch: model.module.loss(*batch))),
    "nan": lambda _: nan(),
    "stopped": lambda _: stop_in_the_last(),
    "unequal": lambda _: error(lambda: train(gpt(), max_steps=5 + distributed.rank())),
    "carried": lambda folder: resumed(carried, folder),
    "sharded, resumed": lambda folder: resumed(sharded, folder),
    "sharded, muon, resumed": lambda folder: resumed(
        lambda where, **options: sharded(where, optimizer=muon, **options), folder
    ),
}


def main(folder, names):
    with process_group():
        results = {}
        for name in names:
            results[name] = CASES[name](Path(folder) / name)
        everyone = distributed.gathered_objects(results)
        if distributed.rank() == 0:
            print(json.dumps(everyone))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(), sys.argv[2:] or list(CASES))
