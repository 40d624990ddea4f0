"""Project `SoftmaxClassifier`: a model, its loss, its gradient and its training, with nothing but NumPy."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties


class SoftmaxClassifier:
    """A softmax classifier, trained by gradient descent. It starts with all parameters at 0.

    Args:
        num_features: D, how many numbers describe an example.
        num_classes: V, of which each example belongs to one.

    Attributes:
        weights: an array (D, V).
        bias: an array (V,).

    >>> model = SoftmaxClassifier(2, 3)
    >>> X, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([2, 0])
    >>> round(float(model.loss(X, y)), 4)  # three equal probabilities: log 3
    1.0986
    >>> losses = model.fit(X, y, goal=0.5)
    >>> bool(losses[-1] <= 0.5 < losses[-2])
    True
    """

    def __init__(self, num_features, num_classes):
        self.weights = np.zeros((num_features, num_classes))
        self.bias = np.zeros(num_classes)

    def log_probs(self, X):
        """Return the logarithm of each class's probability, an array (N, V). Large scores must not overflow.

        Args:
            X: an array (N, D), one row an example.
        """
        scores = X @ self.weights + self.bias
        shifted = scores - scores.max(axis=1, keepdims=True)
        return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))

    def loss(self, X, y):
        """Return the cross-entropy in nats: the mean of minus the log-probability of the right classes.

        Args:
            X: an array (N, D).
            y: the right classes, an array (N,) of whole numbers from 0 to V - 1.
        """
        return -self.log_probs(X)[np.arange(len(y)), y].mean()

    def gradients(self, X, y):
        """Return the gradients of the loss: an array (D, V) for the weights, and one (V,) for the bias."""
        difference = np.exp(self.log_probs(X))  # (N, V)
        difference[np.arange(len(y)), y] -= 1
        return X.T @ difference / len(y), difference.mean(axis=0)

    def fit(self, X, y, goal, lr=0.5, max_steps=1_000):
        """Step against the gradients of all examples, from the present parameters on, until the loss is at most `goal`.

        Returns:
            A list of the losses: before the first step, and after each step. If the goal is met at once, no step is
            made.

        Raises:
            ValueError: `max_steps` steps did not suffice.
        """
        losses = [self.loss(X, y)]
        while losses[-1] > goal:
            if len(losses) > max_steps:
                raise ValueError(f"`goal` was not reached in max_steps={max_steps} steps, got a loss of {losses[-1]}.")
            weights_gradient, bias_gradient = self.gradients(X, y)
            self.weights = self.weights - lr * weights_gradient
            self.bias = self.bias - lr * bias_gradient
            losses.append(self.loss(X, y))
        return losses


def use(answer: Callable[..., Any], asked: str, sizes: tuple[int, int], *given: Any) -> Any:
    """What a model of the class gives, where asked with the parameters of the case."""
    model = answer(*sizes)
    if asked == "start":
        return {"weights": model.weights, "bias": model.bias}
    if asked in ("fit", "limit"):
        X, y, goal, *own = given
        try:
            losses = model.fit(X, y, goal, **dict(zip(("lr", "max_steps"), own, strict=False)))
        except NotImplementedError:
            raise
        except ValueError:
            if asked == "limit":
                return "ValueError"
            raise
        if asked == "limit":
            return len(losses) - 1
        return {"losses": [float(loss) for loss in losses], "weights": model.weights, "bias": model.bias}
    if asked == "met":
        X, y = given
        model.fit(X, y, goal=0.7 * model.loss(X, y))
        before = model.loss(X, y)
        return {"losses": len(model.fit(X, y, goal=before)), "changed": model.loss(X, y) - before}
    model.weights, model.bias = given[0].copy(), given[1].copy()
    if asked == "log_probs":
        return model.log_probs(given[2])
    if asked == "loss":
        return float(model.loss(*given[2:]))
    weights, bias = model.gradients(*given[2:])
    return {"weights": weights, "bias": bias}


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def parameters(D: int, V: int, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        return scale * rng.normal(size=(D, V)), scale * rng.normal(size=V)

    def examples(N: int, D: int, V: int) -> tuple[np.ndarray, np.ndarray]:
        """Classes that lie apart, of unequal sizes."""
        centres = 2.0 * rng.normal(size=(V, D))
        y = np.minimum(rng.integers(0, V + 1, size=N), V - 1)
        y[:V] = np.arange(V)
        return centres[y] + 0.7 * rng.normal(size=(N, D)), y

    rows = rng.normal(size=(4, 3))
    rows[1] *= 300.0  # of the other rows' scores, the largest is far below this row's
    some, many = examples(11, 3, 5), examples(40, 2, 3)

    def after(steps: int, X: np.ndarray, y: np.ndarray, lr: float) -> float:
        """A goal that is reached with this many steps, and clearly not with one less."""
        model = SoftmaxClassifier(X.shape[1], y.max() + 1)
        for _ in range(steps):
            before = model.loss(X, y)
            weights, bias = model.gradients(X, y)
            model.weights, model.bias = model.weights - lr * weights, model.bias - lr * bias
        return float((before + model.loss(X, y)) / 2)

    return [
        probe("start", "3 features, 5 classes", "start", (3, 5)),
        probe("start", "1 feature, 2 classes", "start", (1, 2)),
        probe("log_probs", "7 examples, 3 features, 5 classes", "log_probs", (3, 5), *parameters(3, 5), some[0][:7]),
        probe("log_probs", "one example", "log_probs", (3, 5), *parameters(3, 5), some[0][:1]),
        probe("log_probs", "scores above 1,000", "log_probs", (3, 4), *parameters(3, 4, 900.0), some[0][:5]),
        probe("log_probs", "one row with far larger scores", "log_probs", (3, 4), *parameters(3, 4, 5.0), rows),
        probe("loss", "11 examples, 5 classes", "loss", (3, 5), *parameters(3, 5), *some),
        probe("loss", "one example", "loss", (3, 5), *parameters(3, 5), some[0][:1], some[1][:1]),
        probe("gradients", "11 examples, 5 classes", "gradients", (3, 5), *parameters(3, 5), *some),
        probe("gradients", "40 examples, 3 classes", "gradients", (2, 3), *parameters(2, 3), *many),
        probe("gradients", "all parameters 0", "gradients", (2, 3), *parameters(2, 3, 0.0), *many),
        probe("fit", "40 examples, 3 classes", "fit", (2, 3), *many, after(40, *many, 0.1), 0.1, 300),
        probe("fit", "11 examples, 5 classes", "fit", (3, 5), *some, after(25, *some, 0.05), 0.05, 300),
        probe("fit", "the learning rate that is the default", "fit", (2, 3), *many, after(20, *many, 0.5)),
        probe("fit", "a goal that is met before the first step", "fit", (2, 3), *many, 2.0, 0.1, 10),
        probe("fit", "a second time, with a goal that is just the loss of the fitted model", "met", (3, 5), *some),
        probe("limit", "exactly as many steps as it takes", "limit", (2, 3), *many, after(30, *many, 0.1), 0.1, 30),
        probe("limit", "one step less than it takes", "limit", (2, 3), *many, after(30, *many, 0.1), 0.1, 29),
        probe("limit", "a goal below 0", "limit", (2, 3), *many, -0.5, 0.1, 7),
        probe("limit", "1,000 steps, which are the default", "limit", (2, 3), *many, after(1_000, *many, 0.1), 0.1),
        probe("limit", "one step more than the default", "limit", (2, 3), *many, after(1_001, *many, 0.1), 0.1),
    ]


SLIPS = mistakes("""
starts_at_one: loses start, fit
    np.zeros((num_features => np.ones((num_features
  A new model's weights are not 0. Make them with np.zeros.
no_bias: loses log_probs, loss, gradients, fit, limit
    + self.bias =>
  The bias is not added to the scores: scores = X @ weights + bias.
overflows: loses log_probs
    scores - scores.max(axis=1, keepdims=True) => scores
  exp(1000) overflows. Subtract from each row its largest score first; no probability changes.
one_maximum: loses log_probs
    scores.max(axis=1, keepdims=True) => scores.max()
  One maximum was subtracted from all rows, so that a row far below it underflows to log(0). Subtract from each row its
  own: axis=1, keepdims=True.
summed: loses loss, fit, limit
    y].mean() => y].sum()
  The losses of the examples were added up. Take their mean.
target_forgotten: loses gradients, fit, limit
    y] -= 1 => y] -= 0
  The gradient with respect to the scores is p - y: subtract 1 from the probability of the right class.
