ANSWERS = [
    {
        "task": "transition_matrix",
        "right": True,
        "why": "NumPy counts with np.add.at and np.divide(where=)",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    V = len(vocabulary)
    index = {w: i for i, w in enumerate(vocabulary)}
    A = np.zeros((V, V))
    for sentence in sentences:
        if any(w not in index for w in sentence):
            raise ValueError("word outside the vocabulary")
        ids = np.array([index[w] for w in sentence], dtype=int)
        np.add.at(A, (ids[:-1], ids[1:]), 1.0)
    sums = A.sum(axis=1, keepdims=True)
    return np.divide(A, sums, out=np.zeros_like(A), where=sums > 0)
""",
    },
    {
        "task": "transition_matrix",
        "right": True,
        "why": "beginner's version: asks for every pair of words again",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    for s in sentences:
        for w in s:
            vocabulary.index(w)
    rows = []
    for a in vocabulary:
        row = []
        for b in vocabulary:
            c = 0
            for s in sentences:
                for x, y in zip(s, s[1:]):
                    if x == a and y == b:
                        c += 1
            row.append(c)
        t = sum(row)
        rows.append([c / t if t else 0.0 for c in row])
    return np.array(rows, dtype=np.float64).reshape(len(vocabulary), len(vocabulary))
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "joins the sentences first: pairs run from one sentence into the next",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    text = [vocabulary.index(w) for s in sentences for w in s]
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for i, j in zip(text, text[1:]):
        A[i, j] += 1
    s = A.sum(1, keepdims=True)
    return A / np.where(s == 0, 1, s)
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "only words in pairs are looked up: a sentence of one unknown word raises nothing",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for s in sentences:
        for k in range(len(s) - 1):
            A[vocabulary.index(s[k]), vocabulary.index(s[k + 1])] += 1
    for row in A:
        if row.sum() > 0:
            row /= row.sum()
    return A
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "A[ids, ids] += 1 with arrays counts a pair only once a sentence when it is repeated in it",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    for s in sentences:
        ids = np.array([vocabulary.index(w) for w in s], dtype=int)
        A[ids[:-1], ids[1:]] += 1
    s = A.sum(axis=1, keepdims=True)
    s[s == 0] = 1
    return A / s
""",
    },
    {
        "task": "transition_matrix",
        "right": False,
        "why": "divides a row by how often its word occurs, last words too: rows do not sum to 1",
        "source": r"""
def transition_matrix(sentences, vocabulary):
    A = np.zeros((len(vocabulary), len(vocabulary)))
    n = np.zeros(len(vocabulary))
    for s in sentences:
        ids = [vocabulary.index(w) for w in s]
        for i in ids:
            n[i] += 1
        for i, j in zip(ids, ids[1:]):
            A[i, j] += 1
    n[A.sum(1) == 0] = 1
    return A / n[:, None]
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "Counter for each pair, sets of earlier words",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("empty prefix")
    *before, last = prefix
    voters = set(before)
    if keep is not None:
        voters &= set(keep)
    table = defaultdict(Counter)
    votes = {}
    for s in sentences:
        for j in range(len(s) - 1):
            if s[j] == last:
                votes[s[j + 1]] = 0.0
                for a in set(s[:j]) & voters:
                    table[a][s[j + 1]] += 1
    for a, c in table.items():
        total = sum(c.values())
        for w, n in c.items():
            votes[w] += n / total
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": True,
        "why": "one list of events (words before, next), then loops over the voters; keys sorted, a defaultdict returned",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if len(prefix) == 0:
        raise ValueError("the prefix is empty")
    b = prefix[len(prefix) - 1]
    events = [(s[:i], s[i + 1]) for s in sentences for i, w in enumerate(s[:-1]) if w == b]
    result = defaultdict(float)
    for w in sorted({w for _, w in events}):
        result[w] = 0.0
    done = []
    for a in prefix[:-1]:
        if a in done or (keep is not None and a not in keep):
            continue
        done.append(a)
        hits = [w for before, w in events if a in before]
        for w in hits:
            result[w] += 1.0 / len(hits)
    return result
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "an earlier word that occurs twice in the prefix votes twice",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError
    b = prefix[-1]
    events = [(s[:i], s[i + 1]) for s in sentences for i in range(len(s) - 1) if s[i] == b]
    votes = {w: 0.0 for _, w in events}
    for a in prefix[:-1]:
        if keep is not None and a not in keep:
            continue
        hits = Counter(w for before, w in events if a in before)
        for w in hits:
            votes[w] += hits[w] / sum(hits.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": '"if keep": an empty mask lets all vote, instead of nobody',
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError
    b = prefix[-1]
    events = [(s[:i], s[i + 1]) for s in sentences for i in range(len(s) - 1) if s[i] == b]
    votes = {w: 0.0 for _, w in events}
    for a in set(prefix[:-1]):
        if keep and a not in keep:
            continue
        hits = Counter(w for before, w in events if a in before)
        for w in hits:
            votes[w] += hits[w] / sum(hits.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "words without a vote are missing from the dict if no voter saw them at all (keep=[] gives {})",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError("prefix")
    b, earlier = prefix[-1], set(prefix[:-1])
    votes = {}
    for a in earlier:
        hits = Counter()
        for s in sentences:
            for i in range(len(s) - 1):
                if s[i] == b and a in s[:i]:
                    hits[s[i + 1]] += 1
        weight = 1.0 if keep is None or a in keep else 0.0
        for w in hits:
            votes[w] = votes.get(w, 0.0) + weight * hits[w] / sum(hits.values())
    return votes
""",
    },
    {
        "task": "skip_votes",
        "right": False,
        "why": "a is looked for in the whole sentence instead of before b",
        "source": r"""
def skip_votes(sentences, prefix, keep=None):
    if not prefix:
        raise ValueError
    b = prefix[-1]
    events = [(s, s[i + 1]) for s in sentences for i in range(len(s) - 1) if s[i] == b]
    votes = {w: 0.0 for _, w in events}
    for a in set(prefix[:-1]):
        if keep is None or a in keep:
            hits = Counter(w for s, w in events if a in s)
            for w in hits:
                votes[w] += hits[w] / sum(hits.values())
    return votes
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "zip of shifted copies into a Counter, which is a dict",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError("order below 1")
    counts = Counter()
    for s in sentences:
        padded = ["<s>"] + list(s) + ["</s>"]
        counts.update(zip(*(padded[i:] for i in range(order))))
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": True,
        "why": "while loop and a plain dict with get",
        "source": r"""
def ngram_counts(sentences, order):
    if not order >= 1:
        raise ValueError("order must be 1 or more")
    counts = {}
    for sentence in sentences:
        tokens = ("<s>",) + tuple(sentence) + ("</s>",)
        start = 0
        while start + order <= len(tokens):
            gram = tokens[start:start + order]
            counts[gram] = counts.get(gram, 0) + 1
            start += 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "order - 1 start marks, though the statement says one mark whatever the order",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError
    counts = {}
    for s in sentences:
        p = ["<s>"] * max(1, order - 1) + list(s) + ["</s>"]
        for i in range(len(p) - order + 1):
            g = tuple(p[i:i + order])
            counts[g] = counts.get(g, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "pads the caller's lists in place",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError
    counts = {}
    for s in sentences:
        s.insert(0, "<s>")
        s.append("</s>")
        for i in range(len(s) - order + 1):
            g = tuple(s[i:i + order])
            counts[g] = counts.get(g, 0) + 1
    return counts
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "slices without a check of the length: too short sentences and ends give shorter n-grams",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError
    counts = Counter()
    for s in sentences:
        p = ["<s>", *s, "</s>"]
        for i in range(max(1, len(p) - order + 1)):
            counts[tuple(p[i:i + order])] += 1
    return dict(counts)
""",
    },
    {
        "task": "ngram_counts",
        "right": False,
        "why": "unigrams are counted as bare strings, not as tuples of one token",
        "source": r"""
def ngram_counts(sentences, order):
    if order < 1:
        raise ValueError
    counts = Counter()
    for s in sentences:
        p = ["<s>", *s, "</s>"]
        if order == 1:
            counts.update(p)
        else:
            for i in range(len(p) - order + 1):
                counts[tuple(p[i:i + order])] += 1
    return counts
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "sum over the n-grams whose head is the context",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for gram, c in counts.items() if gram[:-1] == tuple(context))
    if total == 0:
        raise ValueError("context never seen")
    return counts.get((*context, word), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": True,
        "why": "builds the row of the context in a loop; returns a NumPy float",
        "source": r"""
def mle_probability(counts, context, word):
    row = {}
    n = len(context)
    for gram in counts:
        ok = True
        for i in range(n):
            if gram[i] != context[i]:
                ok = False
        if ok:
            row[gram[n]] = counts[gram]
    if not row:
        raise ValueError("no estimate")
    return np.float64(row.get(word, 0)) / np.float64(sum(row.values()))
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "after an unseen context returns 0.0 instead of ValueError",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return counts.get(context + (word,), 0) / total if total else 0.0
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "compares only the last word of the context: trigrams with another first word are added",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for g, c in counts.items() if g[:-1][-1:] == context[-1:])
    if total == 0:
        raise ValueError("unseen")
    return counts.get(context + (word,), 0) / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "KeyError for a word that never followed, instead of 0",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    if total == 0:
        raise ValueError("unseen")
    return counts[context + (word,)] / total
""",
    },
    {
        "task": "mle_probability",
        "right": False,
        "why": "counts.setdefault: the argument gets a new key with 0",
        "source": r"""
def mle_probability(counts, context, word):
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    if total == 0:
        raise ValueError("unseen")
    return counts.setdefault(context + (word,), 0) / total
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "straight from the formula",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k must be above 0")
    total = sum(c for gram, c in counts.items() if gram[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": True,
        "why": "as a mixture of share and uniform, Counter of the followers",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if not k > 0:
        raise ValueError(k)
    after = Counter()
    for (*head, tail), c in counts.items():
        if tuple(head) == context:
            after[tail] += c
    total = sum(after.values())
    share = after[word] / total if total else 0.0
    trust = total / (total + k * vocabulary_size)
    return trust * share + (1 - trust) / vocabulary_size if total else 1 / vocabulary_size
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "the denominator grows by V instead of k V: right only for k = 1",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "only k below 0 raises; k = 0 must raise too",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k < 0:
        raise ValueError
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "the total is that of all n-grams, not of those with this context: agrees on the example",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError
    total = sum(counts.values())
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "add_k",
        "right": False,
        "why": "raises for a context that was never seen, where the answer is 1/V",
        "source": r"""
def add_k(counts, context, word, vocabulary_size, k=1.0):
    if k <= 0:
        raise ValueError("k")
    total = sum(c for g, c in counts.items() if g[:-1] == context)
    if total == 0:
        raise ValueError("context never seen")
    return (counts.get(context + (word,), 0) + k) / (total + k * vocabulary_size)
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "loop over the orders",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError("weights must sum to 1")
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        if n > len(context):
            break
        h = context[len(context) - n:]
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used
""",
    },
    {
        "task": "interpolate",
        "right": True,
        "why": "recursion from the longest order, helper returns (sum, weights)",
        "source": r"""
def interpolate(tables, context, word, weights):
    if not math.isclose(math.fsum(weights), 1.0, rel_tol=0, abs_tol=1e-9):
        raise ValueError("weights")
    def mix(n):
        if n < 0:
            return 0.0, 0.0
        s, w = mix(n - 1)
        h = tuple(context)[-n:] if n > 0 else ()
        if len(h) < n:
            return s, w
        after = [(g[-1], c) for g, c in tables[n].items() if g[:n] == h]
        total = sum(c for _, c in after)
        if total == 0:
            return s, w
        hit = sum(c for x, c in after if x == word)
        return s + weights[n] * hit / total, w + weights[n]
    top, norm = mix(len(tables) - 1)
    return top / norm
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "context[-n:] with n = 0 takes the whole context for the unigrams, so they are left out when there is a context",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError
    value = used = 0.0
    for n, (table, weight) in enumerate(zip(tables, weights)):
        h = context[-n:]
        total = sum(c for g, c in table.items() if g[:-1] == h)
        if total:
            value += weight * table.get(h + (word,), 0) / total
            used += weight
    return value / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "not divided by the weights used: after an unseen context the result is too small",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError
    value = 0.0
    for n in range(len(context) + 1):
        h = context[len(context) - n:]
        total = sum(c for g, c in tables[n].items() if g[:-1] == h)
        if total:
            value += weights[n] * tables[n].get(h + (word,), 0) / total
    return value
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "an order is also left out when the word was not seen after a seen context (its estimate is 0, not missing)",
        "source": r"""
def interpolate(tables, context, word, weights):
    if abs(sum(weights) - 1) > 1e-9:
        raise ValueError
    value = used = 0.0
    for n in range(len(context) + 1):
        h = context[len(context) - n:]
        count = tables[n].get(h + (word,), 0)
        if count:
            total = sum(c for g, c in tables[n].items() if g[:-1] == h)
            value += weights[n] * count / total
            used += weights[n]
    return value / used if used else 0.0
""",
    },
    {
        "task": "interpolate",
        "right": False,
        "why": "compares sum(weights) != 1 exactly: ten weights of 0.1 raise, though within 1e-9",
        "source": r"""
def interpolate(tables, context, word, weights):
    if sum(weights) != 1:
        raise ValueError("weights must sum to 1")
    value = used = 0.0
    for n in range(len(context) + 1):
        h = context[len(context) - n:]
        total = sum(c for g, c in tables[n].items() if g[:-1] == h)
        if total:
            value += weights[n] * tables[n].get(h + (word,), 0) / total
            used += weights[n]
    return value / used
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
    if count:
        return count / sum(c for g, c in table.items() if g[:-1] == context)
    return alpha * stupid_backoff(tables, context[1:], word, alpha) if context else 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": True,
        "why": "loop that cuts the context and pays the factor",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha > 1:
        raise ValueError("alpha must be in (0, 1]")
    factor = 1.0
    h = list(context)
    while True:
        total = hit = 0
        for g, c in tables[len(h)].items():
            if list(g[:-1]) == h:
                total += c
                if g[-1] == word:
                    hit += c
        if hit > 0:
            return factor * (hit / total)
        if not h:
            return 0.0
        del h[0]
        factor *= alpha
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "forgets the last word of the context instead of the first",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count:
        return count / sum(c for g, c in table.items() if g[:-1] == context)
    return alpha * stupid_backoff(tables, context[:-1], word, alpha) if context else 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "the factor is paid once only, not for each word that is given up",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError
    for n in range(len(context), -1, -1):
        h = context[len(context) - n:]
        count = tables[n].get(h + (word,), 0)
        if count:
            share = count / sum(c for g, c in tables[n].items() if g[:-1] == h)
            return share if n == len(context) else alpha * share
    return 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "alpha = 1 raises too, though it is allowed",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if alpha <= 0 or alpha >= 1:
        raise ValueError
    table = tables[len(context)]
    count = table.get(context + (word,), 0)
    if count:
        return count / sum(c for g, c in table.items() if g[:-1] == context)
    return alpha * stupid_backoff(tables, context[1:], word, alpha) if context else 0.0
""",
    },
    {
        "task": "stupid_backoff",
        "right": False,
        "why": "a word that was never seen ends in KeyError instead of 0",
        "source": r"""
def stupid_backoff(tables, context, word, alpha=0.4):
    if not 0 < alpha <= 1:
        raise ValueError
    if len(context) == 0:
        return tables[0][(word,)] / sum(tables[0].values())
    table = tables[len(context)]
    if context + (word,) in table:
        return table[context + (word,)] / sum(c for g, c in table.items() if g[:-1] == context)
    return alpha * stupid_backoff(tables, context[1:], word, alpha)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "Counter over the keys with a count above 0",
        "source": r"""
def continuation_counts(bigrams):
    return Counter(right for (left, right), n in bigrams.items() if n > 0)
""",
    },
    {
        "task": "continuation_counts",
        "right": True,
        "why": "set of lefts for each right word, then lengths",
        "source": r"""
def continuation_counts(bigrams):
    lefts = defaultdict(set)
    for pair in bigrams:
        if bigrams[pair] == 0:
            continue
        lefts[pair[1]].add(pair[0])
    return {w: len(lefts[w]) for w in lefts}
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "bigrams with the count 0 are counted too",
        "source": r"""
def continuation_counts(bigrams):
    return dict(Counter(right for left, right in bigrams))
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": '"<s>" on the left is skipped, though it is a word like the others',
        "source": r"""
def continuation_counts(bigrams):
    out = {}
    for (left, right), n in bigrams.items():
        if n > 0 and left != "<s>":
            out[right] = out.get(right, 0) + 1
    return out
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "words that were seen only with count 0 stay in with the value 0",
        "source": r"""
def continuation_counts(bigrams):
    out = {}
    for (left, right), n in bigrams.items():
        out[right] = out.get(right, 0) + (1 if n > 0 else 0)
    return out
""",
    },
    {
        "task": "continuation_counts",
        "right": False,
        "why": "how many different words come after each word (left and right exchanged)",
        "source": r"""
def continuation_counts(bigrams):
    return dict(Counter(left for (left, right), n in bigrams.items() if n > 0))
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "sums over the dict",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError("discount")
    cont = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = [c for (l, _), c in bigrams.items() if l == previous]
    if not after:
        return cont
    total = sum(after)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": True,
        "why": "tables with Counter and defaultdict, NumPy for the row",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if discount < 0 or discount > 1:
        raise ValueError("discount must be from 0 to 1")
    rows = defaultdict(dict)
    came_after = Counter()
    for (left, right), n in bigrams.items():
        rows[left][right] = n
        came_after[right] += 1
    p_cont = came_after[word] / sum(came_after.values())
    if previous not in rows:
        return p_cont
    row = rows[previous]
    n = np.array(list(row.values()), dtype=float)
    kept = (row[word] - discount) if word in row else 0.0
    given = np.minimum(n, discount).sum() * p_cont
    return float((kept + given) / n.sum())
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "no max with 0: an unseen word after a seen one loses D / count",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError
    cont = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = [c for (l, _), c in bigrams.items() if l == previous]
    if not after:
        return cont
    return (bigrams.get((previous, word), 0) - discount) / sum(after) + discount * len(after) / sum(after) * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "backoff form instead of interpolated: a seen word does not get the second term",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError
    cont = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = [c for (l, _), c in bigrams.items() if l == previous]
    if not after:
        return cont
    if (previous, word) in bigrams:
        return (bigrams[previous, word] - discount) / sum(after)
    return discount * len(after) / sum(after) * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": "after a context never seen: 0 instead of the continuation probability",
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount <= 1:
        raise ValueError
    cont = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = [c for (l, _), c in bigrams.items() if l == previous]
    total = sum(after) or 1
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "kneser_ney_bigram",
        "right": False,
        "why": 'discount 1 raises although "from 0 to 1" allows it',
        "source": r"""
def kneser_ney_bigram(bigrams, previous, word, discount=0.75):
    if not 0 <= discount < 1:
        raise ValueError
    cont = sum(1 for _, r in bigrams if r == word) / len(bigrams)
    after = [c for (l, _), c in bigrams.items() if l == previous]
    if not after:
        return cont
    total = sum(after)
    return max(bigrams.get((previous, word), 0) - discount, 0) / total + discount * len(after) / total * cont
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "mean of logs with fsum",
        "source": r"""
def perplexity(probs):
    if not probs or any(not 0 <= p <= 1 for p in probs):
        raise ValueError("probs")
    if 0 in probs:
        return math.inf
    return math.exp(-math.fsum(map(math.log, probs)) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": True,
        "why": "NumPy, log of 0 silenced, base 2",
        "source": r"""
def perplexity(probs):
    p = np.asarray(probs, dtype=np.float64)
    if p.size == 0 or p.min() < 0 or p.max() > 1:
        raise ValueError("need probabilities")
    with np.errstate(divide="ignore"):
        return np.exp2(-np.log2(p).mean())
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "product, then the root: underflows for a long list",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError
    product = math.prod(probs)
    if product == 0:
        return math.inf
    return (1 / product) ** (1 / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "returns infinity at the first 0, so a number above 1 or below 0 after it is not noticed",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0:
        raise ValueError
    total = 0.0
    for p in probs:
        if p == 0:
            return math.inf
        if p < 0 or p > 1:
            raise ValueError(p)
        total -= math.log(p)
    return math.exp(total / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "a probability of 0 raises (math domain error) instead of giving infinity",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0 or min(probs) < 0 or max(probs) > 1:
        raise ValueError
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "perplexity",
        "right": False,
        "why": "numbers above 1 are not checked",
        "source": r"""
def perplexity(probs):
    if len(probs) == 0:
        raise ValueError
    if min(probs) < 0:
        raise ValueError
    if min(probs) == 0:
        return math.inf
    return math.exp(-sum(math.log(p) for p in probs) / len(probs))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "one line from the formula",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError("no text")
    return -math.fsum(log_probs) / (math.log(2) * len(text.encode("utf-8")))
""",
    },
    {
        "task": "bits_per_byte",
        "right": True,
        "why": "counts the bytes by hand from the code points, sums with NumPy",
        "source": r"""
def bits_per_byte(log_probs, text):
    size = 0
    for c in text:
        n = ord(c)
        size += 1 if n < 0x80 else 2 if n < 0x800 else 3 if n < 0x10000 else 4
    if size == 0:
        raise ValueError("empty text")
    return float(np.sum(-np.array(log_probs, dtype=float)) / np.log(2) / size)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "divides by the characters, not by the bytes",
        "source": r"""
def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError
    return -sum(log_probs) / (math.log(2) * len(text))
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "nats for each byte: the division by log 2 is missing",
        "source": r"""
def bits_per_byte(log_probs, text):
    if text == "":
        raise ValueError
    return -sum(log_probs) / len(text.encode())
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "UTF-16 bytes minus the mark halved: an emoji counts as 2, an a-umlaut as 1",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError
    return -sum(log_probs) / math.log(2) / (len(text.encode("utf-16-le")) // 2)
""",
    },
    {
        "task": "bits_per_byte",
        "right": False,
        "why": "strips the text before it is measured: spaces at its ends are bytes too",
        "source": r"""
def bits_per_byte(log_probs, text):
    if not text:
        raise ValueError
    n = len(text.strip().encode()) or 1
    return -sum(log_probs) / math.log(2) / n
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "running sum, the last word with mass remembered",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError("empty or u outside [0, 1)")
    total = 0.0
    last = None
    for word, p in probs.items():
        total += p
        if p > 0:
            last = word
        if total > u:
            return word
    return last
""",
    },
    {
        "task": "sample_next",
        "right": True,
        "why": "np.cumsum and searchsorted on the right",
        "source": r"""
def sample_next(probs, u):
    if len(probs) == 0 or u < 0 or u >= 1:
        raise ValueError
    words = list(probs)
    sums = np.cumsum(np.array([probs[w] for w in words], dtype=float))
    i = int(np.searchsorted(sums, u, side="right"))
    if i == len(words):
        i = max(j for j, w in enumerate(words) if probs[w] > 0)
    return words[i]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "u on a border belongs to the word on the left (>= instead of >)",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError
    total = 0.0
    for word, p in probs.items():
        total += p
        if total >= u:
            return word
    return [w for w, p in probs.items() if p > 0][-1]
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "falls back to the last word even if its probability is 0",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError
    total = 0.0
    for word, p in probs.items():
        total += p
        if u < total:
            return word
    return word
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "no fallback: None for a u above the last running sum",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError
    total = 0.0
    for word, p in probs.items():
        total += p
        if u < total:
            return word
""",
    },
    {
        "task": "sample_next",
        "right": False,
        "why": "sorts by probability first instead of keeping the order of the dict",
        "source": r"""
def sample_next(probs, u):
    if not probs or not 0 <= u < 1:
        raise ValueError
    total = 0.0
    order = sorted((w for w in probs if probs[w] > 0), key=lambda w: probs[w])
    for word in order:
        total += probs[word]
        if u < total:
            return word
    return [w for w in probs if probs[w] > 0][-1]
""",
    },
]
