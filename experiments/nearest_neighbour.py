"""The translator that learns nothing: it copies the translation of the training sentence that is most like the source.

Likeness is the cosine of TF-IDF vectors over words and pairs of neighbouring words. Where test sentences have
near-duplicates in training, this already scores high: it says how much of a BLEU score is memory.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise


class NearestNeighbour:
    """Cosine of (1 + log tf) * log(N / df) vectors. Source of the weights: Salton and Buckley, 1988."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.pairs = list(pairs)
        counts = [Counter(terms(source)) for source, _ in self.pairs]
        document_counts = Counter(term for count in counts for term in count)
        self.idf = {term: math.log(len(self.pairs) / n) for term, n in document_counts.items()}
        self.index: dict[Hashable, list[tuple[int, float]]] = defaultdict(list)
        for number, count in enumerate(counts):
            for term, weight in self._unit(count).items():
                self.index[term].append((number, weight))

    def nearest(self, source: str) -> tuple[str, str]:
        """Return the training pair whose source is most like `source` (of equals, the first)."""
        scores: dict[int, float] = defaultdict(float)
        for term, weight in self._unit(Counter(terms(source))).items():
            for number, other in self.index.get(term, ()):
                scores[number] += weight * other
        best = min(scores, key=lambda number: (-scores[number], number), default=0)
        return self.pairs[best]

    def _unit(self, count: Counter[Hashable]) -> dict[Hashable, float]:
        weights = {term: (1 + math.log(n)) * self.idf[term] for term, n in count.items() if term in self.idf}
        norm = math.sqrt(sum(weight**2 for weight in weights.values()))
        return {term: weight / norm for term, weight in weights.items()} if norm > 0.0 else {}


def terms(text: str) -> list[Hashable]:
    """Words without case and punctuation, and pairs of neighbours."""
    words = re.findall(r"\w+", text.casefold())
    return [*words, *pairwise(words)]
