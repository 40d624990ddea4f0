"""From sentences to counted n-grams: words become numbers as they are read, and counting is sorting.

An n-gram is known by one integer, its key: (index of its context among the n-grams of one order less) x W + (id of its
last word), where W is the size of the vocabulary. Equal n-grams have equal keys, so that sorting brings them together.

Source: Heafield et al. (2013), section 3, who sort n-grams on disk.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from lmcourse.models.smoothing import Ints
from lmcourse.tokenizers.vocabulary import UNKNOWN, Vocabulary

START, END = "<s>", "</s>"

#: Words counted at a time: this bounds the memory of the sorting, whatever the length of the text.
BLOCK = 1 << 20


def read_text(sentences: Iterable[Iterable[str]], *, min_count: int) -> tuple[Vocabulary, Ints, Ints]:
    """Read a text once, holding no word twice: 4 bytes a word are kept.

    Returns:
        vocabulary: `<unk>`, `<s>`, `</s>`, then the words by falling count.
        words: the text as ids, each sentence with its `<s>` and `</s>`, int32. (M,)
        begins: the position of each `<s>`. (N,)

    Raises:
        TypeError: `sentences` is one str or not iterable, or a word is not a str.
        ValueError: there is no word; a sentence holds `<s>` or `</s>`.
    """
    seen: defaultdict[str, int] = defaultdict()
    seen.default_factory = seen.__len__  # a new word gets the next number
    numbers, lengths = _numbers(sentences, seen.__getitem__)
    if not len(numbers):
        raise ValueError(f"`sentences` must hold at least one word, got {len(lengths)} sentences and no word.")
    for word in seen:
        if not isinstance(word, str):
            raise TypeError(f"`sentences` must hold words that are str, got {word!r} of type {type(word).__name__}.")
    _refuse_boundaries(seen)
    counts = Counter(dict(zip(seen, np.bincount(numbers).tolist())))
    vocabulary = Vocabulary.from_counts(counts, min_count=min_count, special_tokens=(UNKNOWN, START, END))
    ids = np.array(vocabulary.encode(seen), np.int32)
    for begin in range(0, len(numbers), BLOCK):
        numbers[begin : begin + BLOCK] = ids[numbers[begin : begin + BLOCK]]
    return vocabulary, *_with_boundaries(numbers, lengths, vocabulary)


def encode_text(sentences: Iterable[Iterable[str]], vocabulary: Vocabulary) -> tuple[Ints, Ints]:
    """`words` and `begins` as of `read_text`, for a vocabulary that is there already. Raises what `read_text` does."""
    ids, lengths = _numbers(sentences, vocabulary.lookup)
    boundaries = vocabulary.index(START), vocabulary.index(END)
    if any((ids == boundary).any() for boundary in boundaries):
        _refuse_boundaries([vocabulary.tokens[number] for number in boundaries if (ids == number).any()])
    return _with_boundaries(ids, lengths, vocabulary)


def _numbers(sentences: Iterable[Iterable[str]], lookup: Callable[[str], int]) -> tuple[Ints, Ints]:
    """The numbers of all words in a row, and how many words each sentence has."""
    if isinstance(sentences, str):
        raise TypeError(
            f"`sentences` must be an iterable of sentences, got one str {sentences[:40]!r}; "
            "for a model of its characters pass [text]."
        )
    if not isinstance(sentences, Iterable):
        raise TypeError(f"`sentences` must be an iterable of sentences, got {sentences!r}.")
    lengths = array("q")

    def measured() -> Iterator[Collection[str]]:
        for sentence in sentences:
            words = sentence if isinstance(sentence, list | tuple | str) else list(sentence)
            lengths.append(len(words))
            yield words

    try:
        numbers = np.fromiter(map(lookup, chain.from_iterable(measured())), np.int32)
    except TypeError as error:
        raise TypeError(f"`sentences` must hold iterables of str: {str(error).rstrip('.')}.") from error
    return numbers, np.array(lengths, np.int64)


def _with_boundaries(ids: Ints, lengths: Ints, vocabulary: Vocabulary) -> tuple[Ints, Ints]:
    """The ids with `<s>` before and `</s>` after each sentence, and the position of each `<s>`."""
    ends = np.cumsum(lengths + 2) - 1
    begins = ends - lengths - 1
    words = np.empty(len(ids) + 2 * len(lengths), np.int32)
    inside = np.ones(len(words), bool)
    inside[begins] = inside[ends] = False
    words[inside] = ids
    words[begins], words[ends] = vocabulary.index(START), vocabulary.index(END)
    return words, begins


def _refuse_boundaries(words: Collection[str]) -> None:
    bad = [word for word in (START, END) if word in words]
    if bad:
        raise ValueError(f"`sentences` must not hold {START} or {END}, which the model adds itself, got {bad[0]!r}.")


@dataclass
class NGramCounts:
    """The distinct n-grams of one order, sorted by key; one entry an n-gram in every array.

    `counts`: how often it occurs; `suffixes`: the index of the n-gram without its first word, one order below.
    """

    keys: Ints
    counts: Ints
    suffixes: Ints


def count_ngrams(words: Ints, order: int, *, width: int, start: int) -> list[NGramCounts]:
    """Count all n-grams of orders 1 to `order`; none reaches from one sentence into the next.

    Args:
        words: the text as ids, each sentence with its <s> and </s>. (M,)
        order: the highest order.
        width: W, the number of words in the vocabulary.
        start: the id of <s>.

    Returns:
        One `NGramCounts` an order. Those of order 1 are all words of the vocabulary, seen or not.

    Cost: a sort of M integers an order. Memory: 8 bytes a word and what the n-grams take, beside one block's sort.
    """
    orders = [NGramCounts(np.arange(width), np.bincount(words, minlength=width), np.zeros(width, np.int32))]
    index = words.copy()  # index[i]: of the n-gram that ends at word i, among those of the order at hand; -1 if none
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, len(words), BLOCK)]
    for n in range(2, order + 1):
        if len(orders[-1].keys) > (2**63 - 1) // width:
            raise ValueError(f"`order` must allow n-grams to be numbered with 64 bits, got {n}-grams beyond that.")
        counts = NGramCounts(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32))
        keys_of_blocks: list[Ints] = []
        before = index[:1]
        for block in blocks:
            contexts = np.concatenate((before, index[block][:-1]))
            before = index[block][-1:].copy()
            found = _count_block(contexts, words[block], index[block], width, start)
            counts = _merge(counts, found)
            if n < order:
                keys_of_blocks.append(found.keys)
        orders.append(counts)
        if len(blocks) > 1:
            for block, keys in zip(blocks, keys_of_blocks):  # from an index within the block to one among all
                known = index[block] >= 0
                index[block][known] = np.searchsorted(counts.keys, keys)[index[block][known]]
    return orders


def _count_block(contexts: Ints, words: Ints, index: Ints, width: int, start: int) -> NGramCounts:
    """Count the n-grams that end in one block of the text.

    Args:
        contexts: the (n-1)-gram that ends before each word; -1 if there is none in its sentence. (N,)
        words: the words. (N,)
        index: the (n-1)-gram that ends at each word; overwritten by the n-gram. (N,)
    """
    ends = np.flatnonzero((contexts >= 0) & (words != start))
    keys = contexts[ends].astype(np.int64) * width + words[ends]
    by_key = np.argsort(keys)
    keys, ends = keys[by_key], ends[by_key]
    first = _first_of_equal(keys)
    counts = np.diff(first, append=len(keys))
    suffixes = index[ends[first]]
    index[:] = -1
    index[ends] = np.repeat(np.arange(len(first), dtype=np.int32), counts)
    return NGramCounts(keys[first], counts, suffixes)


def _merge(one: NGramCounts, other: NGramCounts) -> NGramCounts:
    """The counts of two parts of a text together; `one` is not to be used any more.

    Only the n-grams that are new are put in: sorting all again would take four times the memory.
    """
    at = np.searchsorted(one.keys, other.keys)
    known = np.zeros(len(at), bool)
    inside = at < len(one.keys)
    known[inside] = one.keys[at[inside]] == other.keys[inside]
    one.counts[at[known]] += other.counts[known]
    new, at = ~known, at[~known]
    one.keys = np.insert(one.keys, at, other.keys[new])  # one array after the other: each old one is free at once
    one.counts = np.insert(one.counts, at, other.counts[new])
    one.suffixes = np.insert(one.suffixes, at, other.suffixes[new])
    return one


def _first_of_equal(ordered: Ints) -> Ints:
    """Where each run of equal numbers begins."""
    is_new = np.empty(len(ordered), bool)
    is_new[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return np.flatnonzero(is_new)
