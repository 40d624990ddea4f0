"""How an n-gram model distributes probability: the smoothing methods, from none at all to modified Kneser-Ney.

Every method here has one form. With c the context, c' the context without its first word, and w the word,

    p(w | c) = own(c w) + backoff(c) p(w | c')

and for an n-gram that was never seen only the second part is left. A method defines `own` and `backoff`; the
tables, the recursion and the scoring are in `ngram_tables`. The recursion ends in the uniform distribution
1/V, where V counts every word that can be predicted: `<unk>` and `</s>` among them, `<s>` not.

The symbols: c(.) is a count, N1+(. w) the number of distinct words seen before w ("continuation count").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lmcourse import checks

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OrderCounts:
    """What a method gets to know about the n-grams of one order; the arrays have one entry an n-gram.

    Args:
        n: the order.
        highest: whether it is the model's own order.
        counts: c(c w).
        continuation_counts: N1+(. c w), the number of distinct words seen before the n-gram; zeros at the highest
            order, where they are not needed.
        begins_sentence: whether the n-gram begins with `<s>`.
        contexts: the index of its context, one order below.
        num_contexts: how many contexts there are.
        vocab_size: V.
    """

    n: int
    highest: bool
    counts: Ints
    continuation_counts: Ints
    begins_sentence: NDArray[np.bool_]
    contexts: Ints
    num_contexts: int
    vocab_size: int

    def total(self, values: NDArray[Any]) -> Floats:
        """The sum of `values` (one an n-gram) over the n-grams that share a context: (num_contexts,)."""
        return np.bincount(self.contexts, weights=values, minlength=self.num_contexts).astype(np.float64, copy=False)

    def adjusted_counts(self) -> Ints:
        """Kneser-Ney's counts: c at the highest order, N1+ below it, except for n-grams that begin with `<s>`.

        Nothing stands before `<s>`, so those have no continuation count and keep their plain one, as in KenLM.
        """
        return self.counts if self.highest else np.where(self.begins_sentence, self.counts, self.continuation_counts)


class Smoothing:
    """What all methods share. `sums_to_one` is False for the one method whose scores are not probabilities."""

    sums_to_one: bool = True
    to_uniform: bool = False  # True: an unseen n-gram takes 1/V instead of what the shorter context gives
    interpolates: bool = True  # True: a seen n-gram gets the lower orders' part too

    def check(self, order: int) -> None:
        """Raise ValueError if the method's settings do not fit a model of this order."""

    def unseen_context(self) -> float:
        """The back-off weight of a context that was never seen."""
        return 1.0

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        """`own` (one an n-gram), `backoff` (one a context), and the discounts that were subtracted."""
        raise NotImplementedError


@dataclass(frozen=True)
class Discounts:
    """The discounts of one order: one value, three, or none; and whether they are the fallback, for want of counts."""

    values: tuple[float, ...] = ()
    fell_back: bool = False


@dataclass(frozen=True)
class MLE(Smoothing):
    """Maximum likelihood: relative frequencies, no smoothing.

        p(w | c) = c(c w) / c(c)

    A context that was never seen has no relative frequencies; it is shortened from the left until it was seen. What
    was never seen after a seen context has probability 0, an unknown word too, so a perplexity is often infinite.

    Source: Chen and Goodman (1999), section 1.
    """

    interpolates = False

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        totals = order.total(order.counts)
        return _ratio(order.counts, totals[order.contexts]), np.where(totals > 0, 0.0, 1.0), Discounts()


@dataclass(frozen=True)
class AddK(Smoothing):
    """Add-k: pretends that everything was seen k times more often (k = 1: Laplace; other k: Lidstone).

        p(w | c) = (c(c w) + k) / (c(c) + k V)

    The same, rearranged: c(c) / (c(c) + k V) times the relative frequency, and the rest to the uniform distribution;
    the shorter context plays no part, so that there is no back-off form and no ARPA file (`NGramModel.save` keeps such
    a model). V counts `<unk>` and `</s>`, not `<s>` (NLTK's V has `<s>` too, one more).

    Args:
        k: greater than 0.

    Source: Lidstone (1920); Chen and Goodman (1999), section 2.1.
    """

    k: float = 1.0
    to_uniform = True

    def __post_init__(self) -> None:
        checks.number(k=self.k, above=0)

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        extra = self.k * order.vocab_size
        totals = order.total(order.counts) + extra
        return order.counts / totals[order.contexts], extra / totals, Discounts()


