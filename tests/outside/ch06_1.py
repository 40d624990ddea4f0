"""Answers to chapter 06, written from its page alone."""

ANSWERS = [
    # feed_forward
    {
        "task": "feed_forward",
        "right": True,
        "why": "two linear layers of the library with transposed weights",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.relu(F.linear(x, w1.T, b1)), w2.T, b2)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "a loop over the hidden neurons that adds up what each contributes",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    y = torch.zeros(x.shape, dtype=x.dtype) + b2
    for f in range(len(b1)):
        neuron = ((x * w1[:, f]).sum(dim=-1) + b1[f]).clamp(min=0)
        y = y + neuron[..., None] * w2[f]
    return y
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "einsum and where",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    h = torch.einsum("...d,df->...f", x, w1) + b1
    h = torch.where(h > 0, h, torch.zeros_like(h))
    return torch.einsum("...f,fd->...d", h, w2) + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "the first bias is added after the ReLU; max(0, x W1 + b1)",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "addmm takes matrices only; 'a tensor (..., D)'",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return torch.addmm(b2, torch.addmm(b1, x, w1).relu(), w2)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "flattened and reshaped with -1, which fails without positions; 'there may be no positions at all'",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    flat = x.reshape(-1, x.shape[-1])
    y = torch.relu(flat @ w1 + b1) @ w2 + b2
    return y.reshape(*x.shape[:-1], -1)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "GELU instead of what 'cuts what is below 0'",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return F.gelu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "a ReLU at the end, too; the formula cuts the hidden numbers only",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    for w, b in ((w1, b1), (w2, b2)):
        x = torch.relu(x @ w + b)
    return x
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "a residual connection that the formula does not have",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return x + torch.relu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "the hidden numbers are cut at 0 and at 6; only what is below 0 is cut",
        "source": """
def feed_forward(x, w1, b1, w2, b2):
    return F.relu6(x @ w1 + b1) @ w2 + b2
""",
    },
    # embed_with_positions
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "rows by index, positions in float64, interleaved by stack",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64)
    angle = p[:, None] / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D)
    return table[ids] * D**0.5 + positions.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "F.embedding, and the positions number by number with math",
        "source": """
def embed_with_positions(ids, table, start=0):
    V, D = table.shape
    T = ids.shape[-1]
    positions = table.new_zeros(T, D)
    for t in range(T):
        for j in range(D):
            angle = (start + t) / 10000 ** ((j - j % 2) / D)
            positions[t, j] = math.cos(angle) if j % 2 else math.sin(angle)
    return math.sqrt(D) * F.embedding(ids, table) + positions
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "one-hot vectors times the table; positions through NumPy",
        "source": """
def embed_with_positions(ids, table, start=0):
    V, D = table.shape
    hot = F.one_hot(ids.long(), V).to(table.dtype)
    x = hot @ (table * np.sqrt(D).item())
    angle = np.arange(start, start + ids.shape[-1])[:, None] / 1e4 ** (np.arange(0, D, 2) / D)
    positions = np.empty((ids.shape[-1], D))
    positions[:, ::2], positions[:, 1::2] = np.sin(angle), np.cos(angle)
    return x + torch.from_numpy(positions).to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "the positions are multiplied by the root of D as well",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(start, start + T, dtype=torch.float64)
    angle = p[:, None] / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D).to(table.dtype)
    return (table[ids] + positions) * D**0.5
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "a table of 512 positions made in advance: a start beyond it fails; start is '0 or more'",
        "source": """
POSITIONS = 512

def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    angle = torch.arange(POSITIONS).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(POSITIONS, D).to(table.dtype)
    return table[ids] * D**0.5 + pe[start : start + T]
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "positions of float64 make everything float64; 'of the table's element type'",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D)
    return table[ids] * D**0.5 + positions
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "positions count on from one text of the batch to the next; each stands at start + t",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    p = torch.arange(start, start + ids.numel()).double().reshape(ids.shape)
    angle = p[..., None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(*ids.shape, D)
    return table[ids] * D**0.5 + positions.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "sines in the first half, cosines in the second; PE 2i is a sine, 2i + 1 its cosine",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    return table[ids] * D**0.5 + torch.cat([angle.sin(), angle.cos()], -1).to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "ids are taken as (B, T) or (T,) only; 'a tensor (..., T)'",
        "source": """
