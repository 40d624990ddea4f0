"""Mark a class: every submission once, in as many processes as wanted, and go on where a killed run stopped."""

import contextlib
import gc
import hashlib
import hmac
import itertools
import json
import multiprocessing
import os
import secrets
import shlex
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import torch
from filelock import FileLock, Timeout

import lmcourse
from lmcourse import atomic
from lmcourse.grader import sandbox, term, weaker
from lmcourse.grader.bubblewrap import NoSandboxError, in_sight
from lmcourse.grader.marking import Marker
from lmcourse.grader.page import Edition, Page, assignments, load_page
from lmcourse.grader.results import Result, Store
from lmcourse.grader.sandbox import Limits, SandboxBrokenError
from lmcourse.grader.submissions import (
    CLAIMED,
    Answers,
    Submission,
    UngradableError,
    find_submissions,
    read_answers,
    read_submission,
    submitted_at,
)
from lmcourse.grader.term import Term, in_term, read_term

STATE = "state"


class GradingError(Exception):
    """The class cannot be marked; the message is all that the teacher needs."""


@dataclass(frozen=True)
class Classroom:
    """What is to be marked, and how.

    Attributes:
        submissions: the folder with STUDENT/ASSIGNMENT/.
        out: the folder for everything that is written.
        course: the folder with the course's exercises and solutions.
        chapter: mark only assignments whose names start so.
        jobs: how many submissions are marked at the same time.
        only: mark this student's submissions, anew, and nobody else's.
        seed_file: a file with the secret seed; without it one is made, and kept under `out`.
        unsafe: run answers without a sandbox.
        weaker: run them in the weaker sandbox, for places without namespaces.
    """

    submissions: Path
    out: Path
    course: Path
    chapter: str | None = None
    jobs: int = 1
    only: str | None = None
    seed_file: Path | None = None
    unsafe: bool = False
    weaker: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def store(self) -> Store:
        return Store(self.out / STATE)

    @cached_property
    def term(self) -> Term:
        """What the class has agreed on.

        Raises:
            GradingError: its file says what no term has.
        """
        try:
            return read_term(self.out / term.NAME)
        except ValueError as error:
            raise GradingError(str(error)) from error

    def page(self, name: str) -> Page:
        """An assignment of the course, in the points of the class.

        Raises:
            GradingError: the course is not whole, or the class gives points for what it does not have.
        """
        try:
            return in_term(load_page(self.course, name), self.term.rules(name))
        except ValueError as error:
            raise GradingError(str(error)) from error

    def editions(self, page: Page) -> list[Edition]:
        """What the page's check cells were when the class was marked before, and what they are now; kept on disk."""
        path = self.out / STATE / page.name / "editions"
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        now = {label: list(check) for label, check in page.checks.items()}
        if now not in known:
            known.append(now)
            path.parent.mkdir(parents=True, exist_ok=True)
            atomic.write(path, json.dumps(known) + "\n")
        return [{label: (points, source) for label, (points, source) in edition.items()} for edition in known]


def mark_class(room: Classroom, tell: Callable[[str], None] = print) -> list[Result]:
    """Mark what is not marked yet, and return the results of all, by assignment and student.

    Each result is on disk before the next submission is begun, so that a killed run loses at most those at work.

    Raises:
        GradingError: nothing can be read, or nothing written.
        NoSandboxError, SandboxBrokenError: answers cannot be run here.
    """
    try:
        _make_private(room.out)
        (room.out / STATE).mkdir(parents=True, exist_ok=True)
        with FileLock(room.out / STATE / "lock", timeout=0):
            atomic.remove_leftovers(room.out, older_than_s=0)  # nobody else is at work here
            sandbox.remove_leftovers()
            return _mark_class(room, tell)
    except Timeout:
        raise GradingError(f"another `lmcourse grade` is at work in {room.out}.") from None
    except OSError as error:
        message = error.strerror or str(error)
        raise GradingError(
            f"{error.filename or room.out} cannot be used: {message}. Run the same command again after."
        ) from error


def _make_private(folder: Path) -> None:
    """Make the folder of marks so that only its owner can look in, whatever the umask; one that is there stays."""
    if not folder.exists():
        folder.mkdir(parents=True)
        folder.chmod(0o700)


