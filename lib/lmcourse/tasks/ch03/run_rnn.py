"""Exercise `run_rnn`."""

from functools import partial

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def run_rnn(x, hidden, weight_ih, weight_hh, bias):
    """Return the states of a plain recurrent network after each step.

    Args:
        x: the inputs, (B, T, I), T at least 1.
        hidden: the states before the first step, (B, H).
        weight_ih: (H, I).
        weight_hh: (H, H).
        bias: (H,).

    Returns:
        The states after each step, (B, T, H). The gradient must flow through all steps.

    >>> one = torch.ones(1, 1)
    >>> states = run_rnn(torch.tensor([[[0.5], [0.0], [0.0]]]), 0 * one, one, one, torch.zeros(1))
    >>> [round(value, 3) for value in states.flatten().tolist()]
    [0.462, 0.432, 0.407]
    """
    states = []
    for t in range(x.shape[1]):
        hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)
        states.append(hidden)
    return torch.stack(states, dim=1)


def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    single = drawer(seed, torch.float32)
    half = torch.tensor([[0.5]], dtype=torch.float64)
    steps = torch.tensor([[[1.0], [0.0], [0.0]]], dtype=torch.float64)
    return [
        case("the worked example", steps, 0 * half, 2 * half, 2 * half, torch.zeros(1, dtype=torch.float64)),
        case("two sequences of five steps", draw(2, 5, 3), draw(2, 7), draw(7, 3), draw(7, 7), draw(7)),
        case(
            "the gradients, of the first state too",
            draw(2, 5, 3, grad=True),
            draw(2, 3, grad=True),
            draw(3, 3, grad=True),
            draw(3, 3, grad=True),
            draw(3, grad=True),
        ),
        case("as many steps as sequences", draw(3, 3, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        border("one step", draw(3, 1, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        border("one sequence of eleven steps", draw(1, 11, 2), draw(1, 3), draw(3, 2), draw(3, 3), draw(3)),
        case("float32", single(2, 3, 2), single(2, 5), single(5, 2), single(5, 5), single(5)),
    ]


def _run_rnn_wrong(
    x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor, *, how: str
) -> Tensor:
    first = hidden = torch.zeros_like(hidden) if how == "zeros" else hidden
    states = []
    order = reversed(range(x.shape[1])) if how == "backwards" else range(x.shape[1])
    for t in order:
        states.append(hidden)
        before = first if how == "not_carried" else hidden.detach() if how == "detached" else hidden
        hidden = torch.tanh(x[:, t] @ weight_ih.T + before @ weight_hh.T + bias)
    after = [*states[1:], hidden]
    if how == "last":
        return hidden
    if how == "time_first":
        return torch.stack(after)
    if how == "with_first":
        return torch.stack([*states, hidden], 1)
    return torch.stack(states if how == "before" else after, 1)


def _run_rnn_by_input_first(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    states = [hidden]
    for gates in F.linear(x, weight_ih, bias).unbind(1):
        states.append((gates + states[-1] @ weight_hh.T).tanh())
    return torch.stack(states, 1)[:, 1:]


def _run_rnn_by_recursion(x: Tensor, hidden: Tensor, weight_ih: Tensor, weight_hh: Tensor, bias: Tensor) -> Tensor:
    if x.shape[1] == 0:
        return hidden[:, None][:, :0]
    first = torch.tanh(F.linear(x[:, 0], weight_ih, bias) + F.linear(hidden, weight_hh))
    rest = _run_rnn_by_recursion(x[:, 1:], first, weight_ih, weight_hh, bias)
    return torch.cat([first[:, None], rest], dim=1)


task = Task(
    run_rnn,
    points=3,
    difficulty=2,
    minutes=15,
    cases=cases,
    compare=Compare(rtol=1e-5, atol=1e-6, gradient=True),
    slips=(
        Slip(
            "not_carried",
            partial(_run_rnn_wrong, how="not_carried"),
            "Every step started from the first state. Hand the new state on: the step's result is the next step's "
            "`hidden`.",
        ),
        Slip(
            "zeros",
            partial(_run_rnn_wrong, how="zeros"),
            "The loop began with zeros instead of the `hidden` that was given. A text that goes on needs the state of "
            "what came before.",
        ),
        Slip(
            "last_only",
            partial(_run_rnn_wrong, how="last"),
            "Only the last state came back. A language model predicts after every word: keep the state of each step.",
        ),
        Slip(
            "time_first",
            partial(_run_rnn_wrong, how="time_first"),
            "The states are stacked along the first dimension, (T, B, H). Batch first in this course: "
            "torch.stack(states, dim=1).",
        ),
        Slip(
            "with_the_first_state",
            partial(_run_rnn_wrong, how="with_first"),
            "There is one state too many: the one before the first step was kept too. The result has as many states as "
            "there are inputs.",
        ),
        Slip(
            "state_before",
            partial(_run_rnn_wrong, how="before"),
            "Each place holds the state before its input was read. Take the step first, then append the new state.",
        ),
        Slip(
            "backwards",
            partial(_run_rnn_wrong, how="backwards"),
            "The sequence was read from its end. Go from t = 0 to T - 1.",
        ),
        Slip(
            "cut_every_step",
            partial(_run_rnn_wrong, how="detached"),
            "The values are right, but the state was cut from the graph (detach) at each step, so no gradient flows "
            "back in time. Cut between batches, never between steps.",
        ),
    ),
    alternatives=(_run_rnn_by_input_first, _run_rnn_by_recursion),
    hints=(
        "A loop over t, one step each, and a list of what comes out.",
        "x[:, t] is the input of step t, (B, I). Put the new state into `hidden`, and append it to the list.",
        "for t in range(x.shape[1]): hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias); "
        "states.append(hidden); at the end torch.stack(states, dim=1).",
    ),
)
