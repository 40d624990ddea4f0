ANSWERS = [
    {
        "task": "pad_batch",
        "right": True,
        "why": "lists filled up, mask from the lengths",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("there must be rows, and none may be empty")
    longest = max(len(row) for row in rows)
    ids = [row + [pad_id] * (longest - len(row)) for row in rows]
    mask = [[True] * len(row) + [False] * (longest - len(row)) for row in rows]
    return torch.tensor(ids, dtype=torch.int64), torch.tensor(mask, dtype=torch.bool)
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "arange against the lengths, masked assignment of all tokens in a chain",
        "source": r"""
def pad_batch(rows, pad_id):
    lengths = torch.tensor([len(row) for row in rows])
    if lengths.numel() == 0 or lengths.min() == 0:
        raise ValueError("no rows or an empty row")
    attention_mask = torch.arange(int(lengths.max())) < lengths[:, None]
    ids = torch.full(attention_mask.shape, pad_id, dtype=torch.int64)
    ids[attention_mask] = torch.tensor(list(itertools.chain.from_iterable(rows)), dtype=torch.int64)
    return ids, attention_mask
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "NumPy tables filled row by row, then torch.from_numpy",
        "source": r"""
def pad_batch(rows, pad_id):
    if len(rows) == 0:
        raise ValueError("no rows")
    widths = [len(r) for r in rows]
    if min(widths) < 1:
        raise ValueError("empty row")
    ids = np.full((len(rows), max(widths)), pad_id, dtype=np.int64)
    mask = np.zeros(ids.shape, dtype=bool)
    for i, row in enumerate(rows):
        ids[i, :len(row)] = row
        mask[i, :len(row)] = True
    return torch.from_numpy(ids), torch.from_numpy(mask)
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'mask read off the ids: "A row may hold the pad\'s own number as a token"',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(not row for row in rows):
        raise ValueError("rows")
    longest = max(map(len, rows))
    ids = torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])
    return ids, ids != pad_id
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'fills up with 0 whatever pad_id is ("the id to fill up with ...; any int")',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(not row for row in rows):
        raise ValueError("rows")
    ids = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
    mask = torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows])[:, None]
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'the rows themselves are lengthened: "a list of B lists of ids (int), which stay as they are"',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or min(len(row) for row in rows) == 0:
        raise ValueError("rows")
    lengths = [len(row) for row in rows]
    longest = max(lengths)
    for row in rows:
        while len(row) < longest:
            row.append(pad_id)
    mask = [[k < n for k in range(longest)] for n in lengths]
    return torch.tensor(rows), torch.tensor(mask)
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'an empty row is padded like the others (only "no rows" raises): "ValueError: there are no rows, or a row is empty"',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or max(len(row) for row in rows) == 0:
        raise ValueError("nothing to pad")
    longest = max(len(row) for row in rows)
    ids = torch.full((len(rows), longest), pad_id)
    mask = torch.zeros(len(rows), longest, dtype=torch.bool)
    for b, row in enumerate(rows):
        ids[b, :len(row)] = torch.tensor(row, dtype=torch.int64)
        mask[b, :len(row)] = True
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'int32 instead of "a tensor of int64"',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(not row for row in rows):
        raise ValueError("rows")
    longest = max(map(len, rows))
    ids = torch.tensor([list(row) + [pad_id] * (longest - len(row)) for row in rows], dtype=torch.int32)
    mask = torch.tensor([[k < len(row) for k in range(longest)] for row in rows])
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": 'pads at the beginning instead of "at the end"',
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(not row for row in rows):
        raise ValueError("rows")
    longest = max(map(len, rows))
    ids = torch.tensor([[pad_id] * (longest - len(row)) + row for row in rows])
    mask = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])
    return ids, mask
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "one comprehension",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row, row + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "the whole sequence once, without its last and without its first token",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        whole = [start_id, *row, stop_id]
        pairs.append((whole[:-1], whole[1:]))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": True,
        "why": "recursion over the rows, copies with insert and append",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    if len(rows) == 0:
        return []
    given = rows[0].copy()
    given.insert(0, start_id)
    wanted = rows[0].copy()
    wanted.append(stop_id)
    return [(given, wanted)] + teacher_pairs(rows[1:], start_id, stop_id)
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": 'the start token is inserted into the row itself: "all stay as they are"',
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        wanted = row + [stop_id]
        row.insert(0, start_id)
        pairs.append((list(row), wanted))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": 'empty rows are left out: "A list of pairs, one for each row ...; for an empty row the start token and the stop token"',
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row, row + [stop_id]) for row in rows if row]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": 'no second stop token if the row already ends with the number of the stop token: for [7, 2] with stop 2 the two lists have different lengths ("two new lists of one length")',
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        wanted = list(row)
        if not wanted or wanted[-1] != stop_id:
            wanted.append(stop_id)
        pairs.append(([start_id] + row, wanted))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the last token of the row is lost and no stop token comes: given 1 7 9, wanted 7 9 4",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row[:-1], row if row else [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "made as one table: rows of different lengths raise a ValueError",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    if not rows:
        return []
    table = np.array(rows, dtype=np.int64)
    n = len(table)
    given = np.concatenate([np.full((n, 1), start_id), table], axis=1).tolist()
    wanted = np.concatenate([table, np.full((n, 1), stop_id)], axis=1).tolist()
    return list(zip(given, wanted))
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "start and stop token in both lists",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    result = []
    for row in rows:
        full = [start_id] + row + [stop_id]
        result.append((full, full[1:]))
    return result
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": 'a zip object instead of "A list of pairs"',
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    given = [[start_id] + list(row) for row in rows]
    wanted = [list(row) + [stop_id] for row in rows]
    return zip(given, wanted)
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "torch.where, then column 0 from the target",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("the ratio must be from 0 to 1")
    if target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("shapes differ")
    chosen = torch.where(coins < ratio, target, sampled)
    chosen[:, 0] = target[:, 0]
    return chosen
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "a clone overwritten by a mask",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1:
        raise ValueError(f"ratio {ratio}")
    if len({tuple(t.shape) for t in (target, sampled, coins)}) > 1:
        raise ValueError("target, sampled and coins must have one shape")
    own = ~(coins < ratio)
    own[:, 0] = False
    result = target.clone()
    result[own] = sampled[own]
    return result
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "gather between the two stacked choices",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if max(0, min(1, ratio)) != ratio or not (target.size() == sampled.size() == coins.size()):
        raise ValueError("bad ratio or shapes")
    which = (coins >= ratio).long()
    which = torch.cat([torch.zeros_like(which[:, :1]), which[:, 1:]], dim=1)
    return torch.stack([target, sampled], dim=-1).gather(-1, which.unsqueeze(-1)).squeeze(-1)
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "beginner: two loops over the tensors",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0.0:
        raise ValueError("too small")
    if ratio > 1.0:
        raise ValueError("too large")
    if list(target.shape) != list(sampled.shape):
        raise ValueError("shape of sampled")
    if list(target.shape) != list(coins.shape):
        raise ValueError("shape of coins")
    out = torch.empty_like(target)
    for b in range(target.shape[0]):
        for t in range(target.shape[1]):
            if t == 0 or coins[b][t] < ratio:
                out[b][t] = target[b][t]
            else:
                out[b][t] = sampled[b][t]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": None,
        "why": "compares Python floats (coins.tolist()): a float32 coin 0.7 is 0.699999988 and so below the ratio 0.7; torch compares both as float32, where it is not below",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    rows = [[a if t == 0 or c < ratio else s for t, (a, s, c) in enumerate(zip(*three))]
            for three in zip(target.tolist(), sampled.tolist(), coins.tolist())]
    return torch.tensor(rows, dtype=torch.int64).reshape(target.shape)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": 'coin <= ratio: with a coin of exactly the ratio (0.5 and 0.5, or 0 and 0) it takes the teacher\'s token; "a coin below the ratio"',
        "source": r"""
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
        "why": 'column 0 is decided by its coin as well: "The first token is always the start token"',
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    return torch.where(coins < ratio, target, sampled)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": 'at ratio 1 it gives back the target itself: "A new tensor"',
        "source": r"""
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
        "why": 'coins of another shape that broadcast, (1, T) for (B, T), are accepted: "ValueError: ... the shapes of target, sampled and coins differ"',
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1:
        raise ValueError("ratio")
    if target.shape != sampled.shape:
        raise ValueError("shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": 'writes into sampled: "A function leaves its arguments as they are"',
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    sampled[:, 0] = target[:, 0]
    teacher = coins < ratio
    sampled[teacher] = target[teacher]
    return sampled.clone()
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "mixed in float32: ids above 2 ** 24 are rounded (16777217 becomes 16777216)",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    teacher = (coins < ratio).float()
    teacher[:, 0] = 1.0
    return (teacher * target + (1 - teacher) * sampled).long()
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": 'a negative ratio is not rejected: "ValueError: the ratio is outside 0 to 1"',
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio > 1 or target.shape != sampled.shape or target.shape != coins.shape:
        raise ValueError("ratio or shapes")
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "minus infinity at the masked ones, rows without any kept one made harmless before the softmax",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("the mask must be bool and of the shape of the scores")
    some = attention_mask.any(dim=1, keepdim=True)
    filled = scores.masked_fill(~attention_mask, float("-inf"))
    filled = filled.masked_fill(~some, 0.0)
    return torch.softmax(filled, dim=1).masked_fill(~some, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "exp of the differences to the largest kept score, sum made 1 where it is 0",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype is not torch.bool:
        raise ValueError("mask is not bool")
    if attention_mask.shape != scores.shape:
        raise ValueError("mask has another shape")
    lowest = torch.finfo(scores.dtype).min
    top = torch.where(attention_mask, scores, lowest).amax(dim=1, keepdim=True).detach()
    e = torch.where(attention_mask, scores - top, 0.0).exp() * attention_mask
    total = e.sum(dim=1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "row after row, softmax over the kept ones alone, put back by index",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.size() != scores.size():
        raise ValueError("mask")
    rows = []
    for row, keep in zip(scores, attention_mask):
        where = keep.nonzero().squeeze(1)
        weights = torch.softmax(row[where], dim=0)
        rows.append((row * 0).index_copy(0, where, weights))
    return torch.stack(rows)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, then masked and divided by the sum: 0/0 if a masked score is far larger than the kept ones",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    w = torch.softmax(scores, dim=1) * attention_mask
    total = w.sum(dim=1, keepdim=True)
    some = attention_mask.any(dim=1, keepdim=True)
    return w / torch.where(some, total, torch.ones_like(total))
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "NaN of an empty row replaced by 0; right, since masked_fill lets no gradient through, so the NaN does not reach the scores",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    return torch.nan_to_num(torch.softmax(scores.masked_fill(~attention_mask, -math.inf), dim=1))
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "minus infinity is added, NaN replaced by 0 after the softmax: the values are right, but the scores of a row without kept ones get the gradient NaN instead of zero",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    extra = torch.zeros_like(scores).masked_fill(~attention_mask, -math.inf)
    return torch.nan_to_num(torch.softmax(scores + extra, dim=1), nan=0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "masked scores become -1e9: a row in which nothing is kept gets equal weights instead of zeros",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    return torch.softmax(scores.masked_fill(~attention_mask, -1e9 if scores.dtype != torch.float16 else -6e4), dim=-1)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": 'a mask of ints is accepted: "ValueError: the mask is not bool"',
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.shape != scores.shape:
        raise ValueError("mask")
    keep = attention_mask.bool()
    some = keep.any(dim=1, keepdim=True)
    s = scores.masked_fill(~keep, -math.inf).masked_fill(~some, 0.0)
    return torch.softmax(s, dim=1) * some
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": 'fills the given scores in place: "A function leaves its arguments as they are"',
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    if scores.requires_grad:
        scores = scores.clone()
    some = attention_mask.any(dim=1, keepdim=True)
    scores.masked_fill_(~attention_mask & some, -math.inf)
    return torch.softmax(scores, dim=1).masked_fill(~some, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": 'exp without subtracting the maximum: NaN for kept scores above 90 ("exp of a score may be infinite")',
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask")
    e = torch.where(attention_mask, scores, torch.zeros_like(scores)).exp() * attention_mask
    total = e.sum(dim=1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": 'a mask (1, S) for scores (B, S) is broadcast: "ValueError: the mask ... has another shape than the scores"',
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape[-1] != scores.shape[-1]:
        raise ValueError("mask")
    some = attention_mask.any(dim=1, keepdim=True)
    s = scores.masked_fill(~attention_mask, -math.inf).masked_fill(~some, 0.0)
    return torch.softmax(s, dim=1).masked_fill(~some, 0.0)
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "einsum, minus infinity, rows with nothing made harmless",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    some = attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, float("-inf")).masked_fill(~some, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~some, 0.0)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "bmm, exp of differences",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze(2)
    scores = torch.where(attention_mask, scores, torch.finfo(scores.dtype).min)
    e = torch.exp(scores - scores.amax(1, keepdim=True).detach()) * attention_mask
    total = e.sum(1, keepdim=True)
    weights = e / (total + (total == 0))
    return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "sequence after sequence, over the kept states only",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    contexts, all_weights = [], []
    for q, states, keep in zip(query, keys, attention_mask):
        places = [s for s in range(len(states)) if keep[s]]
        w = (states @ q) * 0.0
        c = q * 0.0
        if places:
            kept = states[places]
            a = torch.softmax((kept * q).sum(dim=1), dim=0)
            w = w.index_copy(0, torch.tensor(places), a)
            c = (a[:, None] * kept).sum(dim=0)
        contexts.append(c)
        all_weights.append(w)
    return torch.stack(contexts), torch.stack(all_weights)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "scores divided by the root of D as in chapter 05; here e_j = q . h_j",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query[:, :, None])[:, :, 0] / math.sqrt(query.shape[1])
    some = attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(~some, 0.0)
    weights = scores.softmax(dim=1) * some
    return (weights[:, :, None] * keys).sum(dim=1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "squeeze() of all axes of one: for S = 1 and B > 1 the scores (B,) are broadcast against the mask (B, 1) to (B, B)",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.bmm(keys, query.unsqueeze(2)).squeeze()
    some = attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(~some, 0.0)
    weights = scores.softmax(dim=-1).masked_fill(~some, 0.0)
    return torch.matmul(weights.unsqueeze(1), keys).squeeze(1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": 'NaN for a source in which nothing is kept: "Where nothing is kept, both are zeros"',
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys).masked_fill(~attention_mask, -math.inf)
    weights = torch.softmax(scores, dim=1)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "the mask acts after the softmax: a masked score that is far larger makes all the kept weights 0, and dividing by the clamped sum does not bring them back",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    weights = torch.softmax(scores, dim=1) * attention_mask
    weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1e-12)
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": 'the weights are detached for the context: the gradient through the scores is missing ("through which the gradient flows")',
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    some = attention_mask.any(dim=1, keepdim=True)
    scores = scores.masked_fill(~attention_mask, -math.inf).masked_fill(~some, 0.0)
    weights = scores.softmax(dim=1).masked_fill(~some, 0.0)
    context = (weights.detach()[:, :, None] * keys).sum(dim=1)
    return context, weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": 'masked scores are -1e4: a kept score of -20000 gets less weight than the masked ones ("Scores may be of any size")',
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys * query[:, None, :]).sum(dim=2)
    some = attention_mask.any(dim=1, keepdim=True)
    weights = torch.softmax(torch.where(attention_mask, scores, -1e4), dim=1) * some
    return (weights[:, :, None] * keys).sum(dim=1), weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "masked scores are set to 0 instead of being left out",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys * query[:, None, :]).sum(dim=2) * attention_mask
    weights = torch.softmax(scores, dim=1) * attention_mask
    return (weights[:, :, None] * keys).sum(dim=1), weights
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "the two products, broadcast over S",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T)
    return hidden @ v
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "einsum throughout",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    q = torch.einsum("bq,aq->ba", query, W)
    k = torch.einsum("bsk,ak->bsa", keys, U)
    return torch.einsum("bsa,a->bs", torch.tanh(q[:, None] + k), v)
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "query and state side by side, one linear layer, loop over the positions",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    both = torch.cat([W, U], dim=1)
    columns = []
    for s in range(keys.size(1)):
        pair = torch.cat([query, keys[:, s]], dim=1)
        columns.append(F.linear(torch.tanh(F.linear(pair, both)), v[None]).squeeze(1))
    return torch.stack(columns, dim=1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the axis S is not put in: q (B, A) is broadcast against (B, S, A); right for B = 1 only, silently wrong for B = S",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return torch.tanh(query @ W.T + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "tanh of each part instead of tanh of the sum",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return (torch.tanh(query @ W.T)[:, None] + torch.tanh(keys @ U.T)) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": 'result put together in a float32 buffer: not "of the element type of the arguments" for float64',
        "source": r"""
def additive_scores(query, keys, W, U, v):
    B, S, _ = keys.shape
    scores = torch.zeros(B, S)
    for b in range(B):
        for s in range(S):
            scores[b, s] = torch.dot(v, torch.tanh(W @ query[b] + U @ keys[b, s]))
    return scores
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": 'the part of the query is kept out of the graph: no gradient to query and W ("The gradient must flow through them to all five")',
        "source": r"""
def additive_scores(query, keys, W, U, v):
    with torch.no_grad():
        asked = query @ W.T
    return torch.tanh(asked[:, None] + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the query of the first sequence is used for all",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    q = W @ query[0]
    return torch.tanh(q + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "softmax at the end: weights instead of scores",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return torch.softmax(torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T) @ v, dim=1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "squeeze() at the end drops axes of one: for B = 1 or S = 1 the shape is not (B, S)",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T)[:, None] + keys @ U.T)
    out = torch.matmul(hidden, v.view(-1, 1)).squeeze()
    return out if out.dim() > 1 else out.reshape(1, -1)
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "loop with argmax",
        "source": r"""
def alignment_share(weights, gold):
    right = total = 0
    for row, positions in zip(weights, gold):
        if not positions:
            continue
        total += 1
        if row.argmax().item() in positions:
            right += 1
    if total == 0:
        raise ValueError("no target word comes from anywhere")
    return right / total
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "a table of right positions, looked up with gather",
        "source": r"""
def alignment_share(weights, gold):
    counted = [t for t, g in enumerate(gold) if g is not None and len(g) > 0]
    if not counted:
        raise ValueError("nothing to count")
    ok = torch.zeros(weights.shape, dtype=torch.bool)
    for t in counted:
        ok[t, gold[t]] = True
    hits = ok.gather(1, weights.max(dim=1, keepdim=True).indices)[:, 0]
    return hits[counted].double().mean().item()
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "plain lists, the mean of bools by NumPy made a float",
        "source": r"""
def alignment_share(weights, gold):
    found = []
    for row, right in zip(weights.tolist(), gold):
        if right is None or right == []:
            continue
        best = max(range(len(row)), key=row.__getitem__)
        found.append(best in set(right))
    if len(found) < 1:
        raise ValueError("gold")
    return float(np.mean(found))
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": 'only the first right position counts: for [1, 3] "either will do"',
        "source": r"""
def alignment_share(weights, gold):
    pairs = [(row, g) for row, g in zip(weights, gold) if g]
    if not pairs:
        raise ValueError("gold")
    return sum(int(row.argmax()) == g[0] for row, g in pairs) / len(pairs)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "any(g) is False for [0]: a word that comes from position 0 alone is left out",
        "source": r"""
def alignment_share(weights, gold):
    right = total = 0
    for t, g in enumerate(gold):
        if g is None or not any(g):
            continue
        total += 1
        right += int(weights[t].argmax()) in g
    if not total:
        raise ValueError("gold")
    return right / total
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": 'divided by all target words instead of those "that come from somewhere"',
        "source": r"""
def alignment_share(weights, gold):
    if not any(gold):
        raise ValueError("gold")
    best = weights.argmax(dim=1).tolist()
    right = sum(1 for b, g in zip(best, gold) if g and b in g)
    return right / len(gold)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": 'an empty list counts as a miss, only None is left out: "None or an empty list for a target word that comes from nowhere"',
        "source": r"""
def alignment_share(weights, gold):
    hits = [row.argmax().item() in g for row, g in zip(weights, gold) if g is not None]
    if not any(gold):
        raise ValueError("gold")
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "0.0 instead of a ValueError if no target word comes from anywhere",
        "source": r"""
def alignment_share(weights, gold):
    hits = [row.argmax().item() in g for row, g in zip(weights, gold) if g]
    return sum(hits) / max(len(hits), 1)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "asks whether the right positions hold more than half of the weight, not whether the largest weight is on one: wrong for the row .4 .3 .3 with gold [0]",
        "source": r"""
def alignment_share(weights, gold):
    hits = [bool(row[g].sum() > 0.5) for row, g in zip(weights, gold) if g]
    if not hits:
        raise ValueError("gold")
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "takes the largest weight over the target words (axis 0)",
        "source": r"""
def alignment_share(weights, gold):
    if not any(g for g in gold):
        raise ValueError("gold")
    best = weights.argmax(dim=0).tolist()
    right = total = 0
    for t, g in enumerate(gold):
        if g:
            total += 1
            right += any(best[s] == t for s in g)
    return right / total
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "for loop, a fresh list for every question",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length must be at least 1")
    chosen = []
    for _ in range(max_length):
        probs = next_probs([start_id] + chosen)
        best = max(range(len(probs)), key=probs.__getitem__)
        if best == stop_id:
            return chosen, True
        chosen.append(best)
    return chosen, False
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "recursion",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError(max_length)

    def go(ids, left):
        if left == 0:
            return ids[1:], False
        probs = next_probs(list(ids))
        token = probs.index(max(probs))
        return (ids[1:], True) if token == stop_id else go(ids + [token], left - 1)

    return go([start_id], max_length)
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "while loop, NumPy argmax, one list that grows",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if not max_length >= 1:
        raise ValueError("nothing may be chosen")
    ids = [start_id]
    finished = False
    while not finished and len(ids) <= max_length:
        token = int(np.argmax(next_probs(ids)))
        if token == stop_id:
            finished = True
        else:
            ids.append(token)
    return ids[1:], finished
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": 'asks with the last token only, not "the list of tokens so far, the start token first"',
        "source": r"""
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
        "why": 'the stop token is not counted: max_length tokens and then still the stop ("how many tokens may be chosen, the stop token among them")',
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    while True:
        probs = next_probs(list(ids))
        best = probs.index(max(probs))
        if best == stop_id:
            return ids[1:], True
        if len(ids) - 1 == max_length:
            return ids[1:], False
        ids.append(best)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": 'the stop token is part of the result: "without the stop token"',
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    ids = [start_id]
    for _ in range(max_length):
        probs = next_probs(ids[:])
        ids.append(max(range(len(probs)), key=lambda i: probs[i]))
        if ids[-1] == stop_id:
            break
    return ids[1:], ids[-1] == stop_id
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": 'the stop token is fixed to 1: "any two ids that differ"',
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    chosen = []
    for _ in range(max_length):
        probs = next_probs([start_id] + chosen)
        best = probs.index(max(probs))
        if best == 1:
            return chosen, True
        chosen.append(best)
    return chosen, False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": 'max_length 0 gives ([], False): "ValueError: `max_length` is below 1"',
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 0:
        raise ValueError("max_length")
    chosen = []
    for _ in range(max_length):
        probs = next_probs([start_id] + chosen)
        best = probs.index(max(probs))
        if best == stop_id:
            return chosen, True
        chosen.append(best)
    return chosen, False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "stops as well when the start token is chosen again, and leaves it out, although it is a token like others",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    chosen = []
    for _ in range(max_length):
        probs = next_probs([start_id] + chosen)
        best = probs.index(max(probs))
        if best in (start_id, stop_id):
            return chosen, best == stop_id
        chosen.append(best)
    return chosen, False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "a stop token at the very limit is not noticed: finished is True only if fewer than max_length tokens were asked for (stop as token number max_length gives False)",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length")
    chosen = []
    steps = 0
    while steps < max_length:
        probs = next_probs([start_id] + chosen)
        best = probs.index(max(probs))
        steps += 1
        if best == stop_id:
            break
        chosen.append(best)
    return chosen, steps < max_length
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "topk of the flattened table",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam_size must be at least 1")
    if next_log_probs.dim() != 2 or len(next_log_probs) != len(totals):
        raise ValueError("one row for each hypothesis")
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).to(totals.dtype).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best, where // V, where % V
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "all candidates as a list, sorted",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or next_log_probs.shape[0] != totals.shape[0]:
        raise ValueError("beam_size or shapes")
    candidates = []
    for parent, total in enumerate(totals.tolist()):
        for token, more in enumerate(next_log_probs[parent].tolist()):
            candidates.append((total + more, parent, token))
    candidates.sort(key=lambda c: -c[0])
    values, parents, tokens = zip(*candidates[:beam_size])
    return torch.tensor(values, dtype=totals.dtype), torch.tensor(parents), torch.tensor(tokens)
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "argsort descending, divmod by unravel_index, index_select",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if not beam_size >= 1:
        raise ValueError("beam_size")
    k = totals.size(0)
    if next_log_probs.size(0) != k:
        raise ValueError("rows")
    sums = torch.add(next_log_probs, totals.reshape(k, 1))
    order = torch.argsort(sums.reshape(-1), descending=True, stable=True)[:beam_size]
    parents, tokens = torch.unravel_index(order, sums.shape)
    return sums[parents, tokens].to(totals.dtype), parents, tokens
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": 'every hypothesis keeps its own best beam_size / k continuations: "The best `beam_size` of all of them are kept, wherever they come from"',
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    k, V = next_log_probs.shape
    each = min(V, -(-beam_size // k))
    values, tokens = (totals[:, None] + next_log_probs).to(totals.dtype).topk(each, dim=1)
    parents = torch.arange(k)[:, None].expand(k, each)
    order = values.flatten().argsort(descending=True)[:beam_size]
    return values.flatten()[order], parents.flatten()[order], tokens.flatten()[order]
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "divided by k instead of V: right only if k = V (or all parents are 0)",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    k, V = next_log_probs.shape
    best, where = (totals[:, None] + next_log_probs).to(totals.dtype).flatten().topk(min(beam_size, k * V))
    return best, where // k, where % k
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": 'impossible candidates (minus infinity) are thrown away: "if there are fewer candidates, all of them are" kept, shape (beam_size,) or (k * V,)',
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).to(totals.dtype).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    possible = torch.isfinite(best)
    best, where = best[possible], where[possible]
    return best, where // V, where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": 'one row for several hypotheses is broadcast: "ValueError: ... `next_log_probs` has not one row for each hypothesis"',
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError("beam")
    V = next_log_probs.shape[-1]
    try:
        table = (totals.unsqueeze(1) + next_log_probs).to(totals.dtype).flatten()
    except RuntimeError:
        raise ValueError("rows")
    best, where = table.topk(min(beam_size, table.numel()))
    return best, where.div(V, rounding_mode="floor"), where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "RuntimeError of topk if there are fewer than beam_size candidates",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    V = next_log_probs.shape[1]
    best, where = (totals[:, None] + next_log_probs).to(totals.dtype).view(-1).topk(beam_size)
    return best, where // V, where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": 'adds the totals into next_log_probs in place: "A function leaves its arguments as they are"',
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    V = next_log_probs.shape[1]
    next_log_probs += totals[:, None]
    best, where = next_log_probs.flatten().topk(min(beam_size, next_log_probs.numel()))
    return best.to(totals.dtype), where // V, where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the parents by true division: a float tensor, not int64",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).to(totals.dtype).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best, (where / V).floor(), where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": 'float32 totals with float64 next_log_probs give float64 totals: "The new totals, of the element type of `totals`"',
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(next_log_probs) != len(totals):
        raise ValueError("beam")
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best, where // V, where % V
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "loop with a strict comparison",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses:
        raise ValueError("there are no hypotheses")
    if alpha < 0:
        raise ValueError("alpha is negative")
    best = None
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if best is None or score > best[1]:
            best = (ids, float(score))
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "max with a key (the first of equals), copy of the ids",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if alpha < 0 or len(hypotheses) == 0:
        raise ValueError("no hypotheses or negative alpha")

    def score(pair):
        return float(pair[1] / math.pow((5 + len(pair[0])) / 6, alpha))

    winner = max(hypotheses, key=score)
    return list(winner[0]), score(winner)
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "NumPy, argmax gives the first",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) < 1 or alpha < 0:
        raise ValueError("hypotheses, alpha")
    lengths = np.array([len(ids) for ids, _ in hypotheses], dtype=float)
    scores = np.array([p for _, p in hypotheses], dtype=float) / ((5 + lengths) / 6) ** alpha
    k = int(scores.argmax())
    return hypotheses[k][0], float(scores[k])
""",
    },
    {
        "task": "best_hypothesis",
        "right": None,
        "why": 'the score is an np.float64: a subclass of float, but the statement says "a float" and does not mention NumPy (the doctest prints np.float64(-1.44))',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not len(hypotheses) or alpha < 0:
        raise ValueError("hypotheses, alpha")
    scores = np.array([p / ((5 + len(ids)) / 6) ** alpha for ids, p in hypotheses])
    return hypotheses[scores.argmax()][0], scores.max()
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": '>=: the last of equals instead of "of equals the first"',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("hypotheses, alpha")
    best_ids, best_score = None, -math.inf
    for ids, log_prob in hypotheses:
        score = log_prob / ((5 + len(ids)) / 6) ** alpha
        if score >= best_score:
            best_ids, best_score = ids, score
    return best_ids, best_score
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "max over tuples (score, ids): of equal scores the larger ids win, not the first",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("hypotheses, alpha")
    score, ids = max((p / ((5 + len(ids)) / 6) ** alpha, ids) for ids, p in hypotheses)
    return ids, score
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "(5 + n) ** alpha / 6: the 6 is outside the power, right for alpha = 1 only",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("hypotheses, alpha")
    scores = [p / ((5 + len(ids)) ** alpha / 6) for ids, p in hypotheses]
    k = scores.index(max(scores))
    return hypotheses[k][0], scores[k]
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": 'empty sentences are skipped: "its length is n and may be 0"',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("hypotheses, alpha")
    best = ([], -math.inf)
    for ids, p in hypotheses:
        if not ids:
            continue
        score = p / ((5 + len(ids)) / 6) ** alpha
        if score > best[1]:
            best = (ids, score)
    return best
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": 'a negative alpha is accepted: "ValueError: there are no hypotheses, or alpha is negative"',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses:
        raise ValueError("hypotheses")
    scored = [(ids, p / ((5 + len(ids)) / 6) ** alpha) for ids, p in hypotheses]
    return max(scored, key=lambda pair: pair[1])
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "gives back the log-probability of the winner instead of its score",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("hypotheses, alpha")
    return max(hypotheses, key=lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha)
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": 'raises a ValueError for alpha 0, though "0 leaves the log-probabilities as they are"',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or not alpha > 0:
        raise ValueError("hypotheses, alpha")
    scored = [(ids, p / ((5 + len(ids)) / 6) ** alpha) for ids, p in hypotheses]
    return max(scored, key=lambda pair: pair[1])
""",
    },
]
