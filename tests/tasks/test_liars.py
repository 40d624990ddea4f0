"""A result that lies about itself, being equal to everything or of another kind than it says, earns nothing."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from assay import exercises
from lmcourse.exercises import Outcome, find_task
from lmcourse.exercises.check import PUBLIC_SEED
from lmcourse.exercises.verdict import Judge


class EqualsAll:
    """Equal to everything, true, and of every size."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 0

    def __len__(self) -> int:
        return 0

    def __float__(self) -> float:
        return float("nan")

    def __sub__(self, other: object) -> "EqualsAll":
        return self

    __rsub__ = __abs__ = __call__ = __getitem__ = __getattr__ = lambda self, *_: self  # type: ignore[assignment]

    def __le__(self, other: object) -> bool:
        return True

    __lt__ = __ge__ = __gt__ = __contains__ = __le__

    def __deepcopy__(self, memo: Any) -> "EqualsAll":
        return self

    def __repr__(self) -> str:
        return "whatever you want"


def _pretender(kind: type) -> Any:
    """Equal to everything, and says that it is a `kind`."""
    return type("Pretender", (EqualsAll,), {"__class__": property(lambda self: kind), "__module__": "numpy"})()


class LyingDict(dict):
    """Has every key, shows none, and equals everything."""

    __eq__, __ne__, __hash__ = EqualsAll.__eq__, EqualsAll.__ne__, EqualsAll.__hash__  # type: ignore[assignment]

    def __contains__(self, key: object) -> bool:
        return True

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __getitem__(self, key: object) -> Any:
        return EqualsAll()


class HidingDict(dict):
    """Holds one key more than it shows."""

    def __iter__(self) -> Iterator[Any]:
        return (key for key in super().__iter__() if key != "hidden")

    def keys(self) -> Any:
        return list(self)


class LyingList(list):
    __eq__, __ne__, __hash__ = EqualsAll.__eq__, EqualsAll.__ne__, EqualsAll.__hash__  # type: ignore[assignment]
    __len__ = EqualsAll.__len__
    __getitem__ = EqualsAll.__getitem__  # type: ignore[assignment]


class LyingArray(np.ndarray):
    __eq__ = EqualsAll.__eq__  # type: ignore[assignment]
    __ne__ = EqualsAll.__ne__  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return True


class LyingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return True


def _liars(wanted: Any) -> list[Any]:
    """Wrong results dressed up as the one that is wanted."""
    liars: list[Any] = [EqualsAll(), LyingDict(hidden=1), LyingList([1])]
    liars += [_pretender(kind) for kind in (bool, float, np.float64, str, dict, list, set, np.ndarray, torch.Tensor)]
    if isinstance(wanted, dict):
        liars += [HidingDict({**wanted, "hidden": 1})]
        liars += [dict.fromkeys(wanted, EqualsAll())] if wanted else []
    if isinstance(wanted, (list, tuple)) and len(wanted):
        liars += [[EqualsAll()] * len(wanted), type(wanted)(EqualsAll() for _ in wanted)]
    if isinstance(wanted, np.ndarray):
        objects = np.empty(wanted.shape, dtype=object)
        objects.fill(EqualsAll())
        liars += [objects, np.ma.masked_all(wanted.shape)]
        if wanted.size and wanted.dtype.kind in "biuf" and not (wanted.dtype.kind == "f" and np.isnan(wanted).all()):
            liars += [(1 - wanted.astype(float)).astype(wanted.dtype).view(LyingArray)]
        if wanted.size and wanted.dtype.kind == "f" and np.isfinite(wanted).all():
            liars += [np.full_like(wanted, np.nan), np.full_like(wanted, np.inf)]
    if isinstance(wanted, torch.Tensor):
        liars += [wanted.detach().to("meta")]
        if wanted.numel() and not wanted.is_complex():
            other = ~wanted if wanted.dtype == torch.bool else (1 - 3 * wanted.detach().double()).to(wanted.dtype)
            liars += [other.as_subclass(LyingTensor)]
        if wanted.numel() and wanted.is_floating_point() and wanted.isfinite().all():
            liars += [torch.full_like(wanted, float("nan")), wanted.detach().to_sparse() * float("nan")]
    return liars


NAMES = [name for name in exercises.names() if name not in exercises.projects()]
DAILY = {*exercises.names("00"), *exercises.names("05")}  # numbers, lists, arrays, tensors


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in DAILY else pytest.mark.slow) for name in NAMES]
)
def test_an_answer_that_lies_about_itself_earns_nothing(name: str) -> None:
    task = replace(find_task(name), slips=())
    judge = Judge(task, task.cases(PUBLIC_SEED))
    right = judge.wanted
    for place, outcome in enumerate(right):
        for liar in [EqualsAll()] if outcome.error else _liars(outcome.value):
            outcomes = [*right[:place], Outcome(value=liar), *right[place + 1 :]]  # all right but for one lie
            assert not judge.verdict(outcomes).passed, (judge.cases[place].label, type(liar))
