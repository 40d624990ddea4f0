"""Measures: bits per byte for language models; exact match, BLEU and chrF for translations."""

import math
from collections.abc import Sequence


def bits_per_byte(total_nats: float, n_bytes: int) -> float:
    """Return the cost of a text in bits per byte: total_nats / (n_bytes ln 2).

    A loss per token cannot compare a word model with a character model; the bits a model needs for the same bytes can.

    Args:
        total_nats: the negative log-probability of the whole text, in nats (summed, not averaged).
        n_bytes: the length of that text in UTF-8 bytes.

    Raises:
        ValueError: `n_bytes` is not positive, or `total_nats` is negative or not a number.
    """
    if n_bytes <= 0:
        raise ValueError(f"`n_bytes` must be positive, got {n_bytes}.")
    if math.isnan(total_nats) or total_nats < 0:
        raise ValueError(f"`total_nats` must be a number >= 0 (a sum of -log p), got {total_nats}.")
    return total_nats / (n_bytes * math.log(2))


def exact_match(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the share of outputs that equal their reference, sign by sign: 0 to 1."""
    _check_pairs(outputs, references)
    return sum(output == reference for output, reference in zip(outputs, references, strict=True)) / len(outputs)


def bleu(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the corpus BLEU of outputs beside one reference each: 0 to 100, by sacrebleu with its own tokens.

    The geometric mean of the shares of common 1- to 4-grams, with a penalty for brevity.

    Source: Papineni et al., 2002; computed as Post, 2018, asks for.
    """
    import sacrebleu  # here, since it takes long to import and few chapters need it

    _check_pairs(outputs, references)
    return float(sacrebleu.corpus_bleu(list(outputs), [list(references)]).score)


def chrf(outputs: Sequence[str], references: Sequence[str]) -> float:
    """Return the corpus chrF2 of outputs beside one reference each: 0 to 100, by sacrebleu.

    The F-measure of common character 1- to 6-grams, where what is missing counts twice what is too much: kinder than
    BLEU to a word that is nearly right.

    Source: Popovic, 2015.
    """
    import sacrebleu

    _check_pairs(outputs, references)
    return float(sacrebleu.corpus_chrf(list(outputs), [list(references)]).score)


def _check_pairs(outputs: Sequence[str], references: Sequence[str]) -> None:
    if isinstance(outputs, str) or isinstance(references, str):
        raise TypeError("`outputs` and `references` must be sequences of str, got one str.")
    if len(outputs) != len(references) or not len(outputs):
        raise ValueError(
            f"`outputs` and `references` must be of one length, not empty, got {len(outputs)} and {len(references)}."
        )
