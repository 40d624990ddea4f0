"""Answers to the project of chapter 13, written from its page alone."""

from tests.outside.variants import but

CHUNKS = """
import torch


def ring_all_reduce(rank, world, values):
    chunks = [chunk.clone() for chunk in torch.tensor_split(values, world)]
    for step in range(world - 1):
        out = (rank - step) % world
        received = yield chunks[out].clone()
        chunks[(out - 1) % world] += received
    for step in range(world - 1):
        out = (rank + 1 - step) % world
        received = yield chunks[out].clone()
        chunks[(out - 1) % world] = received.clone()
    return torch.cat(chunks)
"""

BOUNDS = """
def ring_all_reduce(rank, world, values):
    result = values.clone()
    P = len(values)
    bounds = [P * i // world for i in range(world + 1)]

    def part(i):
        i %= world
        return slice(bounds[i], bounds[i + 1])

    for step in range(2 * (world - 1)):
        mine = rank - step if step < world - 1 else rank - step + world
        came = yield result[part(mine)].clone()
        if step < world - 1:
            result[part(mine - 1)] = result[part(mine - 1)] + came
        else:
            result[part(mine - 1)] = came
    return result
"""

TWO_HALVES = """
import torch


def ring_all_reduce(rank, world, values):
    size, over = divmod(values.numel(), world)
    lengths = [size + 1] * over + [size] * (world - over)
    parts = list(torch.split(values.detach().clone(), lengths))

    def scatter():
        for turn in range(rank, rank - world + 1, -1):
            message = yield parts[turn % world]
            parts[(turn - 1) % world] = parts[(turn - 1) % world] + message

    def gather():
        for turn in range(rank + 1, rank - world + 2, -1):
            parts[(turn - 1) % world] = yield parts[turn % world]

    yield from scatter()
    yield from gather()
    return torch.cat(parts)
"""

TASK = "ring_all_reduce"
ANSWERS = [
    {"task": TASK, "right": True, "why": "tensor_split, two loops", "source": CHUNKS},
    {"task": TASK, "right": True, "why": "slices of one tensor, one loop", "source": BOUNDS},
    {"task": TASK, "right": True, "why": "two generators one after the other", "source": TWO_HALVES},
    {
        "task": TASK,
        "right": False,
        "why": "the caller's own values are added to",
        "source": but(
            CHUNKS,
            (
                "[chunk.clone() for chunk in torch.tensor_split(values, world)]",
                "list(torch.tensor_split(values, world))",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "all processes sum the other chunk first: the second half passes on chunks that are not whole yet",
        "source": but(CHUNKS, ("out = (rank + 1 - step) % world", "out = (rank - step) % world")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "chunks of one length, rounded down: what is left over is not summed",
        "source": but(
            BOUNDS, ("[P * i // world for i in range(world + 1)]", "[P // world * i for i in range(world + 1)]")
        ),
    },
    {
        "task": TASK,
        "right": None,  # where P does not divide, nobody can keep to 2 (n - 1) / n exactly
        "why": "chunks of one length, filled up with zeros: some more is sent where P does not divide",
        "source": """
import torch


def ring_all_reduce(rank, world, values):
    P = len(values)
    each = -(-P // world)
    padded = torch.cat([values, values.new_zeros(each * world - P)])
    chunks = list(padded.reshape(world, each).clone())
    for step in range(world - 1):
        received = yield chunks[(rank - step) % world]
        chunks[(rank - step - 1) % world] = chunks[(rank - step - 1) % world] + received
    for step in range(world - 1):
        received = yield chunks[(rank + 1 - step) % world]
        chunks[(rank - step) % world] = received
    return torch.cat(chunks)[:P]
""",
    },
    {
        "task": TASK,
        "right": False,
        "why": "everything goes round whole: too much is sent",
        "source": """
def ring_all_reduce(rank, world, values):
    total, message = values.clone(), values.clone()
    for _ in range(world - 1):
        message = yield message
        total = total + message
    return total
""",
    },
    {
        "task": TASK,
        "right": False,
        "why": "one process alone gets its own tensor back",
        "source": but(
            BOUNDS,
            (
                "    result = values.clone()\n",
                "    if world == 1:\n        return values\n    result = values.clone()\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "one step more than needed, with an empty message",
        "source": but(
            CHUNKS,
            (
                "    return torch.cat(chunks)",
                "    if world > 1:\n        yield values[:0]\n    return torch.cat(chunks)",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a single process sends an empty message",
        "source": but(
            TWO_HALVES,
            ("    yield from scatter()\n", "    if world == 1:\n        yield values[:0]\n    yield from scatter()\n"),
        ),
    },
]