def _mark_class(room: Classroom, tell: Callable[[str], None]) -> list[Result]:
    try:
        everything = find_submissions(room.submissions, room.chapter)
    except (NotADirectoryError, ValueError) as error:
        raise GradingError(str(error)) from error
    if not everything:
        raise GradingError(f"nobody handed in an assignment {room.chapter or ''}... in {room.submissions}.")
    if room.only is not None and room.only not in {submission.student for submission in everything}:
        raise GradingError(f"`--only` must name a student's folder in {room.submissions}, got {room.only!r}.")
    seed = _seed(room)
    if not room.unsafe:
        _keep_out_of_sight(room)
    known, results = assignments(room.course), []
    for name in sorted({submission.assignment for submission in everything}):
        class_ = [submission for submission in everything if submission.assignment == name]
        if name in known:
            results += _mark_assignment(room, room.page(name), seed, class_, tell)
        else:
            results += [_unknown(submission) for submission in class_ if submission.folder is not None]
    return results


def _mark_assignment(
    room: Classroom, page: Page, seed: int, class_: list[Submission], tell: Callable[[str], None]
) -> list[Result]:
    finger = _Fingerprint(page, seed, room.limits)
    todo: list[Submission] = []
    suspects: list[Submission] = []
    for submission in class_:
        known, now = room.store.read(submission), finger.of(_content(submission))
        if room.only is not None:
            todo += [submission] if submission.student == room.only else []
        elif known is None or known.fingerprint != now:
            (suspects if room.store.deaths(submission, now) else todo).append(submission)
    if todo or suspects:
        known_before = len(class_) - len(todo) - len(suspects)
        done = f", {known_before} marked before" if known_before and room.only is None else ""
        tell(f"{page.name}: {len(todo) + len(suspects)} submissions to mark{done}")
        worker = _Worker(room, page, seed, finger)
        marked = _shared_out(worker, todo, min(room.jobs, len(todo)))
        alone = _shared_out(worker, suspects, 1)  # last: should they end the command again, the others are marked
        for submission, result in itertools.chain(marked, alone):
            tell(f"  {submission.student}: {_line(result)}")
    found = [room.store.read(submission) for submission in class_]
    if room.only is None and any(result is None for result in found):
        raise GradingError(f"a result under {room.out / STATE} has vanished; run the same command again.")
    return [result for result in found if result is not None]


def _line(result: Result) -> str:
    if result.status in ("ungradable", "absent"):
        return f"{result.status}: {result.why}"
    look = f", to look at: {', '.join(task.task for task in result.undecided)}" if result.undecided else ""
    return f"{result.earned:g} of {result.points}{look}"


def _content(submission: Submission) -> bytes | UngradableError:
    try:
        return read_submission(submission)
    except UngradableError as error:
        return error


class _Fingerprint:
    """Tells whether something was marked before, on the same cases, by the same course, under the same limits."""

    def __init__(self, page: Page, seed: int, limits: Limits) -> None:
        engine = hashlib.sha256()
        library = Path(lmcourse.__file__).parent
        for room in ("exercises", "grader", "tasks"):
            for path in sorted(library.glob(f"{room}/**/*.py")):
                engine.update(path.read_bytes())
        self._key = str(seed).encode()
        parts = [page.digest, lmcourse.__version__, engine.hexdigest(), json.dumps(asdict(limits))]
        self._fixed = "\n".join(parts).encode()

    def of(self, content: bytes | UngradableError | Answers) -> str:
        if isinstance(content, Answers):
            body = json.dumps([content.sources, content.python, content.missing, content.extra]).encode()
        else:
            body = content if isinstance(content, bytes) else f"ungradable: {content}".encode()
        return hmac.new(self._key, self._fixed + b"\n" + body, "sha256").hexdigest()