@dataclass(frozen=True)
class Interpolated(Smoothing):
    """Jelinek-Mercer interpolation with fixed weights.

        p(w | c) = sum over n of lambda_n p_MLE(w | the last n - 1 words of c)

    computed in its recursive form p_n = mu_n p_MLE,n + (1 - mu_n) p_(n-1), mu_n = lambda_n / (lambda_1 + ... +
    lambda_n). Where a context was never seen (or is shorter, at a sentence's start) its weight goes to the lower
    orders in proportion.

    Args:
        weights: one an order, lambda_1 of the unigrams first; each from 0 to 1, together 1.
        uniform: the share of the unigrams' part that goes to the uniform distribution, from 0 to 1, so that an
            unknown word need not have probability 0.

    Source: Jelinek and Mercer (1980); Chen and Goodman (1999), section 2.3.
    """

    weights: Sequence[float]
    uniform: float = 0.0

    def __post_init__(self) -> None:
        try:
            weights = tuple(self.weights)
        except TypeError:
            raise TypeError(f"`weights` must be a sequence of numbers, got {self.weights!r}.") from None
        checks.not_empty(weights=weights)
        for index, weight in enumerate(weights):
            checks.number(at_least=0, at_most=1, **{f"weights[{index}]": weight})
        if abs(sum(weights) - 1) > 1e-9:
            raise ValueError(f"`weights` must sum to 1, got {list(weights)} with the sum {sum(weights):.12g}.")
        checks.number(uniform=self.uniform, at_least=0, at_most=1)
        object.__setattr__(self, "weights", weights)

    def check(self, order: int) -> None:
        if len(self.weights) != order:
            raise ValueError(
                f"`weights` must hold one weight an order, got {len(self.weights)} weights for order={order}."
            )

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        so_far = sum(self.weights[: order.n])
        keep = self.weights[order.n - 1] / so_far if so_far > 0 else 1.0
        if order.n == 1:
            keep = 1.0 - self.uniform
        totals = order.total(order.counts)
        own = keep * _ratio(order.counts, totals[order.contexts])
        return own, np.where(totals > 0, 1.0 - keep, 1.0), Discounts()


@dataclass(frozen=True)
class StupidBackoff(Smoothing):
    """Stupid backoff: relative frequency if seen, else alpha times the score after the shorter context.

        S(w | c) = c(c w) / c(c)  if c(c w) > 0,  else  alpha S(w | c')

    **The scores do not sum to one**: what the shorter context adds is never taken away elsewhere. A context that was
    never seen costs a factor alpha too, which an ARPA file cannot express (but `NGramModel.save` keeps it).

    Args:
        alpha: from 0 to 1, both excluded.

    Source: Brants et al. (2007), equation 5; alpha = 0.4 is theirs.
    """

    alpha: float = 0.4
    sums_to_one = False
    interpolates = False

    def __post_init__(self) -> None:
        checks.number(alpha=self.alpha, above=0, below=1)

    def unseen_context(self) -> float:
        return self.alpha

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        own = _ratio(order.counts, order.total(order.counts)[order.contexts])
        return own, np.full(order.num_contexts, self.alpha), Discounts()


@dataclass(frozen=True)
class AbsoluteDiscounting(Smoothing):
    """Absolute discounting, interpolated: D is subtracted from every count, and the lower order distributes the sum.

        p(w | c) = max(c(c w) - D, 0) / c(c)  +  D N1+(c .) / c(c)  p(w | c')

    Args:
        discount: greater than 0, at most 1, the same for all orders; None estimates one an order,
            D = n1 / (n1 + 2 n2), with n1 and n2 the numbers of n-grams that occur once and twice.
        uniform: True discounts the unigrams as well and gives that mass to the uniform distribution, so that an
            unknown word has a probability; False leaves them relative frequencies, as NLTK does.
        fallback: the discount to take where n1 or n2 is 0; None makes that an error.

    Source: Ney, Essen and Kneser (1994); Chen and Goodman (1999), section 2.6, also for D.
    """

    discount: float | None = None
    uniform: bool = True
    fallback: float | None = 0.75

    def __post_init__(self) -> None:
        for name, value in (("discount", self.discount), ("fallback", self.fallback)):
            if value is not None:
                checks.number(above=0, at_most=1, **{name: value})

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        if order.n == 1 and not self.uniform:
            return MLE().estimate(order)
        used = _one_discount(order.counts, order.n, self.discount, self.fallback)
        return _discounted(order, order.counts, used)


