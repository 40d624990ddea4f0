ANSWERS = [
    {
        "task": "pad_batch",
        "right": True,
        "why": "torch.full and a loop",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or any(len(row) == 0 for row in rows):
        raise ValueError("no rows, or an empty one")
    S = max(map(len, rows))
    ids = torch.full((len(rows), S), pad_id, dtype=torch.int64)
    mask = torch.zeros(len(rows), S, dtype=torch.bool)
    for b, row in enumerate(rows):
        ids[b, :len(row)] = torch.tensor(row)
        mask[b, :len(row)] = True
    return ids, mask
""",
    },
    {
        "task": "pad_batch",
        "right": True,
        "why": "pad_sequence of PyTorch, mask by arange below the lengths",
        "source": r"""
from torch.nn.utils.rnn import pad_sequence
def pad_batch(rows, pad_id):
    lengths = torch.tensor([len(r) for r in rows], dtype=torch.int64)
    if lengths.numel() == 0 or int(lengths.min()) == 0:
        raise ValueError("empty")
    S = int(lengths.max())
    ones = [torch.ones(len(r), dtype=torch.int64) for r in rows]
    ids = torch.tensor([list(r) + [pad_id] * (S - len(r)) for r in rows], dtype=torch.int64)
    return ids, pad_sequence(ones, batch_first=True).bool()
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "mask read off the ids: a real token with the pad's number is masked",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError
    S = max(len(r) for r in rows)
    ids = torch.tensor([r + [pad_id] * (S - len(r)) for r in rows])
    return ids, ids != pad_id
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "extends the given rows in place",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError
    lengths = [len(r) for r in rows]
    S = max(lengths)
    for r in rows:
        r.extend([pad_id] * (S - len(r)))
    return torch.tensor(rows), torch.arange(S)[None] < torch.tensor(lengths)[:, None]
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "an empty row among others is padded, no ValueError",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or max(map(len, rows)) == 0:
        raise ValueError
    S = max(map(len, rows))
    ids = torch.tensor([r + [pad_id] * (S - len(r)) for r in rows])
    return ids, torch.tensor([[t < len(r) for t in range(S)] for r in rows])
""",
    },
    {
        "task": "pad_batch",
        "right": False,
        "why": "padded at the front",
        "source": r"""
def pad_batch(rows, pad_id):
    if not rows or not all(rows):
        raise ValueError
    S = max(map(len, rows))
    ids = torch.tensor([[pad_id] * (S - len(r)) + r for r in rows])
    return ids, torch.tensor([[False] * (S - len(r)) + [True] * len(r) for r in rows])
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
        "why": "whole sentence built once, two slices of it",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    pairs = []
    for row in rows:
        whole = [start_id]
        whole.extend(row)
        whole.append(stop_id)
        pairs.append((whole[:-1], whole[1:]))
    return pairs
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "inserts and appends in the given rows",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    out = []
    for row in rows:
        given = [start_id] + row
        row.append(stop_id)
        out.append((given, row))
    return out
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "the given one holds the stop token too: one longer than the wanted",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row + [stop_id], row + [stop_id]) for row in rows]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "empty rows are left out",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    return [([start_id] + row, row + [stop_id]) for row in rows if row]
""",
    },
    {
        "task": "teacher_pairs",
        "right": False,
        "why": "tokens equal to the start or stop id are dropped from the row; nothing in the statement takes tokens out",
        "source": r"""
def teacher_pairs(rows, start_id, stop_id):
    out = []
    for row in rows:
        clean = [t for t in row if t not in (start_id, stop_id)]
        out.append(([start_id] + clean, clean + [stop_id]))
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "torch.where, first column forced",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1:
        raise ValueError("ratio")
    if not target.shape == sampled.shape == coins.shape:
        raise ValueError("shapes differ")
    teacher = coins < ratio
    teacher[:, 0] = True
    return torch.where(teacher, target, sampled)