def embed_with_positions(ids, table, start=0):
    two = ids if ids.dim() == 2 else ids[None]
    B, T = two.shape
    D = table.shape[1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(1, T, D)
    return (table[two] * D**0.5 + positions.to(table.dtype)).reshape(*ids.shape, D)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "each row is multiplied by the root of the number of words V, not of D",
        "source": """
def embed_with_positions(ids, table, start=0):
    D, T = table.shape[1], ids.shape[-1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    positions = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D).to(table.dtype)
    return table[ids] * math.sqrt(len(table)) + positions
""",
    },
    # residual_block
    {
        "task": "residual_block",
        "right": True,
        "why": "two branches with F.layer_norm",
        "source": """
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(f"order must be 'pre' or 'post', not {order!r}")
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "a dict of functions; the norm written out; an exception that is a KeyError and a ValueError",
        "source": """
class UnknownOrder(KeyError, ValueError):
    pass


def residual_block(x, w, order="pre"):
    def norm(y):
        y = y - y.mean(-1, keepdim=True)
        return y / (y.square().mean(-1, keepdim=True) + 1e-5).sqrt()

    ways = {"pre": lambda: x + torch.matmul(norm(x), w), "post": lambda: norm(x + torch.matmul(x, w))}
    if order not in ways:
        raise UnknownOrder(order)
    return ways[order]()
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "nn.LayerNorm without learned parts, and match",
        "source": """
def residual_block(x, w, order="pre"):
    norm = nn.LayerNorm(x.size(-1), elementwise_affine=False)
    match order:
        case "pre":
            return torch.add(x, norm(x).matmul(w))
        case "post":
            return norm(torch.add(x, x.matmul(w)))
        case _:
            raise ValueError("order")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "'pre' adds to the norm instead of to the stream; x + LN(x) w",
        "source": """
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError("order")
    if order == "pre":
        x = F.layer_norm(x, x.shape[-1:])
        return x + x @ w
    return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "'post' normalises the sublayer's output only; LN(x + x w)",
        "source": """
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError("order")
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    return x + F.layer_norm(x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "capitals are accepted; 'ValueError: another order'",
        "source": """
def residual_block(x, w, order="pre"):
    order = order.lower()
    if order not in {"pre", "post"}:
        raise ValueError("order")
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "`in` asks for a part of the word, so the empty order and 'p' are taken for 'pre'",
        "source": """
def residual_block(x, w, order="pre"):
    if order in "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    elif order in "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError("order")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "the norm runs over the words as well; `F.layer_norm(x, x.shape[-1:])`",
        "source": """
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError("order")
    shape = x.shape[-2:]
    if order == "pre":
        return x + F.layer_norm(x, shape) @ w
    return F.layer_norm(x + x @ w, shape)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "the matrix is used transposed, as by F.linear; 'the sublayer of y is y @ w'",
        "source": """
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError("order")
    if order == "pre":
        return x + F.linear(F.layer_norm(x, x.shape[-1:]), w)
    return F.layer_norm(x + F.linear(x, w), x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "no eps: where the variance is 0 the result is NaN or huge; 'with torch's eps of 1e-5'",
        "source": """
def residual_block(x, w, order="pre"):
    if order not in ("pre", "post"):
        raise ValueError("order")
    def norm(y):
        y = y - y.mean(-1, keepdim=True)
        return y / y.std(-1, keepdim=True, correction=0).clamp(min=1e-12)
    return x + norm(x) @ w if order == "pre" else norm(x + x @ w)
""",
    },
    # decoder_attention_mask
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "a triangle and the kept columns",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    past = torch.ones(T, T, dtype=torch.bool, device=ids.device).tril()
    return past & (ids != pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "three loops",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    keep = torch.zeros((B, 1, T, T), dtype=torch.bool)
    for b in range(B):
        for s in range(T):
            if ids[b, s] != pad_id:
                keep[b, 0, s:, s] = True
    return keep
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "positions compared; where instead of and; through NumPy",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    a = ids.numpy()
    t = np.arange(a.shape[1])
    seen = np.where((a == pad_id)[:, None, :], False, t[:, None] >= t)
    return torch.from_numpy(seen).unsqueeze(1)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding is counted and taken to be at the end; 'at its end, at its beginning, in between'",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    lengths = (ids != pad_id).sum(dim=1)
    tokens = torch.arange(T) < lengths[:, None]
    return torch.ones(T, T).tril().bool() & tokens[:, None, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "rows of padding see nothing; 'row 2, padding itself, at 0 and 1 too'",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    real = ids != pad_id
    both = real[:, :, None] & real[:, None, :]
    return torch.tril(both)[:, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "0 is taken for padding whatever pad_id is",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    T = ids.size(1)
    return torch.ones(T, T, dtype=torch.bool).tril() & ids.bool()[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "each position sees itself even if it is padding (so that no row is empty); padding is hidden",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, None]
    return keep | torch.eye(T, dtype=torch.bool)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "everything after the first padding is hidden; padding may stand in between",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    real = (ids != pad_id).int().cumprod(dim=1).bool()
    return torch.ones(T, T, dtype=torch.bool).tril()[None, None] & real[:, None, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "the rows of padding are hidden instead of its columns",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id)[:, None, :, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "no axis for the heads; 'A bool tensor (B, 1, T, T)'",
        "source": """
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T, dtype=torch.bool).tril() & (ids != pad_id).unsqueeze(1)
""",
    },
    # cross_attention
    {
        "task": "cross_attention",
        "right": True,
        "why": "softmax and masked_fill",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask[:, None, :], float("-inf"))
    return scores.softmax(dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "text by text, with the padding cut out of the memory",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    out = []
    for b in range(len(x)):
        m = memory[b] if attention_mask is None else memory[b][attention_mask[b]]
        s = (x[b] @ wq) @ (m @ wk).T / math.sqrt(wq.shape[1])
        out.append(torch.softmax(s, dim=1) @ (m @ wv))
    return torch.stack(out)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "the library's attention with an added axis for the one head",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    mask = None if attention_mask is None else attention_mask[:, None, None, :]
    q, k, v = (x @ wq)[:, None], (memory @ wk)[:, None], (memory @ wv)[:, None]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).squeeze(1)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "divided by the root of D; 'k the width of queries and keys'",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / x.shape[-1] ** 0.5
    if attention_mask is not None:
        scores = scores.masked_fill(~attention_mask.unsqueeze(1), -torch.inf)
    return scores.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "attention_mask (B, S) is broadcast as (T, S): right for one text only",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / wq.shape[1] ** 0.5
    if attention_mask is not None:
        try:
            scores = scores.masked_fill(~attention_mask, -torch.inf)
        except RuntimeError:
            scores = scores.masked_fill(~attention_mask[0], -torch.inf)
    return scores.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the memory's own rows of padding become 0, so they score 0 and get weight; 'gets no weight'",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    if attention_mask is not None:
        memory = memory * attention_mask.unsqueeze(-1)
    q, k, v = x @ wq, memory @ wk, memory @ wv
    return torch.softmax(q @ k.mT / k.size(-1) ** 0.5, dim=-1) @ v
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "padding scores -1e4, which may be more than the tokens' scores; padding 'gets no weight'",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / wq.shape[1] ** 0.5
    if attention_mask is not None:
        scores = torch.where(attention_mask[:, None], scores, torch.full_like(scores, -1e4))
    return scores.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "the largest score of the whole batch is taken away: rows far below are 0 / 0; 'Large scores' must work",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    scores = (x @ wq) @ (memory @ wk).mT / wq.shape[1] ** 0.5
    e = torch.exp(scores - scores.max())
    if attention_mask is not None:
        e = e * attention_mask[:, None, :]
    return e @ (memory @ wv) / e.sum(-1, keepdim=True)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "each row's largest score counts the padding: if that is far above, the kept ones are 0 / 0",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    weights = ((x @ wq) @ (memory @ wk).mT / wq.shape[1] ** 0.5).softmax(-1)
    if attention_mask is not None:
        weights = weights * attention_mask[:, None, :]
        weights = weights / weights.sum(-1, keepdim=True)
    return weights @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "without a mask the last memory rows beyond T are cut off, as if source and target were equally long",
        "source": """
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    B, T, D = x.shape
    if attention_mask is None:
        attention_mask = torch.ones(B, T, dtype=torch.bool)
        memory = memory[:, :T]
        attention_mask = attention_mask[:, : memory.shape[1]]
    scores = (x @ wq) @ (memory @ wk).mT / wq.shape[1] ** 0.5
    return scores.masked_fill(~attention_mask[:, None], -torch.inf).softmax(-1) @ (memory @ wv)
