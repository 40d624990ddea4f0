import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def zero_bytes(num_parameters, processes, stage):
    """Return the bytes that one process holds in mixed-precision training with Adam.

    For each parameter there are 2 bytes of weight, 2 of gradient and 12 of the optimizer. What is divided is cut into
    equal shards, the last one padded: a shard has as many parameters as the largest of them.

    Args:
        num_parameters: at least 1.
        processes: at least 1.
        stage: 0: nothing is divided; 1: the optimizer's part; 2: the gradients, too; 3: the weights, too.

    Returns:
        An int.

    Raises:
        ValueError: another stage.

    >>> zero_bytes(1_000_000, 4, 1)
    7000000
    >>> zero_bytes(10, 4, 3)
    48
    """
    if stage not in (0, 1, 2, 3):
        raise ValueError(f"`stage` must be 0, 1, 2 or 3, got {stage}.")
    shard = -(-num_parameters // processes)  # rounded up
    weights = 2 * (shard if stage == 3 else num_parameters)
    gradients = 2 * (shard if stage >= 2 else num_parameters)
    optimizer = 12 * (shard if stage >= 1 else num_parameters)
    return weights + gradients + optimizer


def cases(seed: int) -> list[Case]:
    draws = torch.randint(3, 997, (4,), generator=torch.Generator().manual_seed(seed)).tolist()
    return [
        case("the worked example", 1_000_000, 4, 1),
        *(case(f"stage {stage}, numbers that do not divide", 1_000 * n + 7, 5, stage) for stage, n in enumerate(draws)),
        case("7 billion parameters, sharded whole", 7_000_000_000, 64, 3),
        case("the optimizer and the gradients in three", 3_001, 3, 2),
        border("nothing divided, however many processes", 30, 7, 0),
        *(border(f"one process at stage {stage}", 11, 1, stage) for stage in (1, 2, 3)),
        border("fewer parameters than processes", 3, 8, 3),
        border("one parameter", 1, 1, 0),
        border("more parameters than a float can count", 10**18 + 1, 3, 3),
        border("a stage below 0", 100, 4, -1),
        border("a stage above 3", 100, 4, 4),
    ]


SLIPS = mistakes("""
floor: "What is divided is cut into equal shards, the last one padded: a shard has as many parameters"
    -(-num_parameters // processes) => num_parameters // processes
  The quotient was rounded down, so some parameters belong to nobody. Shards are equal and padded: round up.
not_rounded: "An int"
    -(-num_parameters // processes) => num_parameters / processes
  A shard has a whole number of parameters, and bytes are whole, too. Round the quotient up.
no_master_copy: "For each parameter there are 2 bytes of weight, 2 of gradient and 12 of the optimizer"
    12 * => 8 *
  The optimizer's part is 12 bytes: two averages of Adam and a copy of the weight, each in float32.
weights_first: "1: the optimizer's part"
    shard if stage == 3 => shard if stage >= 1
    shard if stage >= 1 else num_parameters)
    |    return => shard if stage == 3 else num_parameters)
    |    return
  The weights are divided first here. Stage 1 divides the optimizer's part, which is the largest; the weights come last.
one_stage_early: "2: the gradients, too"
    stage == 3 => stage >= 2
    stage >= 2 else num_parameters)
    |    optimizer => stage >= 1 else num_parameters)
    |    optimizer
  Gradients are divided from stage 2 on, and weights at stage 3 only. Here both come one stage too early.
never_divided: "3: the weights, too"
    -(-num_parameters // processes) => num_parameters
  Nothing is divided at any stage. A shard is the number of parameters divided by the number of processes.
""")
HINTS = hints("""
- There are three parts of 2, 2 and 12 bytes for each parameter. Which of them does each stage divide?
- A shard has ceil(num_parameters / processes) parameters. Stage 1 divides the 12, stage 2 one of the 2, stage 3 the
  other.
- shard = -(-num_parameters // processes), which rounds up; 2 * (shard if stage == 3 else num_parameters) + 2 * (shard
  if stage >= 2 else num_parameters) + 12 * (shard if stage >= 1 else num_parameters)
""")
task = Task(zero_bytes, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
