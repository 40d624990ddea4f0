"""What must hold for every project, and how those of chapters 00, 05 and 08 are judged, forged evidence among it."""

import ast
import inspect
import math
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from assay import exercises
from assay.outside import answers_to
from lmcourse.exercises import Case, Outcome, Task, find_task
from lmcourse.exercises.running import run_in_time
from lmcourse.exercises.verdict import UNANSWERED, Judge, Verdict
from lmcourse.tasks.ch08 import gpt
from tools.notebooks import answer_cell

PROJECTS = exercises.projects()
SEEDS = (0, 1, 40_503, 2_147_483_659)
LONG = 10.0  # seconds: what a property may take that is tried daily

each_project = pytest.mark.parametrize("name", PROJECTS)


def short_names(task: Task) -> set[str]:
    return {prop.name for prop in task.properties if prop.seconds <= LONG}


@cache
def judge_of(name: str, seed: int) -> Judge:
    """One for all tests: some judges run the right answer once, which takes seconds."""
    task = find_task(name)
    return Judge(task, task.cases(seed))


def verdict_of(task: Task, answer: Callable[..., Any], seed: int = 0) -> Verdict:
    judge = judge_of(task.name, seed)
    return judge.verdict(run_in_time(task, answer, judge.cases))


def test_the_projects_are_there() -> None:
    assert {"SoftmaxClassifier", "SelfAttention", "GPT", "GRPO"} <= set(PROJECTS)


@each_project
def test_properties_are_told_apart(name: str) -> None:
    task = find_task(name)
    names = [prop.name for prop in task.properties]
    assert len(names) == len(set(names)) >= 4
    assert {prop.needs for prop in task.properties} <= {"", *names}
    assert all(len(prop.says) > 30 for prop in task.properties)
    headline = task.headline()
    assert all(f"| {prop.name} | {prop.says} | {prop.points} |" in headline for prop in task.properties)


@pytest.mark.slow
@each_project
def test_right_answers_earn_everything_with_training_too(name: str) -> None:
    task = find_task(name)
    for seed in SEEDS:
        for answer in (task.reference, *(one.function() for one in answers_to(task) if one.right)):
            verdict = verdict_of(task, answer, seed)
            assert (verdict.earned, verdict.reason) == (task.points, "right"), (seed, answer, verdict)


@pytest.mark.slow
@pytest.mark.parametrize("name", exercises.training())
def test_the_bar_of_learning_leaves_room_on_every_seed(name: str) -> None:
    """A class whose seed the course's own answer misses cannot be marked at all."""
    task = find_task(name)
    draw = random.Random(task.name)
    for seed in (draw.getrandbits(62) for _ in range(12)):
        verdict = verdict_of(task, task.reference, seed)
        assert (verdict.earned, verdict.reason) == (task.points, "right"), (seed, verdict)


@pytest.mark.slow
@each_project
def test_each_slip_loses_what_it_should_with_training_too(name: str) -> None:
    task = find_task(name)
    for slip in task.slips:
        verdict = verdict_of(task, slip.answer, SEEDS[2])
        assert set(verdict.wrong) == set(slip.loses), (slip.name, verdict)
        assert slip.reason in verdict.reason, (slip.name, verdict)
        left = [prop.points for prop in task.properties if prop.name not in slip.loses]
        assert verdict.earned == sum(left) < task.points


@each_project
def test_the_starter_has_every_signature_and_is_not_answered(name: str) -> None:
    task = find_task(name)
    cell = answer_cell(task)
    tree = ast.parse(cell)
    assert [node.name for node in tree.body] == [part.__name__ for part in (*task.before, task.reference)]  # type: ignore[attr-defined]
    lines, inside = [], False
    for line in cell.splitlines():
        if "### BEGIN SOLUTION" in line:
            inside = True
            lines.append(line.replace("### BEGIN SOLUTION", "raise NotImplementedError"))
        elif "### END SOLUTION" in line:
            inside = False
        elif not inside:
            lines.append(line)
    names: dict[str, Any] = {"nn": nn, "torch": torch, "F": F}
    exec("\n".join(lines), names)
    starter = names[task.name]
    for name, method in vars(task.reference).items():
        if inspect.isfunction(method):
            assert inspect.signature(vars(starter)[name]) == inspect.signature(method)
    verdict = verdict_of(task, starter)
    assert (verdict.earned, verdict.reason) == (0, UNANSWERED)


# ----------------------------------------------------------------------------------------------------- forged evidence


def _evidence(**kinds: Any) -> Verdict:
    """The verdict on GPT where the evidence of each property is what the forger makes of its case."""
    judge = judge_of("GPT", 0)
    outcomes = [Outcome(value=kinds[item.of](item)) if item.of in kinds else Outcome() for item in judge.cases]
    return judge.verdict(outcomes)


def _causal_shape(item: Case) -> tuple[int, int, int]:
    return (*item.args[2].shape, item.args[1][0])


def _forged_causal(make: Callable[..., torch.Tensor]) -> Callable[[Case], dict[str, torch.Tensor]]:
    def evidence(item: Case) -> dict[str, torch.Tensor]:
        B, T, V = _causal_shape(item)
        last = {name: make(B, V) for name in ("other first token", "first two exchanged")}
        return {"whole": make(B, T, V), "alone": make(B, T, V), "prefixes": make(B, T, V), **last}

    return evidence


def _forged_blocks(make: Callable[..., torch.Tensor]) -> Callable[[Case], dict[str, Any]]:
    def evidence(item: Case) -> dict[str, Any]:
        names = [f"{number}.weight" for number in range(item.args[1][-1])]
        B, V = len(item.args[2]), item.args[1][0]
        return {"whole": make(B, V), "names": names, "changed": make(len(names), B, V), "shared": 0}

    return evidence


