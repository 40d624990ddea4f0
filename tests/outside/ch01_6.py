ANSWERS = [
    # ---------------------------------------------------------------- transition_matrix
    {
        "task": "transition_matrix",
        "right": True,
        "why": "beginner: list of lists, checks every word first, then counts pairs with index",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    table = [[0] * V for _ in range(V)]
    for sentence in sentences:
        for word in sentence:
            if word not in vocabulary:
                raise ValueError("unknown word: " + word)
        for k in range(len(sentence) - 1):
            i = vocabulary.index(sentence[k])
            j = vocabulary.index(sentence[k + 1])
            table[i][j] = table[i][j] + 1
    A = np.zeros((V, V))
    for i in range(V):
        s = sum(table[i])
        for j in range(V):
            if s > 0:
                A[i, j] = table[i][j] / s
    return A
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "np.add.at for the pairs, np.divide with where for the rows",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    number = {w: i for i, w in enumerate(vocabulary)}
    counts = np.zeros((len(number), len(number)))
    for sentence in sentences:
        try:
            ids = np.array([number[w] for w in sentence], dtype=int)
        except KeyError as error:
            raise ValueError(f"not in the vocabulary: {error}") from None
        np.add.at(counts, (ids[:-1], ids[1:]), 1.0)
    sums = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, sums, out=np.zeros_like(counts), where=sums > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "counts[ids[:-1], ids[1:]] += 1 counts a pair that is twice in one sentence only once: ['a', 'b', 'a', 'b', 'a', 'c']",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    counts = np.zeros((V, V))
    for sentence in sentences:
        ids = np.array([vocabulary.index(w) for w in sentence], dtype=int)
        counts[ids[:-1], ids[1:]] += 1
    sums = counts.sum(axis=1, keepdims=True)
    return counts / np.where(sums == 0, 1, sums)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "a sentence of a single unknown word makes no pair and raises nothing; 'ValueError: a sentence holds a word outside the vocabulary'",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for sentence in sentences:
        for before, after in zip(sentence, sentence[1:]):
            A[vocabulary.index(before), vocabulary.index(after)] += 1
    for row in A:
        if row.sum() > 0:
            row /= row.sum()
    return A
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "KeyError instead of ValueError for an unknown word",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    pos = {w: i for i, w in enumerate(vocabulary)}
    A = np.zeros((len(pos), len(pos)))
    for s in sentences:
        ids = [pos[w] for w in s]
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    total = A.sum(1)
    total[total == 0] = 1
    return A / total[:, None]
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "divides by how often the word occurs, also at the end of a sentence: with [['my', 'files'], ['my']] the row of my sums to 0.5",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    pairs, singles = Counter(), Counter()
    for sentence in sentences:
        for word in sentence:
            if word not in vocabulary:
                raise ValueError(word)
        singles.update(sentence)
        pairs.update(zip(sentence[:-1], sentence[1:]))
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for (a, b), c in pairs.items():
        A[vocabulary.index(a), vocabulary.index(b)] = c / singles[a]
    return A
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "joins all sentences: 'Pairs never run from one sentence into the next'",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    text = [w for sentence in sentences for w in sentence]
    ids = [vocabulary.index(w) for w in text]
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for i, j in zip(ids, ids[1:]):
        A[i, j] += 1
    sums = A.sum(axis=1, keepdims=True)
    return A / np.maximum(sums, 1)
""",
    },
    # ---------------------------------------------------------------- skip_votes
    {
        "task": "skip_votes",
        "right": True,
        "why": "counts for each earlier word by plain loops",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("the prefix is empty")
    last = prefix[-1]
    voters = []
    for word in prefix[:-1]:
        if word in voters:
            continue
        if keep is not None and word not in keep:
            continue
        voters.append(word)
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == last:
                votes[s[i + 1]] = 0.0
    for a in voters:
        found = {}
        for s in sentences:
            for i in range(1, len(s) - 1):
                if s[i] == last and a in s[:i]:
                    found[s[i + 1]] = found.get(s[i + 1], 0) + 1
        total = sum(found.values())
        for w in found:
            votes[w] += found[w] / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "one pass over the sentences with sets and a matrix earlier words x next words, in NumPy",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    *earlier, last = prefix
    voters = sorted(set(earlier) if keep is None else set(earlier) & set(keep))
    events = []
    for sentence in sentences:
        before = set()
        for here, after in zip(sentence, sentence[1:]):
            if here == last:
                events.append((frozenset(before), after))
            before.add(here)
    nexts = sorted({after for _, after in events})
    column = {w: j for j, w in enumerate(nexts)}
    count = np.zeros((len(voters), len(nexts)))
    for before, after in events:
        for i, a in enumerate(voters):
            count[i, column[after]] += a in before
    total = count.sum(axis=1, keepdims=True)
    shares = count / np.where(total == 0, 1, total)
    return dict(zip(nexts, shares.sum(axis=0).tolist()))
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an earlier word that is twice in the prefix votes twice: 'if it occurs twice, it still votes once'",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    b = prefix[-1]
    table = defaultdict(Counter)
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == b:
                votes[s[i + 1]] = 0.0
                for a in set(s[:i]):
                    table[a][s[i + 1]] += 1
    for a in prefix[:-1]:
        if keep is not None and a not in keep:
            continue
        for w, c in table[a].items():
            votes[w] += c / sum(table[a].values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "'if keep' takes an empty mask for no mask: keep=[] must let nobody vote",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    b = prefix[-1]
    earlier = set(prefix[:-1])
    if keep:
        earlier &= set(keep)
    table = {a: Counter() for a in earlier}
    votes = {}
    for s in sentences:
        for i in range(len(s) - 1):
            if s[i] == b:
                votes.setdefault(s[i + 1], 0.0)
                for a in earlier.intersection(s[:i]):
                    table[a][s[i + 1]] += 1
    for a, row in table.items():
        n = sum(row.values())
        for w in row:
            votes[w] += row[w] / n
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "counts b once for every a before it: in 'a a b x' and 'a b y' x gets 2/3; the count says how many times b was followed with a somewhere before",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    b = prefix[-1]
    pairs = defaultdict(Counter)
    votes = {}
    for s in sentences:
        for j in range(len(s) - 1):
            if s[j] != b:
                continue
            votes[s[j + 1]] = 0.0
            for i in range(j):
                pairs[s[i]][s[j + 1]] += 1
    for a in set(prefix[:-1]):
        if keep is None or a in keep:
            total = sum(pairs[a].values())
            for w, c in pairs[a].items():
                votes[w] += c / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "looks only at the first place of b in each sentence (index): 'x b y b z' has two",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    b = prefix[-1]
    votes = {}
    seen = []
    for s in sentences:
        if b in s and s.index(b) + 1 < len(s):
            i = s.index(b)
            seen.append((set(s[:i]), s[i + 1]))
            votes[s[i + 1]] = 0.0
    for a in set(prefix[:-1]):
        if keep is not None and a not in keep:
            continue
        c = Counter(w for before, w in seen if a in before)
        for w in c:
            votes[w] += c[w] / sum(c.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "leaves out the words with no vote (a defaultdict hides it when they are asked for): 'every word that followed the last word'",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    votes = defaultdict(float)
    for a in set(prefix[:-1]):
        if keep is not None and a not in keep:
            continue
        counts = Counter()
        for s in sentences:
            for i, (now, after) in enumerate(zip(s, s[1:])):
                if now == last and a in s[:i]:
                    counts[after] += 1
        for w in counts:
            votes[w] += counts[w] / sum(counts.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "the last word may not vote although it is also an earlier word: prefix ['ran', 'and', 'ran'] has the pair (ran, ran)",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    last = prefix[-1]
    voters = set(prefix) - {last}
    if keep is not None:
        voters = voters & set(keep)
    hits = [(s[:i], s[i + 1]) for s in sentences for i in range(len(s) - 1) if s[i] == last]
    votes = {w: 0.0 for _, w in hits}
    for a in voters:
        mine = [w for before, w in hits if a in before]
        for w in mine:
            votes[w] += 1 / len(mine)
    return votes
""",
    },
    # ---------------------------------------------------------------- ngram_counts
    {
        "task": "ngram_counts",
        "right": True,
        "why": "Counter over zipped shifts; a Counter is a dict",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("the order is below 1")
    counts = Counter()
    for sentence in sentences:
        padded = ["<s>", *sentence, "</s>"]
        counts.update(zip(*(padded[k:] for k in range(order))))
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "beginner: windows by index into a plain dict",
        "source": r"""
def ngram_counts(sentences, order):
    if order <= 0:
        raise ValueError("order must be 1 or more")
    result = {}
    for sentence in sentences:
        tokens = ("<s>",) + tuple(sentence) + ("</s>",)
        start = 0
        while start + order <= len(tokens):
            gram = tokens[start:start + order]
            if gram in result:
                result[gram] += 1
            else:
                result[gram] = 1
            start += 1
    return result
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "puts order - 1 start marks, 'One mark on each side, whatever the order'",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = {}
    for s in sentences:
        padded = ["<s>"] * max(order - 1, 1) + list(s) + ["</s>"]
        for i in range(len(padded) - order + 1):
            g = tuple(padded[i:i + order])
            counts[g] = counts.get(g, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "all sentences in one stream: n-grams like ('</s>', '<s>') run over the borders",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    stream = []
    for s in sentences:
        stream += ["<s>"] + s + ["</s>"]
    return dict(Counter(tuple(stream[i:i + order]) for i in range(len(stream) - order + 1)))
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "skips an empty sentence, which is '<s> </s>' after padding and has a bigram",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = defaultdict(int)
    for s in sentences:
        if not s:
            continue
        padded = ["<s>"] + s + ["</s>"]
        for i in range(len(padded) - order + 1):
            counts[tuple(padded[i:i + order])] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "inserts the marks into the caller's sentences: 'A function leaves its arguments as they are'",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = Counter()
    for s in sentences:
        s.insert(0, "<s>")
        s.append("</s>")
        for i in range(len(s) - order + 1):
            counts[tuple(s[i:i + order])] += 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "counts no marks among unigrams; they 'are tokens like the others'",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = Counter()
    for s in sentences:
        tokens = list(s) if order == 1 else ["<s>"] + list(s) + ["</s>"]
        for i in range(len(tokens) - order + 1):
            counts[tuple(tokens[i:i + order])] += 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "unigram keys are str and not tuples of one token",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = {}
    for s in sentences:
        t = ["<s>"] + list(s) + ["</s>"]
        for i in range(len(t) - order + 1):
            key = t[i] if order == 1 else tuple(t[i:i + order])
            counts[key] = counts.get(key, 0) + 1
    return counts
""",
    },
    # ---------------------------------------------------------------- mle_probability
    {
        "task": "mle_probability",
        "right": True,
        "why": "one loop, two sums",
        "source": r"""
def mle_probability(counts, context, word):
    context = tuple(context)
    hits, total, seen = 0, 0, False
    for gram in counts:
        if gram[:-1] == context:
            seen = True
            total += counts[gram]
            if gram[-1] == word:
                hits += counts[gram]
    if not seen:
        raise ValueError("the context was never seen")
    return hits / total
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "a Counter of what followed, Fraction for the share",
        "source": r"""
from fractions import Fraction

def mle_probability(counts, context, word):
    after = Counter()
    for (*h, w), c in counts.items():
        if h == list(context):
            after[w] += c
    if not after:
        raise ValueError(f"{context} was never seen")
    return float(Fraction(after[word], sum(after.values())))
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "an unseen context raises ZeroDivisionError, not ValueError",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "KeyError for a word that never followed the context: 'A word that never followed red gets 0'",
        "source": r"""
def mle_probability(counts, context, word):
    n = len(context)
    total = sum(c for g, c in counts.items() if g[:n] == context)
    if total == 0:
        raise ValueError("context never seen")
    return dict(counts)[(*context, word)] / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "the total takes every n-gram whose last but one token fits: for trigrams the rest of the context is not compared",
        "source": r"""
def mle_probability(counts, context, word):
    if not context:
        total = sum(counts.values())
    else:
        total = sum(c for g, c in counts.items() if g[-2] == context[-1])
    if total == 0:
        raise ValueError("context never seen")
    return counts.get(tuple(context) + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "setdefault writes a 0 for an unseen n-gram into the caller's dict",
        "source": r"""
def mle_probability(counts, context, word):
    total = 0
    for gram, c in counts.items():
        if gram[:len(context)] == context:
            total += c
    if total == 0:
        raise ValueError("context never seen")
    return counts.setdefault(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "returns 0.0 after a context that was never seen; the statement says ValueError",
        "source": r"""
def mle_probability(counts, context, word):
    after = {g[-1]: c for g, c in counts.items() if g[:-1] == context}
    if word not in after:
        return 0.0
    return after[word] / sum(after.values())
""",
    },
    # ---------------------------------------------------------------- add_k
    {
        "task": "add_k",
        "right": True,
        "why": "straight from the formula",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = sum(count for gram, count in counts.items() if gram[:-1] == tuple(context))
    return (counts.get((*context, word), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "NumPy over the counts, returns a NumPy float",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if not k > 0:
        raise ValueError("k must be above 0")
    grams = list(counts)
    c = np.array([counts[g] for g in grams], dtype=float)
    fits = np.array([g[:-1] == tuple(context) for g in grams], dtype=bool)
    same = np.array([g[-1] == word for g in grams], dtype=bool)
    return (c[fits & same].sum() + k) / (c[fits].sum() + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "k = 0 is accepted: 'ValueError: k is 0 or below'",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 0:
        raise ValueError("k must not be negative")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "the default is 0.5, the signature says k=1.0",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=0.5):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "raises ValueError for an unseen context, where 'every word gets k / (kV)'",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    after = {g[-1]: c for g, c in counts.items() if g[:-1] == context}
    if not after:
        raise ValueError("the context was never seen")
    return (after.get(word, 0) + k) / (sum(after.values()) + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "the denominator sums all counts, also those after other contexts",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    hits = counts[context + (word,)] if context + (word,) in counts else 0
    return (hits + k) / (sum(counts.values()) + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "0 for a word that was not seen after the context; it must be k / (total + kV)",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = k * vocabulary_size
    share = 0.0
    for gram, c in counts.items():
        if gram[:-1] == context:
            total += c
            if gram[-1] == word:
                share = c + k
    return share / total
""",
    },
    # ---------------------------------------------------------------- interpolate
    {
        "task": "interpolate",
        "right": True,
        "why": "loop over the orders, slices that count from the left so that order 1 takes ()",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("the weights do not sum to 1")
    top, used = 0.0, 0.0
    for n, (table, weight) in enumerate(zip(tables, weights), start=1):
        if n - 1 > len(context):
            break
        h = tuple(context[len(context) - (n - 1):])
        total = sum(c for gram, c in table.items() if gram[:-1] == h)
        if total == 0:
            continue
        top += weight * table.get(h + (word,), 0) / total
        used += weight
    return top / used
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "recursion that forgets the first word of the context, with mle as a helper that gives None",
        "source": r"""
def interpolate(tables, context, word, weights):
    if not math.isclose(math.fsum(weights), 1, rel_tol=0, abs_tol=1e-9):
        raise ValueError("weights must sum to 1")

    def share(table, h):
        after = Counter()
        for gram, c in table.items():
            if gram[:-1] == h:
                after[gram[-1]] += c
        total = sum(after.values())
        return after[word] / total if total else None

    def collect(h):
        p = share(tables[len(h)], h)
        here = [] if p is None else [(weights[len(h)], p)]
        return here + (collect(h[1:]) if h else [])

    found = collect(tuple(context))
    return math.fsum(w * p for w, p in found) / math.fsum(w for w, _ in found)
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "orders without an estimate are left out, but the sum is not divided by the weights that were used",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights must sum to 1")
    p = 0.0
    for i, table in enumerate(tables):
        if i > len(context):
            continue
        h = context[len(context) - i:]
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            p += weights[i] * table.get(h + (word,), 0) / total
    return p
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "compares the sum with 1 exactly: the weights 0.7, 0.2, 0.1 raise ValueError ('to within 1e-9')",
        "source": r"""
def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("weights must sum to 1")
    top = used = 0.0
    for i, table in enumerate(tables):
        if i > len(context):
            continue
        h = context[len(context) - i:]
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            top += weights[i] * table.get(h + (word,), 0) / total
            used += weights[i]
    return top / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "the orders look at the first words of the context, not at the last",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights must sum to 1")
    top = used = 0.0
    for i, table in enumerate(tables[:len(context) + 1]):
        h = context[:i]
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            top += weights[i] * table.get(h + (word,), 0) / total
            used += weights[i]
    return top / used
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "leaves out an order that has seen the context but never this word; its estimate is 0 and its weight counts",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights must sum to 1")
    top = used = 0.0
    for i, table in enumerate(tables[:len(context) + 1]):
        gram = context[len(context) - i:] + (word,)
        if gram in table:
            top += weights[i] * table[gram] / sum(c for g, c in table.items() if g[:-1] == gram[:-1])
            used += weights[i]
    return top / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "never checks the weights: [0.5, 0.9] must raise ValueError",
        "source": r"""
def interpolate(tables, context, word, weights):
    parts = []
    for i, (table, w) in enumerate(zip(tables, weights)):
        if i <= len(context):
            h = context[len(context) - i:]
            total = sum(c for g, c in table.items() if g[:-1] == h)
            if total > 0:
                parts.append((w, table.get(h + (word,), 0) / total))
    return sum(w * p for w, p in parts) / sum(w for w, p in parts)
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "an order for which the context is too short is not left out but asked with a part of its context",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights must sum to 1")
    top = used = 0.0
    for i, table in enumerate(tables):
        h = context[max(0, len(context) - i):]
        rows = {g: c for g, c in table.items() if g[i - len(h):i] == h}
        if rows:
            top += weights[i] * sum(c for g, c in rows.items() if g[-1] == word) / sum(rows.values())
            used += weights[i]
    return top / used
""",
    },
    # ---------------------------------------------------------------- stupid_backoff
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "recursion as in the formula",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha must be above 0 and at most 1")
    context = tuple(context)
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
        "why": "a loop over the words given up, the factor as a power",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha > 1:
        raise ValueError("alpha out of range")
    for dropped in range(len(context) + 1):
        h = list(context[dropped:])
        seen = {}
        for gram, c in tables[len(h)].items():
            if list(gram[:-1]) == h:
                seen[gram[-1]] = c
        if word in seen:
            return float(alpha ** dropped * (seen[word] / sum(seen.values())))
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "pays alpha only once, however many words of the context are given up",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha out of range")
    factor = 1.0
    for i in range(len(context) + 1):
        h = context[i:]
        table = tables[len(h)]
        if h + (word,) in table:
            return factor * table[h + (word,)] / sum(c for g, c in table.items() if g[:-1] == h)
        factor = alpha
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "forgets the last word of the context instead of the first",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha out of range")
    table = tables[len(context)]
    gram = context + (word,)
    if gram in table:
        return table[gram] / sum(c for g, c in table.items() if g[:-1] == context)
    if len(context) == 0:
        return 0.0
    return alpha * stupid_backoff(tables, context[:-1], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "refuses alpha = 1, which the statement allows ('at most 1')",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha < 1:
        raise ValueError("alpha out of range")
    factor = 1.0
    while True:
        table = tables[len(context)]
        n = table.get(context + (word,), 0)
        if n:
            return factor * n / sum(c for g, c in table.items() if g[:-1] == context)
        if context == ():
            return 0.0
        context, factor = context[1:], factor * alpha
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "backs off only if the context was never seen: red was seen, but never before 'moon', which gets 0",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha out of range")
    table = tables[len(context)]
    total = sum(c for g, c in table.items() if g[:-1] == context)
    if total > 0:
        return table.get(context + (word,), 0) / total
    if context == ():
        return 0.0
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "divides by the count of the context in the lower table, not by the sum of what followed; they differ where a text ends",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha out of range")
    n = len(context)
    count = tables[n].get(context + (word,), 0)
    if n == 0:
        total = sum(tables[0].values())
        return count / total if total else 0.0
    if count:
        return count / tables[n - 1].get(context, count)
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "pays alpha for every table above the one that answered, also when the context was short from the start",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError("alpha out of range")
    for n in range(len(context), -1, -1):
        h = context[len(context) - n:]
        c = tables[n].get(h + (word,), 0)
        if c > 0:
            total = sum(v for g, v in tables[n].items() if g[:-1] == h)
            return alpha ** (len(tables) - 1 - n) * c / total
    return 0.0
""",
    },
    # ---------------------------------------------------------------- continuation_counts
    {
        "task": "continuation_counts",
        "right": True,
        "why": "Counter over the keys with a positive count",
        "source": r"""
def continuation_counts(bigrams):
    return Counter(right for (left, right), count in bigrams.items() if count > 0)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "beginner: a dict of sets of left words, then their sizes",
        "source": r"""
def continuation_counts(bigrams):
    before = {}
    for pair in bigrams:
        if bigrams[pair] == 0:
            continue
        left = pair[0]
        right = pair[1]
        if right not in before:
            before[right] = set()
        before[right].add(left)
    return {word: len(before[word]) for word in before}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "counts pairs whose count is 0: 'count(v, w) > 0'",
        "source": r"""
def continuation_counts(bigrams):
    result = {}
    for _, right in bigrams:
        result[right] = result.get(right, 0) + 1
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "leaves out the start mark: '<s>' on the left is a word like the others",
        "source": r"""
def continuation_counts(bigrams):
    result = defaultdict(int)
    for (left, right), c in bigrams.items():
        if c > 0 and left != "<s>":
            result[right] += 1
    return dict(result)
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "words whose pairs all have the count 0 are in the dict with 0; they must not be in it",
        "source": r"""
def continuation_counts(bigrams):
    result = {right: 0 for _, right in bigrams}
    for (_, right), c in bigrams.items():
        result[right] += int(c > 0)
    return result
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "deletes the pairs with count 0 from the caller's dict",
        "source": r"""
def continuation_counts(bigrams):
    for pair in list(bigrams):
        if bigrams[pair] == 0:
            del bigrams[pair]
    return dict(Counter(right for _, right in bigrams))
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "does not count a word that follows itself: ('very', 'very') is a different pair like any other",
        "source": r"""
def continuation_counts(bigrams):
    left_of = defaultdict(set)
    for (a, b), n in bigrams.items():
        if n and a != b:
            left_of[b].add(a)
    return {w: len(s) for w, s in left_of.items()}
""",
    },
    # ---------------------------------------------------------------- kneser_ney_bigram
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "one pass that collects the four sums",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("the discount must be from 0 to 1")
    before_word = after_previous = total = 0
    for (left, right), count in bigrams.items():
        if right == word:
            before_word += 1
        if left == previous:
            after_previous += 1
            total += count
    p_cont = before_word / len(bigrams)
    if total == 0:
        return p_cont
    kept = max(bigrams.get((previous, word), 0) - discount, 0) / total
    return kept + discount * after_previous / total * p_cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "a dense table in NumPy, its rows and columns; returns a Python float",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    words = list(dict.fromkeys([previous, word] + [w for pair in bigrams for w in pair]))
    pos = {w: i for i, w in enumerate(words)}
    N = np.zeros((len(words), len(words)))
    for (a, b), c in bigrams.items():
        N[pos[a], pos[b]] = c
    cont = (N > 0).sum(axis=0) / (N > 0).sum()
    row = N[pos[previous]]
    if not row.any():
        return float(cont[pos[word]])
    mass = discount * np.count_nonzero(row) / row.sum()
    p = np.clip(row - discount, 0, None) / row.sum() + mass * cont
    return float(p[pos[word]])
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "an unseen context gets a uniform share of the words, not P_cont",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    after = {b: c for (a, b), c in bigrams.items() if a == previous}
    if not after:
        return 1 / len({b for _, b in bigrams})
    total = sum(after.values())
    cont = sum(b == word for _, b in bigrams) / len(bigrams)
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "refuses the discounts 0 and 1, which the statement allows ('from 0 to 1')",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount <= 0 or discount >= 1:
        raise ValueError("discount out of range")
    after = {b: c for (a, b), c in bigrams.items() if a == previous}
    cont = sum(b == word for _, b in bigrams) / len(bigrams)
    total = sum(after.values())
    if not total:
        return cont
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "the default discount is 0.5, the signature says 0.75",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.5):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    after = {b: c for (a, b), c in bigrams.items() if a == previous}
    cont = sum(b == word for _, b in bigrams) / len(bigrams)
    total = sum(after.values())
    if not total:
        return cont
    return max(after.get(word, 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "counts only words with something left after the discount as different followers: with discount 1 pairs seen once are lost",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    total = followers = 0
    for (a, _), c in bigrams.items():
        if a == previous:
            total += c
            if c - discount > 0:
                followers += 1
    cont = sum(1 for _, b in bigrams if b == word) / len(bigrams)
    if total == 0:
        return cont
    kept = max(bigrams.get((previous, word), 0) - discount, 0) / total
    return kept + discount * followers / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "KeyError for a word that never stands on the right; its probability is 0",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    cont, followers, total = {}, {}, {}
    for (a, b), c in bigrams.items():
        cont[b] = cont.get(b, 0) + 1
        followers[a] = followers.get(a, 0) + 1
        total[a] = total.get(a, 0) + c
    p = cont[word] / len(bigrams)
    if previous not in total:
        return p
    kept = max(bigrams.get((previous, word), 0) - discount, 0) / total[previous]
    return kept + discount * followers[previous] / total[previous] * p
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "the number of bigrams is the constant 5 of the example",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount out of range")
    after = [c for (a, b), c in bigrams.items() if a == previous]
    cont = len([1 for a, b in bigrams if b == word]) / 5
    if not after:
        return cont
    lam = discount * len(after) / sum(after)
    return max(bigrams.get((previous, word), 0) - discount, 0) / sum(after) + lam * cont
""",
    },
    # ---------------------------------------------------------------- perplexity
    {
        "task": "perplexity",
        "right": True,
        "why": "checks all numbers first, then fsum of logarithms",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("no probabilities")
    for p in probs:
        if not 0 <= p <= 1:
            raise ValueError("a probability must be from 0 to 1")
    if 0 in probs:
        return math.inf
    return math.exp(-math.fsum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "NumPy with base 2, the logarithm of 0 as minus infinity; a NumPy float",
        "source": r"""
def perplexity(probs):
    p = np.array(probs, dtype=np.float64)
    if p.size == 0 or p.min() < 0 or p.max() > 1:
        raise ValueError("need probabilities from 0 to 1, at least one")
    with np.errstate(divide="ignore"):
        return np.exp2(np.mean(-np.log2(p)))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "multiplies first: the product of 2000 halves is 0 in a computer ('it may be long')",
        "source": r"""
def perplexity(probs):
    if not probs or min(probs) < 0 or max(probs) > 1:
        raise ValueError("bad probabilities")
    product = math.prod(probs)
    if product == 0:
        return math.inf
    return (1 / product) ** (1 / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "a number above 1 is accepted and raises nothing",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0:
        raise ValueError("empty")
    total = 0.0
    for p in probs:
        if p < 0:
            raise ValueError("negative probability")
        total += math.inf if p == 0 else -math.log(p)
    return math.exp(total / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "returns inf at the first 0 and never sees a wrong number behind it: [0.0, 1.5] must raise ValueError",
        "source": r"""
def perplexity(probs):
    if not probs:
        raise ValueError("empty")
    nats = 0.0
    for p in probs:
        if p == 0:
            return math.inf
        if p < 0 or p > 1:
            raise ValueError("not a probability")
        nats -= math.log(p)
    return math.exp(nats / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "adds 1e-10 inside the logarithm: a probability 0 gives a finite perplexity, not math.inf",
        "source": r"""
def perplexity(probs):
    if not probs or any(p < 0 or p > 1 for p in probs):
        raise ValueError("bad probabilities")
    return float(np.exp(-np.mean(np.log(np.array(probs) + 1e-10))))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "refuses the probability 1, which is legal",
        "source": r"""
def perplexity(probs):
    if not probs:
        raise ValueError("empty")
    if any(p < 0 or p >= 1 for p in probs):
        raise ValueError("not a probability")
    if min(probs) == 0:
        return math.inf
    return math.exp(-sum(map(math.log, probs)) / len(probs))
""",
    },
    # ---------------------------------------------------------------- bits_per_byte
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "the formula",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("the text is empty")
    return -sum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "counts the bytes by the code points of the characters, bits token by token",
        "source": r"""
def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError("empty text")
    size = 0
    for character in text:
        code = ord(character)
        size += 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
    bits = 0.0
    for lp in log_probs:
        bits += -lp * math.log2(math.e)
    return bits / size
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "divides by the number of characters, not of bytes: differs for 'ä'",
        "source": r"""
def bits_per_byte(log_probs, text):
    if len(text) == 0:
        raise ValueError("empty text")
    return -sum(log_probs) / math.log(2) / len(text)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "ZeroDivisionError for an empty text, not ValueError",
        "source": r"""
def bits_per_byte(log_probs, text):
    nats = -math.fsum(log_probs)
    return nats / math.log(2) / len(bytes(text, "utf8"))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "encodes as ASCII and drops the rest: 'sä.' has 4 bytes in UTF-8, here 2",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty text")
    size = max(1, len(text.encode("ascii", errors="ignore")))
    return -sum(log_probs) / (math.log(2) * size)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "strips the text first: spaces and newlines at its ends are bytes, too, and ' ' is not empty",
        "source": r"""
def bits_per_byte(log_probs, text):
    text = text.strip()
    if not text:
        raise ValueError("empty text")
    return sum(-x / math.log(2) for x in log_probs) / len(text.encode("utf-8"))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "a set drops log-probabilities that occur twice: two tokens at 1/2 cost 2 bits",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("empty text")
    bits = {-lp / math.log(2) for lp in log_probs}
    return sum(bits) / len(text.encode())
""",
    },
    # ---------------------------------------------------------------- sample_next
    {
        "task": "sample_next",
        "right": True,
        "why": "a running sum that remembers the last possible word",
        "source": r"""
def sample_next(probs, u):
    if len(probs) == 0:
        raise ValueError("no words")
    if not 0 <= u < 1:
        raise ValueError("u must be in [0, 1)")
    running = 0.0
    last = None
    for word in probs:
        running = running + probs[word]
        if running > u:
            return word
        if probs[word] > 0:
            last = word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "cumsum and searchsorted over the words with a probability above 0",
        "source": r"""
def sample_next(probs, u):
    if not probs or u < 0 or u >= 1:
        raise ValueError("empty dict, or u outside [0, 1)")
    words = [w for w, p in probs.items() if p > 0]
    sums = np.cumsum([probs[w] for w in words])
    i = int(np.searchsorted(sums, u, side="right"))
    return words[min(i, len(words) - 1)]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": ">= instead of >: on a border u belongs to the interval on its right, {'a': 0.5, 'b': 0.5} with 0.5",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("bad arguments")
    total = 0.0
    for word, p in probs.items():
        total += p
        if total >= u and p > 0:
            return word
    return [w for w in probs if probs[w] > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "when no running sum is above u it returns the last word even if its probability is 0",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("bad arguments")
    for word, s in zip(probs, itertools.accumulate(probs.values())):
        if u < s:
            return word
    return list(probs)[-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "goes through the words in alphabetical order, not in the order of the dict",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("bad arguments")
    running, answer = 0.0, None
    for word in sorted(probs):
        if probs[word] == 0:
            continue
        answer = word
        running += probs[word]
        if running > u:
            break
    return answer
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "accepts u = 1: 'u is not in [0, 1)' must raise ValueError",
        "source": r"""
def sample_next(probs, u):
    if len(probs) == 0 or u < 0 or u > 1:
        raise ValueError("bad arguments")
    running, answer = 0.0, None
    for word, p in probs.items():
        running += p
        if p > 0:
            answer = word
            if running > u:
                return word
    return answer
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "raises ValueError when the probabilities do not sum to exactly 1: ten times 0.1",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("bad arguments")
    running = 0.0
    for p in probs.values():
        running += p
    if running != 1:
        raise ValueError("the probabilities must sum to 1")
    left = 0.0
    for word, p in probs.items():
        if left <= u < left + p:
            return word
        left += p
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "returns None for a u so close to 1 that no running sum is above it",
        "source": r"""
def sample_next(probs, u):
    if not probs:
        raise ValueError("empty dict")
    if u < 0 or u >= 1:
        raise ValueError("u outside [0, 1)")
    running = 0.0
    for word, p in probs.items():
        running += p
        if running > u:
            return word
""",
    },
]
