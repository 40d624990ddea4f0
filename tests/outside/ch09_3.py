"""Answers to chapter 09, written from its page alone: the third round."""

ANSWERS = [
    # pair_input
    {
        "task": "pair_input",
        "right": True,
        "why": "token by token on copies",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a = list(first)
    b = None if second is None else list(second)
    special = 2 if b is None else 3
    if max_length < special:
        raise ValueError("too short")
    while special + len(a) + len(b or []) > max_length:
        if b is not None and len(b) >= len(a):
            b.pop()
        else:
            a.pop()
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
        "right": True,
        "why": "lengths by formula: the longer is cut to the shorter, then both",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    if second is None:
        room = max_length - 2
        if room < 0:
            raise ValueError
        kept = first[:room]
        return [cls_id, *kept, sep_id], [0] * (len(kept) + 2)
    room = max_length - 3
    if room < 0:
        raise ValueError
    m, n = len(first), len(second)
    if m + n > room:
        n_max = room // 2
        m_max = room - n_max
        if m <= m_max:
            n = room - m
        elif n <= n_max:
            m = room - n
        else:
            m, n = m_max, n_max
    return [cls_id, *first[:m], sep_id, *second[:n], sep_id], [0] * (m + 2) + [1] * (n + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "an empty second list is taken for no second sentence ('an empty list is a second sentence without tokens')",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a, b = list(first), list(second or [])
    special = 3 if second else 2
    if max_length < special:
        raise ValueError
    while len(a) + len(b) + special > max_length:
        (b if len(b) >= len(a) else a).pop()
    if not second:
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "equal lengths: from the first ('when both are equally long, from the second')",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a, b = list(first), None if second is None else list(second)
    special = 2 if b is None else 3
    if max_length < special:
        raise ValueError
    if b is None:
        a = a[:max_length - 2]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    while len(a) + len(b) + 3 > max_length:
        (a if len(a) >= len(b) else b).pop()
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "pops from the lists that it is given ('A function leaves its arguments as they are')",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    special = 2 if second is None else 3
    if max_length < special:
        raise ValueError
    while special + len(first) + len(second or []) > max_length:
        if second is not None and len(second) >= len(first):
            second.pop()
        else:
            first.pop()
    ids, segments = [cls_id] + first + [sep_id], [0] * (len(first) + 2)
    if second is not None:
        ids, segments = ids + second + [sep_id], segments + [1] * (len(second) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "always needs three places: a sentence alone in max_length 2 is refused though its special tokens fit",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < 3:
        raise ValueError
    a, b = list(first), None if second is None else list(second)
    special = 2 if b is None else 3
    while special + len(a) + len(b or []) > max_length:
        (b if b is not None and len(b) >= len(a) else a).pop()
    ids, segments = [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    if b is not None:
        ids, segments = ids + b + [sep_id], segments + [1] * (len(b) + 1)
    return ids, segments
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "the first [SEP] belongs to segment 1 ('0 up to and with the first [SEP]')",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    a, b = list(first), None if second is None else list(second)
    special = 2 if b is None else 3
    if max_length < special:
        raise ValueError
    while special + len(a) + len(b or []) > max_length:
        (b if b is not None and len(b) >= len(a) else a).pop()
    if b is None:
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 1) + [1] * (len(b) + 2)
""",
    },
    {
        "task": "pair_input",
        "right": False,
        "why": "cuts both to half of the room: loses tokens where one is short ('one at a time', from the longer)",
        "source": """
def pair_input(first, second, cls_id, sep_id, max_length):
    if max_length < (2 if second is None else 3):
        raise ValueError
    if second is None:
        a = first[:max_length - 2]
        return [cls_id] + a + [sep_id], [0] * (len(a) + 2)
    a, b = first, second
    room = max_length - 3
    if len(a) + len(b) > room:
        a, b = a[:room - room // 2], b[:room // 2]
    return [cls_id] + a + [sep_id] + b + [sep_id], [0] * (len(a) + 2) + [1] * (len(b) + 1)
""",
    },
    # hide_whole_words
    {
        "task": "hide_whole_words",
        "right": True,
        "why": "loop with early copies",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w < 0 or chance[w] >= 0.15:
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
        "why": "decides per word first, then fills the pieces",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    fate = {-1: None}
    for w, (c, l) in enumerate(zip(chance, lot)):
        fate[w] = None if not c < 0.15 else "mask" if l < 0.8 else "draw" if l < 0.9 else "stay"
    new = {"mask": lambda t: mask_id, "draw": lambda t: drawn[t], "stay": lambda t: ids[t], None: lambda t: ids[t]}
    inputs = [new[fate[w]](t) for t, w in enumerate(word_of)]
    labels = [piece if fate[w] else -100 for piece, w in zip(ids, word_of)]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "no test for -1: special tokens take the chance of the last word ('never chosen')",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if chance and chance[w] < 0.15:
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
        "why": "a chosen word that stays gets no label ('The label of each piece of a chosen word')",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] < 0.15:
            if lot[w] < 0.8:
                inputs[t] = mask_id
            elif lot[w] < 0.9:
                inputs[t] = drawn[t]
    for t in range(len(ids)):
        if inputs[t] != ids[t]:
            labels[t] = ids[t]
    return inputs, labels
""",
    },
    {
        "task": "hide_whole_words",
        "right": False,
        "why": "drawn by word: all pieces of a word become drawn[w] ('the piece at t becomes drawn[t]')",
        "source": """
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
        "why": "borders: 0.15, 0.8 and 0.9 themselves count as below",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
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
        "why": "writes into ids ('A function leaves its arguments as they are')",
        "source": """
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
        "task": "hide_whole_words",
        "right": False,
        "why": "only the first piece of a chosen word has a label",
        "source": """
def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    inputs, labels = list(ids), [-100] * len(ids)
    for t, w in enumerate(word_of):
        if w >= 0 and chance[w] < 0.15:
            if t == 0 or word_of[t - 1] != w:
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
        "why": "sum of cross-entropies, divided by the count",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    n = int((labels != -100).sum())
    total = F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1), reduction="sum")
    return total / max(n, 1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "chosen rows, logsumexp minus the right score",
        "source": """
import torch
def masked_loss(logits, labels):
    hidden = labels != -100
    z, y = logits[hidden], labels[hidden]
    right = z.gather(1, y[:, None])[:, 0]
    each = torch.logsumexp(z, dim=1) - right
    return each.sum() / max(len(y), 1)
""",
    },
    {
        "task": "masked_loss",
        "right": True,
        "why": "log_softmax everywhere, weights 0 and 1/N",
        "source": """
import torch
def masked_loss(logits, labels):
    hidden = labels.ne(-100)
    log_p = torch.log_softmax(logits, dim=2)
    picked = torch.take_along_dim(log_p, labels.masked_fill(~hidden, 0).unsqueeze(2), dim=2).squeeze(2)
    picked = torch.where(hidden, picked, torch.zeros_like(picked))
    return -picked.sum() / hidden.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "nothing hidden: NaN",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=-100)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "nothing hidden: a fresh 0 without a gradient ('computed from the logits like any other loss')",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    if (labels == -100).all():
        return torch.tensor(0.0, dtype=logits.dtype)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), labels.reshape(-1))
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean over all positions",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    return F.cross_entropy(logits.transpose(1, 2), labels, reduction="none").mean()
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "mean of the rows' means: rows with few hidden words weigh too much",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    each = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    count = (labels != -100).sum(1)
    rows = count > 0
    return (each.sum(1) / count.clamp(min=1)).sum() / rows.sum().clamp(min=1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "log of softmax + 1e-12: large scores give a loss too small",
        "source": """
import torch
def masked_loss(logits, labels):
    hidden = labels != -100
    p = torch.softmax(logits[hidden], dim=-1)
    picked = p[torch.arange(len(p)), labels[hidden]]
    return -(picked + 1e-12).log().sum() / max(len(p), 1)
""",
    },
    {
        "task": "masked_loss",
        "right": False,
        "why": "the label 0 counts as nothing to guess",
        "source": """
import torch
import torch.nn.functional as F
def masked_loss(logits, labels):
    hidden = labels > 0
    total = F.cross_entropy(logits[hidden], labels[hidden], reduction="sum")
    return total / max(int(hidden.sum()), 1)
""",
    },
    # label_pieces
    {
        "task": "label_pieces",
        "right": True,
        "why": "nested comprehension and a slice",
        "source": """
def label_pieces(labels, pieces, max_length):
    inner = [label if k == 0 else -100 for label, word in zip(labels, pieces) for k in range(len(word))]
    return [-100] + inner[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": True,
        "why": "places of first pieces are computed, then filled",
        "source": """
from itertools import accumulate
def label_pieces(labels, pieces, max_length):
    ends = list(accumulate((len(word) for word in pieces), initial=1))
    row = [-100] * (min(ends[-1] - 1, max_length - 2) + 2)
    for label, word, place in zip(labels, pieces, ends):
        if word and place < len(row) - 1:
            row[place] = label
    return row
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cut after [SEP] was put: a long row loses its last -100",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [-100]
    for label, word in zip(labels, pieces):
        if word:
            row += [label] + [-100] * (len(word) - 1)
    row.append(-100)
    return row[:max_length]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "a word of no pieces still writes its label",
        "source": """
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
        "why": "empty words are thrown out first, so later words get the labels of earlier ones",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = []
    for label, word in zip(labels, [word for word in pieces if word]):
        row += [label] + [-100] * (len(word) - 1)
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "every piece gets the word's label",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [label for label, word in zip(labels, pieces) for _ in word]
    return [-100] + row[:max_length - 2] + [-100]
""",
    },
    {
        "task": "label_pieces",
        "right": False,
        "why": "cuts whole words: a word whose pieces do not all fit is left out",
        "source": """
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
        "why": "room counted for one special token only: one position too many",
        "source": """
def label_pieces(labels, pieces, max_length):
    row = [label if k == 0 else -100 for label, word in zip(labels, pieces) for k in range(len(word))]
    return [-100] + row[:max_length - 1] + [-100]
""",
    },
    # mean_over_tokens
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "product with the mask, count at least 1",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    keep = attention_mask.unsqueeze(-1).to(vectors.dtype)
    return (vectors * keep).sum(dim=1) / keep.sum(dim=1).clamp(min=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "row by row",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    rows = []
    for v, m in zip(vectors, attention_mask):
        kept = v[m]
        rows.append(kept.mean(0) if len(kept) else kept.sum(0))
    return torch.stack(rows)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": True,
        "why": "weights 1/n by einsum",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    n = attention_mask.sum(1, keepdim=True).to(vectors.dtype)
    w = torch.where(attention_mask, 1.0 / torch.where(n == 0, torch.ones_like(n), n), torch.zeros_like(n))
    return torch.einsum("bt,btd->bd", w, vectors)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "NaN replaced after the division: the gradient of rows without a token is NaN",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    keep = attention_mask[..., None]
    return torch.nan_to_num((vectors * keep).sum(1) / keep.sum(1).to(vectors.dtype).requires_grad_())
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides by T",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    return (vectors * attention_mask[..., None]).mean(dim=1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "sum of all minus sum of the padding: huge numbers in the padding cancel badly ('whatever finite numbers stand in the padding')",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    padding = (~attention_mask)[..., None]
    n = attention_mask.sum(1, keepdim=True).clamp(min=1)
    return (vectors.sum(1) - (vectors * padding).sum(1)) / n
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "takes the padding to be at the end: the mean of the first n vectors",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    n = attention_mask.sum(1)
    first = torch.arange(vectors.shape[1])[None] < n[:, None]
    return (vectors * first[..., None]).sum(1) / n.clamp(min=1)[:, None]
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "divides by n + 1 in every row (eps of 1 against division by zero)",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    keep = attention_mask[..., None]
    return (vectors * keep).sum(1) / (keep.sum(1) + 1)
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "filled into a new tensor without the graph ('through which the gradient flows')",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    out = torch.zeros(vectors.shape[0], vectors.shape[2], dtype=vectors.dtype)
    for b in range(len(vectors)):
        if attention_mask[b].any():
            out[b] = vectors[b].detach()[attention_mask[b]].mean(0)
    return out
""",
    },
    {
        "task": "mean_over_tokens",
        "right": False,
        "why": "sets the padding to 0 in the caller's tensor ('leaves its arguments as they are')",
        "source": """
import torch
def mean_over_tokens(vectors, attention_mask):
    if not vectors.requires_grad:
        vectors[~attention_mask] = 0
    keep = attention_mask[..., None]
    return (vectors * keep).sum(1) / keep.sum(1).clamp(min=1)
""",
    },
    # f1_of_tags
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "sets of places",
        "source": """
def f1_of_tags(said, wanted):
    known = {i for i, w in enumerate(wanted) if w != -100}
    claimed = {i for i in known if said[i] == 1}
    names = {i for i in known if wanted[i] == 1}
    if not claimed and not names:
        return 0.0
    return 2 * len(claimed & names) / (len(claimed) + len(names))
""",
    },
    {
        "task": "f1_of_tags",
        "right": True,
        "why": "numpy, precision and recall",
        "source": """
import numpy as np
def f1_of_tags(said, wanted):
    said, wanted = np.array(said, dtype=int), np.array(wanted, dtype=int)
    said, wanted = said[wanted != -100], wanted[wanted != -100]
    hits = float((said * wanted).sum())
    if hits == 0:
        return 0.0
    p, r = hits / said.sum(), hits / wanted.sum()
    return float(2 * p * r / (p + r))
""",
    },
    {
        "task": "f1_of_tags",
        "right": None,
        "why": "returns the int 0 in the empty case, which equals 0.0",
        "source": """
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    both = sum(s + w for s, w in pairs)
    return 2 * hits / both if both else 0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "what was said at unknown places counts as said ('the position does not count')",
        "source": """
def f1_of_tags(said, wanted):
    hits = sum(s == 1 and w == 1 for s, w in zip(said, wanted))
    names = sum(w == 1 for w in wanted)
    both = sum(said) + names
    return 2 * hits / both if both else 0.0
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "nothing said and nothing to find: 1 ('and 0 when ...')",
        "source": """
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    both = sum(s + w for s, w in pairs)
    if both == 0:
        return 1.0
    return 2 * sum(s * w for s, w in pairs) / both
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "precision and recall without a guard: names but no hits is a ZeroDivisionError",
        "source": """
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    claimed, names = sum(s for s, _ in pairs), sum(w for _, w in pairs)
    if claimed + names == 0:
        return 0.0
    p = hits / claimed if claimed else 0.0
    r = hits / names if names else 0.0
    return 2 * p * r / (p + r)
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "mean of the F1 of both tags (macro)",
        "source": """
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    def f1(tag):
        hits = sum(s == tag and w == tag for s, w in pairs)
        both = sum((s == tag) + (w == tag) for s, w in pairs)
        return 2 * hits / both if both else 0.0
    return (f1(0) + f1(1)) / 2
""",
    },
    {
        "task": "f1_of_tags",
        "right": False,
        "why": "arithmetic mean of precision and recall",
        "source": """
def f1_of_tags(said, wanted):
    pairs = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s * w for s, w in pairs)
    claimed, names = sum(s for s, _ in pairs), sum(w for _, w in pairs)
    p = hits / claimed if claimed else 0.0
    r = hits / names if names else 0.0
    return (p + r) / 2
""",
    },
    # contrastive_loss
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "masked cross-entropy, rows brought to length 1 in two steps",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    def unit(v):
        v = v / v.abs().amax(dim=1, keepdim=True)
        return v / v.norm(dim=1, keepdim=True)
    scores = unit(questions) @ unit(texts).T / temperature
    N = len(scores)
    out = (topics[:, None] == topics[None, :]) & ~torch.eye(N, dtype=torch.bool)
    return F.cross_entropy(scores.masked_fill(out, float("-inf")), torch.arange(N))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "question by question, logsumexp of the chosen ones",
        "source": """
import torch
def contrastive_loss(questions, texts, topics, temperature):
    losses = []
    q = questions / questions.pow(2).sum(1, keepdim=True).sqrt()
    d = texts / texts.pow(2).sum(1, keepdim=True).sqrt()
    for i in range(len(q)):
        own = (q[i] * d[i]).sum() / temperature
        others = d[topics != topics[i]] @ q[i] / temperature
        losses.append(torch.logsumexp(torch.cat([own[None], others]), dim=0) - own)
    return torch.stack(losses).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": None,
        "why": "F.normalize, whose eps of 1e-12 matters for the tiniest rows only",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    keep = (topics[:, None] != topics[None]) | torch.eye(len(s)).bool()
    return (torch.where(keep, s, -torch.inf).logsumexp(1) - s.diagonal()).mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "topics ignored",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    return F.cross_entropy(s, torch.arange(len(s)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "both directions, mean of the two ('Only the questions look for their texts')",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = (topics[:, None] == topics[None]) & ~torch.eye(len(s)).bool()
    s = s.masked_fill(same, -torch.inf)
    y = torch.arange(len(s))
    return (F.cross_entropy(s, y) + F.cross_entropy(s.T, y)) / 2
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "dot products, vectors not brought to length 1",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = questions @ texts.T / temperature
    same = (topics[:, None] == topics[None]) & ~torch.eye(len(s)).bool()
    return F.cross_entropy(s.masked_fill(same, -torch.inf), torch.arange(len(s)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "texts of the same topic get the cosine 0, but still take part",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    same = (topics[:, None] == topics[None]) & ~torch.eye(len(s)).bool()
    return F.cross_entropy(s.masked_fill(same, 0.0), torch.arange(len(s)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "exp without care: a small temperature overflows or gives log 0",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    e = torch.exp(F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature)
    right = e.diagonal()
    wrong = (e * (topics[:, None] != topics[None])).sum(1)
    return -(right / (right + wrong)).log().mean()
""",
    },
    {
        "task": "contrastive_loss",
        "right": False,
        "why": "lengths are taken as constants: the gradient along the vector is not taken away",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    q = questions / questions.norm(dim=1, keepdim=True).detach()
    d = texts / texts.norm(dim=1, keepdim=True).detach()
    s = q @ d.T / temperature
    same = (topics[:, None] == topics[None]) & ~torch.eye(len(s)).bool()
    return F.cross_entropy(s.masked_fill(same, -torch.inf), torch.arange(len(s)))
""",
    },
    {
        "task": "contrastive_loss",
        "right": True,
        "why": "mean over the questions that have a wrong answer: if one has, all have, so it is the mean over N; else 0",
        "source": """
import torch
import torch.nn.functional as F
def contrastive_loss(questions, texts, topics, temperature):
    s = F.normalize(questions, dim=1) @ F.normalize(texts, dim=1).T / temperature
    other = topics[:, None] != topics[None]
    keep = other | torch.eye(len(s)).bool()
    each = s.masked_fill(~keep, -torch.inf).logsumexp(1) - s.diagonal()
    some = other.any(1)
    return each[some].sum() / some.sum().clamp(min=1)
""",
    },
    # sense_accuracy
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "matrix of cosines, diagonal minus infinity",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    n = len(vectors)
    if n < 2:
        raise ValueError("too few rows")
    unit = vectors / np.sqrt((vectors ** 2).sum(axis=1, keepdims=True))
    cosines = unit @ unit.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = cosines.argmax(axis=1)
    return float(np.mean([senses[i] == senses[j] for i, j in enumerate(nearest)]))
""",
    },
    {
        "task": "sense_accuracy",
        "right": True,
        "why": "two loops in pure Python",
        "source": """
import math
def sense_accuracy(vectors, senses):
    rows = [list(map(float, v)) for v in vectors]
    if len(rows) <= 1:
        raise ValueError
    def cosine(a, b):
        return math.fsum(x * y for x, y in zip(a, b)) / (math.hypot(*a) * math.hypot(*b))
    hits = 0
    for i, a in enumerate(rows):
        j = max((k for k in range(len(rows)) if k != i), key=lambda k: cosine(a, rows[k]))
        hits += senses[i] == senses[j]
    return hits / len(rows)
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "Euclidean distance ('nearest by cosine')",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    d = ((vectors[:, None] - vectors[None]) ** 2).sum(-1)
    np.fill_diagonal(d, np.inf)
    s = np.array(senses)
    return float((s == s[d.argmin(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "diagonal set to 0: a row whose cosines are all negative is its own nearest",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = unit @ unit.T
    np.fill_diagonal(c, 0)
    s = np.array(senses)
    return float((s == s[c.argmax(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "normalises in place ('leaves its arguments as they are')",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    c = vectors @ vectors.T
    np.fill_diagonal(c, -2)
    s = np.array(senses)
    return float((s == s[c.argmax(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "only one side is brought to length 1: long rows are near to everything",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = unit @ vectors.T
    np.fill_diagonal(c, -np.inf)
    s = np.array(senses)
    return float((s == s[c.argmax(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "size of the cosine: an opposite row counts as near",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = np.abs(unit @ unit.T)
    np.fill_diagonal(c, -1)
    s = np.array(senses)
    return float((s == s[c.argmax(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "one row: 0.0, only an empty array is refused ('ValueError: fewer than two rows')",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) == 0:
        raise ValueError
    if len(vectors) == 1:
        return 0.0
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = unit @ unit.T
    np.fill_diagonal(c, -2)
    s = np.array(senses)
    return float((s == s[c.argmax(1)]).mean())
""",
    },
    {
        "task": "sense_accuracy",
        "right": False,
        "why": "senses that occur once are left out of the share",
        "source": """
import numpy as np
def sense_accuracy(vectors, senses):
    if len(vectors) < 2:
        raise ValueError
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    c = unit @ unit.T
    np.fill_diagonal(c, -2)
    near = c.argmax(1)
    rows = [i for i in range(len(senses)) if list(senses).count(senses[i]) > 1]
    return sum(senses[i] == senses[near[i]] for i in rows) / len(rows) if rows else 0.0
""",
    },
    # pseudo_log_likelihood
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "loop",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    total = 0.0
    for t, word in enumerate(ids):
        if word not in special_ids:
            total += float(log_probs[t][t][word])
    return total
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": True,
        "why": "numpy fancy indices of the scored ones",
        "source": """
import numpy as np
def pseudo_log_likelihood(ids, log_probs, special_ids):
    special = set(special_ids)
    where = [t for t in range(len(ids)) if ids[t] not in special]
    if not where:
        return 0.0
    words = np.array([ids[t] for t in where])
    return float(log_probs[where, where, words].sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "special tokens by a weight of 0: 0 times minus infinity is NaN ('some may be minus infinity')",
        "source": """
