import numpy as np

from lmcourse.exercises import Case, Compare, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def gradient_step(weights, inputs, targets, lr=0.1):
    """Return the weights after one step of gradient descent on the mean squared error.

    Args:
        weights: an array of shape (D,); it is not changed.
        inputs: an array of shape (N, D), one row an example.
        targets: an array of shape (N,).
        lr: how long the step is, 0 or above.

    Returns:
        A new array of shape (D,).

    Raises:
        ValueError: the learning rate is below 0.

    >>> inputs = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]])
    >>> targets = np.array([3.0, 5.0, 7.0, 9.0])
    >>> gradient_step(np.array([1.0, 0.0]), inputs, targets, 0.05).round(6).tolist()
    [2.0, 0.35]
    """
    if lr < 0:
        raise ValueError(f"`lr` must not be negative, got {lr}.")
    errors = inputs @ weights - targets
    gradient = 2 / len(targets) * inputs.T @ errors
    return weights - lr * gradient


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    inputs, weights = rng.normal(size=(7, 3)), rng.normal(size=3)
    line = np.array([[1.0, 1.0], [2.0, 1.0], [3.0, 1.0], [4.0, 1.0]])
    return [
        case("the worked example", np.array([1.0, 0.0]), line, np.array([3.0, 5.0, 7.0, 9.0]), 0.05),
        case("seven examples, three weights", weights, inputs, rng.normal(size=7), 0.05),
        case("more weights than examples", rng.normal(size=5), rng.normal(size=(2, 5)), rng.normal(size=2), 0.01),
        case("the learning rate left out", np.array([0.5, -0.5]), line, np.array([1.0, 2.0, 3.0, 5.0])),
        border(
            "one example, one weight", np.array([2.0]), np.array([[3.0]]), np.array([float(rng.uniform(1, 5))]), 0.02
        ),
        border("at the bottom: the error is 0", weights, inputs, inputs @ weights, 0.5),
        border("learning rate 0", weights, inputs, rng.normal(size=7), 0.0),
        case("a step too long", np.array([1.0, 1.0]), line, np.array([2.0, 4.0, 6.0, 8.0]), 3.0),
        border("a learning rate below 0", weights, inputs, rng.normal(size=7), -0.1),
    ]


SLIPS = mistakes("""
uphill: "one step of gradient descent"
    return weights - lr * gradient => return weights + lr * gradient
  The step goes uphill: the gradient points to where the loss grows. Subtract it from the weights.
no_factor_two: "the mean squared error"
    2 / len => 1 / len
  The step is half as long as it should be. The derivative of error squared is 2 * error: the 2 is missing.
summed: "the mean squared error"
    2 / len(targets) => 2
  The gradients of the examples were added up. The loss is their mean, so divide by the number of examples.
divided_by_weights: "the mean squared error"
    2 / len(targets) => 2 / len(weights)
  The sum was divided by the number of weights. The mean runs over the examples: divide by len(targets).
no_learning_rate: "how long the step is, 0 or above"
    return weights - lr * gradient => return weights - gradient
  The whole gradient was subtracted. Multiply it by the learning rate, or the step jumps over the valley.
inputs_left_out: "an array of shape (N, D), one row an example"
    inputs.T @ errors => np.full_like(weights, errors.sum())
  Every weight moved by the same amount. By the chain rule the error is multiplied with the input that the weight
  belongs to: inputs.T @ errors.
in_place: "it is not changed"
    return weights - lr * gradient => weights -= lr * gradient
    |    return weights
  Right, but weights -= ... also changed the array of the caller. Return a new one: weights - lr * gradient.
any_rate: "the learning rate is below 0"
    if lr < 0 => if False
  The step is right, but a negative learning rate walks uphill in silence. Raise ValueError.
""")
HINTS = hints("""
- Write the loss of one example, (w . x - y) squared, and its derivative by each weight. Then the mean over the
  examples.
- errors = inputs @ weights - targets; the gradient is 2 / N times inputs.T @ errors.
- return weights - lr * 2 / len(targets) * inputs.T @ errors, after ValueError for a negative lr.
""")
task = Task(
    gradient_step, points=3, difficulty=3, minutes=20, cases=cases, compare=Compare(new=True), slips=SLIPS, hints=HINTS
)
