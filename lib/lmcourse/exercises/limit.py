"""Stop an answer that runs too long in the learner's own kernel.

What is limited is processor time, so that a busy machine fails nobody; a clock with ten times the limit ends what only
waits. On Linux and macOS the system's timers interrupt the main thread, on Windows a thread does. What cannot be
interrupted is one long call that is written in C and never looks up, such as `sum(range(10**12))` (Python's big
integers and regular expressions do look up), and code that catches every exception, the interruption too.
"""

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

_AGAIN_S = 0.5  # an answer may have caught the first interruption
CLOCK = 10.0  # times the processor time: where the clock ends what only waits


class TimeLimitError(BaseException):
    """An answer took more time than its task allows. Not an Exception, so that `except Exception` does not catch it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError in the block once it has taken so much processor time.

    Outside of the main thread, which alone can be interrupted, there is no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
    elif hasattr(signal, "setitimer"):
        with _by_timers(seconds):
            yield
    else:
        with _by_thread(CLOCK * seconds):
            yield


@contextlib.contextmanager
def _by_timers(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeLimitError

    timers = (
        (signal.ITIMER_PROF, signal.SIGPROF, seconds),
        (signal.ITIMER_REAL, signal.SIGALRM, CLOCK * seconds),
    )
    before = [signal.signal(kind, ring) for _, kind, _ in timers]
    try:
        for timer, _, limit in timers:
            signal.setitimer(timer, limit, _AGAIN_S)
        yield
    finally:
        for (timer, kind, _), handler in zip(timers, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(kind, handler)


@contextlib.contextmanager
def _by_thread(seconds: float) -> Iterator[None]:
    rang = threading.Event()

    def ring() -> None:
        rang.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores interruptions
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if rang.is_set():
            raise TimeLimitError from None
        raise
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
