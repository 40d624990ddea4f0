"""Metrics: bits per byte for language models; exact match, BLEU and chrF for translations."""

import math
from collections.abc import Sequence

from lmcourse import checks
from lmcourse.extras import needs


def bits_per_byte(total_nats: float, n_bytes: int) -> float:
    """Return the cost of a text in bits per byte: total_nats / (n_bytes ln 2).

    The loss per token of a word model cannot be compared with that of a character model; bits per byte of text can.

    Args:
        total_nats: the negative log-probability of the whole text, in nats (summed, not averaged).
        n_bytes: the length of that text in UTF-8 bytes.

    Raises:
        TypeError: `n_bytes` is not an integer, or `total_nats` not a number.
        ValueError: `n_bytes` is below 1, or `total_nats` is negative or NaN. Infinity is allowed: a model that gives
            the text probability 0.
    """
    checks.whole(n_bytes=n_bytes, at_least=1)
    if total_nats != math.inf:
        checks.number(total_nats=total_nats, at_least=0.0)
    return total_nats / (n_bytes * math.log(2))


def exact_match(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the fraction of outputs that equal their reference, character by character: 0 to 1.

    Raises:
        TypeError: anything else than sequences of str.
        ValueError: unequal lengths, or no outputs.
    """
    _check_pairs(outputs, references)
    return sum(output == reference for output, reference in zip(outputs, references, strict=True)) / len(outputs)


def bleu(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the corpus BLEU of outputs with one reference each: 0 to 100, by sacrebleu with its own tokenization.

    The geometric mean of the 1- to 4-gram precisions, with a brevity penalty. Errors are those of `exact_match`.

    Source: Papineni et al., 2002; computed as Post, 2018, recommends.
    """
    with needs("lab", "computing BLEU"):
        import sacrebleu

    _check_pairs(outputs, references)
    return float(sacrebleu.corpus_bleu(list(outputs), [list(references)]).score)


def chrf(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the corpus chrF2 of outputs with one reference each: 0 to 100, by sacrebleu.

    The F-score of character 1- to 6-grams with recall weighted twice as much as precision: a word that is nearly right
    earns more than under BLEU. Errors are those of `exact_match`.

    Source: Popovic, 2015.
    """
    with needs("lab", "computing chrF"):
        import sacrebleu

    _check_pairs(outputs, references)
    return float(sacrebleu.corpus_chrf(list(outputs), [list(references)]).score)


def _check_pairs(outputs: Sequence[str], references: Sequence[str]) -> None:
    checks.texts(outputs=outputs, references=references)
    if len(outputs) != len(references) or not len(outputs):
        raise ValueError(
            "`outputs` and `references` must have the same length, at least 1, "
            f"got {len(outputs)} and {len(references)}."
        )
