"""Tasks of chapter 00, second part: softmax, a loss, one step downhill."""

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import torch

from lmcourse.exercises import Case, Compare, Slip, Task, case
from lmcourse.tasks.start_here import CHAPTER

# -------------------------------------------------------------------------------------------------------- softmax


def _softmax(scores: np.ndarray) -> np.ndarray:
    shifted = np.exp(scores - scores.max())
    return shifted / shifted.sum()


def _softmax_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", np.array([0.2, 0.1, 0.1, 1.0])),
        case("ordinary scores", rng.normal(size=7)),
        case("negative scores only", -rng.exponential(3.0, size=5)),
        case("a negative and a positive score", np.array([-1.0, 3.0])),
        case("one score", rng.normal(size=1)),
        case("equal scores", np.full(3, rng.normal())),
        case("scores near 1,000, where exp overflows", 1000.0 + rng.normal(size=11)),
        case("minus infinity, which must get 0", np.array([rng.normal(), -np.inf, rng.normal()])),
    ]


def _softmax_overflows(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum()


def _softmax_of_absolutes(scores: np.ndarray) -> np.ndarray:
    return np.abs(scores) / np.abs(scores).sum()


def _softmax_rescaled(scores: np.ndarray) -> np.ndarray:
    return scores / scores.sum()


def _softmax_by_log(scores: np.ndarray) -> np.ndarray:
    shifted = scores - np.max(scores)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted))))


def _softmax_in_loops(scores: np.ndarray) -> np.ndarray:
    top = max(scores)
    weights = [np.exp(score - top) for score in scores]
    return np.array([weight / sum(weights) for weight in weights])


softmax = Task(
    name="softmax",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=10,
    cases=_softmax_cases,
    reference=_softmax,
    compare=Compare(rtol=1e-9, atol=1e-12),
    slips=(
        Slip(
            "no_shift",
            _softmax_overflows,
            "The formula is right on paper, but exp(1000) is infinite in a computer. Subtract the largest score first: "
            "it changes no probability, since it cancels in the fraction.",
        ),
        Slip(
            "rescaled",
            _softmax_rescaled,
            "This divides the scores by their sum. Softmax exponentiates first; without that, negative scores give "
            "negative probabilities.",
        ),
        Slip(
            "absolute_values",
            _softmax_of_absolutes,
            "Absolute values make every number positive, but a score of -3 then counts as much as +3. "
            "exp keeps the order of the scores.",
        ),
        Slip(
            "not_normalised",
            lambda scores: np.exp(scores - scores.max()),
            "The exponentials are right, but they are not divided by their sum, so they do not add up to 1.",
        ),
        Slip(
            "hard_maximum",
            lambda scores: (scores == scores.max()).astype(float),
            "This is the hard arg max: all the weight on the largest score. Softmax is its soft version, and every "
            "score above minus infinity keeps some weight.",
        ),
        Slip(
            "log_softmax",
            lambda scores: scores - scores.max() - np.log(np.exp(scores - scores.max()).sum()),
            "These are the logarithms of the probabilities (log-softmax). Take exp of them.",
        ),
    ),
    alternatives=(_softmax_by_log, _softmax_in_loops),
    hints=(
        "Two steps: make every score positive without losing their order, then make the results sum to 1.",
        "np.exp makes positive; dividing by the sum makes it a distribution. What does np.exp(1000.0) give?",
        "Subtract scores.max() before np.exp, then divide by the sum: e = np.exp(scores - scores.max()); e / e.sum().",
    ),
)


# -------------------------------------------------------------------------------------------------- cross_entropy


def _cross_entropy(scores: np.ndarray, targets: Sequence[int]) -> float:
    if len(targets) == 0 or len(scores) != len(targets):
        raise ValueError(f"`scores` and `targets` must be as many, at least 1, got {len(scores)} and {len(targets)}.")
    shifted = scores - scores.max(axis=1, keepdims=True)
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-log_probs[np.arange(len(targets)), list(targets)].mean())


