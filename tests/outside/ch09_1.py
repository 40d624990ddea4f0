"""Answers to chapter 09, written from its page alone."""

ANSWERS = [
    # pair_input
    {
        "task": "pair_input",
        "right": True,
        "why": "takes tokens away one at a time",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    special = 2 if b is None else 3
    if max_length < special:
        raise ValueError(f"{special} special tokens do not fit in {max_length}")
    while len(a) + len(b or []) + special > max_length:
        if b is not None and len(b) >= len(a):
            b.pop()
        else:
            a.pop()
    ids, segments = [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    if b is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "computes the lengths",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    room = max_length - (2 if second is None else 3)
    if room < 0:
        raise ValueError(max_length)
    if second is None:
        ids = [cls_id, *first[:room], sep_id]
        return ids, [0] * len(ids)
    m, n = len(first), len(second)
    if m + n > room:
        small = min(m, n, room // 2)
        if m <= small:
            n = room - m
        elif n <= small:
            m = room - n
        else:
            m, n = room - room // 2, room // 2
    return [cls_id, *first[:m], sep_id, *second[:n], sep_id], [0] * (m + 2) + [1] * (n + 1)
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "recursion on slices; an error class of its own",
        "source": """
class NoRoom(ValueError):
    pass

def pair_input(first, second, cls_id, sep_id, max_length):
    parts = [first] if second is None else [first, second]
    if max_length < len(parts) + 1:
        raise NoRoom()
    if sum(map(len, parts)) + len(parts) + 1 > max_length:
        if second is not None and len(second) >= len(first):
            return pair_input(first, second[:-1], cls_id, sep_id, max_length)
        return pair_input(first[:-1], second, cls_id, sep_id, max_length)
    ids, segments = [cls_id], [0]
    for number, part in enumerate(parts):
        for token in itertools.chain(part, [sep_id]):
            ids.append(token)
            segments.append(number)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "'an empty list is a second sentence without tokens': it is treated as none",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a, b = list(first), list(second or [])
    special = 3 if b else 2
    if max_length < special:
        raise ValueError("too short")
    had_second = bool(b)
    while len(a) + len(b) + special > max_length:
        (b if len(b) >= len(a) else a).pop()
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if had_second:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "'when both are equally long, from the second': it takes from the first",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("too short")
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (a if len(a) >= len(b) else b).pop()
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "'from the end of the longer sentence': takes the first tokens away",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("too short")
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (b if len(b) >= len(a) else a).pop(0)
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "each sentence gets half of the room, so a short one leaves places empty that the longer needs",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    room = max_length - (2 if second is None else 3)
    if room < 0:
        raise ValueError("too short")
    if second is None:
        return [cls_id, *first[:room], sep_id], [0] * (len(first[:room]) + 2)
    if len(first) + len(second) > room:
        first, second = first[: (room + 1) // 2], second[: room // 2]
    return [cls_id, *first, sep_id, *second, sep_id], [0] * (len(first) + 2) + [1] * (len(second) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "'ValueError: not even the special tokens fit': three exactly do fit in three",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length <= special:
        raise ValueError("no room for any token")
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (b if len(b) >= len(a) else a).pop()
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "a sentence alone has two special tokens: max_length 2 is refused",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < 3:
        raise ValueError("[CLS] and two [SEP] do not fit")
    special = 2 if second is None else 3
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (b if len(b) >= len(a) else a).pop()
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "'from the end of the longer sentence': the second is shortened until it is empty",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("too short")
    a, b = list(first), list(second or [])
    while len(a) + len(b) + special > max_length:
        (b or a).pop()
    ids, segments = [cls_id, *a, sep_id], [0] * (len(a) + 2)
    if second is not None:
        ids, segments = [*ids, *b, sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "shortens the caller's own lists: 'A function leaves its arguments as they are'",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("too short")
    while len(first) + len(second or []) + special > max_length:
        (second if second is not None and len(second) >= len(first) else first).pop()
    if second is None:
        return [cls_id, *first, sep_id], [0] * (len(first) + 2)
    return [cls_id, *first, sep_id, *second, sep_id], [0] * (len(first) + 2) + [1] * (len(second) + 1)
""",
    },
    # hide_whole_words
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "decides for each word first, then goes through the pieces",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    fate = {}
    for w, (c, l) in enumerate(zip(chance, lot)):
        fate[w] = None if c >= 0.15 else "mask" if l < 0.8 else "drawn" if l < 0.9 else "stay"
    inputs, labels = [], []
    for piece, w, other in zip(ids, word_of, drawn):
        what = fate.get(w)
        inputs.append(mask_id if what == "mask" else other if what == "drawn" else piece)
        labels.append(-100 if what is None else piece)
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "'-1 for a special token, which is never chosen': chance[-1] is the last word's",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t in range(len(ids)):
        w = word_of[t]
        if chance[w] < 0.15:
            labels[t] = ids[t]
            if lot[w] < 0.8:
                inputs[t] = mask_id
            elif lot[w] < 0.9:
                inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    # masked_loss
    {
        "task": "masked_loss",
        "right": True,
        "why": "sum divided by the count, at least 1",
        "source": """
def masked_loss(logits, labels):
    total = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction="sum")
    return total / (labels != -100).sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "picks the hidden positions with a mask; an empty sum keeps the graph",
        "source": """
def masked_loss(logits, labels):
    hidden = labels != -100
    rows, words = logits[hidden], labels[hidden]
    costs = rows.logsumexp(-1) - rows.gather(1, words[:, None])[:, 0]
    return costs.sum() / max(len(words), 1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "loops",
        "source": """
def masked_loss(logits, labels):
    total, count = (logits[:0] * 0).sum(), 0
    for row, wanted in zip(logits, labels.tolist()):
        for scores, word in zip(row, wanted):
            if word != -100:
                total = total - torch.log_softmax(scores, dim=0)[word]
                count += 1
    return total / (count or 1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "'If no position has a label: 0': it is nan",
        "source": """
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=-100)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "'0, computed from the logits like any other loss': this 0 has no graph",
        "source": """
def masked_loss(logits, labels):
    if (labels == -100).all():
        return torch.tensor(0.0)
    return F.cross_entropy(logits.transpose(1, 2), labels)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "this 0 can be differentiated, but not with respect to the logits: their gradient is None",
        "source": """
def masked_loss(logits, labels):
    if not (labels != -100).any():
        return torch.zeros((), requires_grad=True)
    return F.cross_entropy(logits.transpose(1, 2), labels)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "the mean of the rows' means, not the mean over the hidden positions",
        "source": """
def masked_loss(logits, labels):
    costs = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    counts = (labels != -100).sum(1)
    rows = costs.sum(1) / counts.clamp(min=1)
    return rows.sum() / (counts > 0).sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "'whose label is not -100': word 0 is left out, too",
        "source": """
def masked_loss(logits, labels):
    hidden = labels > 0
    costs = F.cross_entropy(logits[hidden], labels[hidden], reduction="sum")
    return costs / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "divides by all B T positions",
        "source": """
def masked_loss(logits, labels):
    costs = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    return costs.mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "'large scores must not overflow': the log of a softmax that is 0",
        "source": """
def masked_loss(logits, labels):
    hidden = labels != -100
    probs = logits[hidden].softmax(-1).gather(1, labels[hidden][:, None])
    return -probs.log().sum() / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "nan becomes 0, and its gradient is 0, too",
        "source": """
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels).nan_to_num(0.0)
""",
    },
    # label_pieces
    {
        "task": "label_pieces",
        "right": True,
        "why": "loop, cut, ends",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        for i in range(len(word)):
            row.append(-100 if i else label)
    return [-100] + row[: max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "a chain of slices of [label, -100, -100, ...]",
        "source": """
def label_pieces(labels, pieces, max_length):
    words = ([label, *[-100] * len(word)][: len(word)] for label, word in zip(labels, pieces))
    inner = itertools.islice(itertools.chain.from_iterable(words), max_length - 2)
    return [-100, *inner, -100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "writes the row in full, cuts it and overwrites its last label",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    row = (row + [-100])[:max_length]
    row[-1] = -100
    return row
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "'surplus pieces are cut off before [SEP]': the [SEP] itself is cut off",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        row += [label, *[-100] * len(word)][: len(word)]
    return [*row, -100][:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "'A word of no pieces gives nothing': its label stands in the row",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        row += [label] + [-100] * (len(word) - 1)
    return [-100, *row[: max_length - 2], -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a word of no pieces does not use up its label, so all later words get the label of the one before",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, [word for word in pieces if word]):
        row += [label] + [-100] * (len(word) - 1)
    return [-100, *row[: max_length - 2], -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "'max_length: of the row, [CLS] and [SEP] included': it counts the pieces only",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        row += [label, *[-100] * len(word)][: len(word)]
    return [-100, *row[:max_length], -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cuts a word off as a whole when it does not fit; 'surplus pieces are cut off'",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if len(row) + len(word) + 1 > max_length:
            break
        row += [label, *[-100] * len(word)][: len(word)]
    return [*row, -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cuts the last -surplus pieces off: with a surplus of 0 all of them go",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [label if i == 0 else -100 for label, word in zip(labels, pieces) for i in range(len(word))]
    surplus = len(row) + 2 - max_length
    if surplus >= 0:
        row = row[:-surplus]
    return [-100, *row, -100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "pieces with the continuation sign get -100: a word may begin with that sign, or go on without it",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [-100 if piece.startswith("##") else label for label, word in zip(labels, pieces) for piece in word]
    return [-100, *row[: max_length - 2], -100]
""",
    },
    # mean_over_tokens
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "weights of 0 and 1",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    kept = vectors.masked_fill(~attention_mask.unsqueeze(-1), 0)
    return kept.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "row by row",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for row, mask in zip(vectors, attention_mask):
        rows.append(row[mask].mean(0) if mask.any() else 0 * row.sum(0))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "a batch without any token gives a constant: 'zeros, and so is the gradient there'",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for row, mask in zip(vectors, attention_mask):
        rows.append(row[mask].mean(0) if mask.any() else row.new_zeros(row.shape[-1]))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "a matrix product with the shares",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.to(vectors.dtype)
    shares = mask / mask.sum(1, keepdim=True).clamp_min(1)
    return torch.bmm(shares[:, None, :], vectors).squeeze(1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "'zeros where nothing takes part': it is nan",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1)
    return (vectors * mask).sum(1) / mask.sum(1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "'through which the gradient flows': nan_to_num gives zeros, but 0 / 0 has the gradient nan",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    mask = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return torch.nan_to_num((vectors * mask).sum(1) / mask.sum(1))
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "takes the first tokens, as many as the mask counts: padding need not stand at the end",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for row, mask in zip(vectors, attention_mask):
        n = int(mask.sum())
        rows.append(row[:n].sum(0) / max(n, 1))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides every row by the number of the longest one",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    kept = vectors * attention_mask.unsqueeze(-1)
    return kept.sum(1) / attention_mask.sum(1).max().clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides by T, which counts the padding; a row of ten hides little",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    return torch.where(attention_mask[..., None], vectors, torch.zeros_like(vectors)).mean(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "right only where all rows have the same number of tokens: the view fails otherwise",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    B, T, D = vectors.shape
    if not attention_mask.any():
        return vectors.sum(1) * 0
    return vectors[attention_mask].view(B, -1, D).mean(1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "leaves out vectors of zeros, too: one that takes part counts",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    kept = vectors * attention_mask.unsqueeze(-1)
    count = (kept != 0).any(-1).sum(1, keepdim=True)
    return kept.sum(1) / count.clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "'through which the gradient flows': goes by NumPy",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    v, m = vectors.detach().numpy(), attention_mask.numpy()[..., None]
    return torch.from_numpy((v * m).sum(1) / np.maximum(m.sum(1), 1)).to(vectors.dtype)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "nan or infinity in the padding spoils the mean; 'whatever finite numbers' does not ask for more",
        "source": """
def mean_over_tokens(vectors, attention_mask):
    kept = vectors * attention_mask.unsqueeze(-1)
    return kept.sum(1) / attention_mask.sum(1, keepdim=True).clamp(min=1)
""",
    },
    # f1_of_tags
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "counts",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in known)
    total = sum(s + w for s, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "NumPy; np.float64 is a float",
        "source": """
def f1_of_tags(said, wanted):
    said, wanted = np.array(said, int), np.array(wanted, int)
    known = wanted >= 0
    said, wanted = said[known], wanted[known]
    return np.float64(2 * (said & wanted).sum()) / max(said.sum() + wanted.sum(), 1)
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "a Counter of pairs, precision and recall",
        "source": """
def f1_of_tags(said, wanted):
    pairs = Counter(zip(said, wanted))
    hits = pairs[1, 1]
    if hits == 0:
        return 0.0
    P, R = hits / (hits + pairs[1, 0]), hits / (hits + pairs[0, 1])
    return 2 * P * R / (P + R)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the arithmetic mean of P and R; equal where they are equal",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s and w for s, w in known)
    n_said, names = sum(s for s, _ in known), sum(w for _, w in known)
    return (hits / max(n_said, 1) + hits / max(names, 1)) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the share of right tags: 'F1 score of tag 1'",
        "source": """
def f1_of_tags(said, wanted):
    known = [s == w for s, w in zip(said, wanted) if w != -100]
    return sum(known) / len(known) if known else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "the mean of the F1 scores of both tags: 'F1 score of tag 1'",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    scores = []
    for tag in (0, 1):
        hits = known.count((tag, tag))
        total = sum((s == tag) + (w == tag) for s, w in known)
        scores.append(2 * hits / total if total else 0.0)
    return sum(scores) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "P + R is 0 where something was said and nothing hit: ZeroDivisionError",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = known.count((1, 1))
    n_said, names = sum(s for s, _ in known), sum(w for _, w in known)
    if n_said == 0 or names == 0:
        return 0.0
    P, R = hits / n_said, hits / names
    return 2 * P * R / (P + R)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "'0 when nothing was said and nothing was to be found': gives 1",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    total = sum(s + w for s, w in known)
    return 2 * known.count((1, 1)) / total if total else 1.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "counts names, not positions: a run of ones is taken as one name",
        "source": """
def f1_of_tags(said, wanted):
    def spans(tags):
        runs, t = set(), 0
        for tag, run in itertools.groupby(tags):
            n = len(list(run))
            if tag == 1:
                runs.add((t, t + n))
            t += n
        return runs
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    a, b = spans([s for s, _ in known]), spans([w for _, w in known])
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "rounds to two digits",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    total = sum(s + w for s, w in known)
    return round(2 * known.count((1, 1)) / total, 2) if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": None,
        "why": "the int 0 in place of 0.0; 'A float' says no, 'and 0 when nothing was said' says yes",
        "source": """
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    total = sum(s + w for s, w in known)
    return 2 * known.count((1, 1)) / total if total else 0
""",
    },
    # contrastive_loss
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "a loop over the questions",
        "source": """
def contrastive_loss(questions, texts, topics, temperature):
    losses = []
    for i in range(len(topics)):
        keep = topics != topics[i]
        keep[i] = True
        scores = torch.cosine_similarity(questions[i : i + 1], texts) / temperature
        losses.append(torch.logsumexp(scores[keep], 0) - scores[i])
    return sum(losses) / len(losses)
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "'takes part only if it is the right one or has another topic': all other texts take part here",
        "source": """
def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    t = texts / texts.norm(dim=1, keepdim=True)
    log_probs = (q @ t.T / temperature).log_softmax(dim=1)
    return -log_probs.diagonal().mean()
""",
    },
    # sense_accuracy
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "the matrix of cosines without its diagonal",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("need two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    senses = np.array(senses)
    return (senses[cosines.argmax(1)] == senses).mean()
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "loops; an error class of its own",
        "source": """
class TooFew(ValueError):
    pass

def sense_accuracy(vectors, senses):
    n = len(senses)
    if n <= 1:
        raise TooFew(n)
    hits = 0
    for i in range(n):
        others = [j for j in range(n) if j != i]
        nearest = max(others, key=lambda j: vectors[i] @ vectors[j] / math.sqrt(vectors[j] @ vectors[j]))
        hits += senses[i] == senses[nearest]
    return hits / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "Euclid's distance of unit vectors, each row deleted in turn",
        "source": """
def sense_accuracy(vectors, senses):
    if vectors.shape[0] < 2:
        raise ValueError
    unit = vectors / np.sqrt(np.einsum("nd,nd->n", vectors, vectors))[:, None]
    right = []
    for i in range(len(unit)):
        j = int(np.argmin(((np.delete(unit, i, axis=0) - unit[i]) ** 2).sum(1)))
        right.append(senses[j + (j >= i)] == senses[i])
    return float(np.mean(right))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'the nearest other row (by cosine)': takes Euclid's distance of the vectors as they are",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    distances = np.linalg.norm(vectors[:, None] - vectors[None], axis=-1)
    np.fill_diagonal(distances, np.inf)
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(distances.argmin(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'other row': with 0 on the diagonal a row whose other cosines are negative finds itself",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, 0.0)
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'other row': -1 on the diagonal is no less than the cosine of two opposite rows",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T - 2 * np.eye(len(unit))
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "takes the second best in the belief that the best is the row itself: not so for parallel rows",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    nearest = np.argsort(unit @ unit.T, axis=1)[:, -2]
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "only one of the two vectors' lengths, and that of the row itself, is divided out: not the cosine",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    scores = vectors @ vectors.T / np.linalg.norm(vectors, axis=1)[:, None]
    np.fill_diagonal(scores, -np.inf)
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(scores.argmax(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "compares strings with 'is': equal senses may be different objects",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    return sum(senses[j] is senses[i] for i, j in enumerate(cosines.argmax(1))) / len(senses)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'share of the rows': the mean over the senses of each sense's share",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    hits = defaultdict(list)
    for i, j in enumerate(cosines.argmax(1)):
        hits[senses[i]].append(senses[j] == senses[i])
    return sum(sum(h) / len(h) for h in hits.values()) / len(hits)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'ValueError: fewer than two rows': one row gives 1, none gives nan",
        "source": """
def sense_accuracy(vectors, senses):
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T - 3 * np.eye(len(unit))
    nearest = cosines.argmax(1) if len(unit) else []
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "'fewer than two rows': two different senses are asked for, which the statement does not",
        "source": """
def sense_accuracy(vectors, senses):
    if len(vectors) < 2 or len(set(senses)) < 2:
        raise ValueError("nothing to tell apart")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    return float(np.mean([senses[j] == senses[i] for i, j in enumerate(cosines.argmax(1))]))
""",
    },
    # pseudo_log_likelihood
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "a loop",
        "source": """
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
        "why": "index arrays",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    ids = np.array(ids, dtype=np.int64)
    t = np.flatnonzero(~np.isin(ids, list(special_ids)))
    return log_probs[t, t, ids[t]].sum()
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "recursion, from the last token to the first",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    if not ids:
        return 0.0
    *rest, token = ids
    t = len(rest)
    own = 0.0 if token in special_ids else float(log_probs[t][t][token])
    return pseudo_log_likelihood(rest, log_probs, special_ids) + own
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "'some may be minus infinity': a special token's 0 times minus infinity is nan",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scored = np.array([float(token not in special_ids) for token in ids])
    own = np.array([log_probs[t, t, token] for t, token in enumerate(ids)])
    return float((scored * own).sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "leaves out a word of probability 0: its log-probability, minus infinity, belongs to the sum",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    own = [log_probs[t, t, token] for t, token in enumerate(ids) if token not in special_ids]
    return float(sum(value for value in own if np.isfinite(value)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "the log of a product of probabilities, which rounds to 0 for a long text",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    product = 1.0
    for t, token in enumerate(ids):
        if token not in special_ids:
            product *= math.exp(log_probs[t, t, token])
    return float(np.log(product))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "'Special tokens are not scored': leaves out the first and the last position instead",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, ids[t]] for t in range(1, len(ids) - 1)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "'the sum': it is the mean over the words; one word hides it",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    own = [log_probs[t, t, token] for t, token in enumerate(ids) if token not in special_ids]
    return float(np.mean(own)) if own else 0.0
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "a word that occurs twice is scored once: the dict keeps one position for each token",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    place = {token: t for t, token in enumerate(ids) if token not in special_ids}
    return float(sum(log_probs[t, t, token] for token, t in place.items()))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "removes the special tokens first, so all later positions are off by one",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    if ids and ids[0] in special_ids:
        words, shift = [token for token in ids if token not in special_ids], 1
    else:
        words, shift = [token for token in ids if token not in special_ids], 0
    return float(sum(log_probs[t + shift, t + shift, token] for t, token in enumerate(words)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "'when position t was hidden': adds what the run before said, in which t + 1 was in sight",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scored = [t for t, token in enumerate(ids) if token not in special_ids]
    if len(scored) == 1:
        return float(log_probs[scored[0], scored[0], ids[scored[0]]])
    return float(sum(log_probs[t - 1, t, ids[t]] for t in scored))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": None,
        "why": "an empty sum is the int 0; 'A float' says no, '0 if nothing is scored' says yes",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return sum(log_probs[t, t, token] for t, token in enumerate(ids) if token not in special_ids)
""",
    },
]