import numpy as np
def pseudo_log_likelihood(ids, log_probs, special_ids):
    if len(ids) == 0:
        return 0.0
    t = np.arange(len(ids))
    weights = np.array([0.0 if i in special_ids else 1.0 for i in ids])
    return float((weights * log_probs[t, t, np.array(ids)]).sum())
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "minus infinity is skipped: an impossible word costs nothing",
        "source": """
import math
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [float(log_probs[t, t, w]) for t, w in enumerate(ids) if w not in special_ids]
    return math.fsum(s for s in scores if math.isfinite(s))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "reads one run for all positions (run 0), which does not hide them",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[0, t, w] for t, w in enumerate(ids) if w not in special_ids))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "mean instead of sum",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    scores = [float(log_probs[t, t, w]) for t, w in enumerate(ids) if w not in special_ids]
    return sum(scores) / len(scores) if scores else 0.0
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "takes the first and last place to be the special ones, wherever special_ids stand",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    return float(sum(log_probs[t, t, ids[t]] for t in range(1, len(ids) - 1)))
""",
    },
    {
        "task": "pseudo_log_likelihood",
        "right": False,
        "why": "a word that occurs twice is scored once",
        "source": """
def pseudo_log_likelihood(ids, log_probs, special_ids):
    words = {w: t for t, w in enumerate(ids) if w not in special_ids}
    return float(sum(log_probs[t, t, w] for w, t in words.items()))
""",
    },
]
