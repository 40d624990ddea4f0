"""Project `ring_all_reduce`: the sum of all processes, from sending to the right and receiving from the left."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties


def ring_all_reduce(rank, world, values):
    """Take part in an all-reduce: a generator that every process of a ring runs.

    `received = yield message` sends a tensor to the right neighbour, process (rank + 1) % world, and waits for what the
    left neighbour sends in the same step. All processes take their steps together.

    Args:
        rank: of this process, 0 to world - 1.
        world: the number of processes, at least 1.
        values: this process's numbers, (P,); as many in every process. P need not divide by world, and may be less.

    Returns:
        The sum over all processes, (P,), a new tensor; `values` stay as they are.

    >>> alone = ring_all_reduce(0, 1, torch.tensor([3.0, 4.0]))
    >>> try:
    ...     next(alone)
    ... except StopIteration as finished:
    ...     print(finished.value)
    tensor([3., 4.])
    """
    chunks = list(values.clone().tensor_split(world))
    for step in range(world - 1):  # sums travel to the right and grow
        received = yield chunks[(rank - step) % world]
        chunks[(rank - step - 1) % world] = chunks[(rank - step - 1) % world] + received
    for step in range(world - 1):  # finished chunks travel on
        received = yield chunks[(rank + 1 - step) % world]
        chunks[(rank - step) % world] = received
    return torch.cat(chunks)


def run(answer: Callable[..., Any], what: str, inputs: list[Tensor]) -> Any:
    """Run a ring of as many processes as there are inputs, step by step; return the evidence for a property.

    For "heard", each process runs once more, alone: it has twice its numbers and hears twice what it heard before. Then
    the sum is twice as large, unless it was made of something else than messages.

    Raises:
        RuntimeError: not all processes take part in a step, or they take too many.
    """
    given = [values.clone() for values in inputs]
    workers: list[Iterator[Tensor]] = [answer(rank, len(inputs), values) for rank, values in enumerate(given)]
    results: list[Any] = [None] * len(inputs)
    numbers, steps = [0] * len(inputs), 0
    inbox: list[Any] = [None] * len(inputs)
    heard: list[list[Tensor]] = [[] for _ in inputs]
    for _ in range(6 * len(inputs) + 6):
        messages: dict[int, Tensor] = {}
        for rank, worker in enumerate(workers):
            try:
                messages[rank] = worker.send(inbox[rank])  # type: ignore[attr-defined]
            except StopIteration as finished:
                results[rank] = finished.value
        if not messages:
            break
        if len(messages) < len(inputs):
            raise RuntimeError(f"processes {sorted(messages)} wait for a neighbour that has finished")
        for rank, message in messages.items():
            numbers[rank] += message.numel()
            inbox[(rank + 1) % len(inputs)] = message.clone()
            heard[(rank + 1) % len(inputs)].append(2 * message)
        steps += 1
    else:
        raise RuntimeError("the processes do not come to an end")
    if what == "heard":
        return [
            _alone(answer(rank, len(inputs), 2 * values), messages)
            for rank, (values, messages) in enumerate(zip(inputs, heard, strict=True))
        ]
    if what == "traffic":
        return numbers
    if what == "steps":
        return steps
    if what == "clean":
        shared = [result.data_ptr() == values.data_ptr() for result, values in zip(results, given, strict=True)]
        kept = [torch.equal(values, before) for values, before in zip(given, inputs, strict=True)]
        return {"leaves `values` as they are": kept, "shares its memory with `values`": shared}
    return results


def _alone(worker: Any, messages: list[Tensor]) -> Any:
    """What a process returns that hears these messages."""
    try:
        for message in [None, *messages]:
            worker.send(message)
    except StopIteration as finished:
        return finished.value
    raise RuntimeError("a process that hears the same number of messages again does not come to an end")


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def ring(world: int, P: int) -> list[Tensor]:
        return [torch.randn(P, generator=generator, dtype=torch.float64) for _ in range(world)]

    return [
        probe("sum", "two processes", "sum", ring(2, 6)),
        probe("sum", "three processes", "sum", ring(3, 6)),
        probe("sum", "five processes", "sum", ring(5, 20)),
        probe("sum", "four processes, a number each", "sum", ring(4, 4)),
        probe(
            "sum",
            "each of three processes again, with twice its numbers, hearing twice what it heard",
            "heard",
            ring(3, 6),
        ),
        probe("uneven", "seven numbers in three processes", "sum", ring(3, 7)),
        probe("uneven", "eleven numbers in four processes", "sum", ring(4, 11)),
        probe("uneven", "two numbers in five processes", "sum", ring(5, 2)),
        probe("alone", "one process", "sum", ring(1, 5)),
        probe("alone", "one process sends nothing", "traffic", ring(1, 5)),
        probe("alone", "one process takes no step", "steps", ring(1, 5)),
        probe("traffic", "two processes", "traffic", ring(2, 6)),
        probe("traffic", "five processes", "traffic", ring(5, 20)),
        probe("traffic", "seven processes", "traffic", ring(7, 35)),
        probe("steps", "three processes", "steps", ring(3, 6)),
        probe("steps", "six processes", "steps", ring(6, 12)),
        probe("clean", "three processes", "clean", ring(3, 6)),
        probe("clean", "one process", "clean", ring(1, 3)),
    ]


def _everything_round(rank: int, world: int, values: Tensor) -> Any:
    total, passing = values.clone(), values.clone()
    for _ in range(world - 1):
        passing = yield passing
        total = total + passing
    return total


_TABLE: dict[int, Tensor] = {}


def _by_a_table(rank: int, world: int, values: Tensor) -> Any:
    """Here all processes are in one interpreter; it sends zeros of the right sizes."""
    _TABLE[rank] = values.clone()
    chunks = values.tensor_split(world)
    for step in range(2 * world - 2):
        yield torch.zeros_like(chunks[(rank - step % (world - 1) + (step >= world - 1)) % world])
    return torch.stack([_TABLE[other] for other in range(world)]).sum(0)


SLIPS = mistakes(
    """