def _entropy_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def targets(n_rows: int, n_words: int) -> list[int]:
        return [int(target) for target in rng.integers(0, n_words, size=n_rows)]

    return [
        case("the worked example", np.array([[0.2, 0.1, 0.1, 1.0], [0.0, 0.0, 0.0, 0.0]]), [3, 0]),
        case("five rows of seven scores", rng.normal(size=(5, 7)), targets(5, 7)),
        case("as many rows as scores", 2 * rng.normal(size=(3, 3)), targets(3, 3)),
        case("one row", rng.normal(size=(1, 11)), targets(1, 11)),
        case("one score a row: nothing to guess", rng.normal(size=(3, 1)), [0, 0, 0]),
        case("scores near 1,000, where exp overflows", 1000 + rng.normal(size=(2, 5)), targets(2, 5)),
        case("a target with almost no chance", np.array([[0.0, 800.0, 3.0]]), [0]),
        case("no rows", np.zeros((0, 5)), []),
        case("fewer targets than rows", rng.normal(size=(3, 5)), [1, 2]),
    ]


def _entropy_wrong(scores: np.ndarray, targets: Sequence[int], *, how: str) -> float:
    if how != "unchecked":
        _cross_entropy(scores, targets)  # the same checks
    rows = np.arange(len(targets))
    axis = 0 if how == "columns" else 1
    shifted = scores - scores.max(axis=axis, keepdims=True, initial=-np.inf)
    probs = np.exp(shifted) / np.exp(shifted).sum(axis=axis, keepdims=True)
    if how == "log_of_rounded":
        probs = np.maximum(probs, 1e-12)
    chosen = np.log(probs)[rows, list(targets)]
    if how == "no_shift":
        raw = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
        return float(-np.log(raw[rows, list(targets)]).mean())
    if how == "log_then_zero":
        return float(-chosen.mean())
    log_probs = shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
    own = log_probs[rows[: len(scores)], list(targets)]
    return float(
        {
            "sum": -own.sum(),
            "positive": own.mean(),
            "bits": -own.mean() / math.log(2),
            "columns": -own.mean(),
            "probability": 1 - np.exp(own).mean(),
            "log_of_mean": -np.log(np.exp(own).mean()),
            "all_words": -log_probs.mean(),
            "score": -scores[rows, list(targets)].mean(),
            "log_of_rounded": -chosen.mean(),
            "unchecked": -own.mean(),
        }[how]
    )


def _entropy_by_torch(scores: np.ndarray, targets: Sequence[int]) -> float:
    if not len(targets) or len(targets) != len(scores):
        raise ValueError("sizes")
    return float(torch.nn.functional.cross_entropy(torch.tensor(scores), torch.tensor(list(targets))))


def _entropy_by_loops(scores: np.ndarray, targets: Sequence[int]) -> float:
    if len(scores) == 0 or len(scores) - len(targets) != 0:
        raise ValueError("scores and targets")
    total = 0.0
    for row, target in zip(scores.tolist(), targets, strict=True):
        total += max(row) + math.log(math.fsum(math.exp(score - max(row)) for score in row)) - row[target]
    return total / len(targets)


