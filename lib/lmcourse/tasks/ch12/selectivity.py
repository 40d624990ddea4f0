import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch12.shared import CLOSE, drawer


def selectivity(x, labels, coins, new_x, new_labels, new_coins, penalty):
    """Return how much better a ridge probe reads a property than labels that mean nothing.

    A probe for labels y (+1 and -1) has the weights w = (X^T X + penalty I)^-1 X^T y, no constant and no scaling, and
    says +1 where x . w is above 0, else -1. It is fitted on `x` and scored on `new_x`.

    Args:
        x: (n, D); new_x: (m, D).
        labels, new_labels: the property, +1.0 or -1.0, (n,) and (m,).
        coins, new_coins: a coin tossed once for each word, +1.0 or -1.0, (n,) and (m,).
        penalty: above 0.

    Returns:
        The accuracy for the property less the accuracy for the coins, a float.

    >>> x, y = torch.tensor([[1.0, 0.0], [-1.0, 0.0]]), torch.tensor([1.0, -1.0])
    >>> selectivity(x, y, y, x, y, -y, 1.0)
    1.0
    """

    def accuracy(y, new_y):
        w = torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype), x.T @ y)
        says = torch.where(new_x @ w > 0, 1.0, -1.0)
        return (says == new_y).double().mean().item()

    return accuracy(labels, new_labels) - accuracy(coins, new_coins)


@drawn(3)
def cases(seed: int) -> list[Case]:
    draw = drawer(seed)
    x, y = torch.tensor([[1.0, 0.0], [-1.0, 0.0]]), torch.tensor([1.0, -1.0])

    def drawn(n: int, m: int, D: int, penalty: float, shift: float = 0.0) -> tuple:
        direction, noise = draw(D), draw(n + m)
        xs = draw(n + m, D) + shift
        labels, coins = (xs @ direction + noise).sign(), draw(n + m).sign()
        return xs[:n], labels[:n], coins[:n], xs[n:], labels[n:], coins[n:], penalty

    centre = torch.zeros(1, 2)
    return [
        case("the worked example", x, y, y, x, y, -y, 1.0),
        case("forty vectors of width five", *drawn(40, 61, 5, 0.5)),
        case("a strong penalty", *drawn(31, 53, 7, 40.0, shift=1.0)),
        case("more features than vectors", *drawn(7, 67, 19, 0.1)),
        case("vectors far from the origin", *drawn(37, 71, 3, 2.0, shift=3.0)),
        border("one new vector", *drawn(23, 1, 5, 1.0)),
        border("a width of one", *drawn(23, 41, 1, 1.0)),
        border("as many vectors as features", *drawn(5, 59, 5, 0.3)),
        border("the coins are read, and the property is not", x, y, y, x, -y, y, 1.0),
        border("a new vector of zeros, for which x . w is 0", x, y, y, centre, -y[:1], y[:1], 1.0),
    ]


SLIPS = mistakes("""
no_control: "Return how much better a ridge probe reads a property than labels that mean nothing"
    - accuracy(coins, new_coins) =>
  This is the accuracy for the property alone. Subtract that of the control.
scored_on_what_was_learned: "It is fitted on `x` and scored on `new_x`"
    new_x @ w => x @ w
    says == new_y => says == y
  The probe was scored on the vectors that it was fitted on. Score it on the new ones.
no_penalty: "A probe for labels y (+1 and -1) has the weights w = (X^T X + penalty I)^-1 X^T y, no constant"
    torch.linalg.solve(x.T @ x + penalty * torch.eye(x.shape[1], dtype=x.dtype), x.T @ y) => torch.linalg.pinv(x) @ y
  The penalty is missing: this is plain least squares. Add penalty times the identity to X^T X.
one_probe_for_both: "a coin tossed once for each word, +1.0 or -1.0, (n,) and (m,)"
    accuracy(coins, new_coins) => accuracy(labels, new_coins)
  The control was scored with the probe that was fitted on the property. It needs a probe of its own, fitted on the
  coins.
penalty_times_n: "above 0"
    penalty * torch.eye => len(x) * penalty * torch.eye
  The penalty was multiplied by the number of vectors. Here it is added as it is.
zero_counts_as_plus: "w is above 0, else -1"
    new_x @ w > 0 => new_x @ w >= 0
  Where x . w is exactly 0 the probe says -1; yours says +1.
""")
HINTS = hints("""
- Write a function that fits one probe and scores it, and call it twice.
- w = torch.linalg.solve(X^T X + penalty I, X^T y); it says +1 where new_x @ w > 0.
- return accuracy(labels, new_labels) - accuracy(coins, new_coins), each with its own w
""")
task = Task(selectivity, points=3, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