def _uniform(*shape: int) -> torch.Tensor:
    return torch.full(shape, -math.log(shape[-1]))


def _noise(*shape: int) -> torch.Tensor:
    return torch.randn(*shape).log_softmax(-1)


def _sure(*shape: int) -> torch.Tensor:
    return torch.zeros(shape)  # every token has probability 1


@pytest.mark.parametrize("make", [_uniform, _noise, _sure, lambda *shape: torch.full(shape, torch.nan)])
def test_numbers_made_up_earn_nothing_that_a_model_must_earn(make: Callable[..., torch.Tensor]) -> None:
    sizes = {"learns": lambda item: make(len(item.args[3]), item.args[1][0]),
             "chance": lambda item: make(*item.args[2].shape, item.args[1][0])}  # fmt: skip
    causal = _forged_causal(make)
    verdict = _evidence(causal=causal, order=causal, **sizes)
    assert {"causal", "chance", "learns", "shapes", "blocks"} <= set(verdict.wrong), verdict
    if make is not _noise:
        assert verdict.earned == 0
        assert "blocks" in _evidence(blocks=_forged_blocks(make)).wrong


def _learning(task: Task, seed: int) -> Case:
    (item,) = [item for item in judge_of(task.name, seed).cases if item.of not in short_names(task)]
    return item


def _perfect(task: Task, seed: int) -> torch.Tensor:
    """What a model that knows the targets of a seed would give."""
    item = _learning(task, seed)
    targets: torch.Tensor = item.truth if isinstance(item.truth, torch.Tensor) else item.truth[0]
    if targets.dim() == 2:  # whole translations
        return targets
    choices = item.args[1] ** item.args[2] if task.name == "GRPO" else item.args[1][0]
    return F.one_hot(targets, choices).double().mul(20).log_softmax(-1).float()


@pytest.mark.parametrize("name", exercises.training())
def test_memorised_numbers_of_another_seed_do_not_pass_for_learning(name: str) -> None:
    """What a right model gave on the public seed, sent for the secret one; and numbers that were made up."""
    task = find_task(name)
    assert task.judge is not None
    perfect = _perfect(task, 0)
    assert task.judge(_learning(task, 0), perfect) is None
    other = _learning(task, 5)
    for forged in (perfect, perfect.roll(1, 0), perfect.flip(-1), torch.zeros_like(perfect)):
        try:
            assert task.judge(other, forged) is not None
        except (ValueError, TypeError):  # not even of the right form: no evidence
            assert forged is not perfect


@each_project
@pytest.mark.parametrize("value", [None, 3, "x", [], {}, {"whole": 1}, torch.zeros(3), [None] * 4, float("nan")])
def test_evidence_of_any_kind_is_judged_and_wrong(name: str, value: Any) -> None:
    task = find_task(name)
    judge = judge_of(task.name, 0)
    verdict = judge.verdict([Outcome(value=value)] * len(judge.cases))
    assert verdict.earned == 0
    assert len(verdict.wrong) == len(task.properties)


def _made_up(value: Any, rng: random.Random) -> Any:
    """The same form with other content: what somebody sends who knows what evidence looks like, and not what it is."""
    if isinstance(value, torch.Tensor):
        noise = torch.randn(value.shape, generator=torch.Generator().manual_seed(rng.randrange(10**6)))
        whole = value.dtype.is_floating_point or value.dtype == torch.bool
        return (noise if whole else (9 * noise).abs()).to(value.dtype)
    if isinstance(value, np.ndarray):
        return np.random.default_rng(rng.randrange(10**6)).normal(size=value.shape).astype(value.dtype)
    if isinstance(value, dict):
        return {key: _made_up(each, rng) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_made_up(each, rng) for each in value)
    if isinstance(value, str):
        return "".join(rng.sample(value, len(value))) + "x"
    return {bool: rng.random() < 0.5, int: rng.randrange(9), float: rng.gauss(0, 1)}.get(type(value), value)


# Sizes and counts are bounds: a small number is within them, whoever says it.
_BOUNDS = {("Tokenizer", "size")}


@each_project
def test_evidence_of_the_right_form_with_made_up_content_is_wrong(name: str) -> None:
    task = find_task(name)
    names, judge = short_names(task), judge_of(task.name, 0)
    tried = [item for item in judge.cases if item.of in names]
    right = dict(zip(map(id, tried), run_in_time(task, task.reference, tried), strict=True))
    rng = random.Random(0)
    left = Outcome(error="TimeLimitError", message="not tried")
    made = [
        Outcome(value=_made_up(right[id(item)].value, rng)) if id(item) in right and not right[id(item)].error else left
        for item in judge.cases
    ]
    assert names - set(judge.verdict(made).wrong) <= {name for of, name in _BOUNDS if of == task.name}


def test_the_targets_of_learning_are_in_nothing_that_goes_into_the_sandbox() -> None:
    item = next(item for item in find_task("GPT").cases(9) if item.of == "learns")

    def text(ids: torch.Tensor) -> str:
        return "".join(gpt._ALPHABET[token] for token in ids.tolist())

    prefixes, targets = [text(row) for row in item.args[3]], text(item.truth[0])
    assert len(targets) == len(prefixes) >= 2_000
    whole = "".join(prefix + target for prefix, target in zip(prefixes, targets, strict=True))
    unseen = gpt._language(9)(random.Random("9 unseen"), len(whole) + 1_000)
    assert unseen.startswith(whole), "prefixes and targets take turns: no target lies in a prefix"
    read = text(item.args[2])
    assert sum(prefix[-50:] in read for prefix in prefixes) < 0.1 * len(prefixes)