""",
    },
    {
        "task": "sampled_inputs",
        "right": True,
        "why": "nested lists",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if ratio < 0 or ratio > 1 or target.size() != sampled.size() or target.size() != coins.size():
        raise ValueError("ratio or shapes")
    out = []
    for t_row, s_row, c_row in zip(target.tolist(), sampled.tolist(), coins):
        row = [t_row[0]]
        for j in range(1, len(t_row)):
            row.append(t_row[j] if bool(c_row[j] < ratio) else s_row[j])
        out.append(row)
    return torch.tensor(out, dtype=torch.int64).reshape(target.shape)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "a coin equal to the ratio takes the teacher's token (<=)",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or not target.shape == sampled.shape == coins.shape:
        raise ValueError
    out = torch.where(coins <= ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "the first token is not forced to be the start token",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or not target.shape == sampled.shape == coins.shape:
        raise ValueError
    return torch.where(coins < ratio, target, sampled)
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "shapes that broadcast (one row of coins for all) raise nothing",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or target.shape != sampled.shape:
        raise ValueError
    out = torch.where(coins < ratio, target, sampled)
    out[:, 0] = target[:, 0]
    return out
""",
    },
    {
        "task": "sampled_inputs",
        "right": False,
        "why": "writes into sampled and returns it",
        "source": r"""
def sampled_inputs(target, sampled, coins, ratio):
    if not 0 <= ratio <= 1 or not target.shape == sampled.shape == coins.shape:
        raise ValueError
    keep = coins < ratio
    keep[:, 0] = True
    sampled[keep] = target[keep]
    return sampled
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "minus infinity only in rows where something is kept, softmax, masked to zero",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError("mask must be bool and of the shape of the scores")
    some = attention_mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(some & ~attention_mask, -math.inf), dim=-1)
    return weights.masked_fill(~attention_mask, 0.0)
""",
    },
    {
        "task": "source_weights",
        "right": True,
        "why": "row by row on the kept entries alone, put back with index_put",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype is not torch.bool:
        raise ValueError("mask is not bool")
    if tuple(attention_mask.shape) != tuple(scores.shape):
        raise ValueError("shapes differ")
    rows = []
    for row, keep in zip(scores, attention_mask):
        where = torch.nonzero(keep).flatten()
        new = row * 0
        if len(where) > 0:
            s = row[where]
            e = torch.exp(s - s.max().detach())
            new = torch.zeros_like(row).index_put((where,), e / e.sum())
        rows.append(new)
    return torch.stack(rows)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "-inf and softmax: a row in which nothing is kept is NaN",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError
    return torch.softmax(scores.masked_fill(~attention_mask, -math.inf), dim=1)
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "nan_to_num on the weights: values are right, but the gradient of a row with nothing kept is NaN",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError
    bias = torch.zeros_like(scores).masked_fill(~attention_mask, -math.inf)
    return torch.nan_to_num(torch.softmax(scores + bias, dim=-1))
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "softmax over all, masked and divided by the rest: a far larger masked score gives 0 / 0",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.dtype != torch.bool or attention_mask.shape != scores.shape:
        raise ValueError
    w = torch.softmax(scores, dim=1) * attention_mask
    total = w.sum(dim=1, keepdim=True)
    return w / torch.where(total > 0, total, torch.ones_like(total))
""",
    },
    {
        "task": "source_weights",
        "right": False,
        "why": "a mask of numbers 0 and 1 is accepted, no ValueError",
        "source": r"""
def source_weights(scores, attention_mask):
    if attention_mask.shape != scores.shape:
        raise ValueError
    keep = attention_mask.bool()
    w = torch.softmax(scores.masked_fill(~keep, torch.finfo(scores.dtype).min), dim=1)
    return torch.where(keep, w, torch.zeros_like(w))
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "einsum, minus infinity at masked places of rows that keep something",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    some = attention_mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(some & ~attention_mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1) * attention_mask
    return torch.einsum("bs,bsd->bd", weights, keys), weights
""",
    },
    {
        "task": "dot_attention",
        "right": True,
        "why": "sentence by sentence with plain products",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    B, S, D = keys.shape
    contexts, all_weights = [], []
    for b in range(B):
        kept = [s for s in range(S) if attention_mask[b, s]]
        context = query[b] * 0 + keys[b].sum(0) * 0
        weights = [query[b, 0] * 0 for _ in range(S)]
        if kept:
            scores = torch.stack([(query[b] * keys[b, s]).sum() for s in kept])
            part = F.softmax(scores, dim=0)
            for n, s in enumerate(kept):
                weights[s] = part[n]
                context = context + part[n] * keys[b, s]
        contexts.append(context)
        all_weights.append(torch.stack(weights))
    return torch.stack(contexts), torch.stack(all_weights)
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "scores divided by the root of D (chapter 05): e = q . h has no such factor",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query[:, :, None])[:, :, 0] / math.sqrt(keys.shape[2])
    scores = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=1) * attention_mask
    return (weights[:, None, :] @ keys)[:, 0], weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "exponentials without subtracting the maximum: large scores give inf / inf",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query[:, :, None])[:, :, 0]
    e = torch.exp(scores.masked_fill(~attention_mask, -math.inf))
    weights = e / e.sum(1, keepdim=True).clamp_min(1e-30)
    return (weights[:, None, :] @ keys)[:, 0], weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "where nothing is kept the weights are uniform (all filled with the same low number), not zeros",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = (keys @ query[:, :, None])[:, :, 0]
    scores = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=1)
    return (weights[:, None, :] @ keys)[:, 0], weights
""",
    },
    {
        "task": "dot_attention",
        "right": False,
        "why": "the returned weights are detached: no gradient flows through them",
        "source": r"""
def dot_attention(query, keys, attention_mask):
    scores = torch.einsum("bd,bsd->bs", query, keys)
    scores = scores.masked_fill(~attention_mask, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1) * attention_mask
    return torch.einsum("bs,bsd->bd", weights, keys), weights.detach()
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "broadcast",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return torch.tanh((query @ W.T).unsqueeze(1) + keys @ U.T) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": True,
        "why": "one einsum for each part, loop over the states",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    q = torch.einsum("bq,aq->ba", query, W)
    columns = []
    for j in range(keys.shape[1]):
        h = torch.einsum("bk,ak->ba", keys[:, j], U)
        columns.append((torch.tanh(q + h) * v).sum(dim=1))
    return torch.stack(columns, dim=1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "tanh before the addition: tanh(Wq) + tanh(Uh)",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    return (torch.tanh(query @ W.T)[:, None] + torch.tanh(keys @ U.T)) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "query added without a new axis: broadcasts against S instead of B (right for B = 1 only)",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    q = query @ W.T
    k = keys @ U.T
    return torch.tanh(q[:1] + k) @ v
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "v comes in through .data: it gets no gradient",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    hidden = torch.tanh((query @ W.T)[:, None, :] + keys @ U.T)
    return (hidden * v.data).sum(-1)
""",
    },
    {
        "task": "additive_scores",
        "right": False,
        "why": "the scores are cast to float32: wrong element type for double arguments",
        "source": r"""
def additive_scores(query, keys, W, U, v):
    e = torch.tanh((query @ W.T)[:, None, :] + keys @ U.T) @ v
    return e.float()
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
        right += int(row.argmax()) in positions
    if total == 0:
        raise ValueError("no target word comes from anywhere")
    return right / total
""",
    },
    {
        "task": "alignment_share",
        "right": True,
        "why": "boolean matrix of right places, gathered at the largest weight",
        "source": r"""
def alignment_share(weights, gold):
    some = [t for t, g in enumerate(gold) if g is not None and len(g) > 0]
    if len(some) == 0:
        raise ValueError("nothing to count")
    good = torch.zeros(weights.shape, dtype=torch.bool)
    for t in some:
        for s in gold[t]:
            if s < weights.shape[1]:
                good[t, s] = True
    best = weights.argmax(dim=1, keepdim=True)
    return good.gather(1, best)[some].double().mean().item()
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "divides by all target words, also those from nowhere",
        "source": r"""
def alignment_share(weights, gold):
    if not any(gold):
        raise ValueError
    best = weights.argmax(1).tolist()
    return sum(1 for b, g in zip(best, gold) if g and b in g) / len(gold)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "only the first of the right positions counts",
        "source": r"""
def alignment_share(weights, gold):
    hits = [b == g[0] for b, g in zip(weights.argmax(1).tolist(), gold) if g]
    if not hits:
        raise ValueError
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "an empty list counts as a target word that is wrong, only None is left out",
        "source": r"""
def alignment_share(weights, gold):
    hits = [b in g for b, g in zip(weights.argmax(1).tolist(), gold) if g is not None]
    if not hits:
        raise ValueError
    return sum(hits) / len(hits)
""",
    },
    {
        "task": "alignment_share",
        "right": False,
        "why": "no target word from anywhere: 0.0 instead of ValueError",
        "source": r"""
def alignment_share(weights, gold):
    right, n = 0, 0
    for t in range(len(gold)):
        if gold[t]:
            n += 1
            if weights[t].argmax().item() in gold[t]:
                right += 1
    return right / n if n else 0.0
""",
    },
    {
        "task": "greedy_decode",
        "right": True,
        "why": "for loop, fresh list shown to the model",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError("max_length below 1")
    chosen = []
    for _ in range(max_length):
        probs = next_probs([start_id] + chosen)
        token = max(range(len(probs)), key=probs.__getitem__)
        if token == stop_id:
            return chosen, True
        chosen.append(token)
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
    def go(so_far, left):
        if left == 0:
            return [], False
        token = int(np.argmax(next_probs(list(so_far))))
        if token == stop_id:
            return [], True
        rest, finished = go(so_far + [token], left - 1)
        return [token] + rest, finished
    return go([start_id], max_length)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the model sees only the last token, not everything so far",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError
    ids = [start_id]
    for _ in range(max_length):
        p = next_probs(ids[-1:])
        t = p.index(max(p))
        if t == stop_id:
            return ids[1:], True
        ids.append(t)
    return ids[1:], False
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "the stop token is not counted: one token too many may be chosen",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError
    ids = [start_id]
    while True:
        p = next_probs(list(ids))
        t = p.index(max(p))
        if t == stop_id:
            return ids[1:], True
        if len(ids) - 1 == max_length:
            return ids[1:], False
        ids.append(t)
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "says True also when the limit cut the sentence off",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError
    ids = [start_id]
    while len(ids) <= max_length:
        p = next_probs(list(ids))
        ids.append(p.index(max(p)))
        if ids[-1] == stop_id:
            break
    return [i for i in ids[1:] if i != stop_id], True
""",
    },
    {
        "task": "greedy_decode",
        "right": False,
        "why": "drops start tokens from the result: the start token may be chosen like any other",
        "source": r"""
def greedy_decode(next_probs, start_id, stop_id, max_length):
    if max_length < 1:
        raise ValueError
    ids, done = [start_id], False
    for _ in range(max_length):
        p = next_probs(list(ids))
        t = p.index(max(p))
        if t == stop_id:
            done = True
            break
        ids.append(t)
    return [i for i in ids if i != start_id], done
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "topk of the flat table",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError("beam size or shapes")
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best.to(totals.dtype), where // V, where % V
""",
    },
    {
        "task": "beam_step",
        "right": True,
        "why": "a sorted list of tuples",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    k = totals.shape[0]
    if beam_size < 1:
        raise ValueError("beam_size below 1")
    if next_log_probs.shape[0] != k:
        raise ValueError("one row for each hypothesis")
    candidates = []
    for parent in range(k):
        for token in range(next_log_probs.shape[1]):
            candidates.append((totals[parent] + next_log_probs[parent, token], parent, token))
    candidates.sort(key=lambda c: float(c[0]), reverse=True)
    kept = candidates[:beam_size]
    values = torch.stack([c[0] for c in kept]).to(totals.dtype)
    return values, torch.tensor([c[1] for c in kept]), torch.tensor([c[2] for c in kept])
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "keeps the best token of each hypothesis, then the best of these: one parent cannot go on twice",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError
    value, token = (totals[:, None] + next_log_probs).max(dim=1)
    best, parent = value.topk(min(beam_size, len(value)))
    return best, parent, token[parent]
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "parents and tokens divided by k instead of V: right only for square tables",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError
    k = len(totals)
    table = (totals[:, None] + next_log_probs).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best, where // k, where % k
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "topk(beam_size) fails when there are fewer candidates",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1 or len(totals) != len(next_log_probs):
        raise ValueError
    V = next_log_probs.shape[1]
    best, where = (totals[:, None] + next_log_probs).flatten().topk(beam_size)
    return best, torch.div(where, V, rounding_mode="floor"), where % V
""",
    },
    {
        "task": "beam_step",
        "right": False,
        "why": "the number of rows is not checked: one row for two hypotheses broadcasts instead of ValueError",
        "source": r"""
def beam_step(totals, next_log_probs, beam_size):
    if beam_size < 1:
        raise ValueError
    V = next_log_probs.shape[1]
    table = (totals[:, None] + next_log_probs).flatten()
    best, where = table.topk(min(beam_size, table.numel()))
    return best, where // V, where % V
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "max with a key, the first of equals",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError("no hypotheses, or alpha below 0")
    def score(h):
        return h[1] / ((5 + len(h[0])) / 6) ** alpha
    best = max(hypotheses, key=score)
    return best[0], score(best)
""",
    },
    {
        "task": "best_hypothesis",
        "right": True,
        "why": "loop and strict comparison, copies the ids",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if len(hypotheses) == 0:
        raise ValueError("no hypotheses")
    if alpha < 0:
        raise ValueError("alpha is negative")
    winner = None
    for ids, log_prob in hypotheses:
        penalty = math.pow((5.0 + len(ids)) / 6.0, alpha)
        value = log_prob / penalty
        if winner is None or value > winner[1]:
            winner = (list(ids), float(value))
    return winner
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "of equals the last (>=)",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError
    best, top = None, -math.inf
    for ids, lp in hypotheses:
        s = lp / ((5 + len(ids)) / 6) ** alpha
        if s >= top:
            best, top = ids, s
    return best, top
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "divided by n ** alpha: another penalty than ((5 + n) / 6) ** alpha",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError
    scored = [(lp / max(1, len(ids)) ** alpha, ids) for ids, lp in hypotheses]
    s, ids = max(scored, key=lambda p: p[0])
    return ids, s
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": 'alpha 0 raises as well, though "0 leaves the log-probabilities as they are"',
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha <= 0:
        raise ValueError
    scores = [lp / ((5 + len(ids)) / 6) ** alpha for ids, lp in hypotheses]
    i = scores.index(max(scores))
    return hypotheses[i][0], scores[i]
""",
    },
    {
        "task": "best_hypothesis",
        "right": False,
        "why": "the best is chosen by score, but its log-probability is returned",
        "source": r"""
def best_hypothesis(hypotheses, alpha):
    if not hypotheses or alpha < 0:
        raise ValueError
    ids, lp = max(hypotheses, key=lambda h: h[1] / ((5 + len(h[0])) / 6) ** alpha)
    return ids, lp
""",
    },
]