gradient_turned: loses gradients, fit, limit
    return X.T @ difference => return -X.T @ difference
    difference.mean => -difference.mean
  The gradients point downhill. They are X.T @ (p - y), not X.T @ (y - p).
uphill: loses fit, limit
    self.weights - lr => self.weights + lr
    self.bias - lr => self.bias + lr
  The steps go uphill: subtract the gradients times the learning rate.
bias_left_alone: loses fit, limit
    self.bias - lr * bias_gradient => self.bias
  Only the weights are changed. The bias needs its step, too.
first_loss_missing: loses fit, limit
    return losses => return losses[1:]
  The list lacks the loss before the first step.
starts_again: loses fit
    losses = [self.loss(X, y)] => self.__init__(*self.weights.shape)
    |        losses = [self.loss(X, y)]
  `fit` began again with parameters of 0. It goes on from those that the model has.
below_the_goal: loses fit
    while losses[-1] > goal => while losses[-1] >= goal
  A loss that is just the goal was not enough. The loss is to be at most `goal`: then no further step is made.
one_step_short: loses limit
    len(losses) > max_steps => len(losses) >= max_steps
  `max_steps` steps are allowed, and one less was made. The list of losses has one more entry than steps.
gives_up_in_silence: loses limit
    raise ValueError => return losses or str
  When `max_steps` steps do not suffice, raise ValueError; do not return as if the goal had been reached.
""")
HINTS = hints("""
- Exercises 4 to 6 hold all the parts. Write `log_probs` first; `loss` picks one entry of each row, and `gradients`
  begins with the exponential of `log_probs`.
- With p = np.exp(self.log_probs(X)) and 1 subtracted at the right classes, the gradients are X.T @ p / N for the
  weights and p.mean(axis=0) for the bias.
- In `fit`: losses = [self.loss(X, y)]; while losses[-1] > goal: raise ValueError if len(losses) > max_steps; compute
  both gradients, then change weights and bias, then append the new loss.
""")
PROPERTIES = properties("""
start, 1: A new model has the parameters `weights` (D, V) and `bias` (V,), all of them 0.
log_probs, 2: The log-probabilities are right, for very large and very unequal scores, too.
loss, 1: The loss is the mean cross-entropy of the examples, in nats.
gradients, 2: The gradients with respect to weights and bias are right.
fit, 3: `fit` takes the right steps, stops at the goal, and returns the losses.
limit, 1: `fit` may take `max_steps` steps; if it needs more, it raises ValueError.
""")
task = Task(
    SoftmaxClassifier,
    points=10,
    difficulty=4,
    minutes=45,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9, dtype=False),
    call=use,
    seconds=30.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
