"""Answers to chapter 08, written from its page alone."""

ANSWERS = [
    # next_token_loss
    {
        "task": "next_token_loss",
        "right": True,
        "why": "library call, classes in the second dimension",
        "source": """
def next_token_loss(logits, ids):
    return F.cross_entropy(logits[:, :-1].transpose(1, 2), ids[:, 1:])
""",
    },
    {
        "task": "next_token_loss",
        "right": True,
        "why": "loops over texts and tokens, with logsumexp",
        "source": """
def next_token_loss(logits, ids):
    B, T, V = logits.shape
    total = logits.new_zeros(())
    for b in range(B):
        for t in range(T - 1):
            total = total + torch.logsumexp(logits[b, t], dim=0) - logits[b, t, ids[b, t + 1]]
    return total / (B * (T - 1))
""",
    },
    {
        "task": "next_token_loss",
        "right": True,
        "why": "a distribution object",
        "source": """
def next_token_loss(logits, ids):
    return -torch.distributions.Categorical(logits=logits[:, :-1]).log_prob(ids[:, 1:]).mean()
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "'Large logits must not overflow': the softmax rounds to 0 and its log is -inf",
        "source": """
def next_token_loss(logits, ids):
    probs = torch.softmax(logits[:, :-1], dim=-1)
    return -probs.gather(-1, ids[:, 1:, None]).log().mean()
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "a small number inside the log caps the cost at 18.4 nats: not the log of the softmax",
        "source": """
def next_token_loss(logits, ids):
    probs = torch.softmax(logits[:, :-1], dim=-1)
    picked = probs.gather(-1, ids[:, 1:].unsqueeze(-1)).squeeze(-1)
    return -torch.log(picked + 1e-8).mean()
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "takes off the maximum of the whole batch, so a position with low logits underflows to log 0",
        "source": """
def next_token_loss(logits, ids):
    z = logits[:, :-1] - logits.max()
    log_probs = z - z.exp().sum(-1, keepdim=True).log()
    return -log_probs.gather(-1, ids[:, 1:, None]).mean()
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "token 0 is taken for padding; the mean is over all T - 1 predictions",
        "source": """
def next_token_loss(logits, ids):
    V = logits.shape[-1]
    return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids[:, 1:].reshape(-1), ignore_index=0)
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "flattens logits text by text and ids token by token: right for one text only",
        "source": """
def next_token_loss(logits, ids):
    V = logits.shape[-1]
    return F.cross_entropy(logits[:, :-1].reshape(-1, V), ids.T[1:].reshape(-1))
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "'The gradient must flow through it': adds up Python numbers",
        "source": """
def next_token_loss(logits, ids):
    log_probs = logits.log_softmax(-1)
    B, T = ids.shape
    costs = [-log_probs[b, t, ids[b, t + 1]].item() for b in range(B) for t in range(T - 1)]
    return torch.tensor(sum(costs) / len(costs))
""",
    },
    {
        "task": "next_token_loss",
        "right": False,
        "why": "adds the costs of a text and takes the mean over texts only: the formula divides by B (T - 1)",
        "source": """
def next_token_loss(logits, ids):
    log_probs = F.log_softmax(logits[:, :-1], dim=-1)
    return -log_probs.gather(-1, ids[:, 1:, None]).squeeze(-1).mean(dim=0).sum()
""",
    },
    # gpt_parameters
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "closed formula",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    return D * (vocab_size + context_length + 2 + num_layers * (12 * D + 13))
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "builds one of each on the meta device and counts",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    def count(*modules):
        return sum(p.numel() for m in modules for p in m.parameters())
    with torch.device("meta"):
        tables = count(nn.Embedding(vocab_size, D), nn.Embedding(context_length, D), nn.LayerNorm(D))
        layer = count(nn.LayerNorm(D), nn.MultiheadAttention(D, 1), nn.LayerNorm(D), nn.Linear(D, 4 * D),
                      nn.Linear(4 * D, D))
    return tables + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": True,
        "why": "a list of shapes",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D, H = embed_dim, embed_dim * 4
    shapes = [(vocab_size, D), (context_length, D), (D,), (D,)]
    for _ in range(num_layers):
        shapes += [(D,)] * 4 + [(D, D), (D,)] * 4 + [(D, H), (H,), (H, D), (D,)]
    return sum(map(math.prod, shapes))
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'All linear layers have biases': the biases are counted as 4 + 4 + 1 numbers; D = 1 hides it",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    attention = 4 * (D * D + 1)
    feed_forward = (4 * D * D + 4) + (4 * D * D + 1)
    norms = 2 * 2 * D
    return vocab_size * D + context_length * D + num_layers * (attention + feed_forward + norms) + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'An int': the half of an even number comes out as a float",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = (24 * D * D + 26 * D) / 2
    return (vocab_size + context_length + 2) * D + num_layers * layer
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "adds in single precision: beyond 2**24 the count is rounded",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = torch.tensor(float(embed_dim))
    layer = 12 * D * D + 13 * D
    return int((vocab_size + context_length + 2) * D + num_layers * layer)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'a LayerNorm at the end' is there without layers, too",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    total = (vocab_size + context_length) * D
    for layer in range(num_layers):
        total += 2 * D + 4 * (D * D + D) + 2 * D + 8 * D * D + 5 * D
        if layer == num_layers - 1:
            total += 2 * D
    return total
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "D to 4 D and back: the inner width is taken as D + 3, which is 4 for D = 1",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D, H = embed_dim, embed_dim + 3
    layer = 4 * D + 4 * D * (D + 1) + D * H + H + H * D + D
    return vocab_size * D + context_length * D + num_layers * layer + 2 * D
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "'num_layers: L, 0 or more': 0 is refused",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    if min(vocab_size, context_length, embed_dim, num_layers) < 1:
        raise ValueError("sizes must be positive")
    D = embed_dim
    return (vocab_size + context_length + 2) * D + num_layers * (12 * D * D + 13 * D)
""",
    },
    {
        "task": "gpt_parameters",
        "right": False,
        "why": "the table of positions is counted in every layer",
        "source": """
def gpt_parameters(vocab_size, context_length, embed_dim, num_layers):
    D = embed_dim
    layer = context_length * D + 12 * D ** 2 + 13 * D
    return vocab_size * D + num_layers * layer + 2 * D
""",
    },
    # top_k_probs
    {
        "task": "top_k_probs",
        "right": True,
        "why": "topk, scatter, softmax",
        "source": """
def top_k_probs(logits, k):
    best, where = logits.topk(min(k, logits.shape[-1]), dim=-1)
    return torch.zeros_like(logits).scatter(-1, where, best.softmax(-1))
""",
    },
    {
        "task": "top_k_probs",
        "right": True,
        "why": "keeps all that are equal to the k-th, as is allowed",
        "source": """
def top_k_probs(logits, k):
    k = min(k, logits.size(-1))
    limit = torch.sort(logits, descending=True).values[..., k - 1 : k]
    return F.softmax(torch.where(logits >= limit, logits, -torch.inf), dim=-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": True,
        "why": "row by row with Python's sort",
        "source": """
def top_k_probs(logits, k):
    if logits.dim() > 1:
        return torch.stack([top_k_probs(row, k) for row in logits])
    keep = sorted(range(len(logits)), key=lambda i: -logits[i].item())[:k]
    out = torch.zeros_like(logits)
    out[keep] = torch.exp(logits[keep] - logits.max())
    return out / out.sum()
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "'Each row has its own k likeliest tokens': the limit is that of the whole tensor",
        "source": """
def top_k_probs(logits, k):
    limit = logits.flatten().topk(min(k, logits.numel())).values[-1]
    return logits.masked_fill(logits < limit, float("-inf")).softmax(-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "'k: ... it may be larger than V': topk fails",
        "source": """
def top_k_probs(logits, k):
    values = torch.topk(logits, k).values
    return torch.softmax(logits.masked_fill(logits < values[..., [-1]], -math.inf), dim=-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "cut tokens get -100 and keep a share where the kept logits are low: 'all others get probability 0'",
        "source": """
def top_k_probs(logits, k):
    k = min(k, logits.shape[-1])
    limit = logits.topk(k).values[..., -1:]
    return logits.masked_fill(logits < limit, -100.0).softmax(-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "'in the order of the tokens': sorts back with the same permutation instead of its inverse",
        "source": """
def top_k_probs(logits, k):
    ordered, order = logits.sort(dim=-1, descending=True)
    ordered = ordered.clone()
    ordered[..., k:] = -torch.inf
    return ordered.softmax(-1).gather(-1, order)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "keeps what is above the (k + 1)-th: with ties fewer than k are left, or none",
        "source": """
def top_k_probs(logits, k):
    if k >= logits.shape[-1]:
        return logits.softmax(-1)
    limit = logits.sort(dim=-1, descending=True).values[..., k].unsqueeze(-1)
    return logits.masked_fill(logits <= limit, -torch.inf).softmax(-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "'Large logits must not overflow': exp of the logits themselves",
        "source": """
def top_k_probs(logits, k):
    k = min(k, logits.shape[-1])
    keep = torch.zeros_like(logits).scatter(-1, logits.topk(k).indices, 1.0)
    weights = logits.exp() * keep
    return weights / weights.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "cuts to zero before the softmax by its rank in the first dimension: right for one row only",
        "source": """
def top_k_probs(logits, k):
    keep = torch.zeros_like(logits, dtype=torch.bool)
    keep = keep.scatter(0, logits.topk(min(k, logits.shape[0]), dim=0).indices, True)
    return logits.masked_fill(~keep, -torch.inf).softmax(-1)
""",
    },
    {
        "task": "top_k_probs",
        "right": False,
        "why": "changes the logits it was given: 'A function leaves its arguments as they are'",
        "source": """
def top_k_probs(logits, k):
    limit = logits.topk(min(k, logits.shape[-1])).values[..., -1:]
    logits[logits < limit] = -torch.inf
    return logits.softmax(-1)
""",
    },
    # top_p_probs
    {
        "task": "top_p_probs",
        "right": True,
        "why": "sort, cumulative sum, scatter",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError(f"p must be in (0, 1], not {p}")
    ordered, order = probs.sort(dim=-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * (before < p))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "a loop with an early exit, row by row; an error class of its own",
        "source": """
class BadShare(ValueError):
    pass

def top_p_probs(probs, p):
    if p <= 0 or p > 1:
        raise BadShare(p)
    out = torch.zeros_like(probs)
    V = probs.shape[-1]
    for row, new in zip(probs.reshape(-1, V), out.view(-1, V)):
        total = 0.0
        for i in sorted(range(V), key=lambda i: row[i].item(), reverse=True):
            new[i] = row[i]
            total += row[i].item()
            if total >= p:
                break
        new /= new.sum()
    return out
""",
    },
    {
        "task": "top_p_probs",
        "right": True,
        "why": "recursion over dimensions, sizes by counting",
        "source": """
def top_p_probs(probs, p):
    if not (p > 0 and p <= 1):
        raise ValueError("p")
    if probs.dim() > 1:
        return torch.stack([top_p_probs(row, p) for row in probs.unbind()])
    values, order = torch.sort(probs, descending=True)
    size = min(int((values.cumsum(0) < p).sum()) + 1, len(values))
    out = probs.new_zeros(probs.shape)
    out[order[:size]] = values[:size] / values[:size].sum()
    return out
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'sum to at least p': goes on where the sum is exactly p, and keeps one token too many",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered <= p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'the smallest set': keeps all tokens as likely as the last one that is needed",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered = probs.sort(dim=-1, descending=True).values
    size = (ordered.cumsum(-1) - ordered < p).sum(-1, keepdim=True)
    limit = ordered.gather(-1, size - 1)
    kept = torch.where(probs >= limit, probs, torch.zeros_like(probs))
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'p: above 0, at most 1': refuses p = 1",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p < 1:
        raise ValueError("p must be between 0 and 1")
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'ValueError: p outside (0, 1]': 0 passes and gives the likeliest token",
        "source": """
def top_p_probs(probs, p):
    if p < 0 or p > 1:
        raise ValueError("p is a probability")
    ordered, order = probs.sort(dim=-1, descending=True)
    keep = ordered.cumsum(-1) - ordered < p
    keep[..., 0] = True
    kept = torch.zeros_like(probs).scatter(-1, order, ordered * keep)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'The nucleus of a row': every row gets as many tokens as the first one",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    V = probs.shape[-1]
    first = probs.reshape(-1, V)[0].sort(descending=True).values
    size = min(int((first.cumsum(0) < p).sum()) + 1, V)
    values, where = probs.topk(size, dim=-1)
    return torch.zeros_like(probs).scatter(-1, where, values / values.sum(-1, keepdim=True))
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "the mask of the sorted row is carried back with the permutation itself, not its inverse",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    keep = (ordered.cumsum(-1) - ordered < p).gather(-1, order)
    kept = probs * keep
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'summing to 1': divides by the sum of the whole tensor, not of each row",
        "source": """
def top_p_probs(probs, p):
    if not 0 < p <= 1:
        raise ValueError("p must be in (0, 1]")
    ordered, order = probs.sort(dim=-1, descending=True)
    inside = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, inside)
    return kept / kept.sum()
""",
    },
    {
        "task": "top_p_probs",
        "right": False,
        "why": "'ValueError': an assertion is another error",
        "source": """
def top_p_probs(probs, p):
    assert 0 < p <= 1, "p outside (0, 1]"
    ordered, order = probs.sort(dim=-1, descending=True)
    ordered = ordered * (ordered.cumsum(-1) - ordered < p)
    kept = torch.zeros_like(probs).scatter(-1, order, ordered)
    return kept / kept.sum(-1, keepdim=True)
""",
    },
    # attend_with_cache
    {
        "task": "attend_with_cache",
        "right": True,
        "why": "cat, matmul, softmax",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], dim=2), torch.cat([old_values, value], dim=2)
    weights = torch.softmax(query @ keys.mT / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ values, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": True,
        "why": "library call; the three come as a named tuple",
        "source": """
from collections import namedtuple
Step = namedtuple("Step", "context keys values")

def attend_with_cache(query, key, value, old_keys, old_values):
    keys = torch.concat((old_keys, key), dim=-2)
    values = torch.concat((old_values, value), dim=-2)
    return Step(F.scaled_dot_product_attention(query, keys, values), keys, values)
""",
    },
    {
        "task": "attend_with_cache",
        "right": True,
        "why": "sums over elements, a running maximum",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys = torch.cat([old_keys, key], 2)
    values = torch.cat([old_values, value], 2)
    scores = (query * keys).sum(-1, keepdim=True) * query.shape[-1] ** -0.5
    weights = (scores - scores.amax(2, keepdim=True)).exp()
    context = (weights * values).sum(2, keepdim=True) / weights.sum(2, keepdim=True)
    return context, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "the root of K is left out; heads of width 1 hide it",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    weights = (query @ keys.transpose(2, 3)).softmax(-1)
    return weights @ values, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "divides by the root of the number of heads, not of their width K",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    weights = (query @ keys.transpose(2, 3) / query.size(1) ** 0.5).softmax(-1)
    return weights @ values, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "a causal mask for a query of one row shows it the oldest token only",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    return F.scaled_dot_product_attention(query, keys, values, is_causal=True), keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "takes off the maximum of all texts and heads: a head with low scores gives 0 / 0",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    scores = query @ keys.mT / query.shape[-1] ** 0.5
    weights = (scores - scores.max()).exp()
    return weights @ values / weights.sum(-1, keepdim=True), keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "clamps the scores to 30 against overflow: two large scores become equal",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).clamp(-30, 30).exp()
    return weights @ values / weights.sum(-1, keepdim=True), keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "'append': the new key comes first, and the values come back in reverse",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([key, old_keys], 2), torch.cat([value, old_values], 2)
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return weights @ values, keys, values.flip(2)
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "one softmax over all heads and tokens: every head has its own",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    scores = query @ keys.mT / query.shape[-1] ** 0.5
    weights = scores.flatten(1).softmax(-1).view_as(scores)
    return weights @ values, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": False,
        "why": "'S may be 0': an empty cache gives back the cache as it was, without the new token",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    if old_keys.shape[2] == 0:
        return value, old_keys, old_values
    keys, values = torch.cat([old_keys, key], 2), torch.cat([old_values, value], 2)
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return weights @ values, keys, values
""",
    },
    {
        "task": "attend_with_cache",
        "right": None,
        "why": "the gradient does not reach the new key and value; the statement does not ask for one here",
        "source": """
def attend_with_cache(query, key, value, old_keys, old_values):
    keys, values = torch.cat([old_keys, key], 2).detach(), torch.cat([old_values, value], 2).detach()
    weights = (query @ keys.mT / query.shape[-1] ** 0.5).softmax(-1)
    return weights @ values, keys, values
""",
    },
    # cache_bytes
    {
        "task": "cache_bytes",
        "right": True,
        "why": "product",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return math.prod([2, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each])
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "loops over layers",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    total = 0
    for _layer in range(num_layers):
        for _kind in ("keys", "values"):
            total += num_kv_heads * head_dim * length * batch_size * bytes_each
    return total
""",
    },
    {
        "task": "cache_bytes",
        "right": True,
        "why": "counts numbers of a tensor without storage",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    one = torch.empty(batch_size, num_kv_heads, length, head_dim, device="meta")
    return 2 * num_layers * one.numel() * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'bytes_each: of one number': two numbers of two bytes are written down as 4",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 4 * num_layers * num_kv_heads * head_dim * length * batch_size
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'a key and a value': the 2 is taken for the bytes, so other sizes lose a factor",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each ** 2
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'batch_size: texts': the batch is forgotten, the default hides it",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    per_token = 2 * num_layers * num_kv_heads * head_dim * bytes_each
    return per_token * length
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'length: ... 0 or more': an empty cache has 0 bytes, not those of one token",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    return 2 * num_layers * num_kv_heads * head_dim * max(length, 1) * batch_size * bytes_each
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "multiplies in 32 bits: a large model's cache overflows",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    sizes = torch.tensor([2, num_layers, num_kv_heads, head_dim, length, batch_size, bytes_each])
    return sizes.prod(dtype=torch.int32).item()
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'An int': counts bits and divides by 8 with a float as result",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    bits = 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each * 8
    return bits / 8
""",
    },
    {
        "task": "cache_bytes",
        "right": False,
        "why": "'length: tokens in each text, 0 or more': refuses 0",
        "source": """
def cache_bytes(num_layers, num_kv_heads, head_dim, length, batch_size=1, bytes_each=2):
    if length <= 0:
        raise ValueError("length")
    return 2 * num_layers * num_kv_heads * head_dim * length * batch_size * bytes_each
""",
    },
    # grouped_attention
    {
        "task": "grouped_attention",
        "right": True,
        "why": "repeat_interleave and a mask",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H % G != 0:
        raise ValueError(f"{G} does not divide {H}")
    key, value = (x.repeat_interleave(H // G, dim=1) for x in (key, value))
    scores = query @ key.transpose(-2, -1) / math.sqrt(K)
    future = torch.ones(T, T, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -math.inf).softmax(-1) @ value
""",
    },
    {
        "task": "grouped_attention",
        "right": True,
        "why": "groups as a dimension of their own, einsum",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.size(1)
    if H % G:
        raise ValueError("G must divide H")
    q = query.reshape(B, G, H // G, T, K)
    scores = torch.einsum("bgntk,bgsk->bgnts", q, key) * K ** -0.5
    scores = scores + torch.full((T, T), -torch.inf, dtype=scores.dtype).triu(1)
    return torch.einsum("bgnts,bgsk->bgntk", scores.softmax(-1), value).reshape(B, H, T, K)
""",
    },
    {
        "task": "grouped_attention",
        "right": True,
        "why": "head by head, token by token",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H // G * G != H:
        raise ValueError("heads")
    heads = []
    for h in range(H):
        k, v = key[:, h // (H // G)], value[:, h // (H // G)]
        rows = []
        for t in range(T):
            scores = (k[:, : t + 1] @ query[:, h, t, :, None]).squeeze(-1) / K ** 0.5
            rows.append((F.softmax(scores, dim=1).unsqueeze(-1) * v[:, : t + 1]).sum(1))
        heads.append(torch.stack(rows, dim=1))
    return torch.stack(heads, dim=1)
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "'neighbouring heads share one': repeat gives head h the keys h mod G",
        "source": """
def grouped_attention(query, key, value):
    H, G = query.shape[1], key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat(1, H // G, 1, 1), value.repeat(1, H // G, 1, 1)
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "'ValueError: G does not divide H': no check, another error comes",
        "source": """
def grouped_attention(query, key, value):
    n = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(n, 1), value.repeat_interleave(n, 1)
    return F.scaled_dot_product_attention(query, key, value, is_causal=True)
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "'ValueError: G does not divide H': only G above H is refused, surplus heads share the last keys",
        "source": """
def grouped_attention(query, key, value):
    H, G = query.shape[1], key.shape[1]
    if G > H:
        raise ValueError("more key heads than query heads")
    which = torch.tensor([min(h // (H // G), G - 1) for h in range(H)])
    return F.scaled_dot_product_attention(query, key[:, which], value[:, which], is_causal=True)
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "the scores are not divided by the root of K",
        "source": """
def grouped_attention(query, key, value):
    H, T, G = query.shape[1], query.shape[2], key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat_interleave(H // G, 1), value.repeat_interleave(H // G, 1)
    scores = (query @ key.mT).masked_fill(~torch.ones(T, T).tril().bool(), -torch.inf)
    return scores.softmax(-1) @ value
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "the future gets -1000 and wins where the scores of the past lie below that",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat_interleave(H // G, 1), value.repeat_interleave(H // G, 1)
    scores = (query @ key.mT / K ** 0.5).masked_fill(torch.ones(T, T).triu(1).bool(), -1000.0)
    return scores.softmax(-1) @ value
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "adds -1e4 to the future's scores: a score above 1e4 still shines through",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat_interleave(H // G, 1), value.repeat_interleave(H // G, 1)
    scores = query @ key.mT / K ** 0.5 - 1e4 * torch.ones(T, T, dtype=query.dtype).triu(1)
    return scores.softmax(-1) @ value
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "'The gradient must flow through it': the shared keys and values are copied as data",
        "source": """
def grouped_attention(query, key, value):
    H, G = query.shape[1], key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    keys, values = torch.empty_like(query), torch.empty_like(query)
    for h in range(H):
        keys[:, h] = key[:, h * G // H].data
        values[:, h] = value[:, h * G // H].data
    return F.scaled_dot_product_attention(query, keys, values, is_causal=True)
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "'Large scores must not overflow': exp without taking off the maximum",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat_interleave(H // G, 1), value.repeat_interleave(H // G, 1)
    weights = (query @ key.mT / K ** 0.5).exp().tril()
    return weights / weights.sum(-1, keepdim=True) @ value
""",
    },
    {
        "task": "grouped_attention",
        "right": False,
        "why": "hides the future after a softmax over all tokens: large scores of the future leave 0 / 0",
        "source": """
def grouped_attention(query, key, value):
    B, H, T, K = query.shape
    G = key.shape[1]
    if H % G:
        raise ValueError("G does not divide H")
    key, value = key.repeat_interleave(H // G, 1), value.repeat_interleave(H // G, 1)
    weights = (query @ key.mT / K ** 0.5).softmax(-1).tril()
    return weights / weights.sum(-1, keepdim=True) @ value
""",
    },
    # alibi_bias
    {
        "task": "alibi_bias",
        "right": True,
        "why": "broadcasting and a mask",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t[None, :]
    bias = -torch.tensor(slopes, dtype=torch.float64).view(-1, 1, 1) * distance
    return bias.masked_fill(distance < 0, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "loops over entries",
        "source": """
def alibi_bias(slopes, length):
    bias = torch.full((len(slopes), length, length), float("-inf"), dtype=torch.double)
    for h, slope in enumerate(slopes):
        for t in range(length):
            for s in range(t + 1):
                bias[h, t, s] = slope * (s - t)
    return bias
""",
    },
    {
        "task": "alibi_bias",
        "right": True,
        "why": "NumPy, handed over",
        "source": """
def alibi_bias(slopes, length):
    back = np.subtract.outer(np.arange(length), np.arange(length))
    bias = np.where(back >= 0, -np.multiply.outer(np.asarray(slopes, float), back), -np.inf)
    return torch.from_numpy(bias)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "slope 0 times an infinite distance is nan: slopes are '0 or more'",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t
    distance[distance < 0] = torch.inf
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'A tensor of float64': the slopes are rounded to single precision first",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length)
    distance = t[:, None] - t
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -torch.inf).double()
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'A tensor of float64': it is float32",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length).float()
    distance = t[:, None] - t
    bias = -torch.tensor(slopes)[:, None, None] * distance
    return bias.masked_fill(distance < 0, -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'-inf where s > t': the future is penalised by its distance only",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = (t[:, None] - t).abs()
    return -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "a large negative number is not -inf",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    distance = t[:, None] - t
    bias = -torch.tensor(slopes, dtype=torch.float64)[:, None, None] * distance
    return bias.masked_fill(distance < 0, torch.finfo(torch.float64).min)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "the penalty counts from the start of the text: the same softmax, but not t - s times the slope",
        "source": """
def alibi_bias(slopes, length):
    t = torch.arange(length, dtype=torch.float64)
    bias = torch.tensor(slopes, dtype=torch.float64)[:, None, None] * (t - (length - 1)).expand(length, length)
    return bias.masked_fill(t > t[:, None], -torch.inf)
""",
    },
    {
        "task": "alibi_bias",
        "right": False,
        "why": "'length: T, 0 or more': stacking no rows fails",
        "source": """
def alibi_bias(slopes, length):
    heads = []
    for m in slopes:
        rows = [[-m * (t - s) if s <= t else -math.inf for s in range(length)] for t in range(length)]
        heads.append(torch.stack([torch.tensor(row, dtype=torch.float64) for row in rows]))
    return torch.stack(heads)
""",
    },
    # rms_norm
    {
        "task": "rms_norm",
        "right": True,
        "why": "the formula",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "library call",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return F.rms_norm(x, x.shape[-1:], weight=gain, eps=eps)
""",
    },
    {
        "task": "rms_norm",
        "right": True,
        "why": "sums by einsum",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    squares = torch.einsum("...d,...d->...", x, x) / x.shape[-1]
    return torch.einsum("...d,d,...->...d", x, gain, (squares + eps) ** -0.5)
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'eps: added under the root': it is added to the root",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'each vector of x': the mean square is that of the whole tensor",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean() + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the mean runs over the first dimension, which is D for one vector only",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(dim=0) + eps) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'The gradient must flow': the root is treated as a constant",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    with torch.no_grad():
        scale = torch.rsqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * scale * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "'added under the root': eps is only a lower limit",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / (x * x).mean(-1, keepdim=True).clamp(min=eps).sqrt() * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "the caller's eps is not used",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + 1e-5) * gain
""",
    },
    {
        "task": "rms_norm",
        "right": False,
        "why": "changes x in place, which fails where x itself wants a gradient",
        "source": """
def rms_norm(x, gain, eps=1e-5):
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * gain
""",
    },
    # mixture_of_experts
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "all experts work, the shares of most are 0",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    shares = torch.zeros(len(x), router.shape[1], dtype=x.dtype).scatter(1, which, best.softmax(-1))
    hidden = torch.einsum("nd,edf->nef", x, up).relu()
    return torch.einsum("ne,nef,efd->nd", shares, hidden, down)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "expert by expert, index_add",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    scores, chosen = torch.topk(x @ router, k)
    shares = F.softmax(scores, dim=-1)
    y = torch.zeros_like(x)
    for e in range(up.shape[0]):
        token, place = torch.where(chosen == e)
        answer = F.relu(x[token] @ up[e]) @ down[e]
        y = y.index_add(0, token, shares[token, place].unsqueeze(1) * answer)
    return y
""",
    },
    {
        "task": "mixture_of_experts",
        "right": True,
        "why": "token by token",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        scores = token @ router
        order = sorted(range(len(scores)), key=lambda e: -scores[e].item())[:k]
        shares = torch.softmax(torch.stack([scores[e] for e in order]), dim=0)
        rows.append(sum(share * (torch.relu(token @ up[e]) @ down[e]) for share, e in zip(shares, order)))
    return torch.stack(rows) if rows else x.clone()
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'the softmax of these k scores': the softmax over all experts is not divided by what is kept",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    shares, which = (x @ router).softmax(-1).topk(k, dim=-1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[which]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[which])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "relu is left out; positive numbers hide it",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    answers = torch.einsum("nd,nkdf,nkfe->nke", x, up[which], down[which])
    return (best.softmax(-1).unsqueeze(-1) * answers).sum(1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'The gradient must flow through it, to the router too': the shares are detached",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    with torch.no_grad():
        best, which = (x @ router).topk(k, dim=-1)
        shares = best.softmax(-1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[which]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[which])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "the softmax runs over the tokens, not over a token's experts",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    shares = best.softmax(0) if len(x) > 1 else best.softmax(-1)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[which]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[which])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'Only the k experts with the highest scores work on the token': one choice for all tokens",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    which = scores.mean(0).topk(k).indices
    shares = scores[:, which].softmax(-1)
    hidden = torch.einsum("nd,kdf->nkf", x, up[which]).relu()
    return torch.einsum("nk,nkf,kfd->nd", shares, hidden, down[which])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'N may be 0': stacking no rows fails",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    rows = []
    for token in x:
        best, which = (token @ router).topk(k)
        rows.append(sum(s * ((token @ up[e]).relu() @ down[e]) for s, e in zip(best.softmax(0), which)))
    return torch.stack(rows)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'Large scores must not overflow': exp of the scores themselves",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    shares = best.exp() / best.exp().sum(-1, keepdim=True)
    hidden = torch.einsum("nd,nkdf->nkf", x, up[which]).relu()
    return torch.einsum("nk,nkf,nkfd->nd", shares, hidden, down[which])
""",
    },
    {
        "task": "mixture_of_experts",
        "right": False,
        "why": "'relu(x U) D': the relu comes after the second matrix",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    best, which = (x @ router).topk(k, dim=-1)
    answers = torch.einsum("nd,nkdf,nkfe->nke", x, up[which], down[which]).relu()
    return (best.softmax(-1).unsqueeze(-1) * answers).sum(1)
""",
    },
    {
        "task": "mixture_of_experts",
        "right": None,
        "why": "with equal k-th scores more than k experts work; the statement does not say which of equals is taken",
        "source": """
def mixture_of_experts(x, router, up, down, k):
    scores = x @ router
    limit = scores.topk(k, dim=-1).values[:, -1:]
    shares = scores.masked_fill(scores < limit, -torch.inf).softmax(-1)
    hidden = torch.einsum("nd,edf->nef", x, up).relu()
    return torch.einsum("ne,nef,efd->nd", shares, hidden, down)
""",
    },
    # fit_power_law
    {
        "task": "fit_power_law",
        "right": True,
        "why": "polyfit; NumPy floats are floats",
        "source": """
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("need two different sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return np.exp(intercept), -slope
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "sums by hand, in base 2",
        "source": """
def fit_power_law(sizes, losses):
    x, y = [math.log2(s) for s in sizes], [math.log2(c) for c in losses]
    if len({*sizes}) <= 1:
        raise ValueError(sizes)
    mx, my = math.fsum(x) / len(x), math.fsum(y) / len(y)
    b = -sum((u - mx) * (v - my) for u, v in zip(x, y)) / sum((u - mx) ** 2 for u in x)
    return 2 ** (my + b * mx), b
""",
    },
    {
        "task": "fit_power_law",
        "right": True,
        "why": "the standard library; an error class of its own",
        "source": """
import statistics

class TooFew(ValueError):
    pass

def fit_power_law(sizes, losses):
    if not sizes or min(sizes) == max(sizes):
        raise TooFew
    line = statistics.linear_regression([math.log(s) for s in sizes], [math.log(c) for c in losses])
    return math.exp(line.intercept), -line.slope
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "regresses the sizes on the losses: the same line for two points only",
        "source": """
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    x, y = np.log(sizes), np.log(losses)
    slope, intercept = np.polyfit(y, x, 1)
    return float(np.exp(-intercept / slope)), float(-1 / slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "the line through the smallest and the largest size is not that of least squares",
        "source": """
def fit_power_law(sizes, losses):
    (s0, l0), *_, (s1, l1) = sorted(zip(sizes, losses)) if len(sizes) > 1 else [(1, 1), (1, 1)]
    if s0 == s1:
        raise ValueError("sizes")
    b = math.log(l0 / l1) / math.log(s1 / s0)
    return l0 * s0 ** b, b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "'fewer than two different sizes': counts the points, not the different sizes",
        "source": """
def fit_power_law(sizes, losses):
    if len(sizes) < 2:
        raise ValueError("need two points")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "'b is below 0 where the losses rise': the sign is dropped",
        "source": """
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(intercept)), float(abs(slope))
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "a dict keeps one loss for each size: the other points of that size are lost",
        "source": """
def fit_power_law(sizes, losses):
    points = dict(zip(sizes, losses))
    if len(points) < 2:
        raise ValueError("sizes")
    slope, intercept = np.polyfit(np.log(list(points)), np.log(list(points.values())), 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "sizes are sorted without their losses",
        "source": """
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    slope, intercept = np.polyfit(np.log(sorted(sizes)), np.log(losses), 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "least squares 'on the logarithms': the scale a is fitted to the losses themselves",
        "source": """
def fit_power_law(sizes, losses):
    if len(set(sizes)) < 2:
        raise ValueError("sizes")
    b = -float(np.polyfit(np.log(sizes), np.log(losses), 1)[0])
    curve = np.array(sizes, float) ** -b
    return float(curve @ np.array(losses) / (curve @ curve)), b
""",
    },
    {
        "task": "fit_power_law",
        "right": False,
        "why": "different positive sizes below 1e-8 are refused as equal",
        "source": """
def fit_power_law(sizes, losses):
    if len(sizes) < 2 or np.allclose(sizes, sizes[0]):
        raise ValueError("sizes")
    slope, intercept = np.polyfit(np.log(sizes), np.log(losses), 1)
    return float(np.exp(intercept)), float(-slope)
""",
    },
]
