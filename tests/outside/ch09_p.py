"""Answers to the project of chapter 09, written from its page alone."""

from tests.outside.variants import but

BM25 = """
import math
import re
from collections import Counter


class CourseSearch:
    def __init__(self, passages):
        self.pages = [page for page, _ in passages]
        self.bags = [Counter(self.stems(text)) for _, text in passages]
        self.df = Counter(stem for bag in self.bags for stem in bag)
        self.mean = sum(bag.total() for bag in self.bags) / max(1, len(self.bags))

    def stems(self, text):
        found = []
        for word in re.findall(r"\\w+", text.lower()):
            for ending in ("ing", "ed", "s"):
                if word.endswith(ending) and len(word) - len(ending) >= 3:
                    word = word[: -len(ending)]
                    break
            if len(word) > 3 and word[-1] == word[-2]:
                word = word[:-1]
            if len(word) > 3 and word.endswith("e"):
                word = word[:-1]
            found.append(word)
        return found

    def weight(self, stem):
        n = self.df[stem]
        return math.log(1 + (len(self.bags) - n + 0.5) / (n + 0.5))

    def score(self, asked, number):
        bag = self.bags[number]
        room = 1.2 * (0.25 + 0.75 * bag.total() / (self.mean or 1))
        return sum(self.weight(s) * bag[s] * 2.2 / (bag[s] + room) for s in set(asked) if s in bag)

    def search(self, question, k):
        asked = self.stems(question)
        best = {}
        for number, page in enumerate(self.pages):
            best[page] = max(best.get(page, 0.0), self.score(asked, number))
        return sorted(best, key=best.get, reverse=True)[:k]
"""

COSINE = """
import math
import re


class CourseSearch:
    def __init__(self, passages):
        self.passages = list(passages)
        self.sets = [self.vector(text) for _, text in self.passages]
        self.found = {}
        for bag in self.sets:
            for stem in bag:
                self.found[stem] = self.found.get(stem, 0) + 1

    def vector(self, text):
        bag = {}
        for stem in self.stems(text):
            bag[stem] = bag.get(stem, 0) + 1
        return {stem: 1 + math.log(n) for stem, n in bag.items()}

    def stems(self, text):
        words = re.sub(r"[^a-z0-9\\u00c0-\\u024f]+", " ", text.lower()).split()
        return [self.cut(word) for word in words]

    def cut(self, word):
        for ending in ("ing", "ed", "es", "s"):
            if word.endswith(ending) and len(word) > len(ending) + 2:
                word = word[: len(word) - len(ending)]
                if len(word) > 2 and word[-1] == word[-2] and ending in ("ing", "ed"):
                    word = word[:-1]
                break
        return word[:-1] if word.endswith("e") and len(word) > 3 else word

    def weight(self, stem):
        return math.log((1 + len(self.sets)) / (1 + self.found.get(stem, 0))) ** 2

    def score(self, asked, number):
        bag = self.sets[number]
        dot = sum(bag[s] * self.weight(s) for s in asked if s in bag)
        length = math.sqrt(sum(v * v for v in bag.values())) or 1.0
        return dot / length**0.8

    def search(self, question, k):
        asked = set(self.stems(question))
        pages, scores = [], {}
        ranked = sorted(range(len(self.passages)), key=lambda i: -self.score(asked, i))
        for i in ranked:
            if self.passages[i][0] not in pages:
                pages.append(self.passages[i][0])
        return pages[:k]
"""

ARRAYS = """
import re
import numpy as np


class CourseSearch:
    def __init__(self, passages):
        rows = [self.stems(text) for _, text in passages]
        self.names = np.array([page for page, _ in passages], dtype=object)
        self.vocabulary = {stem: i for i, stem in enumerate(sorted({stem for row in rows for stem in row}))}
        self.table = np.zeros((len(rows), len(self.vocabulary) + 1))
        for number, row in enumerate(rows):
            for stem in row:
                self.table[number, self.vocabulary[stem]] += 1

    def stems(self, text):
        out = []
        for word in "".join(c if c.isalnum() else " " for c in text.casefold()).split():
            stem = re.sub(r"(ing|ed|es|s)$", "", word) if len(word) > 4 else re.sub(r"s$", "", word)
            stem = re.sub(r"(.)\\1$", r"\\1", stem)
            out.append(stem.rstrip("e") or stem)
        return out

    def weight(self, stem):
        have = (self.table[:, self.vocabulary.get(stem, -1)] > 0).sum()
        return np.log1p((len(self.table) - have + 0.5) / (have + 0.5))

    def scores(self, question):
        length = self.table.sum(1)
        room = 1.5 * (0.3 + 0.7 * length / max(1e-9, length.mean()))
        total = np.zeros(len(self.table))
        for stem in set(self.stems(question)) & set(self.vocabulary):
            n = self.table[:, self.vocabulary[stem]]
            total += self.weight(stem) * n / (n + room)
        return total

    def score(self, asked, number):
        return self.scores(asked)[number]

    def search(self, question, k):
        order = self.names[np.argsort(-self.scores(question), kind="stable")]
        return list(dict.fromkeys(order.tolist()))[:k]
"""

TASK = "CourseSearch"
ANSWERS = [
    {"task": TASK, "right": True, "why": "BM25 of the best passage", "source": BM25},
    {"task": TASK, "right": True, "why": "TF-IDF, divided by a power of the length", "source": COSINE},
    {"task": TASK, "right": True, "why": "a table of counts in NumPy", "source": ARRAYS},
    {
        "task": TASK,
        "right": False,
        "why": "a page is as good as the sum of its passages",
        "source": but(
            BM25,
            (
                "best[page] = max(best.get(page, 0.0), self.score(asked, number))",
                "best[page] = best.get(page, 0.0) + self.score(asked, number)",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "every word counts the same",
        "source": but(BM25, ("return math.log(1 + (len(self.bags) - n + 0.5) / (n + 0.5))", "return 1.0")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "only pages that share a word come back",
        "source": but(
            BM25,
            (
                "return sorted(best, key=best.get, reverse=True)[:k]",
                "return sorted([p for p in best if best[p] > 0], key=best.get, reverse=True)[:k]",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the length of a passage does not count",
        "source": but(BM25, ("bag.total() / (self.mean or 1)", "1.0")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a page that is the best twice comes back twice",
        "source": but(
            COSINE,
            (
                "            if self.passages[i][0] not in pages:\n                pages.append(self.passages[i][0])\n",
                "            pages.append(self.passages[i][0])\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "of the endings only -s is cut off",
        "source": but(
            ARRAYS,
            (
                're.sub(r"(ing|ed|es|s)$", "", word) if len(word) > 4 else re.sub(r"s$", "", word)',
                're.sub(r"s$", "", word)',
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "words are cut at blanks: a mark at the end of a word stays",
        "source": but(BM25, ('re.findall(r"\\w+", text.lower())', "text.lower().split()")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a page that was named again later loses what it had: its last passage counts",
        "source": but(BM25, ("max(best.get(page, 0.0), self.score(asked, number))", "self.score(asked, number)")),
    },
]
