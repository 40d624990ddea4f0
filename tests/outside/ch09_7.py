ANSWERS = [
    {
        "task": "pair_input",
        "right": True,
        "why": "one token is taken away at a time from copies",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("no room for the special tokens")
    a = list(first)
    b = [] if second is None else list(second)
    while len(a) + len(b) + special > max_length:
        if len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "lengths by arithmetic, slices",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    if second is None:
        room = max_length - 2
        if room < 0:
            raise ValueError
        row = [cls_id, *first[:room], sep_id]
        return row, [0 for _ in row]
    room = max_length - 3
    if room < 0:
        raise ValueError
    n, m = len(first), len(second)
    if n + m > room:
        if n <= room // 2:
            m = room - n
        elif m <= room // 2:
            n = room - m
        else:
            m = room // 2
            n = room - m
    left = [cls_id, *first[:n], sep_id]
    right = [*second[:m], sep_id]
    return left + right, [0] * len(left) + [1] * len(right)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": '"if second": an empty second sentence is taken for none',
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 3 if second else 2
    if max_length < special:
        raise ValueError
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (a if len(a) > len(b) else b).pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if second:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "equally long: taken from the first instead of the second",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (a if len(a) >= len(b) else b).pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "pops from the caller's lists",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError
    b = second if second is not None else []
    while len(first) + len(b) + special > max_length:
        if len(first) > len(b):
            first.pop()
        else:
            b.pop()
    ids = [cls_id] + first + [sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "ValueError although exactly the special tokens fit",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length <= special:
        raise ValueError
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (a if len(a) > len(b) else b).pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "loop over the pieces",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = [], []
    for t, (piece, w) in enumerate(zip(ids, word_of)):
        if w == -1 or chance[w] >= 0.15:
            inputs.append(piece)
            labels.append(-100)
            continue
        labels.append(piece)
        if lot[w] < 0.8:
            inputs.append(mask_id)
        elif lot[w] < 0.9:
            inputs.append(drawn[t])
        else:
            inputs.append(piece)
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "loop over the words, positions written into copies",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = ids[:]
    labels = [-100] * len(ids)
    for w, number in enumerate(chance):
        if number < 0.15:
            for t in [t for t, owner in enumerate(word_of) if owner == w]:
                labels[t] = ids[t]
                inputs[t] = mask_id if lot[w] < 0.8 else drawn[t] if lot[w] < 0.9 else ids[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": 'a word with a chance of exactly 0.15 is chosen ("below 0.15")',
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] <= 0.15:
            labels[t] = ids[t]
            if lot[w] < 0.8:
                inputs[t] = mask_id
            elif lot[w] < 0.9:
                inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "a chosen word that stays gets no label",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] < 0.15 and lot[w] < 0.9:
            labels[t] = ids[t]
            inputs[t] = mask_id if lot[w] < 0.8 else drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "drawn[w] instead of drawn[t]",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] < 0.15:
            labels[t] = ids[t]
            if lot[w] < 0.8:
                inputs[t] = mask_id
            elif lot[w] < 0.9:
                inputs[t] = drawn[w]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "writes into the caller's ids",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    labels = [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] < 0.15:
            labels[t] = ids[t]
            if lot[w] < 0.8:
                ids[t] = mask_id
            elif lot[w] < 0.9:
                ids[t] = drawn[t]
    return ids, labels
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "cross_entropy with a sum, divided by the number of labels",
        "source": r"""
def masked_loss(logits, labels):
    total = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), ignore_index=-100, reduction="sum")
    return total / (labels != -100).sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "rows picked, gather after log_softmax",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    n = int(hidden.sum())
    if n == 0:
        return (logits * 0.0).sum()
    log_p = logits[hidden].log_softmax(dim=-1)
    return -log_p.gather(1, labels[hidden].unsqueeze(1)).squeeze(1).mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": 'nothing hidden: a constant 0 that has no gradient ("computed from the logits")',
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return torch.tensor(0.0, dtype=logits.dtype)
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "nothing hidden gives NaN",
        "source": r"""
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "log of softmax: infinity with large scores",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return (logits * 0).sum()
    p = torch.softmax(logits[hidden], -1)
    return -torch.log(p[torch.arange(len(p)), labels[hidden]]).mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean of the rows' means: rows with few labels count as much as rows with many",
        "source": r"""
def masked_loss(logits, labels):
    losses = []
    for scores, right in zip(logits, labels):
        if (right != -100).any():
            losses.append(F.cross_entropy(scores, right))
    return torch.stack(losses).mean() if losses else (logits * 0).sum()
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "append, cut, close",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        for k in range(len(word)):
            row.append(label if k == 0 else -100)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "nested comprehension and islice",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    flat = (mark for label, word in zip(labels, pieces) for mark in ([label] + [-100] * (len(word) - 1))[:len(word)])
    return [-100, *itertools.islice(flat, max_length - 2), -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "the finished row is cut: [SEP] goes and a label may stand at the last position",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return (row + [-100])[:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": 'a word of no pieces gives its label ("gives nothing")',
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a word that does not fit whole is left out",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if len(row) + len(word) + 1 > max_length:
            break
        if word:
            row += [label] + [-100] * (len(word) - 1)
    return row + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "one piece too many cut off",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    while row and len(row) + 2 >= max_length:
        row.pop()
    return [-100] + row + [-100]
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "masked sum over the count",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    kept = vectors.masked_fill(~attention_mask[:, :, None], 0.0)
    return kept.sum(dim=1) / attention_mask.sum(dim=1, keepdim=True).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "row after row",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    means = []
    for row, mask in zip(vectors, attention_mask):
        chosen = row[mask]
        means.append(chosen.mean(dim=0) if len(chosen) > 0 else chosen.sum(dim=0))
    return torch.stack(means)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "0/0 hidden by nan_to_num: where nothing takes part the gradient is NaN, not 0",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    m = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return torch.nan_to_num((vectors * m).sum(1) / m.sum(1))
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "takes the padding to be at the end",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for row, n in zip(vectors, attention_mask.sum(1).tolist()):
        rows.append(row[:n].sum(0) / max(n, 1))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "no gradient flows",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    with torch.no_grad():
        m = attention_mask[..., None]
        return (vectors * m).sum(1) / m.sum(1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "sum of all less the sum of the padding: large numbers in the padding swallow the tokens",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    padding = (vectors * ~attention_mask[..., None]).sum(1)
    return (vectors.sum(1) - padding) / attention_mask.sum(1, keepdim=True).clamp(min=1)
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "counts in one loop",
        "source": r"""
def f1_of_tags(said, wanted):
    hits = both = 0
    for s, w in zip(said, wanted):
        if w == -100:
            continue
        hits += s == 1 and w == 1
        both += (s == 1) + (w == 1)
    return 2 * hits / both if both else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "precision and recall, arrays",
        "source": r"""
def f1_of_tags(said, wanted):
    s, w = np.array(said, dtype=int), np.array(wanted, dtype=int)
    known = w != -100
    s, w = s[known] == 1, w[known] == 1
    hits = (s & w).sum()
    if hits == 0:
        return 0.0
    precision, recall = hits / s.sum(), hits / w.sum()
    return float(2 * precision * recall / (precision + recall))
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": '1 when nothing was said and nothing was to be found ("and 0 when")',
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    both = sum(s + w for s, w in pairs)
    return 2 * hits / both if both else 1.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "nothing said, but names to find: division by zero",
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    names_said, names = sum(s for s, w in pairs), sum(w for s, w in pairs)
    if names_said == 0 and names == 0:
        return 0.0
    p, r = hits / names_said, hits / names
    return 2 * p * r / (p + r) if p + r else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "plain mean of P and R",
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    if hits == 0:
        return 0.0
    return (hits / sum(s for s, _ in pairs) + hits / sum(w for _, w in pairs)) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "share of right tags, which is 0.5 in the example, too",
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    if not pairs:
        return 0.0
    return sum(s == w for s, w in pairs) / len(pairs)
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "matrix of cosines, masked, cross-entropy",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    N = len(questions)
    scores = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = (topics[:, None] == topics[None, :]) & ~torch.eye(N, dtype=torch.bool)
    return F.cross_entropy(scores.masked_fill(same, -math.inf), torch.arange(N))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "a loop over the questions, logsumexp over those that take part",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    t = texts / texts.norm(dim=1, keepdim=True)
    topic = topics.tolist()
    total = 0
    for i in range(len(topic)):
        takes_part = [i] + [j for j in range(len(topic)) if topic[j] != topic[i]]
        scores = t[takes_part] @ q[i] / temperature
        total = total + torch.logsumexp(scores, dim=0) - scores[0]
    return total / len(topic)
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": 'both directions ("Only the questions look for their texts here")',
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    N = len(questions)
    scores = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = (topics[:, None] == topics[None, :]) & ~torch.eye(N, dtype=torch.bool)
    scores = scores.masked_fill(same, -math.inf)
    target = torch.arange(N)
    return (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "multiplied by the temperature instead of divided",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    N = len(questions)
    scores = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T * temperature
    same = (topics[:, None] == topics[None, :]) & ~torch.eye(N, dtype=torch.bool)
    return F.cross_entropy(scores.masked_fill(same, -math.inf), torch.arange(N))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "mean over the questions that have a wrong answer, not over all N",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    q, t = F.normalize(questions, dim=1), F.normalize(texts, dim=1)
    losses = []
    for i in range(len(q)):
        others = topics != topics[i]
        if others.any():
            s = t @ q[i] / temperature
            losses.append(torch.logsumexp(torch.cat([s[i:i + 1], s[others]]), 0) - s[i])
    return torch.stack(losses).mean() if losses else (questions * 0).sum()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "exp of plain scores: overflow at a small temperature",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    e = torch.exp(F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature)
    right = e.diagonal()
    wrong = (e * (topics[:, None] != topics[None, :])).sum(1)
    return torch.log((right + wrong) / right).mean()
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "matrix of cosines, own one at minus infinity",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("two rows at least")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "pure Python, max with a key",
        "source": r"""
def sense_accuracy(vectors, senses):
    rows = [list(map(float, row)) for row in vectors]
    if len(rows) <= 1:
        raise ValueError

    def cosine(a, b):
        return math.fsum(x * y for x, y in zip(a, b)) / (math.hypot(*a) * math.hypot(*b))

    right = 0
    for i, row in enumerate(rows):
        nearest = max((j for j in range(len(rows)) if j != i), key=lambda j: cosine(row, rows[j]))
        if senses[nearest] == senses[i]:
            right += 1
    return right / len(rows)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the own cosine is set to 0: a row whose others all have negative cosines finds itself",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T * (1 - np.eye(len(unit)))
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "divides the caller's array in place",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T - 10 * np.eye(len(vectors))
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": 'two rows are refused ("fewer than two rows")',
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) <= 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T - 10 * np.eye(len(unit))
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "nearest by distance, not by cosine",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    d = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    np.fill_diagonal(d, np.inf)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(d.argmin(1))]))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "loop",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, token in enumerate(ids):
        if token not in special_ids:
            total += float(log_probs[t, t, token])
    return total
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "fancy indexing of the words only; a NumPy float comes back",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    special = set(special_ids)
    places = np.array([t for t, token in enumerate(ids) if token not in special], dtype=int)
    words = np.array([ids[t] for t in places], dtype=int)
    return log_probs[places, places, words].sum()
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "special tokens times 0: 0 times minus infinity is NaN",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, token in enumerate(ids):
        total += float(log_probs[t, t, token]) * (token not in special_ids)
    return total
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "leaves out the first and the last position instead of the special ids",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, ids[t]] for t in range(1, len(ids) - 1)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "mean instead of sum",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [log_probs[t, t, token] for t, token in enumerate(ids) if token not in special_ids]
    return float(np.mean(scores)) if scores else 0.0
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "an empty row fails: np.array([]) is no index",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    t = np.arange(len(ids))
    scores = log_probs[t, t, np.array(ids)]
    return float(scores[~np.isin(np.array(ids), special_ids)].sum())
""",
    },
]
