"""Good arguments for what `lmcourse.training` makes public."""

import json
import tempfile
from pathlib import Path

import torch
from torch import nn

from lmcourse import training
from lmcourse.tokenizers import Vocabulary
from lmcourse.training import launching, scaling
from tests.fuzz.examples import things
from tests.fuzz.examples.things import VALUES, floats, generator, ids
from tests.fuzz.judge import Example

WORDS = ("<pad>", "<s>", "</s>", "one", "two")
ANY_RATE = ("lr", "zero, tiny, huge", "any rate: `fit` stops on what is not finite")
DECAY = ("weight_decay", "zero, tiny, huge", "any decay")
ANY_IDS = "item item *negative, item item *zero, item item *huge, item item *bool", "the model checks its ids"
STEPS = ("step", "huge", "any step")


def linear() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 5), nn.Linear(5, 2))


def _own_folder() -> Path:
    """A folder of its own, for what writes files: another example must not find them."""
    return Path(tempfile.mkdtemp(dir=things.folder()))


def _loss(model, batch):
    return model(floats(4, 3) if batch is None else batch).square().mean()


def _fit():
    model, state = linear(), _own_folder() / "state"
    return training.fit, {
        "model": model,
        "batches": lambda step: floats(4, 3),
        "loss": _loss,
        "optimizer": training.adamw(model),
        "schedule": lambda step: 1.0,
        "max_steps": 3,
        "clip_norm": 1.0,
        "accumulate": 2,
        "validate": lambda model: 1.0,
        "validate_every": 2,
        "precision": "float32",
        "progress": False,
        "checkpoint": state,
        "checkpoint_every": 2,
        "gather_every": 2,
        "history": training.History(),
        "stop": lambda: False,
    }


def _checkpoint():
    model = linear()
    path = things.folder() / "checkpoint"
    training.save_checkpoint(path, model, vocabulary=list(WORDS))
    return path, model


def _recorded():
    run = {"name": "run", "command": "c", "machine": "m", "date": "d", "seed": 0}
    run["rows"] = [{"what": "fit", "who": "lmcourse", "value": 1.5, "unit": "s"}]
    (things.folder() / "run.json").write_text(json.dumps(run))
    return things.folder()


def _ladder():
    return training.Ladder(things.folder() / "ladder.csv", keep=False)


def _script():
    path = things.folder() / "script.py"
    path.write_text("print('done')")
    return path


def _torchrun(script, processes, timeout):
    """Processes take seconds to start: the good call is answered from here. No script ends in no time."""
    if (script, processes, timeout) == (_script(), 2, 60.0):
        return "done"
    try:
        return launching.torchrun(script, processes, timeout=timeout)
    except TimeoutError as error:
        raise RuntimeError(error) from error


def _sampling():
    return training.ScheduledSampling(lambda step: 0.5, generator=generator())


def _translation():
    return {"source": ids(2, 4), "target": things.target()}


GPT2 = scaling.TransformerSize(2, 12, 3, 50)
LAYOUT = scaling.Layout(data=2, micro_batch=2)
ANY_COST = "any size: only arithmetic"

