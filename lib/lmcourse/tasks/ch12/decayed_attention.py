"""Exercise `decayed_attention`."""

import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def decayed_attention(q, k, v, decay):
    """Return linear attention that forgets, as a recurrence.

    S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero. Nothing is normalised.

    Args:
        q, k: (T, K), T at least 1.
        v: (T, Kv).
        decay: from 0 to 1.

    Returns:
        The outputs (T, Kv) and the last state (K, Kv).

    >>> one = torch.ones(3, 1)
    >>> outputs, state = decayed_attention(one, one, torch.tensor([[8.0], [0.0], [1.0]]), 0.5)
    >>> outputs.flatten().tolist(), state.tolist()
    ([8.0, 4.0, 3.0], [[3.0]])
    """
    state, outputs = torch.zeros(k.shape[1], v.shape[1], dtype=v.dtype), []
    for q_t, k_t, v_t in zip(q, k, v):
        state = decay * state + torch.outer(k_t, v_t)
        outputs.append(q_t @ state)
    return torch.stack(outputs), state


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    one = torch.ones(3, 1)
    return [
        case("the worked example", one, one, torch.tensor([[8.0], [0.0], [1.0]]), 0.5),
        case("eleven tokens", draw(11, 3), draw(11, 3), draw(11, 5), 0.9),
        case("as many tokens as features", draw(7, 7), draw(7, 7), draw(7, 7), 0.75),
        case("values wider than keys", draw(5, 2), draw(5, 2), draw(5, 13), 0.6),
        border("no decay: one", draw(7, 3), draw(7, 3), draw(7, 5), 1.0),
        border("a decay of zero: only the present token", draw(7, 3), draw(7, 3), draw(7, 5), 0.0),
        border("one token", draw(1, 3), draw(1, 3), draw(1, 5), 0.5),
        border("widths of one", draw(5, 1), draw(5, 1), draw(5, 1), 0.5),
        border(
            "150 tokens and a strong decay",
            torch.ones(150, 1).double(),
            torch.ones(150, 1).double(),
            torch.arange(150.0).double()[:, None] % 7,
            1e-3,
        ),
    ]


def _in_parallel(q: Tensor, k: Tensor, v: Tensor, decay: float) -> tuple[Tensor, Tensor]:
    T = len(q)
    back = torch.arange(T)[:, None] - torch.arange(T)
    powers = torch.where(back >= 0, torch.tensor(decay, dtype=v.dtype) ** back.clamp(min=0), 0.0)
    return (powers * (q @ k.T)) @ v, (powers[-1][:, None] * k).T @ v


def _by_einsum(q: Tensor, k: Tensor, v: Tensor, decay: float) -> tuple[Tensor, Tensor]:
    states = [torch.einsum("k,v->kv", k[0], v[0])]
    for t in range(1, k.shape[0]):
        states.append(states[-1].mul(decay).add(torch.einsum("k,v->kv", k[t], v[t])))
    return torch.einsum("tk,tkv->tv", q, torch.stack(states)), states[-1]


task = Task(
    decayed_attention,
    points=3,
    difficulty=3,
    minutes=20,
    cases=cases,
    compare=CLOSE,
    slips=(
        Slip(
            "read_before_written",
            (
                ("        state = decay * state + torch.outer(k_t, v_t)\n        outputs.append(q_t @ state)\n"),
                "        outputs.append(q_t @ state)\n        state = decay * state + torch.outer(k_t, v_t)\n",
            ),
            "The output was read before the token's own key and value were added. A token sees itself, too.",
        ),
        Slip("no_decay", ("decay * state", "state"), "Nothing is forgotten. Multiply the old state by the decay."),
        Slip(
            "all_decayed",
            ("decay * state + torch.outer(k_t, v_t)", "decay * (state + torch.outer(k_t, v_t))"),
            "The present token was faded as well. Only the old state is.",
        ),
        Slip(
            "running_mean",
            ("torch.outer(k_t, v_t)", "(1 - decay) * torch.outer(k_t, v_t)"),
            "The new part was multiplied by 1 - decay, as in a running mean. Here it is added as it is.",
        ),
        Slip(
            "normalised",
            ("q_t @ state)", "q_t @ state / (q_t @ k_t))"),
            "The output was divided by something. In this exercise nothing is normalised.",
        ),
        Slip(
            "keys_read",
            ("q_t @ state)", "k_t @ state)"),
            "The state was read with the key. Keys write into the state, queries read from it.",
        ),
        Slip(
            "first_state",
            ("torch.stack(outputs), state", "torch.stack(outputs), torch.outer(k[0], v[0]) + 0 * state"),
            "The state that was returned is the first one. Return the last, with which one could go on.",
        ),
    ),
    alternatives=(_in_parallel, _by_einsum),
    hints=(
        "The state is a matrix, keys by values: what was written under which key.",
        "For each token: fade the state, add the outer product of key and value, then read it with the query.",
        "state = decay * state + torch.outer(k_t, v_t); outputs.append(q_t @ state)",
    ),
)