class _Worker:
    """Where one process marks: opens its sandbox when the first submission needs it."""

    def __init__(self, room: Classroom, page: Page, seed: int, finger: _Fingerprint, slot: int = 0) -> None:
        self.room, self.page, self.seed, self.finger, self.slot = room, page, seed, finger, slot
        self.editions = room.editions(page)
        self._marker: Marker | None = None

    def at(self, slot: int) -> "_Worker":
        return _Worker(self.room, self.page, self.seed, self.finger, slot)

    def close(self) -> None:
        if self._marker is not None:
            self._marker.__exit__()
            self._marker = None

    def mark(self, submission: Submission) -> Result:
        """Mark one submission and keep the result; one that has killed the whole command again and again is left."""
        begun, content = time.monotonic(), _content(submission)
        fingerprint, before = self.finger.of(content), self.room.store.read(submission)
        deaths = self.room.store.deaths(submission, fingerprint)
        if deaths >= _DEATHS and self.room.only is None:
            why = (
                f"`lmcourse grade` was killed {deaths} times while this was at work; "
                f"`--only {shlex.quote(submission.student)}` tries once more"
            )
            result = Result(submission.student, submission.assignment, "ungradable", why)
        else:
            with self.room.store.at_work(submission, fingerprint):
                result = self._result(submission, content, None if self.room.only else before)
        result.fingerprint = fingerprint
        time_ = submitted_at(submission)
        result.handed_in = time_.isoformat(timespec="seconds") if time_ else ""
        claimed = submitted_at(submission, CLAIMED)
        if time_ and claimed and abs(time_ - claimed) > timedelta(minutes=1):
            result.notes.append(f"the student's own clock said {claimed:%Y-%m-%d %H:%M:%S} UTC")
        result.points = self.page.points_of(
            [task.task for task in result.tasks] or [task.name for task in self.page.tasks]
        )
        result.manual_points = sum(self.page.manual.values()) if result.status in ("marked", "look") else 0.0
        result.seconds = round(time.monotonic() - begun, 3)
        _count_attempt(result, before)
        self.room.store.write(submission, result)
        self.room.store.log(submission, result)
        return result

    def _result(self, submission: Submission, content: bytes | UngradableError, before: Result | None) -> Result:
        if isinstance(content, UngradableError):
            status = "absent" if submission.folder is None else "ungradable"
            return Result(submission.student, submission.assignment, status, str(content))
        digest = hashlib.sha256(content).hexdigest()
        try:
            answers = read_answers(content, self.page, self.editions)
        except UngradableError as error:
            return Result(submission.student, submission.assignment, "ungradable", str(error), content=digest)
        except Exception as error:  # whatever a file may hold, the others are marked
            why = f"the notebook cannot be taken apart ({type(error).__name__})"
            return Result(submission.student, submission.assignment, "ungradable", why, content=digest)
        result = Result(submission.student, submission.assignment, "marked", content=digest, notes=answers.notes)
        result.answers, result.manual, result.judged = answers.sources, answers.manual, self.finger.of(answers)
        if before is not None and before.tasks and before.judged == result.judged:
            result.tasks = before.tasks  # the same answers keep what was decided
        else:
            self._judge(result, answers)
        if answers.not_asked:
            result.tasks = [task for task in result.tasks if task.task not in answers.not_asked]
            names = ", ".join(answers.not_asked)
            result.notes.append(f"an earlier edition of the page, which did not ask for {names}: not counted")
        _list_changes(result, before)
        result.notes += [f"{task.task}: {task.note}" for task in result.tasks if task.note]
        if self.room.weaker or self.room.unsafe:
            result.notes.append(f"marked in {weaker.NAME}" if self.room.weaker else "marked without a sandbox")
        if result.undecided:
            result.status = "look"
        return result

    def _judge(self, result: Result, answers: Answers) -> None:
        """Have the answers judged; what goes wrong on the way is said in the result."""
        for last in (False, True):
            try:
                result.tasks = self._open().mark(answers)
                break
            except SandboxBrokenError as error:
                self.close()  # a new one proves itself before it goes on
                if last:
                    self._open()
                    result.status, result.why = "ungradable", f"the sandbox broke down twice while it ran: {error}"
            except (OSError, NoSandboxError):
                raise
            except Exception as error:  # a fault in judging this one must not cost the others their marks
                self.close()
                message = " ".join(f"{type(error).__name__}: {error}".split())[:200]
                result.status, result.why = "ungradable", f"its answers could not be judged ({message})"
                break

    def _open(self) -> Marker:
        if self._marker is None:
            how: dict[str, Any] = {"unsafe": self.room.unsafe, "weaker": self.room.weaker, "slot": self.slot}
            marker = Marker(self.page, self.seed, self.room.limits, **how)
            self._marker = marker.__enter__()
        return self._marker