cross_entropy = Task(
    name="cross_entropy",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=15,
    cases=_entropy_cases,
    reference=_cross_entropy,
    slips=(
        Slip(
            "sum",
            partial(_entropy_wrong, how="sum"),
            "The losses of the rows were added up, so a longer text costs more. Take their mean.",
        ),
        Slip(
            "positive",
            partial(_entropy_wrong, how="positive"),
            "The minus sign is missing. Logarithms of probabilities are 0 or below; the loss is 0 or above, and "
            "smaller is better.",
        ),
        Slip(
            "bits",
            partial(_entropy_wrong, how="bits"),
            "This is in bits (log2). Losses in this course are in nats: use np.log, the natural logarithm.",
        ),
        Slip(
            "columns",
            partial(_entropy_wrong, how="columns"),
            "The softmax ran down the columns. Each row is one prediction, so its probabilities must sum to 1 along "
            "axis=1.",
        ),
        Slip(
            "probability",
            partial(_entropy_wrong, how="probability"),
            "This is 1 minus the probability of the target. Cross-entropy is minus its logarithm, which punishes a "
            "confident mistake without limit.",
        ),
        Slip(
            "log_of_mean",
            partial(_entropy_wrong, how="log_of_mean"),
            "The mean was taken before the logarithm, so one good guess hides a bad one. Take the logarithm of each "
            "row's probability first, then the mean.",
        ),
        Slip(
            "all_words",
            partial(_entropy_wrong, how="all_words"),
            "The log-probabilities of all words were averaged. Only the one of the target counts in each row: "
            "log_probs[row, target].",
        ),
        Slip(
            "raw_scores",
            partial(_entropy_wrong, how="score"),
            "Minus the target's raw score was averaged. Scores become log-probabilities first: subtract the log of the "
            "sum of the exponentials of the row.",
        ),
        Slip(
            "overflows",
            partial(_entropy_wrong, how="no_shift"),
            "exp(1000) overflows, and inf / inf is NaN. Subtract each row's largest score first; the result is the "
            "same on paper.",
        ),
        Slip(
            "log_of_zero",
            partial(_entropy_wrong, how="log_then_zero"),
            "The softmax is safe, but a probability of e to the -800 rounds to 0, and its log is minus infinity. Stay "
            "in logarithms: score - max - log(sum(exp(scores - max))).",
        ),
        Slip(
            "small_number_added",
            partial(_entropy_wrong, how="log_of_rounded"),
            "Probabilities were kept above a small number so that log never sees 0. That caps the loss of a bad "
            "mistake; stay in logarithms instead, and nothing has to be capped.",
        ),
    ),
    alternatives=(_entropy_by_torch, _entropy_by_loops),
    hints=(
        "For each row: how probable did the softmax make the target, and what is minus the logarithm of that?",
        "log softmax without trouble: shifted = scores - row maximum; log_probs = shifted - log(sum of exp(shifted)), "
        "with axis=1 and keepdims=True for both.",
        "return float(-log_probs[np.arange(len(targets)), targets].mean()), and before it ValueError if there are no "
        "targets or not as many as rows.",
    ),
)


# -------------------------------------------------------------------------------------------------- gradient_step


def _gradient_step(weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray, lr: float = 0.1) -> np.ndarray:
    if lr < 0:
        raise ValueError(f"`lr` must not be negative, got {lr}.")
    errors = inputs @ weights - targets
    return weights - lr * 2 / len(targets) * inputs.T @ errors


def _step_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    inputs, weights = rng.normal(size=(7, 3)), rng.normal(size=3)
    line = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]])
    return [
        case("the worked example", np.array([1.0, 0.0]), line[:2], np.array([3.0, 5.0]), 0.1),
        case("seven examples, three weights", weights, inputs, rng.normal(size=7), 0.05),
        case("more weights than examples", rng.normal(size=5), rng.normal(size=(2, 5)), rng.normal(size=2), 0.01),
        case("the learning rate left out", np.array([0.5, -0.5]), line, np.array([1.0, 2.0, 3.0, 5.0])),
        case("one example, one weight", np.array([2.0]), np.array([[3.0]]), np.array([float(rng.uniform(1, 5))]), 0.02),
        case("at the bottom: the error is 0", weights, inputs, inputs @ weights, 0.5),
        case("learning rate 0", weights, inputs, rng.normal(size=7), 0.0),
        case("a step too long", np.array([1.0, 1.0]), line, np.array([2.0, 4.0, 6.0, 8.0]), 3.0),
        case("a learning rate below 0", weights, inputs, rng.normal(size=7), -0.1),
    ]


def _step_wrong(
    weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray, lr: float = 0.1, *, how: str
) -> np.ndarray:
    if how != "any_rate" and lr < 0:
        raise ValueError("lr")
    errors = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ errors
    if how == "in_place":
        weights -= lr * gradient
        return weights
    steps = {
        "uphill": -lr * gradient,
        "no_two": lr * gradient / 2,
        "summed": lr * gradient * len(targets),
        "per_weight": lr * gradient * len(targets) / len(weights),
        "full": gradient,
        "targets_left_out": lr * 2 / len(targets) * inputs.T @ (inputs @ weights),
        "absolute": lr * 2 / len(targets) * inputs.T @ np.sign(errors),
        "any_rate": lr * gradient,
        "same_for_all": np.full_like(weights, lr * 2 * errors.mean()),
    }
    return gradient if how == "gradient" else weights - steps[how]


