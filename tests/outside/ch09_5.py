ANSWERS = [
    # ------------------------------------------------------------ pair_input
    {
        "task": "pair_input",
        "right": True,
        "why": "beginner's while loop with slices, on copies",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    if second is None:
        if max_length < 2:
            raise ValueError("too short")
        while len(a) + 2 > max_length:
            a = a[:-1]
        ids = [cls_id] + a + [sep_id]
        return ids, [0] * len(ids)
    b = list(second)
    if max_length < 3:
        raise ValueError("too short")
    while len(a) + len(b) + 3 > max_length:
        if len(a) > len(b):
            a = a[:-1]
        else:
            b = b[:-1]
    ids = [cls_id]
    segments = [0]
    for token in a:
        ids.append(token)
        segments.append(0)
    ids.append(sep_id)
    segments.append(0)
    for token in b:
        ids.append(token)
        segments.append(1)
    ids.append(sep_id)
    segments.append(1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "lengths computed in closed form, no loop",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    alone = second is None
    room = max_length - (2 if alone else 3)
    if room < 0:
        raise ValueError(f"{max_length} positions do not hold the special tokens")
    n, m = len(first), 0 if alone else len(second)
    if alone:
        n = min(n, room)
        return [cls_id, *first[:n], sep_id], [0] * (n + 2)
    # the shorter one keeps all it has, up to half of the room; of an odd room the first has one more
    if n + m > room:
        if n <= m:
            n = min(n, (room + 1) // 2)
            m = room - n
        else:
            m = min(m, room // 2)
            n = room - m
    return [cls_id, *first[:n], sep_id, *second[:m], sep_id], [0] * (n + 2) + [1] * (m + 1)
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "a table of which tokens stay: sorts all tokens by (place, sentence) and keeps the first ones",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    sentences = [first] if second is None else [first, second]
    room = max_length - 1 - len(sentences)
    if room < 0:
        raise ValueError("not even the special tokens fit")
    order = sorted((place, number) for number, s in enumerate(sentences) for place in range(len(s)))
    keep = set(order[:room])
    ids, segments = [cls_id], [0]
    for number, s in enumerate(sentences):
        part = [token for place, token in enumerate(s) if (place, number) in keep] + [sep_id]
        ids += part
        segments += [number] * len(part)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "of two equally long sentences it shortens the first ('when both are equally long, from the second')",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a, b = list(first), list(second or [])
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("too short")
    while len(a) + len(b) + special > max_length:
        (a if len(a) >= len(b) else b).pop()
    if second is None:
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "subtle: an empty list as second is treated like None ('an empty list is a second sentence without tokens')",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = list(second) if second else None
    special = 3 if b else 2
    if max_length < special:
        raise ValueError("no room for the special tokens")
    while len(a) + len(b or []) > max_length - special:
        if b and len(b) >= len(a):
            b.pop()
        else:
            a.pop()
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
        "why": "subtle: pops from the lists that it was given ('A function leaves its arguments as they are')",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    if second is None:
        if max_length < 2:
            raise ValueError
        while len(first) > max_length - 2:
            first.pop()
        return [cls_id] + first + [sep_id], [0] * (len(first) + 2)
    if max_length < 3:
        raise ValueError
    while len(first) + len(second) > max_length - 3:
        if len(first) > len(second):
            first.pop()
        else:
            second.pop()
    ids = [cls_id] + first + [sep_id] + second + [sep_id]
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "subtle: a pair in a row of 2 raises no ValueError, but IndexError (pop from an empty list); only max_length < 2 is tested",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < 2:
        raise ValueError("max_length too small")
    a = first.copy()
    b = None if second is None else second.copy()
    def row():
        ids = [cls_id] + a + [sep_id]
        seg = [0] * len(ids)
        if b is not None:
            ids += b + [sep_id]
            seg += [1] * (len(b) + 1)
        return ids, seg
    while len(row()[0]) > max_length:
        if b is None or len(a) > len(b):
            a.pop()
        else:
            b.pop()
    return row()
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "takes tokens away from the end of the second sentence until it is empty, then of the first, instead of from the longer one",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    room = max_length - special
    if room < 0:
        raise ValueError("too short")
    a = first[:room]
    if second is None:
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    b = second[:room - len(a)]
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    # ------------------------------------------------------------ hide_whole_words
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "plain loop",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = []
    labels = []
    for t in range(len(ids)):
        w = word_of[t]
        if w == -1 or chance[w] >= 0.15:
            inputs.append(ids[t])
            labels.append(-100)
            continue
        labels.append(ids[t])
        if lot[w] < 0.8:
            inputs.append(mask_id)
        elif lot[w] < 0.9:
            inputs.append(drawn[t])
        else:
            inputs.append(ids[t])
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "NumPy, with a dummy word at the end for the -1",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    ids, words, drawn = (np.array(x, dtype=np.int64) for x in (ids, word_of, drawn))
    c = np.array(list(chance) + [1.0])[words]      # -1 is the dummy word, never chosen
    l = np.array(list(lot) + [1.0])[words]
    chosen = c < 0.15
    inputs = np.where(chosen & (l < 0.8), mask_id, np.where(chosen & (l >= 0.8) & (l < 0.9), drawn, ids))
    labels = np.where(chosen, ids, -100)
    return inputs.tolist(), labels.tolist()
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "decides per word first (a dict of actions), then comprehension",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    def action(w):
        if w < 0 or not chance[w] < 0.15:
            return None
        return "mask" if lot[w] < 0.8 else "draw" if lot[w] < 0.9 else "keep"
    actions = {w: action(w) for w in set(word_of)}
    inputs = [{"mask": mask_id, "draw": d}.get(actions[w], i) for i, w, d in zip(ids, word_of, drawn)]
    labels = [-100 if actions[w] is None else i for i, w in zip(ids, word_of)]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "subtle: chance <= 0.15 ('below 0.15'); wrong at chance 0.15",
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
        "why": "a special token (-1) gets the fate of the last word, by chance[-1]; the example's last word is chosen, so the doctest fails",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = [], []
    for t, w in enumerate(word_of):
        if chance[w] < 0.15:
            labels.append(ids[t])
            inputs.append(mask_id if lot[w] < 0.8 else drawn[t] if lot[w] < 0.9 else ids[t])
        else:
            labels.append(-100)
            inputs.append(ids[t])
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "subtle: a chosen word that stays (lot >= 0.9) gets no label ('the label of each piece of a chosen word')",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = ids[:]
    for t, w in enumerate(word_of):
        if w != -1 and chance[w] < 0.15:
            if lot[w] < 0.8:
                inputs[t] = mask_id
            elif lot[w] < 0.9:
                inputs[t] = drawn[t]
    labels = [old if old != new else -100 for old, new in zip(ids, inputs)]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "subtle: takes drawn[w] instead of drawn[t] (the example draws 7 everywhere)",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for w in range(len(chance)):
        if chance[w] < 0.15:
            for t in range(len(ids)):
                if word_of[t] == w:
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
        "why": "changes the list of ids that it was given",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    labels = []
    for t, w in enumerate(word_of):
        if w == -1 or chance[w] >= 0.15:
            labels.append(-100)
            continue
        labels.append(ids[t])
        if lot[w] < 0.8:
            ids[t] = mask_id
        elif lot[w] < 0.9:
            ids[t] = drawn[t]
    return ids, labels
""",
    },
    # ------------------------------------------------------------ masked_loss
    {
        "task": "masked_loss",
        "right": True,
        "why": "F.cross_entropy with sum and a clamped count",
        "source": r"""
def masked_loss(logits, labels):
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return total / (labels != -100).sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "selects the hidden rows, logsumexp less the score by gather",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    scores, wanted = logits[hidden], labels[hidden]
    if len(wanted) == 0:
        return scores.sum()
    cost = torch.logsumexp(scores, dim=-1) - scores.gather(-1, wanted[:, None]).squeeze(-1)
    return cost.mean()
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "Python loops over positions, own stable log-softmax",
        "source": r"""
def masked_loss(logits, labels):
    B, T, V = logits.shape
    total = logits[:0].sum()            # 0, with a gradient
    count = 0
    for b in range(B):
        for t in range(T):
            y = int(labels[b, t])
            if y == -100:
                continue
            s = logits[b, t]
            s = s - s.max().detach()
            total = total - (s[y] - torch.log(torch.exp(s).sum()))
            count += 1
    return total / max(count, 1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "nan when nothing is hidden ('With nothing hidden the loss is 0')",
        "source": r"""
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "subtle: with nothing hidden a constant 0, through which no gradient flows ('0, computed from the logits like any other loss')",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return torch.tensor(0.0)
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "subtle: the word with id 0 is taken for 'no label' (labels > 0)",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels > 0
    log_probs = logits.log_softmax(-1)
    picked = log_probs.gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return -(picked * hidden).sum() / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean of the rows' means, not over all hidden positions; wrong when rows have different numbers of hidden ones",
        "source": r"""
def masked_loss(logits, labels):
    hidden = (labels != -100)
    lp = torch.log_softmax(logits, dim=-1)
    picked = lp.gather(-1, labels.masked_fill(~hidden, 0).unsqueeze(-1)).squeeze(-1)
    per_row = -(picked.masked_fill(~hidden, 0.0)).sum(1) / hidden.sum(1).clamp(min=1)
    return per_row.mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "subtle: log of softmax: -inf for a right word 200 below the largest ('large scores must not overflow')",
        "source": r"""
def masked_loss(logits, labels):
    hidden = labels != -100
    probs = torch.exp(logits[hidden])
    probs = probs / probs.sum(dim=-1, keepdim=True)
    p = probs[torch.arange(len(probs)), labels[hidden]]
    return -torch.log(p).sum() / max(1, len(p))
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "writes zeros over the -100 in the labels it was given (argument changed)",
        "source": r"""
def masked_loss(logits, labels):
    keep = (labels != -100)
    labels[~keep] = 0
    losses = F.cross_entropy(logits.permute(0, 2, 1), labels, reduction="none")
    return (losses * keep).sum() / keep.sum().clamp(min=1)
""",
    },
    # ------------------------------------------------------------ label_pieces
    {
        "task": "label_pieces",
        "right": True,
        "why": "loop with a flag for the first piece",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        first = True
        for piece in word:
            if len(row) == max_length - 1:
                break
            row.append(label if first else -100)
            first = False
    row.append(-100)
    return row
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "one nested comprehension and a slice",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    inside = [label if i == 0 else -100 for label, word in zip(labels, pieces) for i in range(len(word))]
    return [-100, *inside[:max_length - 2], -100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "itertools: chain and islice",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    def spread():
        for label, word in zip(labels, pieces):
            yield from itertools.islice(itertools.chain([label], itertools.repeat(-100)), len(word))
    body = itertools.islice(spread(), max_length - 2)
    return list(itertools.chain([-100], body, [-100]))
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "subtle: a word of no pieces gives a label all the same ('A word of no pieces gives nothing')",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    body = []
    for label, word in zip(labels, pieces):
        body += [label] + [-100] * (len(word) - 1)
    return [-100] + body[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "subtle: cuts the finished row, [SEP] included, so that the last -100 may be lost ('cut off before [SEP]')",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for i in range(len(labels)):
        for j in range(len(pieces[i])):
            row.append(labels[i] if j == 0 else -100)
    row.append(-100)
    return row[:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "subtle: drops a whole word that does not fit, instead of its surplus pieces",
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
        "why": "all pieces of a word get its label ('The first piece of a word gets its label, the others get -100')",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    body = [label for label, word in zip(labels, pieces) for _ in word]
    return [-100] + body[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "subtle: empty words are thrown out of pieces, but not their labels, so that later labels shift",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    words = [w for w in pieces if len(w) > 0]
    row = [-100]
    for label, w in zip(labels, words):
        row.append(label)
        row.extend([-100] * (len(w) - 1))
    row = row[:max_length - 1]
    return row + [-100]
""",
    },
    # ------------------------------------------------------------ mean_over_tokens
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "masked_fill, sum, clamped count",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    kept = vectors.masked_fill(~attention_mask.unsqueeze(-1), 0.0)
    return kept.sum(dim=1) / attention_mask.sum(dim=1, keepdim=True).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "einsum with weights 1/n",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    m = attention_mask.to(vectors.dtype)
    weights = m / m.sum(1, keepdim=True).clamp_min(1)
    return torch.einsum("bt,btd->bd", weights, vectors)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "loop over rows, boolean indexing, torch.stack",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for v, m in zip(vectors, attention_mask):
        chosen = v[m]
        if len(chosen) == 0:
            rows.append(chosen.sum(dim=0))        # zeros (D,)
        else:
            rows.append(chosen.mean(dim=0))
    return torch.stack(rows) if rows else vectors.sum(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides by T, not by the number that takes part",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    return (vectors * attention_mask.unsqueeze(-1)).mean(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "a row in which nothing takes part gives nan ('gives zeros')",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    m = attention_mask.float().unsqueeze(2)
    return (vectors * m).sum(1) / m.sum(1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "subtle: the nan of an empty row is repaired afterwards, but its gradient is nan ('zeros, and so is the gradient there')",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    m = attention_mask.unsqueeze(-1).to(vectors.dtype)
    mean = (vectors * m).sum(dim=1) / m.sum(dim=1)
    return torch.nan_to_num(mean, nan=0.0)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "subtle: takes the first n vectors, right only if the padding stands at the end",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for v, n in zip(vectors, attention_mask.sum(1).tolist()):
        rows.append(v[:n].sum(0) / max(n, 1))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "subtle: sum of all less sum of the padding: large finite numbers in the padding swallow the rest",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    padding = (vectors * (~attention_mask).unsqueeze(-1)).sum(1)
    n = attention_mask.sum(1, keepdim=True).clamp(min=1)
    return (vectors.sum(1) - padding) / n
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "writes zeros into the vectors that it was given",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    vectors.data[~attention_mask] = 0
    return vectors.sum(dim=1) / attention_mask.sum(dim=1, keepdim=True).clamp(min=1)
""",
    },
    # ------------------------------------------------------------ f1_of_tags
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "loop with three counters",
        "source": r"""
def f1_of_tags(said, wanted):
    hits = 0
    num_said = 0
    names = 0
    for s, w in zip(said, wanted):
        if w == -100:
            continue
        if s == 1:
            num_said += 1
        if w == 1:
            names += 1
        if s == 1 and w == 1:
            hits += 1
    if num_said + names == 0:
        return 0.0
    return 2 * hits / (num_said + names)
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "a Counter of pairs",
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = Counter(zip(said, wanted))
    hits, false, missed = pairs[1, 1], pairs[1, 0], pairs[0, 1]
    return hits / (hits + (false + missed) / 2) if hits else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "sets of positions, P and R by themselves",
        "source": r"""
def f1_of_tags(said, wanted):
    known = {i for i, w in enumerate(wanted) if w != -100}
    S = {i for i in known if said[i] == 1}
    N = {i for i in known if wanted[i] == 1}
    if not S & N:
        return 0.0
    p = len(S & N) / len(S)
    r = len(S & N) / len(N)
    return 2 * p * r / (p + r)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "ZeroDivisionError when nothing was said and nothing was to be found ('and 0 when ...')",
        "source": r"""
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in known)
    return 2 * hits / (sum(s for s, _ in known) + sum(w for _, w in known))
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the unknown positions (-100) count among those said (gives 0.4 in the example)",
        "source": r"""
def f1_of_tags(said, wanted):
    hits = sum(1 for s, w in zip(said, wanted) if s == w == 1)
    total = said.count(1) + wanted.count(1)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "subtle: the mean of P and R instead of the harmonic mean (both 0.5 in the example)",
        "source": r"""
def f1_of_tags(said, wanted):
    known = [i for i in range(len(said)) if wanted[i] != -100]
    hits = sum(said[i] == 1 and wanted[i] == 1 for i in known)
    s = sum(said[i] for i in known)
    n = sum(wanted[i] for i in known)
    p = hits / s if s else 0.0
    r = hits / n if n else 0.0
    return (p + r) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "subtle: 1 when nothing was said and nothing was to be found (should be 0)",
        "source": r"""
def f1_of_tags(said, wanted):
    s = w = h = 0
    for a, b in zip(said, wanted):
        if b >= 0:
            s += a
            w += b
            h += a * b
    if s == 0 and w == 0:
        return 1.0
    return 2 * h / (s + w)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the share of right tags among those known (accuracy; 0.5 in the example, too)",
        "source": r"""
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    if not any(s or w for s, w in known):
        return 0.0
    return sum(s == w for s, w in known) / len(known)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "subtle: P and R by themselves, guarded when nothing was said or nothing is to be found, but 0/0 when both are 0 without being empty: ZeroDivisionError at said [1, 0], wanted [0, 1]",
        "source": r"""
def f1_of_tags(said, wanted):
    s = np.array(said, dtype=int)
    w = np.array(wanted, dtype=int)
    s, w = s[w != -100], w[w != -100]
    if s.sum() == 0 or w.sum() == 0:
        return 0.0
    hits = int((s & w).sum())
    p, r = hits / int(s.sum()), hits / int(w.sum())
    return 2 * p * r / (p + r)
""",
    },
    # ------------------------------------------------------------ contrastive_loss
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "normalise, mask with -inf, cross_entropy with arange",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    c = F.normalize(questions, dim=-1) @ F.normalize(texts, dim=-1).T
    n = len(c)
    out = (topics[:, None] == topics[None, :]) & ~torch.eye(n, dtype=torch.bool, device=c.device)
    return F.cross_entropy((c / temperature).masked_fill(out, float("-inf")), torch.arange(n, device=c.device))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "loops over questions, collects the scores of each softmax, logsumexp",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    losses = []
    for i in range(len(questions)):
        def score(j):
            dot = (questions[i] * texts[j]).sum()
            return dot / (questions[i].norm() * texts[j].norm()) / temperature
        scores = [score(i)]
        for j in range(len(texts)):
            if topics[j] != topics[i]:
                scores.append(score(j))
        scores = torch.stack(scores)
        losses.append(torch.logsumexp(scores, 0) - scores[0])
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "F.cosine_similarity by broadcasting, torch.where, log_softmax, diagonal; its 0 is -0.0, which equals 0",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    scores = F.cosine_similarity(questions[:, None, :], texts[None, :, :], dim=-1).div(temperature)
    takes_part = topics.unsqueeze(1).ne(topics.unsqueeze(0))
    takes_part.fill_diagonal_(True)
    scores = torch.where(takes_part, scores, torch.full_like(scores, -torch.inf))
    return -scores.log_softmax(dim=1).diagonal().mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "subtle: multiplies by the temperature instead of dividing (1.0 in the examples)",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    t = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ t.T * temperature
    same = topics[:, None] == topics[None]
    same.fill_diagonal_(False)
    scores = scores.masked_fill(same, -math.inf)
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "both directions, like the symmetric loss ('Only the questions look for their texts here')",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = (topics[:, None] == topics[None]) & ~torch.eye(len(s), dtype=torch.bool)
    s = s.masked_fill(same, -torch.inf)
    y = torch.arange(len(s))
    return (F.cross_entropy(s, y) + F.cross_entropy(s.T, y)) / 2
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "subtle: the softmax goes over the questions (dim 0); the examples are symmetric",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = topics.unsqueeze(0) == topics.unsqueeze(1)
    same = same & ~torch.eye(len(s)).bool()
    s = s.masked_fill(same, float("-inf"))
    return F.cross_entropy(s.T, torch.arange(len(s)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "subtle: the formula as written, with exp: overflows at a low temperature such as 0.005 ('a number above 0')",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    c = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T
    e = torch.exp(c / temperature)
    other = topics[:, None] != topics[None, :]
    right = e.diagonal()
    return -torch.log(right / (right + (e * other).sum(1))).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "subtle: if all are of one topic a constant 0 comes back, without gradient ('through which the gradient flows')",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    if len(torch.unique(topics)) == 1:
        return torch.tensor(0.0)
    sim = F.cosine_similarity(questions.unsqueeze(1), texts.unsqueeze(0), dim=2) / temperature
    mask = (topics.unsqueeze(1) != topics.unsqueeze(0)) | torch.eye(len(topics), dtype=torch.bool)
    sim = sim.masked_fill(~mask, -1e9)
    return F.cross_entropy(sim, torch.arange(len(topics)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "subtle: divides by the norms of the columns (dim=0), not of the rows; the examples are diagonal",
        "source": r"""
def contrastive_loss(questions, texts, topics, temperature):
    q = F.normalize(questions, dim=0)
    t = F.normalize(texts, dim=0)
    s = q @ t.T / temperature
    same = topics[:, None].eq(topics) & ~torch.eye(len(s), dtype=torch.bool)
    return F.cross_entropy(s.masked_fill(same, -math.inf), torch.arange(len(s)))
""",
    },
    # ------------------------------------------------------------ sense_accuracy
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "NumPy matrix of cosines, -inf on the diagonal",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("two rows are needed")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = unit @ unit.T
    np.fill_diagonal(cos, -np.inf)
    senses = np.array(senses)
    return float((senses[cos.argmax(1)] == senses).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "plain Python loops",
        "source": r"""
def sense_accuracy(vectors, senses):
    rows = [[float(x) for x in row] for row in vectors]
    n = len(rows)
    if n < 2:
        raise ValueError("fewer than two rows")
    lengths = [math.sqrt(sum(x * x for x in row)) for row in rows]
    right = 0
    for i in range(n):
        best, best_j = None, None
        for j in range(n):
            if i == j:
                continue
            c = sum(a * b for a, b in zip(rows[i], rows[j])) / lengths[i] / lengths[j]
            if best is None or c > best:
                best, best_j = c, j
        if senses[best_j] == senses[i]:
            right += 1
    return right / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "torch, with np.float64 as the result; the smallest distance of the unit vectors (the same order as the cosine)",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(senses) <= 1:
        raise ValueError("nobody has a neighbour")
    unit = F.normalize(torch.from_numpy(np.array(vectors)), dim=-1, eps=0.0)
    distance = ((unit[:, None] - unit[None]) ** 2).sum(-1)
    distance.fill_diagonal_(torch.inf)
    return np.mean([senses[j] == s for s, j in zip(senses, distance.min(dim=1).indices.tolist())])
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "subtle: 0 instead of -inf on the diagonal: wrong if all other cosines are negative",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("too few")
    u = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = u @ u.T
    np.fill_diagonal(cos, 0)
    nearest = cos.argmax(axis=1)
    return sum(senses[i] == senses[j] for i, j in enumerate(nearest)) / len(senses)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the product instead of the cosine",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("too few")
    s = vectors @ vectors.T
    np.fill_diagonal(s, -np.inf)
    senses = np.asarray(senses)
    return float(np.mean(senses[s.argmax(1)] == senses))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "Euclidean distance instead of the cosine",
        "source": r"""
def sense_accuracy(vectors, senses):
    n = len(vectors)
    if n < 2:
        raise ValueError("too few")
    hits = 0
    for i in range(n):
        d = np.linalg.norm(vectors - vectors[i], axis=1)
        d[i] = np.inf
        hits += senses[int(d.argmin())] == senses[i]
    return hits / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "subtle: with a single row 0.0 instead of ValueError ('fewer than two rows'); only the empty array raises",
        "source": r"""
def sense_accuracy(vectors, senses):
    n = len(vectors)
    if n == 0:
        raise ValueError("no rows")
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    hits = 0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        if others:
            best = max(others, key=lambda j: unit[i] @ unit[j])
            hits += senses[best] == senses[i]
    return hits / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "subtle: makes the given array's rows unit vectors in place (argument changed)",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("too few")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = vectors @ vectors.T - 10 * np.eye(len(vectors))
    senses = np.array(senses)
    return float((senses == senses[np.argmax(cos, axis=1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "subtle: skips all rows that are as near as the row itself (cosine 1), so that a parallel row is no neighbour",
        "source": r"""
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("too few")
    u = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cos = u @ u.T
    cos[cos > 1 - 1e-9] = -1
    senses = np.array(senses)
    return float((senses == senses[cos.argmax(1)]).mean())
""",
    },
    # ------------------------------------------------------------ pseudo_log_likelihood
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "loop",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, token in enumerate(ids):
        if token in special_ids:
            continue
        total += log_probs[t, t, token]
    return float(total)
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "fancy indexing; a np.float64 comes back",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    special = set(special_ids)
    keep = np.array([t for t, token in enumerate(ids) if token not in special], dtype=np.intp)
    return log_probs[keep, keep, np.array(ids, dtype=np.intp)[keep]].sum()
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "einsum for the diagonal, take_along_axis, where (no product with -inf)",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    if not ids:
        return 0.0
    ids = np.asarray(ids)
    own = np.einsum("ttv->tv", log_probs)
    picked = np.take_along_axis(own, ids[:, None], axis=1)[:, 0]
    return float(np.where(np.isin(ids, list(special_ids)), 0.0, picked).sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "subtle: multiplies by a mask: 0 times minus infinity at a special token is nan ('some may be minus infinity')",
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
        "why": "subtle: takes the first and the last token for the special ones; wrong with special tokens in the middle, or none",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, ids[t]] for t in range(1, len(ids) - 1)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "the mean over the words instead of the sum",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [log_probs[t, t, i] for t, i in enumerate(ids) if i not in special_ids]
    return float(np.mean(scores)) if scores else 0.0
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "subtle: an empty list of ids becomes an array of float, which cannot index: IndexError ('it may be empty')",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    ids = np.array(ids)
    t = np.arange(len(ids))
    picked = log_probs[t, t, ids]
    return float(picked[~np.isin(ids, special_ids)].sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "reads all words from the run in which the first word was hidden (log_probs[0] or the first scored), where the words were seen",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scored = [t for t, i in enumerate(ids) if i not in special_ids]
    if not scored:
        return 0.0
    run = log_probs[scored[0]]
    return float(sum(run[t, ids[t]] for t in scored))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "subtle: leaves out the impossible words (minus infinity) instead of giving minus infinity",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [log_probs[t, t, i] for t, i in enumerate(ids) if i not in special_ids]
    return float(sum(s for s in scores if np.isfinite(s)))
""",
    },
]
