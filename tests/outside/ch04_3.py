"""Answers to chapter 04, written from its page alone: the third round."""

ANSWERS = [
    # pad_batch
    {
        "task": "pad_batch",
        "right": True,
        "why": "zip_longest with the pad as filling, mask from the lengths",
        "source": """
from itertools import zip_longest
import torch
def pad_batch(rows, pad_id):
    lengths = [len(row) for row in rows]
    if not lengths or not all(lengths):
        raise ValueError("empty")
    ids = torch.tensor(list(zip_longest(*rows, fillvalue=pad_id)), dtype=torch.int64).T
    mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "a full tensor, filled row by row, both at once",
        "source": """
import torch
def pad_batch(rows, pad_id):
    if len(rows) == 0 or min(map(len, rows)) == 0:
        raise ValueError("empty")
    size = (len(rows), max(map(len, rows)))
    ids = torch.full(size, pad_id, dtype=torch.long)
    mask = torch.zeros(size, dtype=torch.bool)
    for b, row in enumerate(rows):
        ids[b, :len(row)] = torch.tensor(row)
        mask[b, :len(row)] = True
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask read off the ids; breaks 'The mask has to come from the lengths' / 'A row may hold the pad's own number'",
        "source": """
import torch
def pad_batch(rows, pad_id):
    if not rows or any(not row for row in rows):
        raise ValueError("empty")
    S = max(len(row) for row in rows)
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows])
    return ids, ids != pad_id
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "appends to the rows themselves; breaks 'which stay as they are'",
        "source": """
import torch
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("empty")
    lengths = [len(row) for row in rows]
    S = max(lengths)
    for row in rows:
        row += [pad_id] * (S - len(row))
    mask = torch.arange(S)[None] < torch.tensor(lengths)[:, None]
    return torch.tensor(rows), mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "pads on the left; breaks 'at the end'",
        "source": """
import torch
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    ids = torch.tensor([[pad_id] * (S - len(r)) + list(r) for r in rows])
    mask = torch.tensor([[False] * (S - len(r)) + [True] * len(r) for r in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "only a batch of empty rows raises, one empty row among others passes; breaks 'ValueError: ... or a row is empty'",
        "source": """
import torch
def pad_batch(rows, pad_id):
    S = max((len(r) for r in rows), default=0)
    if S == 0:
        raise ValueError("empty")
    ids = torch.tensor([list(r) + [pad_id] * (S - len(r)) for r in rows])
    mask = torch.tensor([[True] * len(r) + [False] * (S - len(r)) for r in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask of int64 ones and zeros; breaks 'a tensor of bool'",
        "source": """
import torch
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    ids = torch.tensor([list(r) + [pad_id] * (S - len(r)) for r in rows])
    return ids, torch.tensor([[1] * len(r) + [0] * (S - len(r)) for r in rows])
""",
    },
    # teacher_pairs
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "one sequence with both marks, cut twice",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    whole = ([start_id, *row, stop_id] for row in rows)
    return [(tokens[:-1], tokens[1:]) for tokens in whole]
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "grown token by token",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        given, wanted = [start_id], []
        for token in row:
            given.append(token)
            wanted.append(token)
        wanted.append(stop_id)
        pairs.append((given, wanted))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "appends the stop token to the row; breaks 'all stay as they are' and 'two new lists'",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        given = [start_id] + row
        row.append(stop_id)
        pairs.append((given, row))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "empty rows are skipped; breaks 'one for each row ... for an empty row the start token and the stop token'",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + [stop_id]) for row in rows if row]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "a row that ends with the stop token's id gets no other one; breaks 'to be predicted, with a stop token at the end' / 'two new lists of one length'",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        given = [start_id] + list(row)
        wanted = list(row)
        if not wanted or wanted[-1] != stop_id:
            wanted.append(stop_id)
        pairs.append((given, wanted))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the decoder is given the stop token, too; breaks 'two new lists of one length'",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row + [stop_id], row + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "a row whose first token has the start token's id loses that token; breaks 'as what is given, behind a start token' (the right answer has it twice)",
        "source": """
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        body = list(row)
        if body and body[0] == start_id:
            body = body[1:]
        pairs.append(([start_id] + body, body + [stop_id]))
    return pairs
""",
    },
    # sampled_inputs
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "torch.where with a choice matrix whose first column is forced",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes")
    teacher = coins < ratio
    teacher[:, 0] = True
    return torch.where(teacher, target, sampled)
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "a copy of the samples, into which the teacher's tokens are written",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1 or len({tuple(t.shape) for t in (target, sampled, coins)}) != 1:
        raise ValueError("ratio or shapes")
    read = sampled.clone()
    for b, t in (coins < ratio).nonzero().tolist():
        read[b, t] = target[b, t]
    read[:, :1] = target[:, :1]
    return read
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the first column is sampled like the others; breaks 'The first token is always the start token'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    return torch.where(coins < ratio, target, sampled)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "coins <= ratio: a coin equal to the ratio (0.0 at ratio 0) takes the teacher; breaks 'a coin below the ratio takes the teacher's token'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    out = torch.where(coins <= ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "shapes that broadcast (coins of shape (1, T) or (B, 1)) pass; breaks 'ValueError: ... the shapes of target, sampled and coins differ'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape:
        raise ValueError("ratio or shapes")
    try:
        out = torch.where(coins < ratio, target, sampled)
    except RuntimeError as error:
        raise ValueError("shapes") from error
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "for ratio 1 the target itself comes back; breaks 'A new tensor'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    if ratio == 1:
        return target
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "ratio 0 or 1 raises; breaks 'ratio ... 0 to 1' / 'outside 0 to 1'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 < ratio < 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "writes the samples into the target; breaks 'A function leaves its arguments as they are'",
        "source": """
import torch
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    own = coins >= ratio
    own[:, 0] = False
    target[own] = sampled[own]
    return target.clone()
""",
    },
    # source_weights
    {
        "task": "source_weights",
        "right": True,
        "why": "masked fill with -inf, rows without a kept token filled with 0 instead, zeros at the end",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    empty = ~attention_mask.any(dim=1, keepdim=True)
    safe = scores.masked_fill(~attention_mask, -torch.inf).masked_fill(empty, 0.0)
    return torch.softmax(safe, dim=1).masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "by hand: exp of the kept scores minus their own maximum",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype is not torch.bool or scores.size() != attention_mask.size():
        raise ValueError("mask")
    zero = torch.zeros_like(scores)
    lowest = torch.full_like(scores, torch.finfo(scores.dtype).min)
    top = torch.where(attention_mask, scores, lowest).detach().amax(dim=1, keepdim=True)
    shifted = torch.where(attention_mask, scores - top, zero)
    parts = torch.where(attention_mask, shifted.exp(), zero)
    total = parts.sum(dim=1, keepdim=True)
    return parts / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "row by row over the kept scores only",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or tuple(attention_mask.shape) != tuple(scores.shape):
        raise ValueError("mask")
    rows = []
    for row, keep in zip(scores, attention_mask):
        weights = row * 0
        weights = torch.zeros_like(row).masked_scatter(keep, torch.softmax(row[keep], dim=0)) + 0 * weights
        rows.append(weights)
    return torch.stack(rows)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "softmax of -inf and nan_to_num afterwards; tried: the gradient of an empty row is 0, since masked_fill stops the NaN on its way back",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    return torch.softmax(scores.masked_fill(~attention_mask, float("-inf")), dim=-1).nan_to_num(0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "-1e4 for masked scores: kept scores below that lose to the masked ones; breaks 'finite, but of any size' / a_j = 0 for the others",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    weights = torch.softmax(torch.where(attention_mask, scores, torch.full_like(scores, -1e4)), dim=-1)
    return weights * attention_mask.any(-1, keepdim=True)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, mask, divide again: a masked score far larger leaves 0/0; breaks 'a masked one may be far larger than the kept ones'",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    weights = torch.softmax(scores, dim=-1) * attention_mask
    total = weights.sum(-1, keepdim=True)
    return weights / total.clamp(min=1e-30)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a row in which nothing is kept gets equal weights; breaks 'all zeros when nothing is kept'",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    return torch.softmax(scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min), dim=-1)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask of another shape that broadcasts, (1, S) or (S,), passes; breaks 'ValueError: ... has another shape than the scores'",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool:
        raise ValueError("mask")
    keep = attention_mask.expand_as(scores)
    empty = ~keep.any(-1, keepdim=True)
    filled = scores.masked_fill(~keep, float("-inf")).masked_fill(empty, 0.0)
    return torch.softmax(filled, -1).masked_fill(~keep, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "computed in float32 and left so; breaks 'of the scores' dtype' for float64",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    empty = ~attention_mask.any(-1, keepdim=True)
    filled = scores.masked_fill(~attention_mask, float("-inf")).masked_fill(empty, 0.0)
    return torch.softmax(filled, dim=-1, dtype=torch.float32).masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask of 0 and 1 (int) is converted instead of refused; breaks 'ValueError: the mask is not bool'",
        "source": """
import torch
def source_weights(scores, attention_mask):
    if attention_mask.shape != scores.shape:
        raise ValueError("mask")
    keep = attention_mask.bool()
    empty = ~keep.any(-1, keepdim=True)
    filled = scores.masked_fill(~keep, float("-inf")).masked_fill(empty, 0.0)
    return torch.softmax(filled, -1).masked_fill(~keep, 0.0)
""",
    },
    # dot_attention
    {
        "task": "dot_attention",
        "right": True,
        "why": "einsum for both products, softmax with -inf and safe empty rows",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    dead = ~attention_mask
    none = dead.all(dim=1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(dead, -torch.inf).masked_fill(none, 0.0), dim=1)
    weights = weights.masked_fill(dead, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "pair by pair in a loop over the batch, softmax over the kept states only",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    contexts, all_weights = [], []
    for q, states, keep in zip(query, keys, attention_mask):
        weights = torch.zeros_like(states[:, 0]) + 0 * (states @ q).clamp(-1, 1)
        if keep.any():
            places = keep.nonzero()[:, 0]
            weights = weights.index_add(0, places, torch.softmax(states[places] @ q, dim=0))
        contexts.append(weights @ states)
        all_weights.append(weights)
    return torch.stack(contexts), torch.stack(all_weights)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "divides by the root of D; breaks e_j = q . h_j (that is chapter 05; right for D = 1)",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1) / query.shape[-1] ** 0.5
    empty = ~attention_mask.any(-1, keepdim=True)
    w = torch.softmax(scores.masked_fill(~attention_mask, -torch.inf).masked_fill(empty, 0.0), -1)
    w = w.masked_fill(~attention_mask, 0.0)
    return (w.unsqueeze(1) @ keys).squeeze(1), w
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "where nothing is kept the weights are zeros but the context is the plain mean; breaks 'Where nothing is kept, both are zeros'",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    low = torch.finfo(scores.dtype).min
    w = torch.softmax(scores.masked_fill(~attention_mask, low), -1)
    context = torch.einsum("bs,bsd->bd", w, keys)
    return context, w * attention_mask
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "squeeze() without a dimension: batch of one loses its dimension; breaks 'context (B, D) and weights (B, S)'",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze(2)
    empty = ~attention_mask.any(-1, keepdim=True)
    w = torch.softmax(scores.masked_fill(~attention_mask, -torch.inf).masked_fill(empty, 0.0), -1)
    w = w.masked_fill(~attention_mask, 0.0)
    return torch.bmm(w.unsqueeze(1), keys).squeeze(), w
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "masked scores become 0 before the softmax (multiplied by the mask) and the weights are masked but not normalised; breaks 'softmax(e) over the kept'",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    w = torch.softmax(scores * attention_mask, dim=-1) * attention_mask
    return torch.einsum("bs,bsd->bd", w, keys), w
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "the weights are detached for the context; breaks 'through which the gradient flows' (none reaches the query from the context)",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    empty = ~attention_mask.any(-1, keepdim=True)
    w = torch.softmax(scores.masked_fill(~attention_mask, -torch.inf).masked_fill(empty, 0.0), -1)
    w = w.masked_fill(~attention_mask, 0.0)
    return torch.einsum("bs,bsd->bd", w.detach(), keys), w
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "exp by hand with the maximum of all scores: a far larger masked one leaves 0/0; breaks 'a masked one may be far larger than the kept ones'",
        "source": """
import torch
def dot_attention(query, keys, attention_mask):
    scores = (query[:, None] * keys).sum(-1)
    e = torch.exp(scores - scores.max(1, keepdim=True).values) * attention_mask
    w = e / e.sum(1, keepdim=True).clamp_min(1e-20)
    return (w[:, :, None] * keys).sum(1), w
""",
    },
    # additive_scores
    {
        "task": "additive_scores",
        "right": True,
        "why": "broadcast sum of two linear maps, product with v",
        "source": """
import torch
import torch.nn.functional as F
def additive_scores(query, keys, W, U, v):
    return torch.tanh(F.linear(query, W)[:, None, :] + F.linear(keys, U)) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "one matrix (W U) on query and key joined",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    B, S, _ = keys.shape
    joined = torch.cat([query.unsqueeze(1).expand(B, S, -1), keys], dim=2)
    hidden = torch.einsum("bsd,ad->bsa", joined, torch.hstack([W, U])).tanh()
    return torch.einsum("bsa,a->bs", hidden, v)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "no unsqueeze: (B, A) + (B, S, A) adds the query of pair s to state s when B = S (right for B = 1, a crash otherwise); breaks e_j = v tanh(W q + U h_j)",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    return torch.tanh(query @ W.T + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "tanh of each part, then the sum; breaks tanh(W q + U h_j)",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    return (torch.tanh(query @ W.T).unsqueeze(1) + torch.tanh(keys @ U.T)) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "squeeze of the result: B = 1 or S = 1 loses a dimension; breaks 'The scores, (B, S)'",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return (hidden @ v.unsqueeze(-1)).squeeze()
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "softmax of the scores; breaks 'Return the additive scores'",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return torch.softmax(hidden @ v, dim=-1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the query's part is made without gradient; breaks 'The gradient must flow through them to all five'",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    with torch.no_grad():
        asked = (query @ W.T).unsqueeze(1)
    return torch.tanh(asked + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "filled into a float32 tensor; breaks 'of the element type of the arguments' for float64",
        "source": """
import torch
def additive_scores(query, keys, W, U, v):
    B, S = keys.shape[:2]
    scores = torch.zeros(B, S)
    for s in range(S):
        scores[:, s] = torch.tanh(query @ W.T + keys[:, s] @ U.T) @ v
    return scores
""",
    },
    # alignment_share
    {
        "task": "alignment_share",
        "right": True,
        "why": "argmax per row, list of hits",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = [int(row.argmax()) in right for row, right in zip(weights, gold) if right]
    if not hits:
        raise ValueError("no target word comes from anywhere")
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "a table of right positions, picked with gather",
        "source": """
import torch
def alignment_share(weights, gold):
    T, S = weights.shape
    right = torch.zeros(T, S, dtype=torch.bool)
    counted = torch.zeros(T, dtype=torch.bool)
    for t, positions in enumerate(gold):
        for s in positions or []:
            counted[t] = True
            if s < S:
                right[t, s] = True
    if not counted.any():
        raise ValueError("nothing to align")
    hit = right.gather(1, weights.topk(1, dim=1).indices)[:, 0]
    return hit[counted].double().mean().item()
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "'if None' only: an empty list counts as a miss; breaks 'None or an empty list for a target word that comes from nowhere'",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = n = 0
    for row, right in zip(weights, gold):
        if right is None:
            continue
        n += 1
        hits += int(row.argmax()) in right
    if n == 0:
        raise ValueError("nothing")
    return hits / n
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "divides by all target words; breaks 'over the target words that come from somewhere'",
        "source": """
import torch
def alignment_share(weights, gold):
    if not any(gold):
        raise ValueError("nothing")
    hits = sum(int(row.argmax()) in right for row, right in zip(weights, gold) if right)
    return hits / len(gold)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "only the first right position counts; breaks 'so either will do' / 'the right positions'",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = [row.argmax().item() == right[0] for row, right in zip(weights, gold) if right]
    if len(hits) == 0:
        raise ValueError("nothing")
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "position 0 alone counts as 'from nowhere' (any() of [0] is False); breaks 'the right positions ..., a list of int from 0 up'",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = n = 0
    for row, right in zip(weights, gold):
        if right and any(right):
            n += 1
            hits += row.argmax().item() in right
    if n == 0:
        raise ValueError("nothing")
    return hits / n
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "right positions must hold more than half of the weight, instead of the largest; breaks 'whose largest weight is on a source word that they come from'",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = n = 0
    for row, right in zip(weights, gold):
        if right:
            n += 1
            hits += bool(sum(row[s] for s in right if s < len(row)) > 0.5)
    if n == 0:
        raise ValueError("nothing")
    return hits / n
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "nothing to count gives 0.0; breaks 'ValueError: no target word comes from anywhere'",
        "source": """
import torch
def alignment_share(weights, gold):
    hits = [int(row.argmax()) in right for row, right in zip(weights, gold) if right]
    return sum(hits) / max(1, len(hits))
""",
    },
    # greedy_decode
    {
        "task": "greedy_decode",
        "right": True,
        "why": "while loop, max over the range of ids",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    sentence = []
    while len(sentence) < max_length:
        probs = next_probs([start_id] + sentence)
        token = max(range(len(probs)), key=probs.__getitem__)
        if token == stop_id:
            return sentence, True
        sentence.append(token)
    return sentence, False
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "recursion, NumPy argmax",
        "source": """
import numpy as np
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    def go_on(tokens, left):
        if left == 0:
            return tokens[1:], False
        token = int(np.argmax(next_probs(list(tokens))))
        return (tokens[1:], True) if token == stop_id else go_on(tokens + [token], left - 1)
    return go_on([start_id], max_length)
""",
    },
    {
        "task": "greedy_decode",
        "right": None,
        "why": "removes every start token from the result, also one that the model has chosen ('without start and stop' can be read so)",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    tokens = [start_id]
    for _ in range(max_length):
        probs = next_probs(list(tokens))
        tokens.append(probs.index(max(probs)))
        if tokens[-1] == stop_id:
            break
    return [t for t in tokens if t not in (start_id, stop_id)], tokens[-1] == stop_id
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "max_length tokens besides the stop token; breaks 'how many tokens may be chosen, the stop token among them'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    tokens = [start_id]
    while True:
        probs = next_probs(list(tokens))
        token = probs.index(max(probs))
        if token == stop_id:
            return tokens[1:], True
        if len(tokens) - 1 == max_length:
            return tokens[1:], False
        tokens.append(token)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "finished only if the limit was not reached: a stop token as the last allowed choice counts as unfinished; breaks 'whether the stop token came'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    tokens = [start_id]
    steps = 0
    while steps < max_length:
        probs = next_probs(list(tokens))
        token = probs.index(max(probs))
        steps += 1
        if token == stop_id:
            break
        tokens.append(token)
    return tokens[1:], steps < max_length
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "shows the model only the last token; breaks 'a function that takes the list of tokens so far, the start token first'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    out, last = [], start_id
    for _ in range(max_length):
        probs = next_probs([last])
        last = probs.index(max(probs))
        if last == stop_id:
            return out, True
        out.append(last)
    return out, False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "a limit of 0 or less gives an empty sentence; breaks 'ValueError: max_length is below 1'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    tokens = [start_id]
    for _ in range(max_length):
        probs = next_probs(list(tokens))
        token = probs.index(max(probs))
        if token == stop_id:
            return tokens[1:], True
        tokens.append(token)
    return tokens[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "a start token chosen by the model ends the sentence, too; breaks 'until it says the stop token'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    tokens = [start_id]
    for _ in range(max_length):
        probs = next_probs(list(tokens))
        token = probs.index(max(probs))
        if token in (start_id, stop_id):
            return tokens[1:], True
        tokens.append(token)
    return tokens[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the stop token is left in the result; breaks 'The tokens without start and stop'",
        "source": """
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    tokens = [start_id]
    for _ in range(max_length):
        probs = next_probs(list(tokens))
        tokens.append(probs.index(max(probs)))
        if tokens[-1] == stop_id:
            return tokens[1:], True
    return tokens[1:], False
""",
    },
    # beam_step
    {
        "task": "beam_step",
        "right": True,
        "why": "flatten, topk, divmod by V",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("beam_size or rows")
    V = next_log_probs.shape[1]
    candidates = (totals.unsqueeze(1) + next_log_probs).reshape(-1)
    best, places = candidates.topk(min(beam_size, candidates.numel()))
    return best.to(totals.dtype), torch.div(places, V, rounding_mode="floor"), places % V
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "heapq over a generator of triples, tensors at the end",
        "source": """
import heapq
import torch
def beam_step(totals, next_log_probs, beam_size):
    k, V = next_log_probs.shape
    if beam_size < 1 or len(totals) != k:
        raise ValueError("beam_size or rows")
    table = totals[:, None] + next_log_probs
    triples = ((table[i, j].item(), i, j) for i in range(k) for j in range(V))
    kept = heapq.nlargest(beam_size, triples)
    values, parents, tokens = zip(*kept)
    return (torch.tensor(values, dtype=totals.dtype), torch.tensor(parents, dtype=torch.int64),
            torch.tensor(tokens, dtype=torch.int64))
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "totals added along the wrong axis (silent if k = V or k = 1); breaks 'the log-probabilities of the k hypotheses so far' (row i belongs to hypothesis i)",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    flat = (totals[None, :] + next_log_probs).flatten() if k == V else (totals[:, None] + next_log_probs).flatten()
    best, i = flat.topk(min(beam_size, k * V))
    return best, i // V, i % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the best continuation of each hypothesis only, then the best of those (missing ones filled up afterwards); breaks 'The best beam_size of all of them are kept, ... one hypothesis may go on twice'",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    n = min(beam_size, k * V)
    flat = (totals[:, None] + next_log_probs).flatten()
    first = next_log_probs.argmax(1) + torch.arange(k) * V
    first = first[flat[first].argsort(descending=True)]
    others = [i for i in flat.argsort(descending=True).tolist() if i not in set(first.tolist())]
    chosen = torch.tensor((first.tolist() + others)[:n], dtype=torch.int64)
    return flat[chosen], chosen // V, chosen % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "impossible candidates are dropped: fewer than beam_size come back; breaks 'Each has the shape (beam_size,), or (k * V,) if that is less'",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    best, i = (totals[:, None] + next_log_probs).flatten().topk(min(beam_size, k * V))
    possible = best > -torch.inf
    best, i = best[possible], i[possible]
    return best, i // V, i % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "multiplies probabilities: log-probabilities below -745 become minus infinity; breaks 'The new totals' (the sum of log-probabilities)",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    products = totals.exp()[:, None] * next_log_probs.exp()
    best, i = products.flatten().topk(min(beam_size, k * V))
    return best.log(), i // V, i % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "one total with several rows broadcasts; breaks 'ValueError: ... next_log_probs has not one row for each hypothesis'",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size")
    try:
        flat = (totals[:, None] + next_log_probs).flatten()
    except RuntimeError:
        raise ValueError("rows")
    V = next_log_probs.shape[1]
    best, i = flat.topk(min(beam_size, flat.numel()))
    return best, i // V, i % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "kept ones in the order of the table, not the best first; breaks 'the best first'",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    flat = (totals[:, None] + next_log_probs).flatten()
    i = flat.topk(min(beam_size, k * V)).indices.sort().values
    return flat[i], i // V, i % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "parents by i / V, which are floats; breaks 'both int64'",
        "source": """
import torch
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam_size or rows")
    k, V = next_log_probs.shape
    best, i = (totals[:, None] + next_log_probs).flatten().topk(min(beam_size, k * V))
    return best, torch.floor(i / V), i % V
""",
    },
    # best_hypothesis
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "max with a key; max takes the first of equals",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    def score(pair):
        return pair[1] / ((5 + len(pair[0])) / 6) ** alpha
    winner = max(hypotheses, key=score)
    return list(winner[0]), float(score(winner))
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "NumPy arrays and argmax",
        "source": """
import numpy as np
def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) == 0 or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    logs = np.array([p for _, p in hypotheses], dtype=float)
    penalty = np.array([(5 + len(ids)) / 6 for ids, _ in hypotheses]) ** alpha
    place = int(np.argmax(logs / penalty))
    return hypotheses[place][0], float(logs[place] / penalty[place])
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": ">= keeps the last of equals; breaks 'of equals the first'",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    best, best_ids = float("-inf"), None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if score >= best:
            best, best_ids = score, ids
    return best_ids, float(best)
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "the search starts at -1e3: log-probabilities below it are never taken; breaks 'log_prob is at most 0' (any size)",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    best, best_ids = -1e3, []
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if score > best:
            best, best_ids = score, ids
    return best_ids, float(best)
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "divides by n to the alpha, an empty one by 1; breaks ((5 + n) / 6)^alpha",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    scored = [(ids, p / max(len(ids), 1) ** alpha) for ids, p in hypotheses]
    return max(scored, key=lambda pair: pair[1])
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "sorts tuples (score, ids): of equals the one with the larger ids; breaks 'of equals the first'",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    score, ids = max((p / ((5 + len(ids)) / 6) ** alpha, ids) for ids, p in hypotheses)
    return ids, float(score)
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "the empty hypothesis is skipped if there are others; breaks 'its length is n and may be 0'",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or negative alpha")
    rest = [h for h in hypotheses if h[0]] or hypotheses
    winner = max(rest, key=lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha)
    return winner[0], winner[1] / ((5 + len(winner[0])) / 6) ** alpha
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "alpha 0 raises; breaks 'alpha: a number, 0 or more; 0 leaves the log-probabilities as they are'",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha <= 0:
        raise ValueError("no hypotheses or alpha")
    winner = max(hypotheses, key=lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha)
    return winner[0], winner[1] / ((5 + len(winner[0])) / 6) ** alpha
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "the winner by score, but its log-probability is returned; breaks 'the ids (a list) and the score'",
        "source": """
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses or alpha")
    winner = max(hypotheses, key=lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha)
    return winner[0], winner[1]
""",
    },
]