def _step_by_autograd(weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray, lr: float = 0.1) -> np.ndarray:
    if not lr >= 0:
        raise ValueError("negative learning rate")
    leaf = torch.tensor(weights, requires_grad=True)
    ((torch.tensor(inputs) @ leaf - torch.tensor(targets)) ** 2).mean().backward()
    assert leaf.grad is not None
    return (leaf.detach() - lr * leaf.grad).numpy()


def _step_by_loops(weights: np.ndarray, inputs: np.ndarray, targets: np.ndarray, lr: float = 0.1) -> np.ndarray:
    if lr < 0.0:
        raise ValueError("learning_rate < 0")
    moved = weights.copy()
    for row, target in zip(inputs, targets, strict=True):
        error = sum(x * w for x, w in zip(row, weights, strict=True)) - target
        for place, x in enumerate(row):
            moved[place] -= lr * 2 * error * x / len(inputs)
    return moved


gradient_step = Task(
    name="gradient_step",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=20,
    cases=_step_cases,
    reference=_gradient_step,
    slips=(
        Slip(
            "uphill",
            partial(_step_wrong, how="uphill"),
            "The step goes uphill: the gradient points to where the loss grows. Subtract it from the weights.",
        ),
        Slip(
            "no_factor_two",
            partial(_step_wrong, how="no_two"),
            "The step is half as long as it should be. The derivative of error squared is 2 * error: the 2 is missing.",
        ),
        Slip(
            "summed",
            partial(_step_wrong, how="summed"),
            "The gradients of the examples were added up. The loss is their mean, so divide by the number of examples.",
        ),
        Slip(
            "divided_by_weights",
            partial(_step_wrong, how="per_weight"),
            "The sum was divided by the number of weights. The mean runs over the examples: divide by len(targets).",
        ),
        Slip(
            "no_learning_rate",
            partial(_step_wrong, how="full"),
            "The whole gradient was subtracted. Multiply it by the learning rate, or the step jumps over the valley.",
        ),
        Slip(
            "gradient_itself",
            partial(_step_wrong, how="gradient"),
            "This is the gradient, and it is right. The exercise asks for the weights after the step: weights - "
            "learning_rate * gradient.",
        ),
        Slip(
            "targets_left_out",
            partial(_step_wrong, how="targets_left_out"),
            "The targets play no part, so the step pulls every prediction towards 0. The error is prediction minus "
            "target.",
        ),
        Slip(
            "sign_of_the_error",
            partial(_step_wrong, how="absolute"),
            "Only the sign of the error was used, so a small error pulls as hard as a large one. That is the gradient "
            "of the absolute error; the square's is 2 * error.",
        ),
        Slip(
            "inputs_left_out",
            partial(_step_wrong, how="same_for_all"),
            "Every weight moved by the same amount. By the chain rule the error is multiplied with the input that the "
            "weight belongs to: inputs.T @ errors.",
        ),
        Slip(
            "in_place",
            partial(_step_wrong, how="in_place"),
            "The result is right, but weights -= ... also changed the array of the caller. Return a new one: "
            "weights - lr * gradient.",
        ),
        Slip(
            "any_rate",
            partial(_step_wrong, how="any_rate"),
            "The step is right, but a negative learning rate walks uphill in silence. Raise ValueError.",
        ),
    ),
    alternatives=(_step_by_autograd, _step_by_loops),
    hints=(
        "Write the loss of one example, (w . x - y) squared, and its derivative by each weight. Then the mean over the "
        "examples.",
        "errors = inputs @ weights - targets; the gradient is 2 / N times inputs.T @ errors.",
        "return weights - lr * 2 / len(targets) * inputs.T @ errors, after ValueError for a negative learning_rate.",
    ),
)
