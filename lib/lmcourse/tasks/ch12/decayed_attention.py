import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
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
    one, many = torch.ones(3, 1), torch.ones(150, 1).double()
    return [
        case("the worked example", one, one, torch.tensor([[8.0], [0.0], [1.0]]), 0.5),
        case("eleven tokens", draw(11, 3), draw(11, 3), draw(11, 5), 0.9),
        case("as many tokens as features", draw(7, 7), draw(7, 7), draw(7, 7), 0.75),
        case("values wider than keys", draw(5, 2), draw(5, 2), draw(5, 13), 0.6),
        border("no decay: one", draw(7, 3), draw(7, 3), draw(7, 5), 1.0),
        border("a decay of zero: only the present token", draw(7, 3), draw(7, 3), draw(7, 5), 0.0),
        border("one token", draw(1, 3), draw(1, 3), draw(1, 5), 0.5),
        border("widths of one", draw(5, 1), draw(5, 1), draw(5, 1), 0.5),
        border("150 tokens and a strong decay", many, many.clone(), torch.arange(150.0).double()[:, None] % 7, 1e-3),
    ]


SLIPS = mistakes("""
read_before_written: "S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero"
    state = decay * state + torch.outer(k_t, v_t)
    |        outputs.append(q_t @ state) => outputs.append(q_t @ state)
    |        state = decay * state + torch.outer(k_t, v_t)
  The output was read before the token's own key and value were added. A token sees itself, too.
no_decay: "S_t = decay S_(t-1) + k_t v_t^T and y_t = q_t S_t, where S_(-1) is zero"
    decay * state => state
  Nothing is forgotten. Multiply the old state by the decay.
all_decayed: "from 0 to 1"
    decay * state + torch.outer(k_t, v_t) => decay * (state + torch.outer(k_t, v_t))
  The present token was faded as well. Only the old state is.
running_mean: "Return linear attention that forgets, as a recurrence"
    torch.outer(k_t, v_t) => (1 - decay) * torch.outer(k_t, v_t)
  The new part was multiplied by 1 - decay, as in a running mean. Here it is added as it is.
normalised: "Nothing is normalised"
    q_t @ state) => q_t @ state / (q_t @ k_t))
  The output was divided by something. In this exercise nothing is normalised.
first_state: "The outputs (T, Kv) and the last state (K, Kv)"
    torch.stack(outputs), state => torch.stack(outputs), torch.outer(k[0], v[0]) + 0 * state
  The state that was returned is the first one. Return the last, with which one could go on.
""")
HINTS = hints("""
- The state is a matrix, keys by values: what was written under which key.
- For each token: fade the state, add the outer product of key and value, then read it with the query.
- state = decay * state + torch.outer(k_t, v_t); outputs.append(q_t @ state)
""")
task = Task(decayed_attention, points=3, difficulty=3, minutes=20, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