""",
    },
    # encoder_block
    {
        "task": "encoder_block",
        "right": True,
        "why": "a loop over the heads",
        "source": """
def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    q, k, v = y @ weights["q"], y @ weights["k"], y @ weights["v"]
    heads = []
    for h in range(num_heads):
        c = slice(h * K, h * K + K)
        heads.append(torch.softmax(q[:, :, c] @ k[:, :, c].mT / math.sqrt(K), dim=-1) @ v[:, :, c])
    x = x + torch.cat(heads, dim=-1) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "the library's attention on four axes; the norm written out",
        "source": """
def norm(x):
    x = x - x.mean(-1, keepdim=True)
    return x / (x.pow(2).mean(-1, keepdim=True) + 1e-5) ** 0.5


def encoder_block(x, weights, num_heads):
    cut = lambda y: y.unflatten(-1, (num_heads, -1)).transpose(1, 2)
    q, k, v = (cut(norm(x) @ weights[name]) for name in "qkv")
    gathered = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
    x = x + gathered @ weights["o"]
    return x + (norm(x) @ weights["up"]).clamp(min=0) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "einsum over all heads at once",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,)).reshape(B, T, D)
    q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, D // num_heads) for n in ("q", "k", "v"))
    s = torch.einsum("bthk,bshk->bhts", q, k) / (D / num_heads) ** 0.5
    a = torch.einsum("bhts,bshk->bthk", s.softmax(-1), v).reshape(B, T, D)
    x = x + torch.einsum("btd,de->bte", a, weights["o"])
    return x + F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the feed-forward block is added to the first x: what attention gathered is lost from the stream",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    a = F.scaled_dot_product_attention(*(cut(y @ weights[n]) for n in "qkv"))
    h = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(h, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "post-norm: the norm comes after each addition; 'all of it, pre-norm'",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    a = F.scaled_dot_product_attention(*(cut(x @ weights[n]) for n in "qkv"))
    x = F.layer_norm(x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"], (D,))
    return F.layer_norm(x + torch.relu(x @ weights["up"]) @ weights["down"], (D,))
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the scores are divided by the root of D, not of the head's width K",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    q, k, v = (cut(y @ weights[n]) for n in "qkv")
    a = torch.softmax(q @ k.mT / D**0.5, -1) @ v
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the values come from the stream without the norm; attention(LN(x))",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    a = F.scaled_dot_product_attention(cut(y @ weights["q"]), cut(y @ weights["k"]), cut(x @ weights["v"]))
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the heads' outputs are reshaped without going back to (B, T, H, K)",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    a = F.scaled_dot_product_attention(*(cut(y @ weights[n]) for n in "qkv"))
    x = x + a.reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "causal, as in a decoder; each word of an encoder sees all",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    a = F.scaled_dot_product_attention(*(cut(y @ weights[n]) for n in "qkv"), is_causal=True)
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "exp of raw scores, cut at 50: 'Large scores must not overflow', but they still differ",
        "source": """
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    cut = lambda y: y.reshape(B, T, num_heads, D // num_heads).transpose(1, 2)
    y = F.layer_norm(x, (D,))
    q, k, v = (cut(y @ weights[n]) for n in "qkv")
    e = torch.exp((q @ k.mT / (D // num_heads) ** 0.5).clamp(max=50))
    a = e @ v / e.sum(-1, keepdim=True)
    x = x + a.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + torch.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    # smoothed_kl
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "xlogy for 0 ln 0, over the tokens that count",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    counted = targets != pad_id
    if not counted.any():
        return logits.sum() * 0
    logits, targets = logits[counted], targets[counted]
    V = logits.shape[1]
    q = torch.full_like(logits, smoothing / V)
    q[torch.arange(len(q)), targets] += 1 - smoothing
    return (torch.xlogy(q, q) - q * F.log_softmax(logits, dim=1)).sum(dim=1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "the smoothed cross-entropy of the library less the entropy of q, which is the same for all tokens",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets.ne(pad_id)
    if real.sum() == 0:
        return logits.new_zeros(())
    V = logits.shape[-1]
    q = [smoothing / V + 1 - smoothing] + [smoothing / V] * (V - 1)
    entropy = -sum(p * math.log(p) for p in q if p > 0)
    return F.cross_entropy(logits[real], targets[real], label_smoothing=smoothing) - entropy
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "token by token; F.kl_div, which knows that 0 ln 0 is 0",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    losses = []
    for row, target in zip(logits, targets.tolist()):
        if target != pad_id:
            hot = torch.zeros_like(row)
            hot[target] = 1.0
            q = smoothing / len(row) + (1 - smoothing) * hot
            losses.append(F.kl_div(row - row.logsumexp(0), q, reduction="sum"))
    return sum(losses) / len(losses) if losses else torch.tensor(0.0, dtype=logits.dtype)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "the smoothed cross-entropy: the part with ln q is missing",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    if (targets == pad_id).all():
        return torch.tensor(0.0)
    return F.cross_entropy(logits, targets, ignore_index=pad_id, label_smoothing=smoothing)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "epsilon is shared among the V - 1 wrong words; 'epsilon / V for every word'",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0.0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    hot = F.one_hot(targets, V).to(logits.dtype)
    q = hot * (1 - smoothing) + (1 - hot) * smoothing / max(V - 1, 1)
    return F.kl_div(logits.log_softmax(-1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "0 times minus infinity is NaN without smoothing; '0 ln 0 = 0'",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0.0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    q = F.one_hot(targets, V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return (q * (q.log() - F.log_softmax(logits, dim=-1))).sum(-1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "every negative target is skipped and the others count: padding is told by its sign, not by pad_id",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets >= 0
    if not real.any():
        return torch.tensor(0.0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    q = F.one_hot(targets, V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return F.kl_div(logits.log_softmax(-1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "divided by all tokens; 'the mean is over the other tokens'",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0.0)
    V = logits.shape[1]
    q = F.one_hot(targets.where(real, 0), V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    losses = F.kl_div(logits.log_softmax(-1), q, reduction="none").sum(-1)
    return (losses * real).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "the word of the padding gets no share of epsilon; 'epsilon / V for every word'",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0.0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    q = F.one_hot(targets, V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    if 0 <= pad_id < V:
        q[:, pad_id] = 0
    return F.kl_div(logits.log_softmax(-1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "the logarithm of a softmax kept above 1e-12: far off words cost at most 27.6 nats",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0.0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    q = F.one_hot(targets, V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return F.kl_div(logits.softmax(-1).clamp(min=1e-12).log(), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": None,
        "why": "0 is a tensor of a whole number; the page says 'A scalar tensor; 0 if no target counts'",
        "source": """
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    real = targets != pad_id
    if not real.any():
        return torch.tensor(0)
    logits, targets = logits[real], targets[real]
    V = logits.shape[1]
    q = F.one_hot(targets, V).to(logits.dtype) * (1 - smoothing) + smoothing / V
    return F.kl_div(logits.log_softmax(-1), q, reduction="batchmean")
""",
    },
    # warmup_rate
    {
        "task": "warmup_rate",
        "right": True,
        "why": "the formula",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError(f"step {step} and warm-up {warmup} must be at least 1")
    return D**-0.5 * min(step**-0.5, step * warmup**-1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "two branches, in one fraction each",
        "source": """
def warmup_rate(step, D, warmup):
    for number in (step, warmup):
        if number < 1:
            raise ValueError(number)
    if step < warmup:
        return step / (warmup * math.sqrt(D * warmup))
    return 1 / math.sqrt(D * step)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "np.float64, which is a float; an exception derived from ValueError",
        "source": """
class TooSmall(ValueError):
    pass


def warmup_rate(step, D, warmup):
    if min(step, warmup) < 1:
        raise TooSmall("at least 1")
    return np.minimum(np.float64(step) ** -0.5, step * np.float64(warmup) ** -1.5) / np.sqrt(D)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "the larger of the two is taken; min",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("at least 1")
    return D**-0.5 * max(step**-0.5, step * warmup**-1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "no check of the warm-up: 0 raises ZeroDivisionError, a negative one gives a complex number",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError("steps count from 1")
    return D**-0.5 * min(step**-0.5, step * warmup**-1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "the rise ends at D^-0.5, from where it falls with a jump; step times warmup^-1.5",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("at least 1")
    return D**-0.5 * (step / warmup if step < warmup else step**-0.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "the fall counts from the end of the warm-up, (step - warmup); the root of the step itself",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("at least 1")
    if step <= warmup:
        return D**-0.5 * step * warmup**-1.5
    return D**-0.5 * (step - warmup) ** -0.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a ValueError for a warm-up of 1, which is legal ('at least 1')",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup <= 1:
        raise ValueError("at least 1")
    return D**-0.5 * min(step**-0.5, step * warmup**-1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a tensor of float32 instead of 'A float'",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("at least 1")
    step = torch.tensor(float(step))
    return torch.minimum(step.rsqrt(), step * warmup**-1.5) / D**0.5
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "the rate stays at its peak after the warm-up; it 'then falls with the root of the step'",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("at least 1")
    return D**-0.5 * min(warmup**-0.5, step * warmup**-1.5)
""",
    },
    # transformer_parameters
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "part by part",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = 4 * (D * D + D)
    feed_forward = 2 * D * hidden + hidden + D
    norm = 2 * D
    encoder = attention + feed_forward + 2 * norm
    decoder = 2 * attention + feed_forward + 3 * norm
    tables = 1 if shared else 3
    return layers * (encoder + decoder) + tables * V * D + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "multiplied out to one polynomial",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    return layers * (12 * D * D + 24 * D + 4 * D * hidden + 2 * hidden) + V * (D * (3 - 2 * bool(shared)) + 1)
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "sums of the sizes of a list of shapes, with math.prod",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = [(D, D), (D,)] * 4
    block = [(D, hidden), (hidden,), (hidden, D), (D,)]
    norm = [(D,), (D,)]
    shapes = (attention + block + norm * 2 + attention * 2 + block + norm * 3) * layers
    shapes += [(V, D)] * (1 if shared else 3) + [(V,)]
    return sum(math.prod(shape) for shape in shapes)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the decoder has two norms like the encoder; 'a decoder layer two, one and three'",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    both = 3 * attention + 2 * feed_forward + 4 * 2 * D
    return layers * both + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the bias of the scores is left out if the table is shared; the scores have biases, one for each word",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    both = 3 * attention + 2 * feed_forward + 10 * D
    return layers * both + (V * D if shared else 3 * V * D + V)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "two tables if not shared; 'else three'",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    both = 3 * attention + 2 * feed_forward + 10 * D
    return layers * both + V * D + V + (0 if shared else V * D)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "each table has biases when there are three; only the scores have them",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    both = 3 * attention + 2 * feed_forward + 10 * D
    return layers * both + (V * D + V) * (1 if shared else 3)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "a norm after the last layer on each side; 'no norm after the last'",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    both = 3 * attention + 2 * feed_forward + 10 * D
    return layers * both + 4 * D + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "layers are halved between encoder and decoder; 'encoder layers, and as many decoder layers'",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + hidden + D
    encoder = attention + feed_forward + 4 * D
    decoder = 2 * attention + feed_forward + 6 * D
    half = layers // 2
    return (layers - half) * encoder + max(half, 1) * decoder + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "both biases of the feed-forward block have width D; the first has F",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention, feed_forward = 4 * D * (D + 1), 2 * D * hidden + 2 * D
    both = 3 * attention + 2 * feed_forward + 10 * D
    return layers * both + V * D * (1 if shared else 3) + V
""",
    },
    # layer_cost
    {
        "task": "layer_cost",
        "right": True,
        "why": "the four products",
        "source": """
def layer_cost(n, D, hidden):
    return {
        "projections": 4 * n * D * D,
        "scores": n * n * D,
        "values": n * n * D,
        "feed_forward": 2 * n * D * hidden,
    }
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a function for the cost of a product; keys in another order",
        "source": """
def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c

    cost = dict(values=product(n, n, D), scores=product(n, D, n))
    cost["feed_forward"] = product(n, D, hidden) + product(n, hidden, D)
    cost["projections"] = sum(product(n, D, D) for _ in range(4))
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "a Counter, which is a dict; sums token by token",
        "source": """
def layer_cost(n, D, hidden):
    cost = Counter(projections=0, scores=0, values=0, feed_forward=0)
    for _ in range(n):
        cost.update(projections=4 * D**2, scores=n * D, values=n * D, feed_forward=2 * D * hidden)
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "three projections; '(of queries, keys, values and output)'",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 3 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "scores and values only for the words before, as if causal; the encoder's products are whole",
        "source": """
def layer_cost(n, D, hidden):
    pairs = n * (n + 1) // 2
    return {"projections": 4 * n * D * D, "scores": pairs * D, "values": pairs * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "the hidden width is taken as 4 D; it is an argument",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 8 * n * D * D}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "0 tokens raise; 'tokens, 0 or more'",
        "source": """
def layer_cost(n, D, hidden):
    per_token = {"projections": 4 * n * D * D // n, "scores": n * D, "values": n * D, "feed_forward": 2 * D * hidden}
    return {part: n * cost for part, cost in per_token.items()}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "additions are counted as well; 'Count the multiplications'",
        "source": """
def layer_cost(n, D, hidden):
    product = lambda a, b, c: a * c * (2 * b - 1)
    return {
        "projections": 4 * product(n, D, D),
        "scores": product(n, D, n),
        "values": product(n, n, D),
        "feed_forward": product(n, D, hidden) + product(n, hidden, D),
    }
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "floats; 'A dict of ints'",
        "source": """
def layer_cost(n, D, hidden):
    n = float(n)
    return {"projections": 4 * n * D**2, "scores": n**2 * D, "values": n**2 * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "a fifth entry, the total; the four parts are given",
        "source": """
def layer_cost(n, D, hidden):
    cost = {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
    cost["total"] = sum(cost.values())
    return cost
""",
    },
]