def _list_changes(result: Result, before: Result | None) -> None:
    """Keep which marks changed though the notebook did not: the course did."""
    if before is None or before.content != result.content:
        return
    result.changed = list(before.changed)
    was, now = ({task.task: task for task in one.tasks} for one in (before, result))
    for task in was.keys() & now.keys():
        if was[task].earned * now[task].points != now[task].earned * was[task].points:  # not the points alone
            told = (f"{one.earned:g} of {one.points:g}" for one in (was[task], now[task]))
            result.changed.append([f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}", task, *told])


def _count_attempt(result: Result, before: Result | None) -> None:
    if before is None or before.status == "absent":
        return
    result.attempt, result.earlier = before.attempt, before.earlier
    if before.content != result.content:
        result.attempt += 1
        kept = {
            "earned": before.earned,
            "points": before.points,
            "status": before.status,
            "handed_in": before.handed_in,
        }
        result.earlier = [*before.earlier, kept]


def _unknown(submission: Submission) -> Result:
    """Not kept on disk: nothing but a name of anybody's making is known of it."""
    why = f"this course (lmcourse {lmcourse.__version__}) has no assignment {submission.assignment}"
    return Result(submission.student, submission.assignment, "ungradable", why)


# --------------------------------------------------------------------------------------------------------- processes


_DEATHS = 3  # whoever kills the command at random hardly meets the same submission so often
_AHEAD = 2  # submissions that a process has been given: with the next one at hand it need not wait for it


def _shared_out(worker: _Worker, todo: Sequence[Submission], jobs: int) -> Iterator[tuple[Submission, Result]]:
    """Mark in `jobs` processes; each takes the next one when it is done."""
    if jobs <= 1:
        try:
            for submission in todo:
                yield submission, worker.mark(submission)
        finally:
            worker.close()
        return
    context: Any = multiprocessing.get_context("fork" if sys.platform != "darwin" else "spawn")
    pipes: list[Any] = []
    processes: list[Any] = []
    try:
        for slot, core in enumerate(_cores(jobs)):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, worker.at(slot), core), daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        yield from _hand_out(pipes, todo)
    finally:
        for pipe in pipes:
            with contextlib.suppress(OSError):
                pipe.send(None)
        for process in processes:
            process.join(15)
            if process.is_alive():
                process.kill()


def _hand_out(pipes: list[Any], todo: Sequence[Submission]) -> Iterator[tuple[Submission, Result]]:
    waiting = deque(todo)
    given: dict[Any, deque[Submission]] = {pipe: deque() for pipe in pipes}

    def give(pipe: Any) -> None:
        if waiting:
            given[pipe].append(waiting.popleft())
            pipe.send(given[pipe][-1])

    for pipe in _AHEAD * pipes:
        give(pipe)
    while busy := [pipe for pipe in pipes if given[pipe]]:
        ready: list[Any] = wait(busy)
        for pipe in ready:
            try:
                answer = pipe.recv()
            except EOFError:
                raise GradingError("a marking process was killed; run the same command again to go on.") from None
            if isinstance(answer, Exception):
                raise answer
            give(pipe)
            yield given[pipe].popleft(), answer


def _cores(jobs: int) -> list[int | None]:
    """A core for each process where there are as many of them as cores.

    What a process asks and its sandbox answers goes back and forth some thirty times a submission: on one core that
    is cheap, and two of them that share two cores lose a tenth of their time to it.
    """
    cores = sorted(os.sched_getaffinity(0)) if sys.platform.startswith("linux") else []
    return list(cores) if len(cores) == jobs else [None] * jobs


def _work(pipe: Connection, worker: _Worker, core: int | None) -> None:
    _die_with_parent()
    if core is not None:
        with contextlib.suppress(OSError):  # it may have been taken away meanwhile
            os.sched_setaffinity(0, {core})
    gc.freeze()  # what was there before the fork is not looked through again and again
    torch.set_num_threads(1)  # a team of threads that the parent had is not there after a fork: it would be waited for
    try:
        while submission := pipe.recv():
            pipe.send(worker.mark(submission))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        pass
    except (OSError, NoSandboxError, SandboxBrokenError) as error:
        pipe.send(error)
    finally:
        worker.close()


def _die_with_parent() -> None:
    if sys.platform.startswith("linux"):
        import ctypes
        import signal

        parent = os.getppid()
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)


# ---------------------------------------------------------------------------------------------------------- the seed


def _seed(room: Classroom) -> int:
    """The secret seed: from the teacher's file, else one made once for this folder."""
    path = room.seed_file or room.out / STATE / "seed"
    if room.seed_file is None and not path.exists():
        made = os.open(path.with_name("seed.new"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(made, "w") as out:
            out.write(f"{secrets.randbits(62)}\n")
        os.replace(path.with_name("seed.new"), path)
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not (text.isascii() and text.isdecimal() and int(text[:30]) < 2**63):
        raise GradingError(f"{path} must hold the secret seed, a whole number below 2**63, and nothing else.")
    return int(text)


def _keep_out_of_sight(room: Classroom) -> None:
    library = Path(lmcourse.__file__).parent
    for place in (room.submissions, room.out, room.course, *([room.seed_file] if room.seed_file else [])):
        shown = in_sight(place)
        if shown and not Path(os.path.realpath(place)).is_relative_to(os.path.realpath(library)):
            raise GradingError(f"{place} lies in {shown}, which answers could read in the sandbox; move it elsewhere.")