everything_round: loses traffic, steps
  Each process passes whole tensors round the ring, so the traffic grows with the number of processes. Cut the values
  into chunks.
no_second_round: loses sum, uneven, traffic, steps, clean
    for step in range(world - 1):  # finished => for step in range(0):  # finished
  After the first round each process has one finished chunk, and the other chunks are partial sums. A second round must
  pass the finished chunks on.
by_a_table: loses sum, clean
  What the processes hear does not change their sums. They live on different machines and have no table in common: a
  number can only come to another process in a message.
replaced_at_once: loses sum, uneven, clean
    chunks[(rank - step - 1) % world] + received => received
  What came back are numbers of single processes, not sums. Either what was received in the first round replaced the
  process's own numbers: add it to them. Or the second round began one chunk too early: begin it with (rank + 1) % n.
wrong_direction: loses sum, uneven, clean
    yield chunks[(rank - step) % world] => yield chunks[(rank + step) % world]
  The chunk that is sent next must be the one that has just been added to. Chunks go round backwards: rank - step.
one_step_short: loses sum, uneven, traffic, steps, clean
    for step in range(world - 1):  # sums => for step in range(world - 2):  # sums
  The first round is one step short: a chunk has to visit all n processes, which takes n - 1 steps.
rest_dropped: loses uneven
    list(values.clone().tensor_split(world)) => list(values[: len(values) // world * world].clone().tensor_split(world))
  The numbers that are left over when the length does not divide by the processes were dropped. tensor_split makes
  chunks that differ by one.
mean: loses sum, uneven, clean
    return torch.cat(chunks) => return torch.cat(chunks) / world
  The mean over the processes was returned. All-reduce gives the sum here; whoever wants the mean divides afterwards.
own_values_changed: loses clean
    list(values.clone().tensor_split(world)) => list(values.tensor_split(world))
    = chunks[(rank - step - 1) % world] + => +=
  The values that the process was given were changed: a chunk is a view of them, and += writes into it.
alone_refused: loses alone, clean
    chunks = list => if world == 1:
    |        raise ValueError(world)
    |    chunks = list
  One process alone is a ring, too: it returns its own numbers and sends nothing.
""",
    everything_round=_everything_round,
    by_a_table=_by_a_table,
)
HINTS = hints("""
- Draw three processes with three chunks each. In the first step process r sends chunk r. Which chunk does it receive,
  and which one does it send next?
- First round, n - 1 steps: send chunk (rank - step) % n, add what comes to chunk (rank - step - 1) % n. After it,
  process r holds the whole sum of chunk (rank + 1) % n.
- Second round: received = yield chunks[(rank + 1 - step) % world]; chunks[(rank - step) % world] = received. At the end
  return torch.cat(chunks). values.clone().tensor_split(world) makes the chunks.
""")
PROPERTIES = properties("""
sum, 3: Every process returns the sum over all processes, in order, made of its own numbers and of what it hears; the
  numbers divide evenly.
uneven, 2: The same where the numbers do not divide by the processes, or are fewer than they.
alone, 1: A single process returns its own numbers, and sends nothing.
traffic, 2: Each process sends 2 (n - 1) / n times its numbers in all, not one more or less.
steps, 1: All is done after 2 (n - 1) steps.
clean, 1, needs sum: The values that a process is given stay as they are, and the result is a new tensor.
""")
task = Task(
    ring_all_reduce,
    points=10,
    difficulty=4,
    minutes=60,
    cases=cases,
    compare=Compare(rtol=1e-9, atol=1e-12, inputs_unchanged=False),
    call=run,
    seconds=30.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
