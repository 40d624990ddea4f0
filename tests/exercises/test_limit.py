"""An answer that never ends, or takes far too long, costs a learner some seconds and not the kernel."""

import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lmcourse.exercises import check, find_task
from lmcourse.exercises.check import CheckFailedError
from lmcourse.exercises.limit import TimeLimitError, _by_thread, time_limit
from lmcourse.exercises.running import run_in_time

unix = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")


def endless() -> None:
    while True:
        pass


def stubborn() -> None:
    """Catches what it can."""
    for _ in range(2):
        try:
            endless()
        except BaseException:
            continue
    endless()


@unix
@pytest.mark.parametrize("work", [endless, stubborn, lambda: 9**9**9], ids=["loop", "stubborn", "power"])
def test_processor_time_is_limited(work: Callable[[], Any]) -> None:
    begun = time.process_time()
    with pytest.raises(TimeLimitError), time_limit(0.3):
        work()
    assert time.process_time() - begun < 10


@unix
def test_waiting_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lmcourse.exercises.limit.CLOCK", 2.0)
    with pytest.raises(TimeLimitError), time_limit(0.2):
        time.sleep(600)


@unix
def test_what_is_in_time_is_left_alone_and_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)
    with time_limit(5.0):
        assert sum(range(1000)) == 499_500
    assert (signal.getsignal(signal.SIGPROF), signal.getsignal(signal.SIGALRM)) == before
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


@pytest.mark.parametrize("handler", [signal.default_int_handler, signal.SIG_IGN], ids=["foreground", "background"])
def test_where_there_are_no_timers_a_thread_interrupts(handler: Any) -> None:
    before = signal.signal(signal.SIGINT, handler)
    try:
        _interrupted_by_a_thread()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupted_by_a_thread() -> None:
    with pytest.raises(TimeLimitError), _by_thread(0.3):
        endless()
    with pytest.raises(KeyboardInterrupt), _by_thread(60.0):
        raise KeyboardInterrupt


def test_another_thread_has_no_limit() -> None:
    done = []

    def work() -> None:
        with time_limit(0.001):
            time.sleep(0.05)
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]


@unix
def test_an_answer_that_prints_without_end_is_told_its_line_and_not_that_it_loops() -> None:
    def prints(scores: Any, banned: Any) -> None:
        [print(end="") for _ in iter(int, 1)]  # one line, wherever the interruption comes

    task = replace(find_task("softmax"), seconds=0.3)
    first = run_in_time(task, prints, task.cases(0))[0]
    assert first.message == "it was still running after 0.3 seconds of processor time (it prints too much?)"
    assert first.line.startswith(" (in the line `[print(")


@unix
def test_check_says_so_and_keeps_the_kernel(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv("LMCOURSE_STATE", str(tmp_path / "progress.json"))
    quick = replace(find_task("softmax"), seconds=0.3)
    monkeypatch.setattr(sys.modules["lmcourse.exercises.check"], "find_task", lambda name: quick)
    with pytest.raises(CheckFailedError, match=r"still running after 0\.3 seconds of processor time"):
        check("softmax", lambda scores, banned: endless())
    assert check("softmax", quick.reference).passed
