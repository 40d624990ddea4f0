ANSWERS = [
    {
        "task": "pad_batch",
        "right": True,
        "why": "torch.full, rows filled in",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("no rows, or an empty one")
    S = max(len(row) for row in rows)
    ids = torch.full((len(rows), S), pad_id, dtype=torch.int64)
    for b, row in enumerate(rows):
        ids[b, :len(row)] = torch.tensor(row, dtype=torch.int64)
    lengths = torch.tensor([len(row) for row in rows])
    return ids, torch.arange(S) < lengths[:, None]
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "itertools.zip_longest over (token, True) pairs, as a named tuple",
        "source": r"""
from collections import namedtuple

Batch = namedtuple("Batch", "ids attention_mask")


def pad_batch(rows, pad_id):
    if len(rows) == 0 or min(map(len, rows)) == 0:
        raise ValueError("rows must not be empty")
    marked = [[(token, True) for token in row] for row in rows]
    columns = list(itertools.zip_longest(*marked, fillvalue=(pad_id, False)))
    ids = torch.tensor([[pair[0] for pair in column] for column in columns], dtype=torch.long).T
    mask = torch.tensor([[pair[1] for pair in column] for column in columns], dtype=torch.bool).T
    return Batch(ids, mask)
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask read off the ids: 'A row may hold the pad's own number as a token'",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    ids = torch.tensor([row + [pad_id] * (S - len(row)) for row in rows])
    return ids, ids != pad_id
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "pads the lists of the caller: rows 'stay as they are'",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    mask = torch.tensor([[j < len(row) for j in range(S)] for row in rows])
    for row in rows:
        while len(row) < S:
            row.append(pad_id)
    return torch.tensor(rows), mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "an empty row raises no ValueError (only no rows at all)",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows:
        raise ValueError("no rows")
    S = max(map(len, rows))
    ids = torch.tensor([list(row) + [pad_id] * (S - len(row)) for row in rows], dtype=torch.long)
    mask = torch.tensor([[True] * len(row) + [False] * (S - len(row)) for row in rows], dtype=torch.bool)
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "built in a float32 tensor: ids above 2 ** 24 are rounded, e.g. 16777217 becomes 16777216",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    ids = torch.ones(len(rows), S) * pad_id
    mask = torch.zeros(len(rows), S)
    for b, row in enumerate(rows):
        for j, token in enumerate(row):
            ids[b, j] = token
            mask[b, j] = 1
    return ids.long(), mask.bool()
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "fills up with 0 whatever pad_id is",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("empty")
    ids = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
    mask = nn.utils.rnn.pad_sequence([torch.ones(len(row), dtype=torch.bool) for row in rows], batch_first=True)
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "ids of int32 instead of int64",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError("empty")
    S = max(map(len, rows))
    ids = np.full((len(rows), S), pad_id, dtype=np.int32)
    mask = np.zeros((len(rows), S), dtype=bool)
    for b, row in enumerate(rows):
        ids[b, :len(row)] = row
        mask[b, :len(row)] = True
    return torch.from_numpy(ids), torch.from_numpy(mask)
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "comprehension",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + list(row), list(row) + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "clumsy loops, pairs as lists",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    answer = []
    for i in range(len(rows)):
        whole = [start_id]
        for token in rows[i]:
            whole.append(token)
        whole.append(stop_id)
        answer.append([whole[:-1], whole[1:]])
    return answer
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "appends the stop token to the row of the caller: 'all stay as they are'",
        "source": r"""
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
        "why": "skips empty rows: 'one for each row ... for an empty row the start token and the stop token'",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        if row:
            pairs.append(([start_id, *row], [*row, stop_id]))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the stop token is given, too: lists of one more than wanted",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row + [stop_id], row + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "a row ends at the first stop_id in it: tokens after it are lost (nothing forbids such a token)",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        given, wanted = [start_id], []
        for token in row:
            if token == stop_id:
                break
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
        "why": "pairs kept in a dict by row: equal rows get one pair only ('one for each row')",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    table = {}
    for row in rows:
        table[tuple(row)] = ([start_id] + list(row), list(row) + [stop_id])
    return list(table.values())
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the same two list objects are used for every row: all pairs hold the last row",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    given, wanted = [], []
    pairs = []
    for row in rows:
        given[:] = [start_id] + list(row)
        wanted[:] = list(row) + [stop_id]
        pairs.append((given, wanted))
    return pairs
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "torch.where, first column set",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if not (target.shape == sampled.shape == coins.shape):
        raise ValueError("shapes differ")
    result = torch.where(coins < ratio, target, sampled)
    result[:, 0] = target[:, 0]
    return result
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "copy of the target, loops over the places",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1:
        raise ValueError("ratio must be from 0 to 1")
    if target.size() != sampled.size() or target.size() != coins.size():
        raise ValueError("the shapes must be the same")
    own = coins >= ratio
    out = target.clone()
    for b in range(out.shape[0]):
        for t in range(1, out.shape[1]):
            if own[b, t]:
                out[b, t] = sampled[b, t]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "coin equal to the ratio takes the teacher's token: 'a coin below the ratio' (ratio 0, coin 0)",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("bad arguments")
    result = torch.where(coins <= ratio, target, sampled)
    result[:, 0] = target[:, 0]
    return result
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "writes the samples into the target of the caller",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("bad arguments")
    own = coins >= ratio
    own[:, 0] = False
    target[own] = sampled[own]
    return target
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the shape of coins is not compared: coins (1, T) are broadcast instead of a ValueError",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape:
        raise ValueError("shapes")
    teacher = coins < ratio
    rest = torch.where(teacher[:, 1:], target[:, 1:], sampled[:, 1:])
    return torch.cat([target[:, :1], rest], dim=1)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the start token is subject to the coin, too (right only if its coin is low or both agree)",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("bad arguments")
    take = (coins < ratio).long()
    return take * target + (1 - take) * sampled
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "for ratio 1 the target itself is returned: 'A new tensor'",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("bad arguments")
    if ratio == 1:
        return target
    result = torch.where(coins < ratio, target, sampled)
    result[:, 0] = target[:, 0]
    return result
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "only the first row gets its start token back: right for B = 1",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("bad arguments")
    result = torch.where(coins < ratio, target, sampled)
    result[0, 0] = target[0, 0]
    return result
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "masked_fill with -inf, empty rows replaced before the softmax",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("bool mask of the shape of the scores, please")
    some = attention_mask.any(dim=1, keepdim=True)
    hidden = scores.masked_fill(~attention_mask, float("-inf"))
    hidden = torch.where(some, hidden, torch.zeros_like(scores))
    weights = torch.softmax(hidden, dim=1)
    return torch.where(some, weights, torch.zeros_like(weights))
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "row by row, softmax of the kept entries only, put back with index_put",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype is not torch.bool:
        raise ValueError("the mask must be bool")
    if attention_mask.shape != scores.shape:
        raise ValueError("the mask has another shape")
    result = scores * 0
    for b in range(len(scores)):
        where = attention_mask[b].nonzero().flatten()
        if len(where):
            kept = F.softmax(scores[b].index_select(0, where), 0)
            result = result.index_put((torch.full_like(where, b), where), kept)
    return result
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, then masked and divided by the sum: 0 / 0 when a masked score is far larger",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    w = torch.softmax(scores, dim=1) * attention_mask
    total = w.sum(dim=1, keepdim=True)
    return w / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "NaN replaced after the softmax with torch.where; masked_fill zeroes the gradient of masked scores, so that it is right",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    w = torch.softmax(scores.masked_fill(~attention_mask, float("-inf")), dim=1)
    return torch.where(torch.isnan(w), torch.zeros_like(w), w)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "adds a mask of 0 and -inf and replaces NaN after the softmax: the gradient of a row in which nothing is kept is NaN, not zero",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    extra = torch.zeros_like(scores).masked_fill(~attention_mask, float("-inf"))
    w = torch.softmax(scores + extra, dim=1)
    return torch.nan_to_num(w, nan=0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "-1e9 for masked entries: kept scores of -1e12 lose against them ('of any size')",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    w = torch.softmax(torch.where(attention_mask, scores, torch.full_like(scores, -1e9)), dim=1)
    return w * attention_mask.any(dim=1, keepdim=True)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a row in which nothing is kept gets equal weights 1 / S",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    top = torch.where(attention_mask, scores, torch.full_like(scores, -math.inf)).amax(1, keepdim=True)
    filled = torch.where(attention_mask, scores, torch.full_like(scores, -math.inf))
    filled = torch.where(torch.isinf(top), torch.zeros_like(filled), filled)
    return torch.softmax(filled, dim=1)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask (1, S) or (S,) is broadcast: 'ValueError: the mask ... has another shape than the scores'",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool:
        raise ValueError("mask must be bool")
    mask = attention_mask.expand_as(scores)
    some = mask.any(dim=1, keepdim=True)
    filled = torch.where(mask | ~some, scores, torch.full_like(scores, float("-inf")))
    return torch.softmax(filled, dim=1) * some
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "exp of the scores without subtracting the largest one: NaN for scores of 1000",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    e = torch.exp(torch.where(attention_mask, scores, torch.zeros_like(scores))) * attention_mask
    total = e.sum(1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "einsum",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    some = attention_mask.any(dim=-1, keepdim=True)
    scores = torch.where(attention_mask, scores, torch.full_like(scores, -torch.inf))
    weights = torch.softmax(torch.where(some, scores, torch.zeros_like(scores)), dim=-1)
    weights = torch.where(some, weights, torch.zeros_like(weights))
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "one source after the other, only its kept states",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    contexts, all_weights = [], []
    for q, h, mask in zip(query, keys, attention_mask):
        kept = h[mask]
        if kept.shape[0] == 0:
            contexts.append(q * 0)
            all_weights.append((h * 0).sum(dim=-1))
            continue
        e = kept @ q
        e = torch.exp(e - e.detach().max())
        a = e / e.sum()
        contexts.append(a @ kept)
        all_weights.append(torch.zeros(len(h), dtype=a.dtype).masked_scatter(mask, a))
    return torch.stack(contexts), torch.stack(all_weights)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "scores divided by the root of D: 'score each state by its dot product'",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query.unsqueeze(2)).squeeze(2) / math.sqrt(query.shape[1])
    some = attention_mask.any(1, keepdim=True)
    scores = scores.masked_fill(~attention_mask & some, float("-inf"))
    weights = torch.softmax(scores, dim=1) * some
    return (weights.unsqueeze(1) @ keys).squeeze(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "squeeze() without an axis: wrong shapes for S = 1 with several sources",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze()
    some = attention_mask.any(1, keepdim=True)
    scores = torch.where(attention_mask | ~some, scores, torch.full_like(scores, float("-inf")))
    weights = torch.softmax(scores, dim=-1) * some
    context = torch.bmm(weights.unsqueeze(1), keys).squeeze(1)
    return context, weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "NaN where nothing is kept: 'Where nothing is kept, both are zeros'",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (query[:, None, :] * keys).sum(-1)
    weights = scores.masked_fill(~attention_mask, float("-inf")).softmax(-1)
    return (weights[:, :, None] * keys).sum(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "masked scores are set to 0 before the softmax: they still get weight, removed after it without dividing anew",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (query[:, None, :] * keys).sum(-1) * attention_mask
    weights = scores.softmax(-1) * attention_mask
    return (weights[:, :, None] * keys).sum(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "weights are detached for the context: no gradient to the query through it ('through which the gradient flows')",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    some = attention_mask.any(1, keepdim=True)
    scores = scores.masked_fill(~attention_mask & some, -math.inf)
    weights = scores.softmax(1).masked_fill(~some, 0.0)
    context = torch.einsum("bs,bsd->bd", weights.detach(), keys)
    return context, weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "softmax of all scores, masked and divided by the sum: a masked score that is far larger leaves 0 / (0 + eps)",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    weights = scores.softmax(1) * attention_mask
    weights = weights / (weights.sum(1, keepdim=True) + 1e-30)
    return (weights.unsqueeze(1) @ keys)[:, 0], weights
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "broadcasting",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return torch.tanh((query @ W.T)[:, None, :] + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "matrix times vector for each state, in a list",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    rows = []
    for b in range(query.shape[0]):
        from_query = W.mv(query[b])
        row = [torch.dot(v, torch.tanh(from_query + U.mv(state))) for state in keys[b]]
        rows.append(torch.stack(row))
    return torch.stack(rows)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "W q is broadcast along the wrong axis (1, B, A): right for B = 1, mixes up texts for B = S, fails otherwise",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    q = query @ W.T
    return torch.tanh(q + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "tanh of each part, then added: tanh(Wq) + tanh(Uh)",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    a = torch.tanh(torch.einsum("ad,bd->ba", W, query))
    b = torch.tanh(torch.einsum("ad,bsd->bsa", U, keys))
    return (a.unsqueeze(1) + b) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "scores are put into a new tensor with .item(): no gradient ('must flow through them to all five')",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    B, S = keys.shape[:2]
    out = torch.zeros(B, S, dtype=keys.dtype)
    for b in range(B):
        for s in range(S):
            out[b, s] = (v @ torch.tanh(W @ query[b] + U @ keys[b, s])).item()
    return out
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "buffer of float32: float64 arguments come back as float32",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    B, S = keys.shape[:2]
    out = torch.zeros(B, S)
    for b in range(B):
        out[b] = torch.tanh(W @ query[b] + keys[b] @ U.T) @ v
    return out
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "state and query are joined in this order, but W stands before U: shapes fit, numbers are wrong",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    B, S, _ = keys.shape
    both = torch.cat([keys, query.unsqueeze(1).expand(B, S, query.shape[1])], dim=2)
    return torch.tanh(both @ torch.cat([W, U], dim=1).T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the states are projected once under no_grad: no gradient to keys and U ('to all five')",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    with torch.no_grad():
        projected = keys @ U.T
    return (torch.tanh((query @ W.T).unsqueeze(1) + projected) * v).sum(dim=-1)
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "list of hits, sum / len",
        "source": r"""
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
        "why": "a bool table of the right positions, gather, NumPy float",
        "source": r"""
def alignment_share(weights, gold):
    rows = [t for t in range(len(gold)) if gold[t] is not None and len(gold[t]) > 0]
    if len(rows) == 0:
        raise ValueError("nothing to count")
    table = torch.zeros(weights.shape, dtype=torch.bool)
    for t in rows:
        table[t, list(gold[t])] = True
    where = weights.max(dim=1, keepdim=True).indices
    return np.mean(table.gather(1, where)[rows].numpy())
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "divides by all target words, those from nowhere among them (1 of 3 in a case like the example)",
        "source": r"""
def alignment_share(weights, gold):
    if not any(gold):
        raise ValueError("nothing")
    best = weights.argmax(dim=1).tolist()
    return sum(bool(g) and b in g for b, g in zip(best, gold)) / len(gold)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "compares with the first right position only ('either will do')",
        "source": r"""
def alignment_share(weights, gold):
    right = total = 0
    for row, positions in zip(weights, gold):
        if not positions:
            continue
        total += 1
        right += int(torch.argmax(row) == positions[0])
    if total == 0:
        raise ValueError("nothing")
    return right / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "only None counts as 'from nowhere': an empty list counts as a wrong word",
        "source": r"""
def alignment_share(weights, gold):
    kept = [(row, g) for row, g in zip(weights, gold) if g is not None]
    if not kept:
        raise ValueError("nothing")
    return sum(row.argmax().item() in g for row, g in kept) / len(kept)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "any(g) is False for [0]: words that come from position 0 are left out",
        "source": r"""
def alignment_share(weights, gold):
    total, right = 0, 0
    for t, g in enumerate(gold):
        if g is None or not any(g):
            continue
        total += 1
        if weights[t].argmax().item() in g:
            right += 1
    if total == 0:
        raise ValueError("nothing")
    return right / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "counts a weight above one half instead of the largest one",
        "source": r"""
def alignment_share(weights, gold):
    kept = [t for t, g in enumerate(gold) if g]
    if not kept:
        raise ValueError("nothing")
    return sum(any(weights[t, j].item() > 0.5 for j in gold[t]) for t in kept) / len(kept)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "returns 0.0 instead of a ValueError if no target word comes from anywhere",
        "source": r"""
def alignment_share(weights, gold):
    kept = [t for t, g in enumerate(gold) if g]
    if not kept:
        return 0.0
    best = weights.argmax(1)
    return sum(int(best[t]) in gold[t] for t in kept) / len(kept)
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "for loop",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(list(ids))
        token = max(range(len(probs)), key=probs.__getitem__)
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "recursion, NumPy argmax",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length <= 0:
        raise ValueError("at least one token must be allowed")

    def go_on(sentence, left):
        if left == 0:
            return sentence, False
        token = int(np.argmax(next_probs([start_id] + sentence)))
        if token == stop_id:
            return sentence, True
        return go_on(sentence + [token], left - 1)

    return go_on([], max_length)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "shows the model the last token only: 'takes the list of tokens so far'",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    out, last = [], start_id
    while len(out) < max_length:
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
        "why": "the stop token is not counted: max_length tokens and then a stop are 'finished', with max_length + 1 choices",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    while True:
        probs = next_probs(list(ids))
        token = probs.index(max(probs))
        if token == stop_id:
            return ids[1:], True
        if len(ids) > max_length:
            return ids[1:], False
        ids.append(token)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "argmax in float32: .3 and .3 + 1e-10 become equal, and the first is taken ('of which one is the largest')",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        token = torch.tensor(next_probs(ids.copy())).argmax().item()
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "a start token that is chosen later is thrown out of the sentence, too",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids, done = [start_id], False
    for _ in range(max_length):
        probs = next_probs(list(ids))
        token = probs.index(max(probs))
        if token == stop_id:
            done = True
            break
        ids.append(token)
    return [t for t in ids if t != start_id], done
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "one choice too few: stops when start token and choices together are max_length",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    while len(ids) < max_length:
        probs = next_probs(list(ids))
        token = int(np.argmax(probs))
        if token == stop_id:
            return ids[1:], True
        ids.append(token)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "says finished = True at the limit as well",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    finished = False
    while not finished:
        probs = next_probs(list(ids))
        token = int(np.argmax(probs))
        if token != stop_id:
            ids.append(token)
        finished = token == stop_id or len(ids) - 1 == max_length
    return ids[1:], finished
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "topk of the flat table",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size")
    if next_log_probs.dim() != 2 or len(next_log_probs) != len(totals):
        raise ValueError("one row for each hypothesis")
    k, V = next_log_probs.shape
    table = totals[:, None] + next_log_probs.to(totals.dtype)
    best, index = table.flatten().topk(min(beam_size, k * V))
    return best, index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "a sorted list of Python triples",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size must be at least 1")
    if next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("rows and hypotheses differ")
    candidates = []
    for parent, row in enumerate(next_log_probs):
        for token, value in enumerate(row):
            candidates.append((totals[parent] + value, parent, token))
    candidates.sort(key=lambda c: c[0].item(), reverse=True)
    candidates = candidates[:beam_size]
    best = torch.stack([c[0] for c in candidates]).to(totals.dtype)
    parents = torch.tensor([c[1] for c in candidates], dtype=torch.int64)
    tokens = torch.tensor([c[2] for c in candidates], dtype=torch.int64)
    return best, parents, tokens
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "fails if there are fewer candidates than beam_size ('all of them are' kept)",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("bad arguments")
    V = next_log_probs.shape[1]
    best, index = (totals[:, None] + next_log_probs).reshape(-1).topk(beam_size)
    return best, torch.div(index, V, rounding_mode="floor"), index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "candidates of minus infinity are dropped: shape less than (beam_size,) although there are enough candidates",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("bad arguments")
    table = totals[:, None] + next_log_probs
    parents, tokens = torch.nonzero(table > float("-inf"), as_tuple=True)
    values = table[parents, tokens]
    order = values.argsort(descending=True)[:beam_size]
    return values[order], parents[order], tokens[order]
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "computes with probabilities: exp of -1000 is 0, all long hypotheses become minus infinity",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("bad arguments")
    k, V = next_log_probs.shape
    p = totals.exp()[:, None] * next_log_probs.exp()
    best, index = p.flatten().topk(min(beam_size, k * V))
    return best.log(), index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "adds the totals in place to the caller's next_log_probs",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("bad arguments")
    k, V = next_log_probs.shape
    next_log_probs += totals.unsqueeze(1)
    best, index = next_log_probs.view(-1).sort(descending=True)
    n = min(beam_size, k * V)
    return best[:n], index[:n] // V, index[:n] % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the number of rows is not checked: totals of one hypothesis are broadcast to several rows",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size")
    V = next_log_probs.shape[1]
    table = totals.unsqueeze(1) + next_log_probs
    best, index = table.flatten().topk(min(beam_size, table.numel()))
    return best, index // V, index % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the best token of each hypothesis first: one hypothesis cannot go on twice",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("bad arguments")
    step, token = next_log_probs.max(dim=1)
    best, parent = (totals + step).topk(min(beam_size, len(totals)))
    return best, parent, token[parent]
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "loop with a strict comparison",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses:
        raise ValueError("no hypotheses")
    if alpha < 0:
        raise ValueError("alpha is negative")
    best_ids, best_score = None, None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best_score is None or score > best_score:
            best_ids, best_score = ids, score
    return best_ids, float(best_score)
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "NumPy argmax, np.float64 as the score",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) == 0 or alpha < 0:
        raise ValueError("no hypotheses, or a negative alpha")
    log_p = np.array([pair[1] for pair in hypotheses], dtype=np.float64)
    n = np.array([len(pair[0]) for pair in hypotheses], dtype=np.float64)
    scores = log_p / np.power((5 + n) / 6, alpha)
    i = np.argmax(scores)
    return list(hypotheses[i][0]), scores[i]
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": ">= takes the last of equals: 'of equals the first'",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("bad")
    best, top = None, -math.inf
    for ids, log_prob in hypotheses:
        s = log_prob / ((5 + len(ids)) / 6) ** alpha
        if s >= top:
            best, top = ids, s
    return best, top
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "alpha is not used (right for alpha = 1)",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("bad")
    scores = [lp * 6 / (5 + len(ids)) for ids, lp in hypotheses]
    i = scores.index(max(scores))
    return hypotheses[i][0], scores[i]
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "compares (score, ids) pairs: of equals the largest ids win, not the first",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("bad")
    score, ids = max((lp / ((5 + len(ids)) / 6) ** alpha, ids) for ids, lp in hypotheses)
    return ids, score
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "start value -1000: hypotheses that all score below are not found",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) == 0 or alpha < 0:
        raise ValueError("bad")
    best, top = [], -1000.0
    for ids, log_prob in hypotheses:
        s = log_prob / ((5 + len(ids)) / 6) ** alpha
        if s > top:
            best, top = ids, s
    return best, top
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "no ValueError for a negative alpha",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses:
        raise ValueError("no hypotheses")
    key = lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha
    best = max(hypotheses, key=key)
    return best[0], key(best)
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "counts different tokens instead of all ('n the number of tokens')",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("bad")
    key = lambda h: h[1] / ((5 + len(set(h[0]))) / 6) ** alpha
    best = max(hypotheses, key=key)
    return best[0], key(best)
""",
    },
]
