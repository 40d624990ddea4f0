ANSWERS = [
    {
        "task": "pair_input",
        "right": True,
        "why": "plain: pops tokens from copies one at a time",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    extra = 2 if b is None else 3
    if max_length < extra:
        raise ValueError("the special tokens do not fit")
    while len(a) + (len(b) if b is not None else 0) + extra > max_length:
        if b is None or len(a) > len(b):
            a.pop()
        else:
            b.pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if b is not None:
        ids = ids + b + [sep_id]
        segments = segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": True,
        "why": "computes the two lengths first, recursively, and only slices; returns a list of two lists",
        "source": r"""
def _lengths(n, m, room):
    if n + m <= room:
        return n, m
    return _lengths(n - 1, m, room) if n > m else _lengths(n, m - 1, room)


def pair_input(first, second, cls_id, sep_id, max_length):
    if second is None:
        room = max_length - 2
        if room < 0:
            raise ValueError(f"max_length {max_length} is below 2")
        row = [cls_id, *first[:room], sep_id]
        return row, [0 for _ in row]
    room = max_length - 3
    if room < 0:
        raise ValueError(f"max_length {max_length} is below 3")
    n, m = len(first), len(second)
    while n + m > room + 500:
        n, m = (n - 1, m) if n > m else (n, m - 1)
    n, m = _lengths(n, m, room)
    return [[cls_id, *first[:n], sep_id, *second[:m], sep_id], [0] * (n + 2) + [1] * (m + 1)]
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": '"when both are equally long, from the second": takes from the first (>= instead of >)',
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    extra = 2 if b is None else 3
    if max_length < extra:
        raise ValueError("too short")
    while len(a) + len(b or []) + extra > max_length:
        if b is None or len(a) >= len(b):
            a.pop()
        else:
            b.pop()
    ids = [cls_id] + a + [sep_id]
    segments = [0] * len(ids)
    if b is not None:
        ids += b + [sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": '"an empty list is a second sentence without tokens": tests `if second`, so that [] is treated as None',
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    a = first[:]
    b = second[:] if second else []
    extra = 3 if second else 2
    if max_length < extra:
        raise ValueError("too short")
    while len(a) + len(b) + extra > max_length:
        if len(a) > len(b):
            a = a[:-1]
        else:
            b = b[:-1]
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
        "why": '"A function leaves its arguments as they are": pops from the caller\'s lists when the row is too long',
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError("max_length is too small")
    other = [] if second is None else second
    while len(first) + len(other) > max_length - special:
        if len(first) > len(other):
            first.pop()
        else:
            other.pop()
    ids = [cls_id] + first + [sep_id]
    segments = [0] * (len(first) + 2)
    if second is not None:
        ids += second + [sep_id]
        segments += [1] * (len(second) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "takes tokens from the end of the second sentence until it is empty, then from the first, instead of from the longer one",
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    if second is None:
        if max_length < 2:
            raise ValueError
        first = first[:max_length - 2]
        return [cls_id] + first + [sep_id], [0] * (len(first) + 2)
    if max_length < 3:
        raise ValueError
    room = max_length - 3
    first = first[:room]
    second = second[:room - len(first)]
    return ([cls_id] + first + [sep_id] + second + [sep_id],
            [0] * (len(first) + 2) + [1] * (len(second) + 1))
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": '"Raises ValueError: not even the special tokens fit": asks for 3 places even for a sentence alone, so max_length 2 with second None raises',
        "source": r"""
def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < 3:
        raise ValueError("no room for the special tokens")
    a = list(first)
    b = list(second) if second is not None else []
    special = 2 if second is None else 3
    while len(a) + len(b) + special > max_length:
        longer = a if len(a) > len(b) else b
        del longer[-1]
    ids = [cls_id, *a, sep_id]
    segments = [0] * len(ids)
    if second is not None:
        ids += [*b, sep_id]
        segments += [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "plain loop over the positions",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = list(ids)
    labels = [-100] * len(ids)
    for t in range(len(ids)):
        w = word_of[t]
        if w == -1 or chance[w] >= 0.15:
            continue
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
        "right": True,
        "why": "NumPy with where, an empty row by itself",
        "source": r"""
import numpy as np


def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    if not ids:
        return [], []
    row = np.array(ids, dtype=np.int64)
    word = np.array(word_of, dtype=np.int64)
    c = np.append(np.array(chance, dtype=np.float64), 1.0)
    l = np.append(np.array(lot, dtype=np.float64), 1.0)
    c, l = c[word], l[word]          # word -1 is the number that was appended
    chosen = c < 0.15
    inputs = np.where(chosen & (l < 0.8), mask_id, row)
    inputs = np.where(chosen & (l >= 0.8) & (l < 0.9), np.array(drawn, dtype=np.int64), inputs)
    labels = np.where(chosen, row, -100)
    return inputs.tolist(), labels.tolist()
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": '"-1 for a special token, which is never chosen": chance[-1] is the chance of the last word',
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = [], []
    for t, (piece, w) in enumerate(zip(ids, word_of)):
        if len(chance) == 0 or chance[w] >= 0.15:
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
        "right": False,
        "why": '"the piece at t becomes drawn[t]": takes drawn[w], the number of the word',
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = [], []
    for piece, w in zip(ids, word_of):
        if w >= 0 and chance[w] < 0.15:
            labels.append(piece)
            inputs.append(mask_id if lot[w] < 0.8 else drawn[w] if lot[w] < 0.9 else piece)
        else:
            labels.append(-100)
            inputs.append(piece)
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": '"The label of each piece of a chosen word is the piece that was there": a chosen word that stays gets -100',
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = list(ids)
    labels = [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w < 0 or not chance[w] < 0.15:
            continue
        if lot[w] < 0.8:
            inputs[t] = mask_id
        elif lot[w] < 0.9:
            inputs[t] = drawn[t]
        if lot[w] < 0.9:
            labels[t] = ids[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": '"chosen if chance[w] is below 0.15", "below 0.8", "below 0.9": all three with <=',
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = list(ids)
    labels = [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] <= 0.15:
            labels[t] = ids[t]
            if lot[w] <= 0.8:
                inputs[t] = mask_id
            elif lot[w] <= 0.9:
                inputs[t] = drawn[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "label by comparing inputs with ids: a drawn piece that is by chance the old one, or a word that stays, loses its label",
        "source": r"""
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs = []
    for t, piece in enumerate(ids):
        w = word_of[t]
        if w == -1 or chance[w] >= 0.15 or lot[w] >= 0.9:
            inputs.append(piece)
        elif lot[w] >= 0.8:
            inputs.append(drawn[t])
        else:
            inputs.append(mask_id)
    labels = [old if old != new else -100 for old, new in zip(ids, inputs)]
    return inputs, labels
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "picks the positions, cross_entropy with sum, divided by at least 1",
        "source": r"""
import torch.nn.functional as F


def masked_loss(logits, labels):
    hidden = labels != -100
    picked = logits[hidden]
    return F.cross_entropy(picked, labels[hidden], reduction="sum") / max(int(hidden.sum()), 1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "loop over all positions in plain Python, logsumexp by hand with the maximum taken off",
        "source": r"""
import torch


def masked_loss(logits, labels):
    B, T, V = logits.shape
    costs = []
    for b in range(B):
        for t in range(T):
            label = labels[b, t].item()
            if label == -100:
                continue
            scores = logits[b, t]
            top = scores.max().detach()
            costs.append(top + torch.log(torch.exp(scores - top).sum()) - scores[label])
    if not costs:
        return logits[:0].sum()
    return torch.stack(costs).mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": '"With nothing hidden the loss is 0": F.cross_entropy gives nan',
        "source": r"""
import torch.nn.functional as F


def masked_loss(logits, labels):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": '"0, computed from the logits like any other loss": with nothing hidden a new leaf, so the logits get no gradient',
        "source": r"""
import torch
import torch.nn.functional as F


def masked_loss(logits, labels):
    hidden = labels != -100
    if not hidden.any():
        return torch.tensor(0.0, requires_grad=True)
    return F.cross_entropy(logits[hidden], labels[hidden])
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": '"mean over the positions whose label is not -100": labels > 0 leaves the word with id 0 out',
        "source": r"""
import torch.nn.functional as F


def masked_loss(logits, labels):
    hidden = labels > 0
    costs = -F.log_softmax(logits, dim=-1).gather(-1, labels.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    return (costs * hidden).sum() / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean of the means of the rows: different when the rows have different numbers of hidden positions",
        "source": r"""
import torch.nn.functional as F


def masked_loss(logits, labels):
    hidden = (labels != -100).to(logits.dtype)
    costs = -F.log_softmax(logits, dim=-1).gather(-1, labels.clamp(min=0)[..., None])[..., 0]
    rows = (costs * hidden).sum(1) / hidden.sum(1).clamp(min=1)
    return rows.mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": '"large scores must not overflow": exp without taking the maximum off gives inf or nan at scores above 89',
        "source": r"""
import torch


def masked_loss(logits, labels):
    hidden = labels != -100
    picked = logits[hidden]
    right = picked.gather(1, labels[hidden].unsqueeze(1)).squeeze(1)
    costs = torch.log(torch.exp(picked).sum(dim=1)) - right
    return costs.sum() / max(len(costs), 1)
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "a flat list, cut, with -100 at both ends",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    inner = []
    for label, word in zip(labels, pieces):
        for i in range(len(word)):
            inner.append(label if i == 0 else -100)
    return [-100] + inner[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "chain and islice, no index",
        "source": r"""
import itertools


def label_pieces(labels, pieces, max_length):
    def of_word(label, word):
        return itertools.islice(itertools.chain([label], itertools.repeat(-100)), len(word))

    everything = itertools.chain.from_iterable(map(of_word, labels, pieces))
    row = [-100]
    row.extend(itertools.islice(everything, max_length - 2))
    row.append(-100)
    return row
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": '"surplus pieces are cut off before [SEP]": cuts the finished row, so that [SEP] is lost and a label may stand at its place',
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if word:
            row.append(label)
            row += [-100] * (len(word) - 1)
    row.append(-100)
    return row[:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": '"A word of no pieces gives nothing": its label stands there all the same',
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, pieces):
        row.append(label)
        row.extend([-100] * (len(word) - 1))
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "empty words are taken out before zip, so all labels after one belong to the wrong word",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    words = [word for word in pieces if len(word) > 0]
    row = []
    for label, word in zip(labels, words):
        row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": '"The first piece of a word gets its label, the others get -100": a later piece that equals the first (["ha", "ha"]) gets the label again',
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        for piece in word:
            if len(row) < max_length - 1:
                row.append(label if piece == word[0] else -100)
    return row + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cuts off whole words: a word that does not fit gives none of its pieces, although some fit",
        "source": r"""
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if len(row) + len(word) + 1 > max_length:
            break
        if word:
            row.append(label)
            row += [-100] * (len(word) - 1)
    row.append(-100)
    return row
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "masked_fill, sum, division by at least 1",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    kept = vectors.masked_fill(~attention_mask[:, :, None], 0.0)
    counts = attention_mask.sum(dim=1, keepdim=True).clamp(min=1)
    return kept.sum(dim=1) / counts
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "weights of each token, then einsum",
        "source": r"""
import torch


def mean_over_tokens(vectors, attention_mask):
    weights = attention_mask.to(vectors.dtype)
    weights = weights / weights.sum(1, keepdim=True).clamp_min(1)
    return torch.einsum("bt,btd->bd", weights, vectors)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": '"where nothing takes part zeros, and so is the gradient there": nan_to_num mends the value, but the gradient is nan',
        "source": r"""
import torch


def mean_over_tokens(vectors, attention_mask):
    weights = attention_mask[:, :, None].to(vectors.dtype)
    mean = (vectors * weights).sum(1) / weights.sum(1)
    return torch.nan_to_num(mean, nan=0.0)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": '"whatever finite numbers stand in the padding": takes the padding off the sum of all, which loses the tokens beside 1e20',
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    total = vectors.sum(1)
    padding = (vectors * (~attention_mask).unsqueeze(-1)).sum(1)
    return (total - padding) / attention_mask.sum(1, keepdim=True).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "takes the first n tokens, as if the padding always stood at the end",
        "source": r"""
import torch


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
        "why": '"through which the gradient flows": the rows are made anew with torch.tensor',
        "source": r"""
import torch


def mean_over_tokens(vectors, attention_mask):
    B, T, D = vectors.shape
    result = [[0.0] * D for _ in range(B)]
    for b in range(B):
        n = sum(attention_mask[b].tolist())
        for d in range(D):
            for t in range(T):
                if attention_mask[b, t]:
                    result[b][d] += vectors[b, t, d].item() / n
    return torch.tensor(result)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides by the number of tokens of the whole batch over B, right only where all rows have equally many",
        "source": r"""
def mean_over_tokens(vectors, attention_mask):
    weights = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * weights).sum(dim=1) / weights.sum(dim=1).mean().clamp(min=1e-9)
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "three counts and the second formula",
        "source": r"""
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(1 for s, w in known if s == 1 and w == 1)
    total = sum(s for s, _ in known) + sum(w for _, w in known)
    return 2 * hits / total if total else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "precision and recall with NumPy, all borders by hand; returns a NumPy float",
        "source": r"""
import numpy as np


def f1_of_tags(said, wanted):
    s, w = np.array(said, dtype=int), np.array(wanted, dtype=int)
    known = w != -100
    s, w = s[known], w[known]
    hits = np.count_nonzero((s == 1) & (w == 1))
    if hits == 0:
        return np.float64(0.0)
    p = hits / np.count_nonzero(s == 1)
    r = hits / np.count_nonzero(w == 1)
    return np.float64(2 * p * r / (p + r))
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "arithmetic mean of P and R, agrees where they are equal",
        "source": r"""
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == 1 and w == 1 for s, w in pairs)
    names = sum(w == 1 for s, w in pairs)
    claims = sum(s == 1 for s, w in pairs)
    p = hits / claims if claims else 0.0
    r = hits / names if names else 0.0
    return (p + r) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "names said, none right (said [1], wanted [0], or [1, 0] and [0, 1]): P + R is 0, ZeroDivisionError instead of 0",
        "source": r"""
def f1_of_tags(said, wanted):
    hits = claims = names = 0
    for s, w in zip(said, wanted):
        if w == -100:
            continue
        hits += s * w
        claims += s
        names += w
    if claims == 0 and names == 0:
        return 0.0
    p = hits / claims if claims else 0.0
    r = hits / names if names else 0.0
    return 2 * p * r / (p + r)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": '"where wanted is -100 nothing is known, and the position does not count": a name said there counts as said',
        "source": r"""
def f1_of_tags(said, wanted):
    hits = sum(1 for s, w in zip(said, wanted) if s == w == 1)
    total = said.count(1) + wanted.count(1)
    return 2 * hits / total if total > 0 else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": '"0 when nothing was said and nothing was to be found": gives 1, as if all was right',
        "source": r"""
def f1_of_tags(said, wanted):
    hits = false = missed = 0
    for s, w in zip(said, wanted):
        if w == -100:
            continue
        if s == 1 and w == 1:
            hits += 1
        elif s == 1:
            false += 1
        elif w == 1:
            missed += 1
    if hits + false + missed == 0:
        return 1.0
    return hits / (hits + (false + missed) / 2)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "accuracy over the known positions, which is 0.5 in the example, too",
        "source": r"""
def f1_of_tags(said, wanted):
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    if not known:
        return 0.0
    return sum(s == w for s, w in known) / len(known)
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "masked logits, cross_entropy with the diagonal as target",
        "source": r"""
import torch
import torch.nn.functional as F


def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    t = texts / texts.norm(dim=1, keepdim=True)
    scores = q @ t.T / temperature
    N = len(scores)
    own = torch.eye(N, dtype=torch.bool, device=scores.device)
    barred = (topics[:, None] == topics[None, :]) & ~own
    scores = scores.masked_fill(barred, float("-inf"))
    return F.cross_entropy(scores, torch.arange(N, device=scores.device))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "loop over the questions, only the texts that take part are scored",
        "source": r"""
import torch


def contrastive_loss(questions, texts, topics, temperature):
    names = topics.tolist()
    total = 0.0
    for i in range(len(names)):
        q = questions[i] / torch.sqrt((questions[i] ** 2).sum())
        mine = torch.dot(q, texts[i]) / torch.sqrt((texts[i] ** 2).sum()) / temperature
        scores = [mine]
        for j in range(len(names)):
            if names[j] != names[i]:
                scores.append(torch.dot(q, texts[j]) / torch.sqrt((texts[j] ** 2).sum()) / temperature)
        total = total + torch.logsumexp(torch.stack(scores), dim=0) - mine
    return total / len(names)
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": '"Only the questions look for their texts here, not the other way round": mean of both directions',
        "source": r"""
import torch
import torch.nn.functional as F


def contrastive_loss(questions, texts, topics, temperature):
    scores = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    n = scores.shape[0]
    same = topics.view(-1, 1) == topics.view(1, -1)
    same = same & ~torch.eye(n, dtype=torch.bool)
    scores = scores.masked_fill(same, -torch.inf)
    target = torch.arange(n)
    return (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "cosines: the vectors are divided by the norms of the columns (dim=0) instead of the rows; the same for the diagonal matrices of the example",
        "source": r"""
import torch
import torch.nn.functional as F


def contrastive_loss(questions, texts, topics, temperature):
    q = F.normalize(questions, dim=0)
    t = F.normalize(texts, dim=0)
    scores = q @ t.T / temperature
    own = torch.eye(len(q), dtype=torch.bool)
    keep = own | (topics[:, None] != topics[None, :])
    scores = torch.where(keep, scores, torch.full_like(scores, -torch.inf))
    return F.cross_entropy(scores, torch.arange(len(q)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "same topics are filled with -100 before the division: at a temperature of 50 or more (a number above 0) they take part after all",
        "source": r"""
import torch
import torch.nn.functional as F


def contrastive_loss(questions, texts, topics, temperature):
    cosines = F.normalize(questions, dim=-1) @ F.normalize(texts, dim=-1).T
    same = topics.unsqueeze(0) == topics.unsqueeze(1)
    same.fill_diagonal_(False)
    cosines = cosines.masked_fill(same, -100.0)
    return F.cross_entropy(cosines / temperature, torch.arange(len(cosines)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "exp without taking the maximum off: at temperature 0.005 (a number above 0) float32 overflows and the loss is nan",
        "source": r"""
import torch


def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True)
    t = texts / texts.norm(dim=1, keepdim=True)
    e = torch.exp(q @ t.T / temperature)
    other = (topics[:, None] != topics[None, :]).to(e.dtype)
    right = e.diagonal()
    return torch.log((right + (e * other).sum(1)) / right).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": '"takes no part in the softmax of question i": texts of the same topic count as right ones, too (they stand in numerator and denominator)',
        "source": r"""
import torch
import torch.nn.functional as F


def contrastive_loss(questions, texts, topics, temperature):
    scores = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = topics[:, None] == topics[None, :]
    right = scores.masked_fill(~same, -torch.inf).logsumexp(dim=1)
    return (scores.logsumexp(dim=1) - right).mean()
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "all cosines at once, minus infinity on the diagonal",
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("at least two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    senses = np.array(senses)
    return float((senses[nearest] == senses).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "two loops in plain Python, best so far kept",
        "source": r"""
import math


def sense_accuracy(vectors, senses):
    n = len(senses)
    if n < 2:
        raise ValueError("fewer than two rows")
    hits = 0
    for i in range(n):
        best, who = None, None
        for j in range(n):
            if i == j:
                continue
            a = [float(x) for x in vectors[i]]
            b = [float(x) for x in vectors[j]]
            cos = sum(x * y for x, y in zip(a, b)) / (math.hypot(*a) * math.hypot(*b))
            if best is None or cos > best:
                best, who = cos, j
        if senses[who] == senses[i]:
            hits += 1
    return hits / n
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the diagonal is set to 0: if all other rows have a negative cosine, a row is its own nearest",
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("need two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1)[:, None]
    cosines = unit @ unit.T
    cosines[np.arange(len(unit)), np.arange(len(unit))] = 0
    nearest = cosines.argmax(1)
    return sum(senses[i] == senses[j] for i, j in enumerate(nearest)) / len(senses)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "the second in the order is taken, as if a row itself were always the first: two parallel rows (cosine 1, too) confuse it",
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("need two rows")
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    nearest = np.argsort(np.round(unit @ unit.T, 9), axis=1, kind="stable")[:, -2]
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": '"(by cosine)": nearest by Euclidean distance, right where all rows are of similar length',
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("need two rows")
    gaps = ((vectors[:, None, :] - vectors[None, :, :]) ** 2).sum(-1)
    np.fill_diagonal(gaps, np.inf)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(gaps.argmin(1))]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": '"A function leaves its arguments as they are": the array is divided by its lengths in place',
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError("need two rows")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T - 2 * np.eye(len(vectors)) - np.eye(len(vectors))
    nearest = np.argmax(cosines, axis=1)
    return float(np.mean(np.array(senses) == np.array(senses)[nearest]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": '"Raises ValueError: fewer than two rows": one row gives 1.0, no row nan',
        "source": r"""
import numpy as np


def sense_accuracy(vectors, senses):
    if len(vectors) == 0:
        return 0.0
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    senses = np.array(senses)
    return float((senses[cosines.argmax(axis=1)] == senses).mean())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "loop with enumerate",
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
        "why": "index arrays; np.isin; NumPy float returned",
        "source": r"""
import numpy as np


def pseudo_log_likelihood(ids, log_probs, special_ids):
    row = np.asarray(ids, dtype=np.intp)
    scored = np.flatnonzero(~np.isin(row, np.asarray(list(special_ids), dtype=np.intp)))
    return log_probs[scored, scored, row[scored]].sum()
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": '"some may be minus infinity": special tokens are multiplied by 0, and 0 times minus infinity is nan',
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, token in enumerate(ids):
        weight = 0.0 if token in special_ids else 1.0
        total += weight * log_probs[t, t, token]
    return float(total)
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": '"ids that are not scored": leaves out the first and the last position instead of asking special_ids',
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t in range(1, len(ids) - 1):
        total += log_probs[t, t, ids[t]]
    return float(total)
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "probabilities are multiplied and the logarithm is taken at the end: a long text underflows to minus infinity",
        "source": r"""
import numpy as np


def pseudo_log_likelihood(ids, log_probs, special_ids):
    product = 1.0
    for t, token in enumerate(ids):
        if token not in special_ids:
            product *= np.exp(log_probs[t][t][token])
    return float(np.log(product))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "mean instead of sum, agrees with one scored word",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [log_probs[t, t, w] for t, w in enumerate(ids) if w not in special_ids]
    if not scores:
        return 0.0
    return float(sum(scores) / len(scores))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "a word that occurs twice is scored once only, at its first place (list.index)",
        "source": r"""
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for token in ids:
        if token in special_ids:
            continue
        t = ids.index(token)
        total += float(log_probs[t, t, token])
    return total
""",
    },
]
