"""Answers to chapter 01, written from its page alone: the third round."""

ANSWERS = [
    # transition_matrix
    {
        "task": "transition_matrix",
        "right": True,
        "why": "np.add.at on index pairs, rows divided where their sum is above 0",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    number = {w: i for i, w in enumerate(vocabulary)}
    try:
        coded = [[number[w] for w in sentence] for sentence in sentences]
    except KeyError as error:
        raise ValueError(f"unknown word {error}") from None
    counts = np.zeros((len(vocabulary), len(vocabulary)))
    for row in coded:
        np.add.at(counts, (np.array(row[:-1], dtype=int), np.array(row[1:], dtype=int)), 1)
    totals = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, totals, out=np.zeros_like(counts), where=totals > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "Counter of pairs and Counter of left words; list.index raises ValueError for each word",
        "source": """
from collections import Counter
import numpy as np
def transition_matrix(sentences, vocabulary):
    for sentence in sentences:
        for word in sentence:
            vocabulary.index(word)
    pairs = Counter(p for s in sentences for p in zip(s, s[1:]))
    left = Counter()
    for (a, _), n in pairs.items():
        left[a] += n
    return np.array([[pairs[a, b] / left[a] if left[a] else 0.0 for b in vocabulary] for a in vocabulary],
                    dtype=np.float64).reshape(len(vocabulary), len(vocabulary))
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "only words in pairs are looked up: a sentence of one unknown word passes; breaks 'ValueError: a sentence holds a word outside the vocabulary'",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for s in sentences:
        for a, b in zip(s, s[1:]):
            A[vocabulary.index(a), vocabulary.index(b)] += 1
    sums = A.sum(axis=1, keepdims=True)
    sums[sums == 0] = 1
    return A / sums
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "divides by how often the word occurs, also at the end of a sentence; breaks 'Each row sums to 1'",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    seen = np.zeros((len(vocabulary), 1))
    for s in sentences:
        ids = [vocabulary.index(w) for w in s]
        for i in ids:
            seen[i] += 1
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    return A / np.maximum(seen, 1)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "all sentences joined to one text; breaks 'Pairs never run from one sentence into the next'",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    ids = [vocabulary.index(w) for s in sentences for w in s]
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for i, j in zip(ids, ids[1:]):
        A[i, j] += 1
    return A / np.maximum(A.sum(axis=1, keepdims=True), 1)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "unknown words are skipped before the pairs are made; breaks the ValueError",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for s in sentences:
        ids = [vocabulary.index(w) for w in s if w in vocabulary]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    return A / np.maximum(A.sum(axis=1, keepdims=True), 1)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "A[rows, cols] += 1 counts a pair that occurs twice in a sentence once; breaks 'count(i, j)'",
        "source": """
import numpy as np
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for s in sentences:
        ids = np.array([vocabulary.index(w) for w in s], dtype=int)
        A[ids[:-1], ids[1:]] += 1
    return A / np.maximum(A.sum(axis=1, keepdims=True), 1)
""",
    },
    # skip_votes
    {
        "task": "skip_votes",
        "right": True,
        "why": "for each earlier word one Counter over all places where the last word is followed",
        "source": """
from collections import Counter
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    *earlier, last = prefix
    places = [(set(s[:i]), s[i + 1]) for s in sentences for i in range(len(s) - 1) if s[i] == last]
    votes = {nxt: 0.0 for _, nxt in places}
    voters = set(earlier)
    if keep is not None:
        voters &= set(keep)
    for voter in voters:
        after = Counter(nxt for before, nxt in places if voter in before)
        total = sum(after.values())
        for nxt, n in after.items():
            votes[nxt] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "one pass over the sentences with a growing set of words seen so far, matrix of counts in NumPy",
        "source": """
import numpy as np
def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = [w for w in dict.fromkeys(prefix[:-1]) if keep is None or w in keep]
    followers = list(dict.fromkeys(b for s in sentences for a, b in zip(s, s[1:]) if a == last))
    counts = np.zeros((len(voters), len(followers)))
    for s in sentences:
        seen = set()
        for a, b in zip(s, s[1:]):
            if a == last:
                for i, voter in enumerate(voters):
                    counts[i, followers.index(b)] += voter in seen
            seen.add(a)
    totals = counts.sum(axis=1, keepdims=True)
    totals[totals == 0] = 1.0
    result = (counts / totals).sum(axis=0)
    return {w: float(v) for w, v in zip(followers, result)}
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "'if keep' treats an empty mask as no mask; breaks 'the others have no vote' (only None lets all vote)",
        "source": """
from collections import Counter
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    earlier = set(prefix[:-1])
    if keep:
        earlier &= set(keep)
    votes = {}
    tables = {a: Counter() for a in earlier}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes[s[i + 1]] = 0.0
                for a in earlier.intersection(s[:i]):
                    tables[a][s[i + 1]] += 1
    for table in tables.values():
        for w, n in table.items():
            votes[w] += n / sum(table.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an earlier word that occurs twice before the last word in a sentence is counted twice there; breaks 'how many times b was followed by w with a somewhere before b'",
        "source": """
from collections import Counter
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = {a for a in prefix[:-1] if keep is None or a in keep}
    votes, pairs = {}, Counter()
    for s in sentences:
        for i, (b, w) in enumerate(zip(s, s[1:])):
            if b == last:
                votes.setdefault(w, 0.0)
                for a in s[:i]:
                    pairs[a, w] += 1
    for a in voters:
        total = sum(n for (x, _), n in pairs.items() if x == a)
        for w in votes:
            if total:
                votes[w] += pairs[a, w] / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "the last word is taken out of the voters although it occurs earlier in the prefix, too; breaks 'A pair is an earlier word of the prefix together with its last word'",
        "source": """
from collections import Counter
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = set(prefix) - {last}
    if keep is not None:
        voters &= set(keep)
    votes, tables = {}, {a: Counter() for a in voters}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes[s[i + 1]] = 0.0
                for a in voters & set(s[:i]):
                    tables[a][s[i + 1]] += 1
    for table in tables.values():
        for w, n in table.items():
            votes[w] += n / sum(table.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "words that nobody voted for are missing; breaks 'The result holds every word that ever followed b, with 0.0 if nobody voted for it'",
        "source": """
from collections import Counter, defaultdict
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    votes = defaultdict(float)
    for a in set(prefix[:-1]):
        if keep is not None and a not in keep:
            continue
        after = Counter()
        for s in sentences:
            for i in range(1, len(s) - 1):
                if s[i] == last and a in s[:i]:
                    after[s[i + 1]] += 1
        for w, n in after.items():
            votes[w] += n / sum(after.values())
    return dict(votes)
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "only the first place of the last word in each sentence counts (s.index); breaks 'how many times b was followed by w'",
        "source": """
from collections import Counter
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = {a for a in prefix[:-1] if keep is None or a in keep}
    places = []
    for s in sentences:
        if last in s[:-1]:
            i = s.index(last)
            places.append((s[:i], s[i + 1]))
    votes = {w: 0.0 for _, w in places}
    for a in voters:
        after = Counter(w for before, w in places if a in before)
        for w, n in after.items():
            votes[w] += n / sum(after.values())
    return votes
""",
    },
    # ngram_counts
    {
        "task": "ngram_counts",
        "right": True,
        "why": "zip of shifted copies, Counter (a dict)",
        "source": """
from collections import Counter
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for sentence in sentences:
        padded = ["<s>", *sentence, "</s>"]
        counts.update(zip(*(padded[i:] for i in range(order))))
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "a sliding deque over a token stream",
        "source": """
from collections import deque
from itertools import chain
def ngram_counts(sentences, order):
    if order <= 0:
        raise ValueError("order")
    counts = {}
    for sentence in sentences:
        window = deque(maxlen=order)
        for token in chain(["<s>"], sentence, ["</s>"]):
            window.append(token)
            if len(window) == order:
                counts[tuple(window)] = counts.get(tuple(window), 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "order - 1 start marks; breaks 'padded with one <s> and one </s>' for order 3 or 1",
        "source": """
from collections import Counter
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>"] * max(order - 1, 1) + list(s) + ["</s>"]
        for i in range(len(p) - order + 1):
            counts[tuple(p[i:i + order])] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "unigrams without <s>, as for prediction; breaks '<s> and </s>, which are tokens like the others'",
        "source": """
from collections import Counter
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>"] + list(s) + ["</s>"]
        for i in range(len(p) - order + 1):
            counts[tuple(p[i:i + order])] += 1
    counts.pop(("<s>",), None)
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "slices run over the end: too short tuples are counted, too; breaks 'a tuple of order tokens' and 'm - n + 1 windows'",
        "source": """
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = {}
    for s in sentences:
        p = ["<s>"] + list(s) + ["</s>"]
        for i in range(max(1, len(p) - order + 1)):
            gram = tuple(p[i:i + order])
            counts[gram] = counts.get(gram, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "for unigrams the key is the word, not a tuple of one; breaks 'a tuple of order tokens'",
        "source": """
from collections import Counter
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        p = ["<s>", *s, "</s>"]
        if order == 1:
            counts.update(p)
        else:
            counts.update(tuple(p[i:i + order]) for i in range(len(p) - order + 1))
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "an empty sentence is skipped: it holds the marks <s> </s>; breaks 'Each sentence is padded'",
        "source": """
from collections import Counter
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order")
    counts = Counter()
    for s in sentences:
        if not s:
            continue
        p = ["<s>", *s, "</s>"]
        counts.update(tuple(p[i:i + order]) for i in range(len(p) - order + 1))
    return counts
""",
    },
    # mle_probability
    {
        "task": "mle_probability",
        "right": True,
        "why": "one pass that sums all and hits",
        "source": """
def mle_probability(counts, context, word):
    hits = total = 0
    found = False
    for (*before, last), count in counts.items():
        if tuple(before) == context:
            found = True
            total += count
            if last == word:
                hits += count
    if not found:
        raise ValueError("context was never seen")
    return hits / total
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "a dict of the followers, then get",
        "source": """
def mle_probability(counts, context, word):
    followers = {gram[-1]: n for gram, n in counts.items() if gram[:-1] == tuple(context)}
    if not followers:
        raise ValueError("context was never seen")
    return float(followers.get(word, 0)) / sum(followers.values())
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "joins to a string and asks startswith: 're' matches 'red'; breaks 'the share of a word among all that followed a context'",
        "source": """
def mle_probability(counts, context, word):
    start = " ".join(context)
    total = sum(n for gram, n in counts.items() if " ".join(gram[:-1]).startswith(start))
    if total == 0:
        raise ValueError("never seen")
    return counts.get(tuple(context) + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "compares only the last word of the context (bigram habit); breaks 'a tuple of n - 1 tokens' for n >= 3",
        "source": """
def mle_probability(counts, context, word):
    total = hits = 0
    for gram, n in counts.items():
        if len(context) == 0 or gram[-2] == context[-1]:
            total += n
            if gram[-1] == word:
                hits += n
    if total == 0:
        raise ValueError("never seen")
    return hits / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "an unseen word after a seen context raises too; breaks 'ValueError: no n-gram begins with the context' ('A word that never followed red gets 0')",
        "source": """
def mle_probability(counts, context, word):
    gram = tuple(context) + (word,)
    if gram not in counts:
        raise ValueError("never seen")
    return counts[gram] / sum(n for g, n in counts.items() if g[:-1] == tuple(context))
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "an unseen context gives 0.0; breaks the ValueError",
        "source": """
def mle_probability(counts, context, word):
    total = sum(n for g, n in counts.items() if g[:-1] == tuple(context))
    return counts.get(tuple(context) + (word,), 0) / total if total else 0.0
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "counts the different n-grams after the context, not their counts, in the denominator; breaks the sum of count(h, w')",
        "source": """
def mle_probability(counts, context, word):
    after = [n for g, n in counts.items() if g[:len(context)] == tuple(context)]
    if not after:
        raise ValueError("never seen")
    return min(1.0, counts.get(tuple(context) + (word,), 0) / len(after))
""",
    },
    # add_k
    {
        "task": "add_k",
        "right": True,
        "why": "sum over matching keys",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if not k > 0:
        raise ValueError("k must be above 0")
    denominator = k * vocabulary_size
    for gram, n in counts.items():
        if gram[:len(gram) - 1] == tuple(context):
            denominator += n
    return (counts.get((*context, word), 0) + k) / denominator
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "as a mixture of the maximum likelihood estimate and the uniform distribution",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = sum(n for gram, n in counts.items() if gram[:-1] == tuple(context))
    uniform = 1 / vocabulary_size
    if total == 0:
        return uniform
    share = total / (total + k * vocabulary_size)
    seen = sum(n for gram, n in counts.items() if gram == tuple(context) + (word,)) / total
    return share * seen + (1 - share) * uniform
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "k = 0 passes; breaks 'ValueError: k is 0 or below'",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 0:
        raise ValueError("k")
    total = sum(n for g, n in counts.items() if g[:-1] == tuple(context))
    return (counts.get(tuple(context) + (word,), 0) + k) / max(total + k * vocabulary_size, 1e-12)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "V is taken from the words that occur, not from the argument; breaks 'the number V of words that could come next'",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for g, n in counts.items() if g[:-1] == tuple(context))
    V = max(1, len({g[-1] for g in counts}))
    return (counts.get(tuple(context) + (word,), 0) + k) / (total + k * V)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "seen words keep their count, k goes to unseen ones only; breaks 'k added to every count'",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for g, n in counts.items() if g[:-1] == tuple(context))
    numerator = counts.get(tuple(context) + (word,), 0) or k
    return numerator / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "adds V, not kV, to the denominator; right only for k = 1; breaks 'The V words take kV more in all'",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(n for g, n in counts.items() if g[:-1] == tuple(context))
    return (counts.get(tuple(context) + (word,), 0) + k) / (total + vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "an unseen context raises as in mle_probability; breaks 'A context that was never seen is no trouble any more'",
        "source": """
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    after = {g[-1]: n for g, n in counts.items() if g[:-1] == tuple(context)}
    if not after:
        raise ValueError("context never seen")
    return (after.get(word, 0) + k) / (sum(after.values()) + k * vocabulary_size)
""",
    },
    # interpolate
    {
        "task": "interpolate",
        "right": True,
        "why": "loop over the orders with a helper, fsum for the check",
        "source": """
import math
def interpolate(tables, context, word, weights):
    if abs(math.fsum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    mixed = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        history = tuple(context[len(context) - n:])
        total = sum(c for gram, c in table.items() if gram[:-1] == history)
        if total:
            mixed += weight * table.get(history + (word,), 0) / total
            used += weight
    return mixed / used
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "collects the estimates first, np.average at the end (it divides by the weights used)",
        "source": """
import numpy as np
def interpolate(tables, context, word, weights):
    if not np.isclose(sum(weights), 1.0, rtol=0, atol=1e-9):
        raise ValueError("weights")
    estimates, shares = [], []
    for order in range(1, len(tables) + 1):
        need = order - 1
        if need > len(context):
            continue
        history = tuple(context)[len(context) - need:] if need else ()
        followers = {}
        for gram, count in tables[need].items():
            if gram[:need] == history:
                followers[gram[need]] = count
        if not sum(followers.values()):
            continue
        estimates.append(followers.get(word, 0) / sum(followers.values()))
        shares.append(weights[need])
    return float(np.average(estimates, weights=shares))
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "leaves orders out but does not divide by the weights used; breaks 'the rest divided by the sum of their weights'",
        "source": """
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = 0.0
    for n, table in enumerate(tables):
        if n > len(context):
            continue
        h = tuple(context[len(context) - n:])
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            p += weights[n] * table.get(h + (word,), 0) / total
    return p
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "takes the first n - 1 words of the context; breaks 'Order n looks at the last n - 1 words of the context'",
        "source": """
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = used = 0.0
    for n, table in enumerate(tables):
        if n > len(context):
            continue
        h = tuple(context[:n])
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
        "why": "sum(weights) != 1 exactly: 0.7 + 0.2 + 0.1 raises; breaks 'to within 1e-9'",
        "source": """
def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("weights")
    p = used = 0.0
    for n, table in enumerate(tables):
        if n > len(context):
            continue
        h = tuple(context[len(context) - n:])
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
        "why": "leaves an order out when the word was not seen after its context; breaks 'Orders whose context is too short or was never seen are left out' (an unseen word counts as 0)",
        "source": """
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = used = 0.0
    for n, table in enumerate(tables):
        if n > len(context):
            continue
        h = tuple(context[len(context) - n:])
        if h + (word,) in table:
            p += weights[n] * table[h + (word,)] / sum(c for g, c in table.items() if g[:-1] == h)
            used += weights[n]
    return p / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "divides by the weights of all orders for which the context is long enough, whether it was seen or not; breaks 'Orders whose context is too short or was never seen are left out, and the rest divided by the sum of their weights'",
        "source": """
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = 0.0
    top = min(len(tables), len(context) + 1)
    for n in range(top):
        h = tuple(context[len(context) - n:])
        total = sum(c for g, c in tables[n].items() if g[:-1] == h)
        if total:
            p += weights[n] * tables[n].get(h + (word,), 0) / total
    return p / sum(weights[:top])
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "context[-n:] with n = 0 is the whole context, so the unigrams are left out unless the context is empty; breaks 'Orders whose context is too short or was never seen are left out' (unigrams need no context)",
        "source": """
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights")
    p = used = 0.0
    for n, table in enumerate(tables):
        h = tuple(context[-n:])
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            p += weights[n] * table.get(h + (word,), 0) / total
            used += weights[n]
    return p / used if used else 0.0
""",
    },
    # stupid_backoff
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "recursion",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    seen = table.get(tuple(context) + (word,), 0)
    if seen:
        return seen / sum(c for gram, c in table.items() if gram[:-1] == tuple(context))
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "loop from the longest context down with the power of alpha",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha > 1:
        raise ValueError("alpha")
    size = len(context)
    for given_up in range(size + 1):
        history = tuple(context[given_up:])
        after = {}
        for gram, count in tables[size - given_up].items():
            if gram[:-1] == history:
                after[gram[-1]] = count
        if after.get(word, 0) > 0:
            return alpha ** given_up * after[word] / sum(after.values())
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "the factor only once, however many words are given up; breaks 'the factor for each word of the context that is given up'",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    factor = 1.0
    while True:
        table = tables[len(context)]
        n = table.get(tuple(context) + (word,), 0)
        if n:
            return factor * n / sum(c for g, c in table.items() if g[:-1] == tuple(context))
        if not context:
            return 0.0
        context = context[1:]
        factor = alpha
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "gives up the last word instead of the first; breaks 'forget the first word of the context'",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    table = tables[len(context)]
    n = table.get(tuple(context) + (word,), 0)
    if n:
        return n / sum(c for g, c in table.items() if g[:-1] == tuple(context))
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[:-1], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha is only checked when backing off; breaks 'ValueError: alpha is not above 0, or it is above 1' for n-grams that were seen",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    table = tables[len(context)]
    n = table.get(tuple(context) + (word,), 0)
    if n:
        return n / sum(c for g, c in table.items() if g[:-1] == tuple(context))
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    if not context:
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha = 1 raises; breaks 'above 0 and at most 1'",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha >= 1:
        raise ValueError("alpha")
    factor = 1.0
    for start in range(len(context) + 1):
        h = tuple(context[start:])
        total = sum(c for g, c in tables[len(h)].items() if g[:-1] == h)
        n = tables[len(h)].get(h + (word,), 0)
        if n:
            return factor * n / total
        factor *= alpha
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "backs off only when the context is unseen; a seen context without this word gives 0; breaks 'if count(h, w) > 0 ... otherwise'",
        "source": """
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha")
    h = tuple(context)
    total = sum(c for g, c in tables[len(h)].items() if g[:-1] == h)
    if total:
        return tables[len(h)].get(h + (word,), 0) / total
    return alpha * stupid_backoff(tables, h[1:], word, alpha) if h else 0.0
""",
    },
    # continuation_counts
    {
        "task": "continuation_counts",
        "right": True,
        "why": "Counter over the keys with a count above 0",
        "source": """
from collections import Counter
def continuation_counts(bigrams):
    return Counter(right for (left, right), count in bigrams.items() if count > 0)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "a set of left words for each right word",
        "source": """
def continuation_counts(bigrams):
    lefts = {}
    for pair in bigrams:
        if bigrams[pair]:
            lefts.setdefault(pair[1], set()).add(pair[0])
    return {word: len(before) for word, before in lefts.items()}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "bigrams with the count 0 are counted; breaks 'count(v, w) > 0' / 'a count may be 0'",
        "source": """
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
        "why": "words with nothing before them are listed with 0; breaks 'words that follow nothing are not in it'",
        "source": """
def continuation_counts(bigrams):
    result = {w: 0 for pair in bigrams for w in pair}
    for (left, right), n in bigrams.items():
        if n > 0:
            result[right] += 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "<s> on the left is left out; breaks '<s> on the left is a word like the others'",
        "source": """
def continuation_counts(bigrams):
    result = {}
    for (left, right), n in bigrams.items():
        if n > 0 and left != "<s>":
            result[right] = result.get(right, 0) + 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "a word after itself does not count; breaks 'how many different words came before each word'",
        "source": """
def continuation_counts(bigrams):
    result = {}
    for (left, right), n in bigrams.items():
        if n and left != right:
            result[right] = result.get(right, 0) + 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "only counts of 2 and more (a singleton is noise); breaks 'count(v, w) > 0'",
        "source": """
from collections import defaultdict
def continuation_counts(bigrams):
    lefts = defaultdict(set)
    for (left, right), n in bigrams.items():
        if n > 1:
            lefts[right].add(left)
    return {w: len(s) for w, s in lefts.items()}
""",
    },
    # kneser_ney_bigram
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "straight from the formula with generator sums",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount")
    p_cont = sum(right == word for _, right in bigrams) / len(bigrams)
    after = [n for (left, _), n in bigrams.items() if left == previous]
    if not after:
        return p_cont
    kept = max(bigrams.get((previous, word), 0) - discount, 0) / sum(after)
    return kept + discount * len(after) / sum(after) * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "NumPy table of all counts (rows left words, columns right words)",
        "source": """
import numpy as np
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    rows = {w: i for i, w in enumerate(dict.fromkeys(left for left, _ in bigrams))}
    columns = {w: i for i, w in enumerate(dict.fromkeys(right for _, right in bigrams))}
    table = np.zeros((len(rows), len(columns) + 1))
    for (left, right), n in bigrams.items():
        table[rows[left], columns[right]] = n
    column = columns.get(word, len(columns))
    continuation = np.count_nonzero(table[:, column]) / np.count_nonzero(table)
    if previous not in rows:
        return float(continuation)
    row = table[rows[previous]]
    mass = np.minimum(row, discount).sum()
    return float((max(row[column] - discount, 0.0) + mass * continuation) / row.sum())
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "no max: a word that was not seen after the context gets -D / count(v); breaks max(count - D, 0)",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    if not after:
        return cont
    total = sum(after.values())
    return (after.get(word, 0) - discount) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "backoff form: words that were seen do not get the second term; breaks 'The form is interpolated: words that were seen get the second term as well'",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    if not after:
        return cont
    total = sum(after.values())
    if word in after:
        return max(after[word] - discount, 0) / total
    return discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "the lower order is the plain unigram share; breaks P_cont = N1+(. w) / N1+(. .)",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    lower = sum(n for (l, r), n in bigrams.items() if r == word) / sum(bigrams.values())
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    if not after:
        return lower
    total = sum(after.values())
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * lower
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "after an unseen context 0.0; breaks 'After a context that was never seen, P_cont alone is left'",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    total = sum(n for (l, r), n in bigrams.items() if l == previous)
    if total == 0:
        return 0.0
    kinds = sum(1 for l, r in bigrams if l == previous)
    cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * kinds / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "a discount of exactly 0 or 1 raises; breaks 'from 0 to 1'",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 < discount < 1:
        raise ValueError("discount")
    cont = sum(1 for l, r in bigrams if r == word) / len(bigrams)
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    if not after:
        return cont
    total = sum(after.values())
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "P_cont divides by the number of different right words, not of bigrams; breaks N1+(. .) = the number of different bigrams",
        "source": """
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    cont = len({l for l, r in bigrams if r == word}) / len({r for l, r in bigrams})
    after = {r: n for (l, r), n in bigrams.items() if l == previous}
    if not after:
        return min(cont, 1.0)
    total = sum(after.values())
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    # perplexity
    {
        "task": "perplexity",
        "right": True,
        "why": "math.fsum of logs, all checks first",
        "source": """
import math
def perplexity(probs):
    if not probs or min(probs) < 0 or max(probs) > 1:
        raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return math.exp(-math.fsum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "geometric mean as a product of N-th roots",
        "source": """
import math
import numpy as np
def perplexity(probs):
    p = np.array(probs, dtype=np.float64)
    if p.size == 0 or (p < 0).any() or (p > 1).any():
        raise ValueError("probs")
    with np.errstate(divide="ignore"):
        bits = -np.log2(p).mean()
    return math.inf if np.isinf(bits) else max(1.0, float(2.0 ** bits))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "product first: a long list underflows to 0 and gives infinity; breaks 'it may be long'",
        "source": """
import math
def perplexity(probs):
    if not probs or any(p < 0 or p > 1 for p in probs):
        raise ValueError("probs")
    product = math.prod(probs)
    return math.inf if product == 0 else product ** (-1 / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "returns infinity at the first 0 and does not look at the rest: [0, 2] does not raise; breaks 'a number is below 0 or above 1'",
        "source": """
import math
def perplexity(probs):
    if not probs:
        raise ValueError("empty")
    total = 0.0
    for p in probs:
        if p == 0:
            return math.inf
        if p < 0 or p > 1:
            raise ValueError("no probability")
        total -= math.log(p)
    return math.exp(total / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "a 0 becomes 1e-12: finite perplexity; breaks 'math.inf if a probability is 0'",
        "source": """
import numpy as np
def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError("probs")
    return float(np.exp(-np.mean(np.log(np.maximum(probs, 1e-12)))))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "2 to the power of nats; breaks the formula exp(mean of natural logs)",
        "source": """
import math
def perplexity(probs):
    if not probs or any(not 0 <= p <= 1 for p in probs):
        raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return 2 ** (-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "numbers above 1 pass; breaks 'ValueError: ... above 1'",
        "source": """
import math
def perplexity(probs):
    if not probs or min(probs) < 0:
        raise ValueError("probs")
    if min(probs) == 0:
        return math.inf
    return max(1.0, math.exp(-sum(math.log(p) for p in probs) / len(probs)))
""",
    },
    # bits_per_byte
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "fsum and encode",
        "source": """
import math
def bits_per_byte(log_probs, text):
    size = len(text.encode("utf-8"))
    if not size:
        raise ValueError("empty text")
    return abs(math.fsum(log_probs)) / (math.log(2) * size)
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "bits of each token by themselves, bytes counted from the code points",
        "source": """
import math
def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    n_bytes = 0
    for character in text:
        code = ord(character)
        n_bytes += 1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF)
    bits = 0.0
    for value in log_probs:
        bits += -value / math.log(2)
    return bits / n_bytes
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "divides by characters; breaks 'its bytes in UTF-8'",
        "source": """
import math
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty text")
    return -sum(log_probs) / math.log(2) / len(text)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "text.strip(): a text of blanks raises, and blanks at the ends do not count as bytes; breaks 'number of bytes' / 'the text is empty'",
        "source": """
import math
def bits_per_byte(log_probs, text):
    text = text.strip()
    if not text:
        raise ValueError("empty text")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "two bytes for everything that is not ASCII: an emoji has four; breaks 'an ae two and an emoji four'",
        "source": """
import math
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty text")
    n = sum(1 if ord(c) < 128 else 2 for c in text)
    return -sum(log_probs) / (math.log(2) * n)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "mean over tokens before dividing by the bytes; breaks the sum over n (right only for one token)",
        "source": """
import math
import numpy as np
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty text")
    if len(log_probs) == 0:
        return 0.0
    return float(-np.mean(log_probs) / math.log(2) / len(text.encode()))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "an empty text gives 0.0; breaks the ValueError",
        "source": """
import math
def bits_per_byte(log_probs, text):
    return -sum(log_probs) / (math.log(2) * max(1, len(text.encode("utf-8"))))
""",
    },
    # sample_next
    {
        "task": "sample_next",
        "right": True,
        "why": "cumsum and searchsorted on the right side, fallback to the last word above 0",
        "source": """
import numpy as np
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    words = list(probs)
    sums = np.cumsum([probs[w] for w in words])
    place = int(np.searchsorted(sums, u, side="right"))
    if place == len(words):
        place = max(i for i, w in enumerate(words) if probs[w] > 0)
    return words[place]
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "accumulate with next(), default searched from the end",
        "source": """
from itertools import accumulate
def sample_next(probs, u):
    if len(probs) == 0:
        raise ValueError("empty")
    if u < 0 or u >= 1:
        raise ValueError("u")
    last = next(w for w in reversed(list(probs)) if probs[w] > 0)
    return next((w for w, total in zip(probs, accumulate(probs.values())) if total > u), last)
""",
    },
    {
        "task": "sample_next",
        "right": None,
        "why": "subtracts from u instead of adding up: the same on paper, but rounding may differ on a border",
        "source": """
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    for w, p in probs.items():
        u -= p
        if u < 0:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "running sum at least u: a border belongs to the left interval, and u = 0 picks a leading word of probability 0; breaks '[left, right)'",
        "source": """
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if total >= u:
            return w
    return [w for w in probs if probs[w] > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "falls back to the last word of the dict, even with probability 0; breaks 'Return the last word that has a probability above 0'",
        "source": """
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
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
        "why": "sorts the words by probability first; breaks 'The order on the line is the order of the dict'",
        "source": """
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("probs or u")
    total = 0.0
    ranked = sorted(probs.items(), key=lambda item: -item[1])
    for w, p in ranked:
        total += p
        if total > u:
            return w
    return [w for w, p in ranked if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "u = 1 is accepted and gives the last word; breaks 'ValueError: ... u is not in [0, 1)'",
        "source": """
def sample_next(probs, u):
    if not probs or u < 0 or u > 1:
        raise ValueError("probs or u")
    total = 0.0
    for w, p in probs.items():
        total += p
        if u < total:
            return w
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
]
