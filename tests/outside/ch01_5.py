ANSWERS = [
    {
        "task": "transition_matrix",
        "right": True,
        "why": "count matrix, rows divided where the sum is above 0",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    A = np.zeros((V, V))
    for sentence in sentences:
        ids = [vocabulary.index(word) for word in sentence]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    sums = A.sum(axis=1, keepdims=True)
    return np.divide(A, sums, out=np.zeros_like(A), where=sums > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "beginner: Counters in a dict of dicts, then fill in",
        "source": r"""
from collections import Counter
import numpy as np


def transition_matrix(sentences, vocabulary):
    following = {}
    for word in vocabulary:
        following[word] = Counter()
    for sentence in sentences:
        for word in sentence:
            if word not in following:
                raise ValueError("not in the vocabulary: " + word)
        for t in range(len(sentence) - 1):
            following[sentence[t]][sentence[t + 1]] += 1
    rows = []
    for left in vocabulary:
        total = sum(following[left].values())
        row = []
        for right in vocabulary:
            if total == 0:
                row.append(0.0)
            else:
                row.append(following[left][right] / total)
        rows.append(row)
    return np.array(rows, dtype=float)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "one-hot matrices: shifted product, or np.add.at with all pairs at once",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    number = {word: i for i, word in enumerate(vocabulary)}
    try:
        coded = [[number[word] for word in sentence] for sentence in sentences]
    except KeyError as error:
        raise ValueError(f"unknown word {error}") from None
    pairs = [pair for ids in coded for pair in zip(ids[:-1], ids[1:])]
    A = np.zeros((len(vocabulary),) * 2, dtype=np.float64)
    if pairs:
        left, right = np.array(pairs).T
        np.add.at(A, (left, right), 1.0)
    return A / np.maximum(A.sum(1), 1.0)[:, None]
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": 'only words in pairs are looked up: a sentence of one unknown word does not raise ("a sentence holds a word outside the vocabulary")',
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    A = np.zeros((V, V))
    for sentence in sentences:
        for a, b in zip(sentence, sentence[1:]):
            A[vocabulary.index(a), vocabulary.index(b)] += 1
    sums = A.sum(axis=1, keepdims=True)
    sums[sums == 0] = 1
    return A / sums
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "divides by how often the word occurs, the ends of sentences too: the row of a word that also ends a sentence sums to less than 1",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    A = np.zeros((V, V))
    times = np.zeros(V)
    for sentence in sentences:
        ids = [vocabulary.index(w) for w in sentence]
        for i in ids:
            times[i] += 1
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    times[times == 0] = 1
    return A / times[:, None]
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "a row without followers is 0 / 0 = nan instead of zeros",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    A = np.zeros((V, V))
    for sentence in sentences:
        ids = [vocabulary.index(w) for w in sentence]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    return A / A.sum(axis=1, keepdims=True)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "joins all sentences: pairs run from one sentence into the next",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    A = np.zeros((V, V))
    ids = [vocabulary.index(w) for sentence in sentences for w in sentence]
    for i, j in zip(ids, ids[1:]):
        A[i, j] += 1
    sums = A.sum(axis=1, keepdims=True)
    sums[sums == 0] = 1
    return A / sums
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "an unknown word raises KeyError, not ValueError",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    number = {w: i for i, w in enumerate(vocabulary)}
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        ids = [number[w] for w in sentence]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    sums = A.sum(axis=1, keepdims=True)
    return A / np.where(sums == 0, 1, sums)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "normalises the columns (axis 0) instead of the rows",
        "source": r"""
import numpy as np


def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        ids = [vocabulary.index(w) for w in sentence]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    sums = A.sum(axis=0, keepdims=True)
    return A / np.where(sums == 0, 1, sums)
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "for each voter a Counter of the followers",
        "source": r"""
from collections import Counter


def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = set(prefix[:-1])
    if keep is not None:
        voters &= set(keep)
    votes = {}
    table = {a: Counter() for a in voters}
    for sentence in sentences:
        for t in range(len(sentence) - 1):
            if sentence[t] == last:
                votes[sentence[t + 1]] = 0.0
                for a in voters & set(sentence[:t]):
                    table[a][sentence[t + 1]] += 1
    for a in voters:
        total = sum(table[a].values())
        for w, c in table[a].items():
            votes[w] += c / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "clumsy: collects (words before, follower) first, then asks word by word",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("the prefix is empty")
    seen = []
    for sentence in sentences:
        i = 0
        while i + 1 < len(sentence):
            if sentence[i] == prefix[len(prefix) - 1]:
                seen.append((sentence[0:i], sentence[i + 1]))
            i = i + 1
    result = {}
    for before, word in seen:
        if word not in result:
            result[word] = 0.0
    asked = []
    for a in prefix[:-1]:
        if a in asked:
            continue
        asked.append(a)
        if keep is not None and a not in keep:
            continue
        followers = []
        for before, word in seen:
            if a in before:
                followers.append(word)
        for word in followers:
            result[word] = result[word] + 1 / len(followers)
    return result
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "NumPy: matrix voters x followers; returns a defaultdict (a dict) filled with all words",
        "source": r"""
from collections import defaultdict
import numpy as np


def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("the prefix needs a word")
    *earlier, b = prefix
    voters = [a for a in dict.fromkeys(earlier) if keep is None or a in keep]
    events = [(set(s[:t]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    words = sorted({w for _, w in events})
    M = np.zeros((len(voters), len(words)))
    for before, w in events:
        for r, a in enumerate(voters):
            M[r, words.index(w)] += a in before
    M /= np.maximum(M.sum(axis=1, keepdims=True), 1)
    return defaultdict(float, zip(words, M.sum(axis=0).tolist()))
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an empty mask is taken for None: keep=[] lets all vote instead of nobody",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    voters = set(prefix[:-1])
    if keep:
        voters = voters & set(keep)
    followers = [(set(s[:t]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": 'a word that is twice in the prefix votes twice ("if it occurs twice, it still votes once")',
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    voters = [a for a in prefix[:-1] if keep is None or a in keep]
    followers = [(set(s[:t]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "looks only at the first place of the last word in each sentence (list.index)",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    voters = set(prefix[:-1]) if keep is None else set(prefix[:-1]) & set(keep)
    followers = []
    for s in sentences:
        if b in s and s.index(b) + 1 < len(s):
            t = s.index(b)
            followers.append((s[:t], s[t + 1]))
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "counts a pair once for each occurrence of a before b, not how many times b was followed by w with a somewhere before it",
        "source": r"""
from collections import Counter
from collections import defaultdict


def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    pairs = defaultdict(Counter)
    votes = {}
    for s in sentences:
        for t in range(len(s) - 1):
            if s[t] == b:
                votes[s[t + 1]] = 0.0
                for a in s[:t]:
                    pairs[a][s[t + 1]] += 1
    for a in set(prefix[:-1]):
        if keep is None or a in keep:
            for w, c in pairs[a].items():
                votes[w] += c / sum(pairs[a].values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "the last word is struck off the voters even where it is an earlier word too",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    voters = set(prefix) - {b}
    if keep is not None:
        voters &= set(keep)
    followers = [(set(s[:t]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a may stand anywhere in the sentence, not only before b",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    voters = set(prefix[:-1])
    if keep is not None:
        voters &= set(keep)
    followers = [(set(s[:t] + s[t + 1:]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": 'words with no vote are missing from the dict ("every word that ever followed b, with 0.0")',
        "source": r"""
from collections import Counter


def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b = prefix[-1]
    votes = Counter()
    for a in set(prefix[:-1]):
        if keep is not None and a not in keep:
            continue
        mine = [s[t + 1] for s in sentences for t in range(len(s) - 1) if s[t] == b and a in s[:t]]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an empty prefix raises IndexError, not ValueError",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    b = prefix[-1]
    voters = set(prefix[:-1])
    if keep is not None:
        voters &= set(keep)
    followers = [(set(s[:t]), s[t + 1]) for s in sentences for t in range(len(s) - 1) if s[t] == b]
    votes = {w: 0.0 for _, w in followers}
    for a in voters:
        mine = [w for before, w in followers if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "slices, dict.get",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order must be 1 or more")
    counts = {}
    for sentence in sentences:
        padded = ["<s>"] + list(sentence) + ["</s>"]
        for i in range(len(padded) - order + 1):
            gram = tuple(padded[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "Counter and zip of shifted lists",
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order <= 0:
        raise ValueError(order)
    result = Counter()
    for s in sentences:
        p = ("<s>", *s, "</s>")
        result.update(zip(*(p[k:] for k in range(order))))
    return result
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "sliding window that drops its first token",
        "source": r"""
import itertools
from collections import defaultdict


def ngram_counts(sentences, order):
    if not order >= 1:
        raise ValueError("order")
    counts = defaultdict(int)
    for sentence in sentences:
        window = ()
        for token in itertools.chain(["<s>"], sentence, ["</s>"]):
            window = (window + (token,))[-order:]
            if len(window) == order:
                counts[window] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": 'n - 1 start marks, as in many textbooks; "One mark on each side, whatever the order"',
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>"] * max(1, order - 1) + s + ["</s>"]
        for i in range(len(p) - order + 1):
            counts[tuple(p[i:i + order])] += 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "puts the marks into the sentences themselves: the argument is changed",
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        s.insert(0, "<s>")
        s.append("</s>")
        for i in range(len(s) - order + 1):
            counts[tuple(s[i:i + order])] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "unigrams are keyed by the token, not by a tuple of one token",
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>"] + s + ["</s>"]
        if order == 1:
            counts.update(p)
        else:
            counts.update(tuple(p[i:i + order]) for i in range(len(p) - order + 1))
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "short sentences give an n-gram that is too short (at least one window each)",
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>"] + s + ["</s>"]
        for i in range(max(1, len(p) - order + 1)):
            counts[tuple(p[i:i + order])] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "all sentences in one long list: windows run over the border of two sentences",
        "source": r"""
from collections import Counter


def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    tokens = []
    for s in sentences:
        tokens += ["<s>"] + s + ["</s>"]
    return dict(Counter(tuple(tokens[i:i + order]) for i in range(len(tokens) - order + 1)))
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "the order is checked inside the loop only: no sentences and order 0 does not raise",
        "source": r"""
def ngram_counts(sentences, order):
    counts = {}
    for s in sentences:
        if order < 1:
            raise ValueError("order")
        p = ["<s>"] + s + ["</s>"]
        for i in range(len(p) - order + 1):
            g = tuple(p[i:i + order])
            counts[g] = counts.get(g, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "off by one: the last window is missing",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for s in sentences:
        p = ["<s>"] + s + ["</s>"]
        for i in range(len(p) - order):
            g = tuple(p[i:i + order])
            counts[g] = counts.get(g, 0) + 1
    return counts
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "sum over the n-grams that begin with the context",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for gram, c in counts.items() if gram[:-1] == tuple(context))
    if total == 0:
        raise ValueError("context was never seen")
    return counts.get(tuple(context) + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "beginner's loop, compares token by token",
        "source": r"""
def mle_probability(counts, context, word):
    hits = 0
    total = 0
    found = False
    for gram in counts:
        same = True
        for i in range(len(context)):
            if gram[i] != context[i]:
                same = False
        if same:
            found = True
            total = total + counts[gram]
            if gram[-1] == word:
                hits = hits + counts[gram]
    if not found:
        raise ValueError("no n-gram begins with the context")
    return float(hits / total)
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "star-unpacking into a Counter of followers",
        "source": r"""
from collections import Counter


def mle_probability(counts, context, word):
    followers = Counter()
    for (*history, following), count in counts.items():
        if history == list(context):
            followers[following] += count
    if not followers:
        raise ValueError(f"never seen: {context}")
    return followers[word] / sum(followers.values())
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "compares the first word of the context only: wrong for trigrams, and () raises IndexError",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for gram, c in counts.items() if gram[0] == context[0])
    if total == 0:
        raise ValueError("context")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": 'joined strings and startswith: "red" also matches "reddish"',
        "source": r"""
def mle_probability(counts, context, word):
    start = " ".join(context)
    total = sum(c for gram, c in counts.items() if " ".join(gram).startswith(start))
    if total == 0:
        raise ValueError("context")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "adds up a set of counts: equal counts are added once only",
        "source": r"""
def mle_probability(counts, context, word):
    following = {c for gram, c in counts.items() if gram[:-1] == context}
    if not following:
        raise ValueError("context")
    return counts.get(context + (word,), 0) / sum(following)
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "a word that never followed raises (KeyError as ValueError) instead of 0",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for gram, c in counts.items() if gram[:-1] == context)
    try:
        return counts[context + (word,)] / total
    except KeyError:
        raise ValueError("never seen")
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "a context that was never seen: ZeroDivisionError, not ValueError",
        "source": r"""
def mle_probability(counts, context, word):
    return counts.get(context + (word,), 0) / sum(c for gram, c in counts.items() if gram[:-1] == context)
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "an unseen context returns 0.0 instead of ValueError",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for gram, c in counts.items() if gram[:-1] == context)
    return counts.get(context + (word,), 0) / total if total else 0.0
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "share among all n-grams, not among those after the context",
        "source": r"""
def mle_probability(counts, context, word):
    if not any(gram[:-1] == context for gram in counts):
        raise ValueError("context")
    return counts.get(context + (word,), 0) / sum(counts.values())
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "formula",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = sum(count for gram, count in counts.items() if gram[:-1] == context)
    return (counts.get((*context, word), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "loop over the items",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if not k > 0:
        raise ValueError("k")
    top = k
    bottom = k * vocabulary_size
    n = len(context)
    for gram in counts:
        if gram[0:n] == tuple(context):
            bottom += counts[gram]
            if gram[n] == word:
                top += counts[gram]
    return top / bottom
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "mixture: share of the counts and uniform distribution, weighted",
        "source": r"""
from collections import Counter


def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    after = Counter({gram[-1]: c for gram, c in counts.items() if gram[:-1] == context})
    total = sum(after.values())
    pretended = k * vocabulary_size
    uniform = 1.0 / vocabulary_size
    if total == 0:
        return uniform
    trust = total / (total + pretended)
    return trust * (after[word] / total) + (1.0 - trust) * uniform if trust < 0.999 else (after[word] + k) / (total + pretended)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": 'k = 0 does not raise ("k is 0 or below")',
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "a context that was never seen raises ValueError instead of giving 1 / V",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    if total == 0:
        raise ValueError("unseen context")
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "a word never seen after the context gets 0, not k",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    if context + (word,) not in counts:
        return 0.0
    return (counts[context + (word,)] + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "the denominator grows by V instead of k V",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "total of all n-grams in the table: agrees with the example, where all begin with the context",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(counts.values())
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "default of k is 0.5, the statement's is 1.0",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=0.5):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "compares only the last word of the context: wrong for trigrams with another first word, and () raises IndexError",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[-2] == context[-1])
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "loop over the orders with enumerate",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("the weights must sum to 1")
    top, used = 0.0, 0.0
    for length, table in enumerate(tables):
        if length > len(context):
            break
        history = tuple(context[len(context) - length:])
        total = sum(c for gram, c in table.items() if gram[:-1] == history)
        if total > 0:
            top += weights[length] * table.get(history + (word,), 0) / total
            used += weights[length]
    return top / used
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "helper mle that raises ValueError, caught; np.average",
        "source": r"""
import math
import numpy as np


def mle(counts, context, word):
    total = 0
    for gram, c in counts.items():
        if gram[:-1] == context:
            total += c
    if not total:
        raise ValueError("unseen")
    return counts.get(context + (word,), 0) / total

def interpolate(tables, context, word, weights):
    if not math.isclose(math.fsum(weights), 1.0, rel_tol=0, abs_tol=1e-9):
        raise ValueError("weights")
    estimates, used = [], []
    for n in range(1, len(tables) + 1):
        if n - 1 <= len(context):
            h = context[-(n - 1):] if n > 1 else ()
            try:
                estimates.append(mle(tables[n - 1], h, word))
                used.append(weights[n - 1])
            except ValueError:
                pass
    return float(np.average(estimates, weights=used))
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "recursion that shortens the context",
        "source": r"""
import math
from collections import Counter


def interpolate(tables, context, word, weights):
    if not abs(math.fsum(weights) - 1) <= 1e-9:
        raise ValueError("weights must sum to 1")

    def parts(h):
        followers = Counter({g[-1]: c for g, c in tables[len(h)].items() if g[:-1] == h})
        here = []
        if followers:
            w = weights[len(h)]
            here = [(w * followers[word] / sum(followers.values()), w)]
        return here if h == () else here + parts(h[1:])

    shares, used = zip(*parts(tuple(context)))
    return sum(shares) / sum(used)
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "no division by the weights used: after an unseen context the result is too small",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
    return p
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": 'sum(weights) != 1 compared exactly: 0.1 + 0.2 + 0.7 raises though it is 1 "to within 1e-9"',
        "source": r"""
def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("weights")
    p, used = 0.0, 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
                used += weights[n]
    return p / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "takes the first n - 1 words of the context instead of the last: the same for bigrams, wrong for trigrams",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p, used = 0.0, 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[:n]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
                used += weights[n]
    return p / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "leaves an order out when the word never followed the context, though only an unseen context has no estimate",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p, used = 0.0, 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            count = table.get(h + (word,), 0)
            if count:
                p += weights[n] * count / total
                used += weights[n]
    return p / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "weights that do not sum to 1 are made to do so instead of raising",
        "source": r"""
def interpolate(tables, context, word, weights):
    p, used = 0.0, 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
                used += weights[n]
    return p / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "tolerance 1e-3 instead of 1e-9",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-3:
        raise ValueError("weights")
    p, used = 0.0, 0.0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
                used += weights[n]
    return p / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "divides by the share of the orders that were used (their number over all), not by their weights: right for equal weights only",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p, used = 0.0, 0
    for n, table in enumerate(tables):
        if n <= len(context):
            h = context[len(context) - n:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total:
                p += weights[n] * table.get(h + (word,), 0) / total
                used += 1
    return p * len(tables) / used
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "recursion as in the formula",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count > 0:
        return count / sum(c for gram, c in table.items() if gram[:-1] == context)
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "loop with a growing factor",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not (alpha > 0 and alpha <= 1):
        raise ValueError("alpha must be above 0 and at most 1")
    factor = 1.0
    context = list(context)
    while True:
        table = tables[len(context)]
        gram = tuple(context + [word])
        if gram in table:
            total = 0
            for other in table:
                if list(other[:-1]) == context:
                    total += table[other]
            return factor * table[gram] / total
        if len(context) == 0:
            return 0.0
        context.pop(0)
        factor *= alpha
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "for over the numbers of words given up, power of alpha",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha > 1 or not alpha > 0:
        raise ValueError(alpha)
    n = len(context)
    for dropped in range(n + 1):
        h = context[dropped:]
        followers = {g[-1]: c for g, c in tables[n - dropped].items() if g[:-1] == h}
        if word in followers:
            return alpha ** dropped * followers[word] / sum(followers.values())
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "forgets the last word of the context, not the first: the same for bigrams",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    if context + (word,) in table:
        return table[context + (word,)] / sum(c for g, c in table.items() if g[:-1] == context)
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[:-1], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha is not handed on in the recursion: the second step down pays 0.4 whatever alpha is",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    if context + (word,) in table:
        return table[context + (word,)] / sum(c for g, c in table.items() if g[:-1] == context)
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": 'alpha = 1 raises though "at most 1" is legal',
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha < 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    if context + (word,) in table:
        return table[context + (word,)] / sum(c for g, c in table.items() if g[:-1] == context)
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "pays alpha once, not for each word given up",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    h = context
    while h and h + (word,) not in tables[len(h)]:
        h = h[1:]
    table = tables[len(h)]
    if h + (word,) not in table:
        return 0.0
    score = table[h + (word,)] / sum(c for g, c in table.items() if g[:-1] == h)
    return score if h == context else alpha * score
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "begins with the last table even when the context is shorter: pays for words that were never there",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    score = 1.0
    for n in range(len(tables) - 1, -1, -1):
        h = context[len(context) - n:] if n <= len(context) else None
        if h is not None and h + (word,) in tables[n]:
            return score * tables[n][h + (word,)] / sum(c for g, c in tables[n].items() if g[:-1] == h)
        score *= alpha
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "backs off only when the context was never seen, not when the n-gram was not seen: gives 0 for (b, c) though b was seen",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    total = sum(c for g, c in table.items() if g[:-1] == context)
    if total > 0:
        return table.get(context + (word,), 0) / total
    return alpha * stupid_backoff(tables, context[1:], word, alpha) if context else 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha is checked only where it is needed: with a seen n-gram a bad alpha does not raise",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    table = tables[len(context)]
    if context + (word,) in table:
        return table[context + (word,)] / sum(c for g, c in table.items() if g[:-1] == context)
    if not context:
        return 0.0
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "set of left words for each right word",
        "source": r"""
from collections import defaultdict


def continuation_counts(bigrams):
    before = defaultdict(set)
    for (left, right), count in bigrams.items():
        if count > 0:
            before[right].add(left)
    return {word: len(lefts) for word, lefts in before.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "Counter (a dict) over the keys, one line; only its repr differs from the doctest",
        "source": r"""
from collections import Counter


def continuation_counts(bigrams):
    return Counter(right for (_, right), c in bigrams.items() if c)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "beginner: list of words, dict.get",
        "source": r"""
def continuation_counts(bigrams):
    result = {}
    for pair in bigrams:
        if bigrams[pair] == 0:
            continue
        word = pair[1]
        if word in result.keys():
            result[word] = result[word] + 1
        else:
            result[word] = 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": 'a bigram with the count 0 is counted ("a count may be 0")',
        "source": r"""
def continuation_counts(bigrams):
    result = {}
    for left, right in bigrams:
        result[right] = result.get(right, 0) + 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": '"<s>" on the left is skipped, though it is a word like the others',
        "source": r"""
def continuation_counts(bigrams):
    result = {}
    for (left, right), c in bigrams.items():
        if c > 0 and left != "<s>":
            result[right] = result.get(right, 0) + 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": 'words whose bigrams all have the count 0 are in the dict with 0 ("words that follow nothing are not in it")',
        "source": r"""
from collections import Counter


def continuation_counts(bigrams):
    result = Counter()
    for (left, right), c in bigrams.items():
        result[right] += int(c > 0)
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "deletes the zero counts from the argument first: bigrams is changed",
        "source": r"""
from collections import Counter


def continuation_counts(bigrams):
    for pair in list(bigrams):
        if bigrams[pair] == 0:
            del bigrams[pair]
    return dict(Counter(right for left, right in bigrams))
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "adds up the counts instead of counting different words",
        "source": r"""
def continuation_counts(bigrams):
    result = {}
    for (left, right), c in bigrams.items():
        if c > 0:
            result[right] = result.get(right, 0) + c
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "counts how many words come after each word (left and right mixed up)",
        "source": r"""
def continuation_counts(bigrams):
    after = {}
    for (left, right), c in bigrams.items():
        if c > 0:
            after.setdefault(left, set()).add(right)
    return {w: len(s) for w, s in after.items()}
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "formula term by term",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    p_cont = sum(1 for left, right in bigrams if right == word) / len(bigrams)
    after = [c for (left, right), c in bigrams.items() if left == previous]
    if not after:
        return p_cont
    total = sum(after)
    kept = max(bigrams.get((previous, word), 0) - discount, 0) / total
    return kept + discount * len(after) / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "one loop, counters by hand",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount must be from 0 to 1")
    total = 0
    different = 0
    before = 0
    here = 0
    for pair, count in bigrams.items():
        if pair[1] == word:
            before += 1
        if pair[0] == previous:
            total += count
            different += 1
            if pair[1] == word:
                here = count
    p = before / len(bigrams)
    if total > 0:
        p = p * discount * different / total
        if here > discount:
            p += (here - discount) / total
    return p
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "NumPy table of counts",
        "source": r"""
import numpy as np


def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not (0 <= discount and discount <= 1):
        raise ValueError(f"discount {discount}")
    words = sorted({w for pair in bigrams for w in pair} | {previous, word})
    at = {w: i for i, w in enumerate(words)}
    C = np.zeros((len(words), len(words)))
    for (left, right), c in bigrams.items():
        C[at[left], at[right]] = c
    continuation = (C > 0).sum(axis=0) / (C > 0).sum()
    row = C[at[previous]]
    if row.sum() == 0:
        return float(continuation[at[word]])
    p = np.clip(row - discount, 0, None) / row.sum() + discount * np.count_nonzero(row) / row.sum() * continuation
    return float(p[at[word]])
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "a context that was never seen gives 0.0 instead of the continuation probability",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return 0.0
    different = sum(1 for l, r in bigrams if l == previous)
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * different / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": 'discounts 0 and 1 raise though "from 0 to 1" is legal',
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 < discount < 1:
        raise ValueError("discount")
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_cont
    different = sum(1 for l, r in bigrams if l == previous)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * different / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "only a negative discount raises, one above 1 does not",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0:
        raise ValueError("discount")
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_cont
    different = sum(1 for l, r in bigrams if l == previous)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * different / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "the unigram share (sum of counts) instead of the continuation probability",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    p_uni = sum(c for (l, r), c in bigrams.items() if r == word) / sum(bigrams.values())
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_uni
    different = sum(1 for l, r in bigrams if l == previous)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * different / total * p_uni
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "backoff form: a seen word does not get the second term",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_cont
    if (previous, word) in bigrams:
        return (bigrams[previous, word] - discount) / total
    return discount * sum(1 for l, r in bigrams if l == previous) / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "default discount 0.5, the statement's is 0.75",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.5):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_cont
    different = sum(1 for l, r in bigrams if l == previous)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * different / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "no max(..., 0): an unseen word gets a negative first term",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    p_cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    total = sum(c for (l, r), c in bigrams.items() if l == previous)
    if total == 0:
        return p_cont
    different = sum(1 for l, r in bigrams if l == previous)
    return (bigrams.get((previous, word), 0) - discount) / total + discount * different / total * p_cont
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "check all, then sum of logs; an overflow of exp counts as infinite",
        "source": r"""
import math


def perplexity(probs):
    if not probs:
        raise ValueError("no probabilities")
    for p in probs:
        if p < 0 or p > 1:
            raise ValueError(f"{p} is no probability")
    if 0 in probs:
        return math.inf
    try:
        return math.exp(-sum(math.log(p) for p in probs) / len(probs))
    except OverflowError:
        return math.inf
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "NumPy, log 0 allowed",
        "source": r"""
import numpy as np


def perplexity(probs):
    p = np.asarray(probs, dtype=float)
    if p.size == 0 or (p < 0).any() or (p > 1).any():
        raise ValueError("bad probabilities")
    with np.errstate(divide="ignore", over="ignore"):
        return float(np.exp(-np.log(p).mean()))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "product kept as mantissa and exponent (frexp), base 2",
        "source": r"""
import math


def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError("probs")
    if min(probs) == 0:
        return math.inf
    mantissa, exponent = 1.0, 0
    for p in probs:
        mantissa, e = math.frexp(mantissa * p) if p > 1e-290 else (lambda m, k: (math.frexp(mantissa * m)[0], math.frexp(mantissa * m)[1] + k))(*math.frexp(p))
        exponent += e
    bits = -(math.log2(mantissa) + exponent) / len(probs)
    return max(1.0, 2.0 ** bits) if bits < 1024 else math.inf
""",
    },
    {
        "task": "perplexity",
        "right": None,
        "why": "math.exp overflows with OverflowError for a probability of 5e-324, whose perplexity no float holds; the statement does not speak of it",
        "source": r"""
import math


def perplexity(probs):
    if len(probs) == 0 or any(not 0 <= p <= 1 for p in probs):
        raise ValueError("probs")
    if any(p == 0 for p in probs):
        return math.inf
    return math.exp(-math.fsum(map(math.log, probs)) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": 'product and root: a long list underflows to 0 ("it may be long")',
        "source": r"""
import math


def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError("probs")
    product = 1.0
    for p in probs:
        product *= p
    if product == 0:
        return math.inf
    return product ** (-1 / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "returns inf at the first 0 before it has looked at the rest: [0.0, 1.5] must raise",
        "source": r"""
import math


def perplexity(probs):
    if not probs:
        raise ValueError("empty")
    total = 0.0
    for p in probs:
        if p < 0 or p > 1:
            raise ValueError("probability")
        if p == 0:
            return math.inf
        total += math.log(p)
    return math.exp(-total / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": 'a probability of 1 raises ("above 1" raises only)',
        "source": r"""
import math


def perplexity(probs):
    if not probs or any(p < 0 or p >= 1 for p in probs):
        raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "2 to the power of the nats: base and logarithm do not fit",
        "source": r"""
import math


def perplexity(probs):
    if not probs or any(p < 0 or p > 1 for p in probs):
        raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return 2 ** (-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "a probability of 0 raises ValueError (math domain error) instead of math.inf",
        "source": r"""
import math


def perplexity(probs):
    if not probs or any(p < 0 or p > 1 for p in probs):
        raise ValueError("probs")
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "epsilon inside the log: a probability of 0 gives 1e10 or so, not infinity",
        "source": r"""
import math


def perplexity(probs):
    if not probs or any(p < 0 or p > 1 for p in probs):
        raise ValueError("probs")
    return math.exp(-sum(math.log(max(p, 1e-10)) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "a number above 1 does not raise",
        "source": r"""
import math


def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0:
        raise ValueError("probs")
    if min(probs) == 0:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "an empty list raises ZeroDivisionError",
        "source": r"""
import math


def perplexity(probs):
    for p in probs:
        if not 0 <= p <= 1:
            raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "formula",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("the text is empty")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "NumPy, bytes(...)",
        "source": r"""
import numpy as np


def bits_per_byte(log_probs, text):
    size = len(bytes(text, "utf-8"))
    if not size:
        raise ValueError("no bytes")
    bits = -np.array(log_probs, dtype=float) / np.log(2)
    return float(np.sum(bits) / size)
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "counts the bytes by code point, adds the costs one by one",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    size = 0
    for character in text:
        code = ord(character)
        if code < 0x80:
            size += 1
        elif code < 0x800:
            size += 2
        elif code < 0x10000:
            size += 3
        else:
            size += 4
    if size == 0:
        raise ValueError("empty")
    cost = 0.0
    for lp in log_probs:
        cost = cost - lp / math.log(2)
    return cost / size
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": 'characters, not bytes: wrong for "ä"',
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty")
    return -sum(log_probs) / math.log(2) / len(text)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": 'blank text is taken for empty: " " raises',
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if not text.strip():
        raise ValueError("empty")
    return -sum(log_probs) / math.log(2) / len(text.encode())
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "strips blanks before counting the bytes",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty")
    return -sum(log_probs) / math.log(2) / max(1, len(text.strip().encode()))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "two bytes for every character outside ASCII: wrong for emoji and kanji",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty")
    size = sum(1 if ord(ch) < 128 else 2 for ch in text)
    return -sum(log_probs) / math.log(2) / size
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "nats, not bits: the division by log 2 is missing",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty")
    return -sum(log_probs) / len(text.encode("utf-8"))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "an empty text raises ZeroDivisionError",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "divides by two bytes for each token: 4 in the example",
        "source": r"""
import math


def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty")
    return -sum(log_probs) / math.log(2) / (2 * max(1, len(log_probs)))
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "running sum, remembers the last possible word",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("no words, or u outside [0, 1)")
    running = 0.0
    last = None
    for word, p in probs.items():
        running += p
        if running > u:
            return word
        if p > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "itertools.accumulate and next",
        "source": r"""
import itertools


def sample_next(probs, u):
    if len(probs) == 0:
        raise ValueError("empty")
    if not (u >= 0 and u < 1):
        raise ValueError("u")
    sums = itertools.accumulate(probs.values())
    possible = [word for word in probs if probs[word] > 0]
    return next((word for word, s in zip(probs, sums) if s > u), possible[-1])
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "cumsum and searchsorted on the right",
        "source": r"""
import numpy as np


def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("empty or bad u")
    words = [w for w, p in probs.items() if p > 0]
    sums = np.cumsum([probs[w] for w in words])
    i = int(np.searchsorted(sums, u, side="right"))
    return words[min(i, len(words) - 1)]
""",
    },
    {
        "task": "sample_next",
        "right": None,
        "why": "subtracts the probabilities from u: the same on paper, but rounding on a border may differ from the running sum",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("empty or bad u")
    last = None
    for word, p in probs.items():
        if p > 0:
            if u < p:
                return word
            last = word
        u -= p
    return last
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": ">= instead of >: on a border u belongs to the interval on the right",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total >= u:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "no running sum above u: returns the last word even if its probability is 0",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total > u:
            return w
    return w
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "no running sum above u: returns None (ten times 0.1 and u = 0.9999999999999999)",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total > u:
            return w
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "u = 1 is accepted, though u must be in [0, 1)",
        "source": r"""
def sample_next(probs, u):
    if not probs or u < 0 or u > 1:
        raise ValueError("u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total > u:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": 'sorts the words by probability: "in the order of the dict"',
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    order = sorted(probs, key=probs.get)
    for w in order:
        total += probs[w]
        if total > u:
            return w
    return order[-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "sorts the words by the alphabet before it lays them on the line",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    for w in sorted(probs):
        total += probs[w]
        if total > u:
            return w
    return [w for w in sorted(probs) if probs[w] > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "an empty dict raises IndexError",
        "source": r"""
def sample_next(probs, u):
    if not 0 <= u < 1:
        raise ValueError("u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total > u:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "draws a random number of its own when u is 0 (u or random.random())",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("u")
    u = u or random.random()
    total = 0.0
    for w, p in probs.items():
        total += p
        if total > u:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
]