@dataclass(frozen=True)
class KneserNey(Smoothing):
    """Kneser-Ney, interpolated; by default the modified form with three discounts, as KenLM's `lmplz` computes it.

        p(w | c) = (a(c w) - D(a(c w))) / sum_v a(c v)  +  gamma(c) p(w | c')
        gamma(c) = (D1 N1(c .) + D2 N2(c .) + D3+ N3+(c .)) / sum_v a(c v)

    a is the count for n-grams of the highest order, and the number of distinct words before the n-gram for the lower
    ones ("San Francisco" is frequent, but Francisco follows one word only); an n-gram that begins with `<s>` keeps
    its count. The unigrams are interpolated with 1/V. The discounts of an order come from its counts of counts n1 to
    n4 (of a, not of c, in the lower orders):

        Y = n1 / (n1 + 2 n2),  D1 = 1 - 2 Y n2/n1,  D2 = 2 - 3 Y n3/n2,  D3+ = 3 - 4 Y n4/n3

    If one of n1, n2, n3 is 0, or a Dj lies outside 0 .. j, the whole order takes the fallback; `model.fell_back` lists
    these orders.

    Args:
        modified: False uses one discount D = Y an order.
        discounts: set them instead: one number for every count, or three (D1, D2, D3+), the same for all orders.
        uniform: False leaves the unigrams undiscounted, as NLTK does; an unknown word then has probability 0.
        fallback: three numbers (with modified=False the first is used); None makes a fallback an error, as in `lmplz`
            without its option `--discount_fallback`. The default is that option's.

    Source: Kneser and Ney (1995); Chen and Goodman (1998), equation 26 for the discounts, which KenLM cites; Heafield
    et al. (2013) for the counts as `lmplz` takes them.
    """

    modified: bool = True
    discounts: Sequence[float] | float | None = None
    uniform: bool = True
    fallback: Sequence[float] | None = (0.5, 1.0, 1.5)

    def __post_init__(self) -> None:
        fixed = (self.discounts,) if isinstance(self.discounts, int | float) else self.discounts
        for name, values in (("discounts", fixed), ("fallback", self.fallback)):
            if values is None:
                continue
            lengths = (1, 3) if name == "discounts" else (3,)
            if not isinstance(values, Iterable) or len(values := tuple(values)) not in lengths:
                wanted = " or ".join(map(str, lengths))
                raise ValueError(f"`{name}` must hold {wanted} numbers, got {name}={values!r}.")
            for j, value in enumerate(values, start=1):
                checks.number(at_least=0, at_most=j, **{f"{name}[{j - 1}]": value})
            object.__setattr__(self, name, values)

    def estimate(self, order: OrderCounts) -> tuple[Floats, Floats, Discounts]:
        adjusted = order.adjusted_counts()
        if order.n == 1 and not self.uniform:
            totals = order.total(adjusted)
            return adjusted / totals[order.contexts], np.zeros_like(totals), Discounts()
        if self.discounts is not None:
            used = Discounts(tuple(self.discounts))  # type: ignore[arg-type]
        elif self.modified:
            used = _three_discounts(adjusted, order.n, self.fallback)
        else:
            used = _one_discount(adjusted, order.n, None, self.fallback[0] if self.fallback else None)
        return _discounted(order, adjusted, used)


def counts_of_counts(counts: Ints) -> Ints:
    """n0, n1, n2, n3, n4: how many n-grams have the count 0, 1, 2, 3, 4. Shape (5,)."""
    checks.instance(np.ndarray, counts=counts)
    if counts.ndim != 1 or counts.dtype.kind not in "iu":
        raise TypeError(f"`counts` must be whole numbers (N,), got {counts.dtype} of shape {counts.shape}.")
    return np.bincount(np.minimum(counts, 5), minlength=6)[:5]


def _three_discounts(counts: Ints, n: int, fallback: Sequence[float] | None) -> Discounts:
    numbers = [int(number) for number in counts_of_counts(counts)]
    discounts: list[float] = []
    if all(numbers[1:4]):
        y = numbers[1] / (numbers[1] + 2 * numbers[2])
        discounts = [j - (j + 1) * y * numbers[j + 1] / numbers[j] for j in (1, 2, 3)]
        if all(0 <= discount <= j for j, discount in enumerate(discounts, start=1)):
            return Discounts(tuple(discounts))
    if fallback is None:
        raise ValueError(
            f"The counts of counts of the {n}-grams allow no Kneser-Ney discounts (n1 to n4 = {numbers[1:]}, "
            f"D1 to D3+ = {discounts or 'undefined'}): the text is too small or artificial; give `fallback`."
        )
    return Discounts(tuple(fallback), fell_back=True)


def _one_discount(counts: Ints, n: int, fixed: float | None, fallback: float | None) -> Discounts:
    if fixed is not None:
        return Discounts((fixed,))
    once, twice = (int(number) for number in counts_of_counts(counts)[1:3])
    if once and twice:
        return Discounts((once / (once + 2 * twice),))
    if fallback is None:
        raise ValueError(f"D = n1 / (n1 + 2 n2) needs n1 and n2 of the {n}-grams above 0, got {once} and {twice}.")
    return Discounts((fallback,), fell_back=True)


def _discounted(order: OrderCounts, counts: Ints, used: Discounts) -> tuple[Floats, Floats, Discounts]:
    one, two, three = used.values if len(used.values) == 3 else used.values * 3
    off = np.array([0.0, one, two, three])[np.minimum(counts, 3)]
    totals = order.total(counts)
    own = _ratio(counts - off, totals[order.contexts])
    # What was subtracted after a context is exactly D1 N1(c .) + D2 N2(c .) + D3+ N3+(c .).
    return own, _ratio(order.total(off), totals, otherwise=1.0), used


def _ratio(numerator: NDArray[Any], denominator: NDArray[Any], otherwise: float = 0.0) -> Floats:
    """numerator / denominator, and `otherwise` where the denominator is 0."""
    ratio: Floats = np.full(numerator.shape, otherwise)
    np.divide(numerator, denominator, out=ratio, where=denominator > 0)
    return ratio


__all__ = [
    "MLE",
    "AbsoluteDiscounting",
    "AddK",
    "Interpolated",
    "KneserNey",
    "Smoothing",
    "StupidBackoff",
    "counts_of_counts",
]
