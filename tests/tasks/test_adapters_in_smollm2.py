"""The program in chapter 10's exercises that puts a learner's adapters into SmolLM2; the page itself never runs it."""

import re
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from lmcourse import data, runtime
from lmcourse.models import GPT
from lmcourse.tasks.ch10.low_rank_tuning import task

PAGE = Path(__file__).parents[2] / "texts" / "solutions" / "10_instruction_tuning.md"


@pytest.mark.slow
def test_the_program_trains_the_adapters_and_nothing_else(capsys):
    if not data.is_cached("smollm2"):
        pytest.skip("the model `smollm2` is not on this machine")
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    shorter = {".fit(28)": ".fit(2, progress=False)", "generate(model, ids, 64,": "generate(model, ids, 4,"}
    for whole, part in shorter.items():
        assert program.count(whole) == 1
        program = program.replace(whole, part)
    runtime.seed_everything(0)
    names = {"torch": torch, "F": F, "LowRankTuning": task.reference}
    exec(program, names)
    assert len(capsys.readouterr().out.splitlines()) >= 9
    before = GPT.from_pretrained(next(data.fetch("smollm2").glob("*.gguf"))).state_dict()
    after = names["model"].state_dict()
    changed = {name for name, weight in before.items() if not torch.equal(weight, after[name])}
    assert changed == {f"layers.{n}.attention.{name}.weight" for n in range(30) for name in ("q_proj", "v_proj")}
