"""Exercise `run_rnn`."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Compare, Slip, Task, border, case
from lmcourse.tasks.ch03.shared import drawer


def run_rnn(x, hidden, weight_ih, weight_hh, bias):
    """Return the states of a plain recurrent network after each step.

    Args:
        x: the inputs, (B, T, I), T at least 1.
        hidden: the states before the first step, (B, H); they stay as they are.
        weight_ih: (H, I).
        weight_hh: (H, H).
        bias: (H,).

    Returns:
        The states after each step, a tensor of shape (B, T, H). The gradient must flow through all steps, back to all
        five arguments.

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

    def gradients(batch: int, steps: int, width: int, units: int) -> tuple[Tensor, ...]:
        sizes = ((batch, steps, width), (batch, units), (units, width), (units, units), (units,))
        return tuple(draw(*size, grad=True) for size in sizes)

    return [
        case("the worked example", steps, 0 * half, 2 * half, 2 * half, torch.zeros(1, dtype=torch.float64)),
        case("two sequences of five steps", draw(2, 5, 3), draw(2, 7), draw(7, 3), draw(7, 7), draw(7)),
        case("the gradients, of the first state too", *gradients(2, 5, 3, 3)),
        case("the gradients of a longer text", *gradients(3, 13, 2, 5)),
        case("as many steps as sequences", draw(3, 3, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        case(
            "as many sequences as steps, inputs and units", draw(3, 3, 3), draw(3, 3), draw(3, 3), draw(3, 3), draw(3)
        ),
        case("more sequences than steps", draw(7, 2, 3), draw(7, 5), draw(5, 3), draw(5, 5), draw(5)),
        case("float32", single(2, 3, 2), single(2, 5), single(5, 2), single(5, 5), single(5)),
        border("one step", draw(3, 1, 2), draw(3, 5), draw(5, 2), draw(5, 5), draw(5)),
        border("one step, the gradients", *gradients(2, 1, 3, 5)),
        border("one sequence of eleven steps", draw(1, 11, 2), draw(1, 3), draw(3, 2), draw(3, 3), draw(3)),
        border("one sequence, one step, one unit", draw(1, 1, 1), draw(1, 1), draw(1, 1), draw(1, 1), draw(1)),
        border("a first state of zero", draw(2, 3, 2), 0 * draw(2, 5), draw(5, 2), draw(5, 5), draw(5)),
    ]


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
            (
                ("hidden = torch.tanh(", "state = torch.tanh("),
                ("append(hidden)", "append(state)"),
            ),
            "Every step started from the first state. Hand the new state on: the step's result is the next step's "
            "`hidden`.",
        ),
        Slip(
            "zeros",
            ("states = []", "states = []\n    hidden = torch.zeros_like(hidden)"),
            "The loop began with zeros instead of the `hidden` that was given. A text that goes on needs the state "
            "of what came before.",
        ),
        Slip(
            "last_only",
            ("return torch.stack(states, dim=1)", "return hidden"),
            "Only the last state came back. A language model predicts after every word: keep the state of each step.",
        ),
        Slip(
            "time_first",
            ("dim=1", "dim=0"),
            "The states are stacked along the first dimension, (T, B, H). Batch first in this course: "
            "torch.stack(states, dim=1).",
        ),
        Slip(
            "time_last",
            ("dim=1", "dim=2"),
            "The steps stand in the last dimension, (B, H, T). They belong in the second: torch.stack(states, dim=1).",
        ),
        Slip(
            "joined",
            ("torch.stack(states, dim=1)", "torch.cat(states, dim=1)"),
            "torch.cat joins the states along an axis that they have, (B, T * H). torch.stack makes a new axis for "
            "the steps: dim=1.",
        ),
        Slip(
            "listed",
            ("torch.stack(states, dim=1)", "states"),
            "The states are right, but in a list. Make one tensor of them: torch.stack(states, dim=1).",
        ),
        Slip(
            "with_the_first_state",
            ("states = []", "states = [hidden]"),
            "There is one state too many: the one before the first step was kept too. The result has as many states "
            "as there are inputs.",
        ),
        Slip(
            "state_before",
            (
                ("hidden = torch.tanh(", "states.append(hidden)\n        hidden = torch.tanh("),
                ("+ bias)\n        states.append(hidden)", "+ bias)"),
            ),
            "Each position holds the state before its input was read. Take the step first, then append the new state.",
        ),
        Slip(
            "backwards",
            ("range(x.shape[1])", "reversed(range(x.shape[1]))"),
            "The sequence was read from its end. Go from t = 0 to T - 1.",
        ),
        Slip(
            "over_the_batch",
            ("range(x.shape[1])", "range(len(x))"),
            "The loop ran B times: len(x) is the number of sequences. There are x.shape[1] steps.",
        ),
        Slip(
            "last_step_missing",
            ("range(x.shape[1])", "range(max(x.shape[1] - 1, 1))"),
            "The last step was left out. range(T) already stops before T.",
        ),
        Slip(
            "no_tanh",
            ("torch.tanh(", "("),
            "The tanh is missing. Every new state is the tanh of the sum, between -1 and 1.",
        ),
        Slip(
            "no_bias",
            (" + bias", ""),
            "The bias is missing: it is added to the sum at every step, inside the tanh.",
        ),
        Slip(
            "not_transposed",
            ("weight_hh.T", "weight_hh"),
            "weight_hh was used without transposing it. The product is hidden @ weight_hh.T; a square matrix hides "
            "the mistake.",
        ),
        Slip(
            "state_without_weights",
            ("hidden @ weight_hh.T", "hidden"),
            "The old state was added as it is. It has a matrix of its own: hidden @ weight_hh.T.",
        ),
        Slip(
            "state_forgotten",
            (" + hidden @ weight_hh.T", ""),
            "The old state plays no part, so each step forgets all before it. Add hidden @ weight_hh.T.",
        ),
        Slip(
            "same_tensor",
            (
                "hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)",
                "hidden = hidden.copy_(torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias))",
            ),
            "The new state was written into the tensor of the old one, so that all entries of the list are the same "
            "tensor, and the caller's `hidden` is changed. Let every step make a new tensor.",
        ),
        Slip(
            "hidden_changed",
            (
                (
                    "hidden = torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias)",
                    "hidden = hidden.copy_(torch.tanh(x[:, t] @ weight_ih.T + hidden @ weight_hh.T + bias))",
                ),
                ("append(hidden)", "append(hidden.clone())"),
            ),
            "The new state was written into the caller's `hidden`, which must stay as it is, and through which no "
            "gradient can flow then. Let every step make a new tensor.",
        ),
        Slip(
            "cut_every_step",
            ("hidden @ weight_hh.T", "hidden.detach() @ weight_hh.T"),
            "The values are right, but the state was cut from the graph (detach) at each step, so no gradient flows "
            "back in time. Cut between batches, never between steps.",
        ),
        Slip(
            "cut_at_the_end",
            ("dim=1)", "dim=1).detach()"),
            "The values are right, but the result was cut from the graph (detach, .data, torch.no_grad() or a new "
            "tensor made from numbers), so that nothing could be learned.",
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