EXAMPLES = {
    **{
        f"training.scaling.{name}": Example(
            lambda name=name, arguments=arguments: (getattr(scaling, name), dict(arguments)),
            accepts=(("*", "huge, zero, tiny", ANY_COST), *accepts),
        )
        for name, arguments, accepts in (
            ("training_cost", {"size": GPT2, "device": scaling.DEVICES["A100"], "layout": LAYOUT, "batch_size": 8,
                               "length": 16}, ()),
            ("training_memory", {"size": GPT2, "layout": LAYOUT, "micro_batches": 2, "length": 16}, ()),
            ("layer_activation_bytes", {"size": GPT2, "layout": LAYOUT, "length": 16}, ()),
            ("best_layout", {"size": GPT2, "device": scaling.DEVICES["A100"], "devices": 2, "batch_size": 8,
                             "length": 16}, ()),
        )
    },
    "training.scaling.TransformerSize.flops_per_token": Example(
        lambda: (GPT2.flops_per_token, {"length": 16})
    ),
    "training.CombinedOptimizer": Example(
        lambda: {"*optimizers": [training.adamw(linear())]},
    ),
    "training.CombinedOptimizer.add_param_group": Example(
        lambda: (
            training.muon(linear()).add_param_group,
            {"param_group": {"params": [nn.Parameter(floats(3))], "lr": 0.1}},
        ),
        accepts=(
            ("param_group", "value item dtype, value item device", "as in torch: what has no gradient stays"),
            ("param_group", "value item nan, value item inf, value item negative, value item zero, value item huge",
             "any weights"),
        ),
    ),
    "training.CombinedOptimizer.step": Example(lambda: (training.muon(linear()).step, {"closure": lambda: 1.0}),
        accepts=(("closure", "returns None", "torch's optimizers take what a closure returns as it is"),)),
    "training.History.smoothed": Example(
        lambda: (training.History(loss=[3.0, 2.0, 1.0]).smoothed, {"window": 2}),
    ),
    "training.Ladder": Example(
        lambda: {"path": things.folder() / "ladder.csv", "keep": False},
        accepts=(("path", "missing", "a ladder without rows"),),
    ),
    "training.Ladder.record": Example(
        lambda: (
            _ladder().record,
            {"model": "bigram", "chapter": "01", "kind": "live", "bits_per_byte": 2.0, "parameters": 5}
            | {"train_bytes": 7, "flops": 1e9, "seconds": 60.0},
        ),
        accepts=(
            ("model", "other text", "any name"),
            ("bits_per_byte", "tiny", "rounded to 0.000"),
            ("parameters", "zero, huge", "any number"),
            ("train_bytes", "zero, huge", "any number"),
            ("flops", "kind: None, zero, tiny, huge", "any number, or none"),
            ("seconds", "kind: None, zero, tiny, huge", "any time, or none"),
        ),
    ),
    "training.ScheduledSampling": Example(
        lambda: {"ratio": lambda step: 0.5, "generator": generator()},
        accepts=(("ratio", "returns None", "checked at the first step"),),
    ),
    "training.ScheduledSampling.__call__": Example(
        lambda: (_sampling(), {"model": things.seq2seq(), "batch": (ids(2, 4), things.target())}),
        accepts=(("batch", "item longer 1", "any length"),),
        parts=("source", "target"),
    ),
    "training.ScheduledSampling.load_state_dict": Example(
        lambda: (_sampling().load_state_dict, {"saved": {"step": 3}}),
        accepts=(("saved", "value zero, value huge", "any step"),),
    ),
    "training.adamw": Example(
        lambda: {"model": linear(), "lr": 1e-3, "betas": (0.9, 0.99), "weight_decay": 0.1},
        accepts=(ANY_RATE, DECAY, ("betas", "item zero, item tiny", "no memory")
                 , ("model", "another model", "any module with parameters")),
    ),
    "training.autocast": Example(
        lambda: {"precision": "float32", "device": torch.device("cpu")},
    ),
    "training.bits_per_byte": Example(
        lambda: {"total_nats": 3.5, "n_bytes": 2},
        accepts=(("total_nats", "zero, tiny, huge, inf", "a text of any probability"), ("n_bytes", "huge", "any text")),
    ),
    "training.cosine_schedule": Example(
        lambda: {"step": 3, "max_steps": 10, "warmup": 2, "final": 0.1},
        accepts=(STEPS, ("warmup", "zero", "none"), ("final", "zero, tiny", "down to nothing")),
    ),
    "training.linear_schedule": Example(
        lambda: {"step": 3, "max_steps": 10, "warmup": 2, "final": 0.1},
        accepts=(STEPS, ("warmup", "zero", "none"), ("final", "zero, tiny", "down to nothing")),
    ),
    "training.encode_pairs": Example(
        lambda: {"pairs": [(["one"], ["two", "one"])], "source_vocabulary": Vocabulary(WORDS),
             "target_vocabulary": Vocabulary(WORDS)},
        accepts=(("pairs", "empty", "no pairs"),),
        parts=("tokens",),
    ),
    **{
        f"training.{name}": Example(
            lambda name=name: (getattr(training, name), {"outputs": ["ein haus"], "references": ["ein haus"]}),
            accepts=(("*", "item empty, item other text", "any text"),),
        )
        for name in ("exact_match", "bleu", "chrf")
    },
    "training.example_batches": Example(
        lambda: {"examples": (floats(5, 2), ids(5)), "batch_size": 2,
                                            "generator": generator()},
        accepts=(("examples", "item *nan, item *inf, item dtype, item float16, item huge, item negative, item zero",
                  "tensors of any content"),
                 ("examples", "item complex, item device, item one dimension less, item longer 1, item empty 1, "
                  "item transposed", "tensors of any content"),),
    ),
    "training.fit": Example(
        _fit,
        accepts=(
            ("clip_norm", "huge, tiny", "any norm above 0"),
            ("*_every", "huge", "after the last step"),
            ("checkpoint", "missing", "folders are made"),
            ("batches", "returns None", "a batch is whatever `loss` takes"),
            ("stop", "returns None", "as good as False"),
        ),
        parts=("batch",),
    ),
    "training.launching.torchrun": Example(
        lambda: (_torchrun, {"script": _script(), "processes": 2, "timeout": 60.0}),
    ),
    "training.scaling_layouts.layout_rows": Example(lambda: {"device": "H100"}),
    "training.scaling_layouts.layout_table": Example(lambda: {"device": "H100"}),
    "training.label_smoothed_kl": Example(
        lambda: {"logits": floats(2, 3, 5), "targets": ids(2, 3, low=1, high=5), "smoothing": 0.1, "ignore_index": 0},
        accepts=(
            ("logits", "longer 2", "any number of classes"),
            ("logits", *VALUES),
            ("smoothing", "zero, tiny", "no smoothing"),
            ("ignore_index", "negative, huge, zero", "any index"),
        ),
    ),
    "training.load_checkpoint": Example(
        lambda: dict(zip(("path", "model"), _checkpoint(), strict=True))
                 | {"vocabulary": list(WORDS)},
        parts=("checkpoint",),
    ),
    "training.load_recorded": Example(lambda: {"name": "run", "folder": _recorded()}),
    "training.recorded_seconds": Example(
        lambda: {"name": "run", "what": "fit", "folder": _recorded()},
        accepts=(("*", "missing, other text, empty", "None: it was not recorded"),),
    ),
    "training.muon": Example(
        lambda: {"model": linear(), "lr": 0.02, "adamw_lr": 0.003, "momentum": 0.95, "weight_decay": 0.1}
        | {"bfloat16": True},
        accepts=(ANY_RATE, DECAY, ("adamw_lr", "zero, tiny, huge", "any rate"), ("momentum", "zero, tiny", "none"),
                 ("model", "another model", "any module with linear layers")),
    ),
    "training.noam_schedule": Example(
        lambda: {"step": 3, "embed_dim": 16, "warmup": 5},
        accepts=(STEPS, ("warmup", "huge", "any number")),
    ),
    "training.pad": Example(
        lambda: {"rows": [[3, 4], [5]], "pad_id": 0},
        accepts=(("pad_id", "negative, zero, huge", "any id"), ("rows", *ANY_IDS)),
    ),
    "training.pair_batches": Example(
        lambda: {"pairs": [([3], [1, 2]), ([4, 5], [1, 3, 2])], "batch_size": 1, "generator": generator()},
        accepts=(("pairs", *ANY_IDS),),
    ),
    "training.read_recipe": Example(lambda: {"path": _checkpoint()[0]}),
    "training.save_checkpoint": Example(
        lambda: {"path": _own_folder() / "saved", "model": linear(), "recipe": {"seed": 3}, "vocabulary": list(WORDS)},
        accepts=(
            ("path", "missing", "folders are made"),
            ("model", "another model", "any module"),
            ("recipe", "empty, value *", "any JSON value"),
            ("vocabulary", "empty, item empty, item other text", "any tokens"),
        ),
    ),
    "training.scheduled_sampling_logits": Example(
        lambda: {"model": things.seq2seq(), **_translation(), "ratio": 0.5, "generator": generator()},
        accepts=(("ratio", "zero, tiny", "the model's own tokens only"),
                 ("target", "longer 1", "any length"), ("source", "longer 1", "any length")),
        parts=("ids",),
    ),
    "training.teacher_forcing": Example(
        lambda: (training.teacher_forcing, {"model": things.seq2seq(), "batch": (ids(2, 4), things.target())}),
        accepts=(("batch", "item longer 1", "any length"),),
        parts=("source", "target"),
    ),
    "training.teacher_forcing_ratio": Example(
        lambda: {"step": 3, "schedule": "linear", "k": 0.9, "slope": 0.1, "least": 0.2},
        accepts=(STEPS, ("slope", "zero, tiny, huge", "any slope"), ("least", "zero, tiny", "down to nothing")),
        frees=(("least", "zero", "`k` may be as small"), ("least", "tiny", "`k` may be as small")),
    ),
    "training.masked_batches": Example(
        lambda: {"ids": ids(50), "batch_size": 2, "length": 7, "cls_id": 0, "sep_id": 1, "mask_id": 2, "vocab_size": 13,
             "special_ids": (0, 1), "share": 0.2, "generator": generator()},
        accepts=(("ids", "longer 0", "any length"), ("ids", "kind: list", "a list of ids"),
                 ("ids", "negative, huge", "ids are not read as a whole"), ("ids", "device", "on any device"),
                 ("*_id", "zero", "an id"), ("special_ids", "empty, item zero", "an id, or no further ones"),
                 ("share", "tiny", "as good as no token")),
    ),
    "training.token_batches": Example(
        lambda: {"ids": ids(50), "batch_size": 2, "length": 5, "shuffle": True, "generator": generator()},
        accepts=(("ids", "longer 0", "any length"), ("ids", "kind: list", "a list of ids"),
                 ("ids", "negative, huge", "ids are not read as a whole"), ("ids", "device", "on any device")),
    ),
}  # fmt: skip
