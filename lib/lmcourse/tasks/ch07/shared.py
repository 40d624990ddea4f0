"""What several exercises of chapter 07 share: drawing cases, and what counts as the same result."""

from collections import Counter
from itertools import pairwise

import numpy as np

Token = bytes


Pair = tuple[bytes, bytes]


def random_bytes(rng: np.random.Generator, length: int, letters: bytes = b"abcd") -> bytes:
    """A short string over few letters, in which pairs come back."""
    return bytes(letters[int(index)] for index in rng.integers(0, len(letters), size=length))


def split_bytes(data: bytes) -> list[bytes]:
    """One token a byte."""
    return [bytes([byte]) for byte in data]


def join_pairs(tokens: list[Token], pair: Pair) -> list[Token]:
    """The reference of `merge_pair`."""
    merged, at = [], 0
    while at < len(tokens):
        if at + 1 < len(tokens) and (tokens[at], tokens[at + 1]) == pair:
            merged.append(tokens[at] + tokens[at + 1])
            at += 2
        else:
            merged.append(tokens[at])
            at += 1
    return merged


def learn_merges(piece_counts: dict[str, int], num_merges: int) -> list[Pair]:
    """The reference of `train_bpe`."""
    if num_merges < 0:
        raise ValueError(f"`num_merges` must be 0 or more, got {num_merges}.")
    words = {piece: split_bytes(piece.encode("utf-8")) for piece in piece_counts}
    merges: list[Pair] = []
    while len(merges) < num_merges:
        counts: Counter[Pair] = Counter()
        for piece, word in words.items():
            for pair in pairwise(word):
                counts[pair] += piece_counts[piece]
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        words = {piece: join_pairs(word, best) for piece, word in words.items()}
    return merges


def random_pieces(rng: np.random.Generator, n_pieces: int, longest: int = 9) -> dict[str, int]:
    """Pieces over four letters, with counts."""
    drawn: dict[str, int] = {}
    while len(drawn) < n_pieces:
        piece = random_bytes(rng, int(rng.integers(1, longest))).decode()
        drawn[piece] = int(rng.integers(1, 30))
    return drawn


LETTERS = "abcd"


def random_word(rng: np.random.Generator, length: int) -> str:
    return "".join(LETTERS[int(index)] for index in rng.integers(0, len(LETTERS), size=length))


def random_wordpieces(rng: np.random.Generator, n_pieces: int) -> set[str]:
    """All letters, and pieces of two to four."""
    return set(LETTERS) | {random_word(rng, int(rng.integers(2, 5))) for _ in range(n_pieces)}
