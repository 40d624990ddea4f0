"""Answers to the project of chapter 01, written from its page alone."""

from tests.outside.variants import but

WITTEN_BELL = """
import math


class SmoothedModel:
    ORDER = 5

    def __init__(self, alphabet):
        self.alphabet = alphabet
        self.tables = [{} for _ in range(self.ORDER)]

    def fit(self, text):
        self.tables = [{} for _ in range(self.ORDER)]
        for i, character in enumerate(text):
            for n in range(self.ORDER):
                if n <= i:
                    counts = self.tables[n].setdefault(text[i - n : i], {})
                    counts[character] = counts.get(character, 0) + 1
        self.totals = [{h: (sum(c.values()), len(c)) for h, c in table.items()} for table in self.tables]

    def prob(self, character, context):
        p = 1 / len(self.alphabet)
        for n in range(min(self.ORDER, len(context) + 1)):
            history = context[len(context) - n :]
            if history not in self.totals[n]:
                break
            total, kinds = self.totals[n][history]
            p = (self.tables[n][history].get(character, 0) + kinds * p) / (total + kinds)
        return p

    def bits_per_byte(self, text):
        bits = 0.0
        for i, character in enumerate(text):
            bits -= math.log2(self.prob(character, text[:i]))
        return bits / len(text.encode("utf-8"))
"""

DISCOUNT = """
import math
from collections import Counter, defaultdict


class SmoothedModel:
    def __init__(self, alphabet, longest=4, discount=0.6):
        self.V, self.longest, self.discount = len(alphabet), longest, discount

    def fit(self, text):
        followers = defaultdict(Counter)
        for place in range(len(text)):
            for start in range(max(0, place - self.longest), place + 1):
                followers[text[start:place]][text[place]] += 1
        self.followers = dict(followers)
        self.sizes = {history: counts.total() for history, counts in followers.items()}

    def _p(self, character, history):
        below = self._p(character, history[1:]) if history else 1 / self.V
        counts = self.followers.get(history)
        if counts is None:
            return below
        kept = max(counts[character] - self.discount, 0)
        return (kept + self.discount * len(counts) * below) / self.sizes[history]

    def prob(self, character, context):
        return self._p(character, context[-self.longest :])

    def bits_per_byte(self, text):
        total = sum(math.log2(self.prob(c, text[max(0, i - 50) : i])) for i, c in enumerate(text))
        return -total / sum(len(c.encode()) for c in text)
"""

KNESER_NEY = """
import math


class SmoothedModel:
    def __init__(self, alphabet):
        self.alphabet = list(alphabet)

    def fit(self, text, order=6):
        self.order = order
        grams = [{} for _ in range(order + 1)]
        for n in range(1, order + 1):
            for i in range(len(text) - n + 1):
                gram = text[i : i + n]
                if n == order or i == 0:
                    grams[n][gram] = grams[n].get(gram, 0) + 1
        for n in range(order - 1, 0, -1):
            left = {}
            for i in range(1, len(text) - n + 1):
                left.setdefault(text[i : i + n], set()).add(text[i - 1])
            for gram, kinds in left.items():
                grams[n][gram] = grams[n].get(gram, 0) + len(kinds)
        self.grams, self.sums = grams, [{} for _ in range(order + 1)]
        for n in range(1, order + 1):
            for gram, count in grams[n].items():
                old = self.sums[n].get(gram[:-1], (0, 0, 0))
                self.sums[n][gram[:-1]] = (old[0] + count, old[1] + 1, 0)

    def prob(self, character, context):
        p = 1 / len(self.alphabet)
        for n in range(1, self.order + 1):
            if n - 1 > len(context):
                break
            history = context[len(context) - n + 1 :]
            entry = self.sums[n].get(history)
            if entry is None:
                break
            d = 0.7 if n > 1 else 0.3
            p = max(self.grams[n].get(history + character, 0) - d, 0) / entry[0] + d * entry[1] / entry[0] * p
        return p

    def bits_per_byte(self, text):
        cost, read = 0.0, ""
        for character in text:
            cost += -math.log(self.prob(character, read)) / math.log(2)
            read += character
        return cost / len(bytes(text, "utf8"))
"""

TASK = "SmoothedModel"
ANSWERS = [
    {"task": TASK, "right": True, "why": "Witten-Bell, tables by order", "source": WITTEN_BELL},
    {"task": TASK, "right": True, "why": "absolute discounting, by recursion", "source": DISCOUNT},
    {"task": TASK, "right": True, "why": "Kneser-Ney of order 6", "source": KNESER_NEY},
    {
        "task": TASK,
        "right": False,
        "why": "the first character of a text costs nothing",
        "source": but(
            WITTEN_BELL, ("enumerate(text):\n            bits", "list(enumerate(text))[1:]:\n            bits")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "bits are divided by characters, not by bytes",
        "source": but(WITTEN_BELL, ('len(text.encode("utf-8"))', "len(text)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a second fit adds to the first",
        "source": but(
            WITTEN_BELL,
            (
                "    def fit(self, text):\n        self.tables = [{} for _ in range(self.ORDER)]\n",
                "    def fit(self, text):\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "all models share one table, which only fit empties",
        "source": but(
            WITTEN_BELL,
            ("    ORDER = 5\n", "    ORDER = 5\n    tables = [{} for _ in range(5)]\n    totals = []\n"),
            (
                "        self.alphabet = alphabet\n        self.tables = [{} for _ in range(self.ORDER)]\n",
                "        self.alphabet = alphabet\n",
            ),
            (
                "        self.tables = [{} for _ in range(self.ORDER)]\n        for i",
                "        for table in self.tables:\n            table.clear()\n        for i",
            ),
            ("self.totals = [{h", "self.totals[:] = [{h"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a character that the text lacks has the probability 0 after a history that was seen",
        "source": but(
            WITTEN_BELL,
            ("p = 1 / len(self.alphabet)", "p = 0.0 if context[-1:] in self.totals[1] else 1 / len(self.alphabet)"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "stupid backoff: no distribution",
        "source": but(
            DISCOUNT,
            (
                "        kept = max(counts[character] - self.discount, 0)\n",
                "        if counts[character]:\n            return counts[character] / self.sizes[history]\n        return 0.4 * below\n",
            ),
            ("        return (kept + self.discount * len(counts) * below) / self.sizes[history]\n", ""),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "asking for a history that was not seen leaves an empty entry: the next time its probabilities are 0",
        "source": but(
            DISCOUNT,
            ("self.followers = dict(followers)", "self.followers = followers"),
            (
                "counts = self.followers.get(history)\n        if counts is None:",
                "known = history in self.followers\n        counts = self.followers[history]\n        if not known:",
            ),
            ("/ self.sizes[history]", "/ max(1, self.sizes.get(history, 0))"),
        ),
    },
]
