"""Answers to chapter 06, written from its page alone: the third round."""

ANSWERS = [
    # feed_forward
    {
        "task": "feed_forward",
        "right": True,
        "why": "F.linear with transposed weights",
        "source": """
import torch
import torch.nn.functional as F
def feed_forward(x, w1, b1, w2, b2):
    return F.linear(F.relu(F.linear(x, w1.T, b1)), w2.T, b2)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "einsum, relu as (h + |h|) / 2 by multiplication with the sign",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    h = torch.einsum("...d,df->...f", x, w1) + b1
    h = h * (h > 0)
    return torch.einsum("...f,fd->...d", h, w2).add(b2)
""",
    },
    {
        "task": "feed_forward",
        "right": True,
        "why": "flattened to rows and back, one hidden neuron at a time",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    rows = x.reshape(-1, x.shape[-1])
    out = b2.repeat(rows.shape[0], 1)
    for f in range(w1.shape[1]):
        h = (rows @ w1[:, f] + b1[f]).clamp(min=0)
        out = out + h[:, None] * w2[f]
    return out.reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "the bias b1 is added after the ReLU",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    return (torch.relu(x @ w1) + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "GELU instead of max(0, .)",
        "source": """
import torch
import torch.nn.functional as F
def feed_forward(x, w1, b1, w2, b2):
    return F.gelu(x @ w1 + b1) @ w2 + b2
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "stack of a row list: fails where there are no positions at all",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    rows = x.reshape(-1, x.shape[-1])
    out = torch.stack([torch.relu(row @ w1 + b1) @ w2 + b2 for row in rows])
    return out.reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "unpacks B, T, D: one vector (D,) or a 2-D x fails, '(..., D)'",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    B, T, D = x.shape if x.dim() == 3 else (1, *x.shape)
    h = torch.relu(x.reshape(B * T, D) @ w1 + b1)
    return (h @ w2 + b2).reshape(x.shape)
""",
    },
    {
        "task": "feed_forward",
        "right": False,
        "why": "a second ReLU at the end: no negative results",
        "source": """
import torch
def feed_forward(x, w1, b1, w2, b2):
    return torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2)
""",
    },
    # embed_with_positions
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "F.embedding, angles in float64",
        "source": """
import torch
import torch.nn.functional as F
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.arange(start, start + T, dtype=torch.float64)
    angle = p[:, None] / 10000 ** (torch.arange(0, D, 2, dtype=torch.float64) / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D)
    return F.embedding(ids, table) * D ** 0.5 + pe.to(table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": True,
        "why": "numpy positions filled by loops",
        "source": """
import math, numpy as np, torch
def embed_with_positions(ids, table, start=0):
    D = table.shape[-1]
    pe = np.zeros((ids.shape[-1], D))
    for t in range(ids.shape[-1]):
        for i in range(D // 2):
            a = (start + t) / 10000 ** (2 * i / D)
            pe[t, 2 * i], pe[t, 2 * i + 1] = math.sin(a), math.cos(a)
    return math.sqrt(D) * table[ids] + torch.tensor(pe, dtype=table.dtype)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "length taken from the first axis: right for one text, wrong for a batch (T is the last axis)",
        "source": """
import torch
def embed_with_positions(ids, table, start=0):
    D = table.shape[1]
    x = table[ids] * D ** 0.5
    T = len(ids)
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D).to(table.dtype)
    return x + pe.reshape(T, *[1] * (x.dim() - 2), D)
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "result is float64 where the table is float32 ('of the table's element type')",
        "source": """
import torch
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D)
    return table[ids] * D ** 0.5 + pe
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "scales the sum: the positions are multiplied by the root of D, too",
        "source": """
import torch
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D).to(table.dtype)
    return (table[ids] + pe) * D ** 0.5
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "start is used for single tokens only (T = 1); a longer piece counts from 0",
        "source": """
import torch
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    p = torch.tensor([start]) if T == 1 else torch.arange(T)
    angle = p.double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, D).to(table.dtype)
    return table[ids] * D ** 0.5 + pe
""",
    },
    {
        "task": "embed_with_positions",
        "right": False,
        "why": "flatten with -1: an empty text (T = 0) cannot be reshaped",
        "source": """
import torch
def embed_with_positions(ids, table, start=0):
    T, D = ids.shape[-1], table.shape[1]
    angle = torch.arange(start, start + T).double()[:, None] / 10000 ** (torch.arange(0, D, 2).double() / D)
    pe = torch.stack([angle.sin(), angle.cos()], -1).reshape(T, -1).to(table.dtype)
    return table[ids] * D ** 0.5 + pe
""",
    },
    # residual_block
    {
        "task": "residual_block",
        "right": True,
        "why": "dictionary of functions",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    norm = lambda y: F.layer_norm(y, y.shape[-1:])
    orders = {"pre": lambda: x + norm(x) @ w, "post": lambda: norm(x + x @ w)}
    if order not in orders:
        raise ValueError(order)
    return orders[order]()
""",
    },
    {
        "task": "residual_block",
        "right": True,
        "why": "own layer norm, product as (I + w)",
        "source": """
import torch
def residual_block(x, w, order="pre"):
    def norm(y):
        y = y - y.mean(dim=-1, keepdim=True)
        return y / torch.sqrt((y ** 2).mean(dim=-1, keepdim=True) + 1e-5)
    if order == "post":
        return norm(x @ w + x)
    elif order == "pre":
        return torch.matmul(norm(x), w) + x
    raise ValueError(f"order {order!r}")
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "everything that is not 'pre' counts as 'post': no ValueError",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "accepts 'PRE' and 'Post' too ('ValueError: another order')",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    order = order.lower()
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "post norms the sublayer only: x + LN(x w)",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    if order == "post":
        return x + F.layer_norm(x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "pre: the normed stream is what goes on: LN(x) + LN(x) w",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    if order == "pre":
        x = F.layer_norm(x, x.shape[-1:])
        return x + x @ w
    if order == "post":
        return F.layer_norm(x + x @ w, x.shape[-1:])
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "norms over the last two axes (w.shape); fails or mixes tokens unless T = D",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    shape = x.shape[1:] if x.dim() > 1 else x.shape
    if order == "pre":
        return x + F.layer_norm(x, shape) @ w
    if order == "post":
        return F.layer_norm(x + x @ w, shape)
    raise ValueError(order)
""",
    },
    {
        "task": "residual_block",
        "right": False,
        "why": "membership test in a string: '' and 're' pass and are taken as post",
        "source": """
import torch
import torch.nn.functional as F
def residual_block(x, w, order="pre"):
    if order not in "pre post":
        raise ValueError(order)
    if order == "pre":
        return x + F.layer_norm(x, x.shape[-1:]) @ w
    return F.layer_norm(x + x @ w, x.shape[-1:])
""",
    },
    # decoder_attention_mask
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "loops",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    keep = torch.zeros((B, 1, T, T), dtype=torch.bool)
    for b in range(B):
        for t in range(T):
            for s in range(t + 1):
                keep[b, 0, t, s] = int(ids[b, s]) != pad_id
    return keep
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "expanded and tril on the batch",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    B, T = ids.shape
    return torch.ne(ids, pad_id).unsqueeze(1).expand(B, T, T).tril().unsqueeze(1)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": True,
        "why": "logical_and of position comparison",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    p = torch.arange(ids.size(1))
    return torch.logical_and((p[:, None] >= p)[None, None], (ids != pad_id)[:, None, None, :])
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "counts the tokens and assumes the padding at the end ('Padding may stand anywhere')",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    lengths = (ids != pad_id).sum(1)
    real = torch.arange(T)[None] < lengths[:, None]
    return torch.ones(T, T).tril().bool()[None, None] & real[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "rows of padding see nothing (row 2 should still look at 0 and 1)",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    real = ids != pad_id
    return torch.ones(T, T).tril().bool()[None, None] & real[:, None, None, :] & real[:, None, :, None]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "padding id written in as 0",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T).tril().bool()[None, None] & (ids != 0)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "ids > pad_id: ids below pad_id count as padding",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T).tril().bool()[None, None] & (ids > pad_id)[:, None, None, :]
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "a word always sees itself, even padding (row 2 'at 0 and 1')",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    keep = torch.ones(T, T).tril().bool()[None, None] & (ids != pad_id)[:, None, None, :]
    return keep | torch.eye(T, dtype=torch.bool)
""",
    },
    {
        "task": "decoder_attention_mask",
        "right": False,
        "why": "shape (B, T, T): the axis for the heads is missing",
        "source": """
import torch
def decoder_attention_mask(ids, pad_id=0):
    T = ids.shape[1]
    return torch.ones(T, T).tril().bool() & (ids != pad_id)[:, None, :]
""",
    },
    # cross_attention
    {
        "task": "cross_attention",
        "right": True,
        "why": "torch's fused attention",
        "source": """
import torch
import torch.nn.functional as F
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    keep = None if attention_mask is None else attention_mask[:, None, :]
    return F.scaled_dot_product_attention(x @ wq, memory @ wk, memory @ wv, attn_mask=keep)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "text by text, padding cut out of the memory",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    results = []
    for b in range(x.shape[0]):
        m = memory[b] if attention_mask is None else memory[b][attention_mask[b]]
        s = (x[b] @ wq) @ (m @ wk).T / wq.shape[1] ** 0.5
        w = torch.exp(s - torch.logsumexp(s, dim=1, keepdim=True))
        results.append(w @ (m @ wv))
    return torch.stack(results)
""",
    },
    {
        "task": "cross_attention",
        "right": True,
        "why": "einsum and where",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    q, k, v = x @ wq, memory @ wk, memory @ wv
    s = torch.einsum("btk,bsk->bts", q, k).div(k.shape[-1] ** 0.5)
    if attention_mask is not None:
        s = torch.where(attention_mask.unsqueeze(1), s, torch.tensor(-torch.inf, dtype=s.dtype))
    return torch.einsum("bts,bsv->btv", s.softmax(2), v)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "divides by the root of D, not of K: right where D = K",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / x.shape[-1] ** 0.5
    if attention_mask is not None:
        s = s.masked_fill(~attention_mask[:, None], -torch.inf)
    return s.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "masked scores are set to 0, so padding still gets weight",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / wq.shape[1] ** 0.5
    if attention_mask is not None:
        s = s * attention_mask[:, None]
    return s.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "weights masked after the softmax and not brought to 1 again",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / wq.shape[1] ** 0.5
    w = s.softmax(-1)
    if attention_mask is not None:
        w = w * attention_mask[:, None]
    return w @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "zeroes the memory at padding instead of masking: key 0 gives score 0 and still takes weight",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    if attention_mask is not None:
        memory = memory * attention_mask[..., None]
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / wq.shape[1] ** 0.5
    return s.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "fill of -1e4: with large negative kept scores the padding wins ('padding gets no weight', large scores)",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / wq.shape[1] ** 0.5
    if attention_mask is not None:
        s = s.masked_fill(~attention_mask[:, None], -1e4)
    return s.softmax(-1) @ (memory @ wv)
""",
    },
    {
        "task": "cross_attention",
        "right": False,
        "why": "uses the first text's mask for the whole batch",
        "source": """
import torch
def cross_attention(x, memory, wq, wk, wv, attention_mask=None):
    s = (x @ wq) @ (memory @ wk).transpose(1, 2) / wq.shape[1] ** 0.5
    if attention_mask is not None:
        s = s.masked_fill(~attention_mask[0], -torch.inf)
    return s.softmax(-1) @ (memory @ wv)
""",
    },
    # encoder_block
    {
        "task": "encoder_block",
        "right": True,
        "why": "head by head",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    D = x.shape[-1]
    K = D // num_heads
    y = F.layer_norm(x, (D,))
    heads = []
    for h in range(num_heads):
        cols = slice(h * K, h * K + K)
        q, k, v = (y @ weights[name][:, cols] for name in "qkv")
        heads.append(torch.softmax(q @ k.mT / K ** 0.5, -1) @ v)
    x = x + torch.cat(heads, -1) @ weights["o"]
    return x + torch.clamp(F.layer_norm(x, (D,)) @ weights["up"], min=0) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": True,
        "why": "fused attention and helper functions",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    def norm(y):
        y = y - y.mean(-1, keepdim=True)
        return y * ((y * y).mean(-1, keepdim=True) + 1e-5).rsqrt()
    def attend(y):
        q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, D // num_heads).transpose(1, 2) for n in ("q", "k", "v"))
        return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    stream = x + attend(norm(x))
    stream = stream + F.relu(norm(stream) @ weights["up"]) @ weights["down"]
    return stream
""",
    },
    {
        "task": "encoder_block",
        "right": None,
        "why": "adds in place: the caller's x is changed (the statement does not forbid it in words)",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).reshape(B, T, num_heads, -1).transpose(1, 2) for n in "qkv")
    x += F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x += F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
    return x
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "feed-forward reads the original x: x + att + FFN(LN(x)) (parallel)",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for n in "qkv")
    att = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + att + F.relu(y @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "post-norm",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    q, k, v = ((x @ weights[n]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for n in "qkv")
    att = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = F.layer_norm(x + att, (D,))
    return F.layer_norm(x + F.relu(x @ weights["up"]) @ weights["down"], (D,))
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "scores divided by the root of D instead of K: right for one head",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for n in "qkv")
    att = F.scaled_dot_product_attention(q, k, v, scale=D ** -0.5)
    x = x + att.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "the projection 'o' is applied in the residual sum: (x + heads) @ o",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for n in "qkv")
    att = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(B, T, D)
    x = (x + att) @ weights["o"]
    return x + F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "causal attention in an encoder",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    q, k, v = ((y @ weights[n]).view(B, T, num_heads, D // num_heads).transpose(1, 2) for n in "qkv")
    att = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, T, D) @ weights["o"]
    x = x + att
    return x + F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    {
        "task": "encoder_block",
        "right": False,
        "why": "values cut from the un-normed stream",
        "source": """
import torch
import torch.nn.functional as F
def encoder_block(x, weights, num_heads):
    B, T, D = x.shape
    y = F.layer_norm(x, (D,))
    cut = lambda z: z.view(B, T, num_heads, D // num_heads).transpose(1, 2)
    att = F.scaled_dot_product_attention(cut(y @ weights["q"]), cut(y @ weights["k"]), cut(x @ weights["v"]))
    x = x + att.transpose(1, 2).reshape(B, T, D) @ weights["o"]
    return x + F.relu(F.layer_norm(x, (D,)) @ weights["up"]) @ weights["down"]
""",
    },
    # smoothed_kl
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "xlogy for 0 ln 0",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return (logits * 0).sum()
    z, y = logits[keep], targets[keep]
    V = z.shape[1]
    q = torch.full_like(z, smoothing / V)
    q[torch.arange(len(y)), y] += 1 - smoothing
    return (torch.special.xlogy(q, q) - q * F.log_softmax(z, dim=1)).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "cross-entropy with label smoothing, minus the entropy of the target by a formula",
        "source": """
import math, torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    rows = [i for i, y in enumerate(targets.tolist()) if y != pad_id]
    if not rows:
        return torch.zeros((), dtype=logits.dtype)
    V = logits.shape[1]
    low = smoothing / V
    high = 1 - smoothing + low
    neg_entropy = sum(n * q * math.log(q) for n, q in ((V - 1, low), (1, high)) if q > 0)
    ce = F.cross_entropy(logits[rows], targets[rows], label_smoothing=smoothing)
    return ce + neg_entropy
""",
    },
    {
        "task": "smoothed_kl",
        "right": True,
        "why": "loop over tokens, F.kl_div",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    total, count = torch.tensor(0.0, dtype=logits.dtype), 0
    for z, y in zip(logits, targets):
        if int(y) == pad_id:
            continue
        q = F.one_hot(y, z.numel()).to(z.dtype) * (1 - smoothing) + smoothing / z.numel()
        total = total + F.kl_div(z.log_softmax(0), q, reduction="sum")
        count += 1
    return total / count if count else total
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "cross-entropy: the entropy of the target is not subtracted (equal only at smoothing 0)",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    return F.cross_entropy(logits[keep], targets[keep], label_smoothing=smoothing)
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "the others share epsilon / (V - 1) and the right one has 1 - epsilon",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    z, y = logits[keep], targets[keep]
    q = torch.full_like(z, smoothing / max(z.shape[1] - 1, 1))
    q.scatter_(1, y[:, None], 1 - smoothing)
    return F.kl_div(z.log_softmax(1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "q.log(): NaN at smoothing 0 ('with 0 ln 0 = 0')",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    z, y = logits[keep], targets[keep]
    q = torch.full_like(z, smoothing / z.shape[1])
    q[torch.arange(len(y)), y] += 1 - smoothing
    return (q * (q.log() - z.log_softmax(1))).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "divides by all tokens, padding included ('the mean is over the other tokens')",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    if len(targets) == 0:
        return logits.new_zeros(())
    keep = targets != pad_id
    y = targets.masked_fill(~keep, 0)
    q = F.one_hot(y, logits.shape[1]).to(logits.dtype) * (1 - smoothing) + smoothing / logits.shape[1]
    kl = F.kl_div(logits.log_softmax(1), q, reduction="none").sum(1)
    return (kl * keep).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "clamps the probabilities at 1e-9: large scores give a loss that is too small",
        "source": """
import torch
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    z, y = logits[keep], targets[keep]
    q = torch.full_like(z, smoothing / z.shape[1])
    q[torch.arange(len(y)), y] += 1 - smoothing
    return (torch.xlogy(q, q) - q * z.softmax(1).clamp(min=1e-9).log()).sum(1).mean()
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "padding recognised by being negative: a pad_id that is a word's number counts",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets >= 0
    if not keep.any():
        return logits.new_zeros(())
    z, y = logits[keep], targets[keep]
    q = F.one_hot(y, z.shape[1]).to(z.dtype) * (1 - smoothing) + smoothing / z.shape[1]
    return F.kl_div(z.log_softmax(1), q, reduction="batchmean")
""",
    },
    {
        "task": "smoothed_kl",
        "right": False,
        "why": "as the paper's code: the padding word gets no share of epsilon ('epsilon / V for every word')",
        "source": """
import torch
import torch.nn.functional as F
def smoothed_kl(logits, targets, smoothing, pad_id=-1):
    keep = targets != pad_id
    if not keep.any():
        return logits.new_zeros(())
    z, y = logits[keep], targets[keep]
    q = F.one_hot(y, z.shape[1]).to(z.dtype) * (1 - smoothing) + smoothing / z.shape[1]
    if 0 <= pad_id < z.shape[1]:
        q[:, pad_id] = 0
    return F.kl_div(z.log_softmax(1), q, reduction="batchmean")
""",
    },
    # warmup_rate
    {
        "task": "warmup_rate",
        "right": True,
        "why": "two branches instead of min",
        "source": """
import math
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError("from 1")
    if step < warmup:
        return step / (warmup * math.sqrt(warmup)) / math.sqrt(D)
    return 1 / math.sqrt(step * D)
""",
    },
    {
        "task": "warmup_rate",
        "right": True,
        "why": "in logarithms",
        "source": """
import math
def warmup_rate(step, D, warmup):
    if not (step >= 1 and warmup >= 1):
        raise ValueError
    log_rate = min(-0.5 * math.log(step), math.log(step) - 1.5 * math.log(warmup))
    return math.exp(log_rate - 0.5 * math.log(D))
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "max instead of min",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError
    return D ** -0.5 * max(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "no ValueError for a warm-up below 1 (0: ZeroDivisionError; negative: a complex number)",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1:
        raise ValueError("step")
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "only step 0 is refused, not negative ones",
        "source": """
def warmup_rate(step, D, warmup):
    if step == 0 or warmup < 1:
        raise ValueError
    return D ** -0.5 * min(abs(step) ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "a warm-up of 1 is refused ('at least 1')",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup <= 1:
        raise ValueError
    return D ** -0.5 * min(step ** -0.5, step * warmup ** -1.5)
""",
    },
    {
        "task": "warmup_rate",
        "right": False,
        "why": "after the warm-up the root starts anew: falls with step - warmup + 1",
        "source": """
def warmup_rate(step, D, warmup):
    if step < 1 or warmup < 1:
        raise ValueError
    if step <= warmup:
        return D ** -0.5 * step * warmup ** -1.5
    return D ** -0.5 * warmup ** -0.5 * (step - warmup + 1) ** -0.5
""",
    },
    # transformer_parameters
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "closed form",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    per_layer = 12 * D * D + 12 * D + 4 * D * hidden + 2 * hidden + 2 * D + 10 * D
    return layers * per_layer + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": True,
        "why": "counted from shapes",
        "source": """
import math
def transformer_parameters(V, D, hidden, layers, shared=True):
    attention = [(D, D), (D,)] * 4
    feed = [(D, hidden), (hidden,), (hidden, D), (D,)]
    norm = [(D,), (D,)]
    shapes = (attention + feed + 2 * norm + 2 * attention + feed + 3 * norm) * layers
    shapes += [(V, D)] * (1 if shared else 3) + [(V,)]
    return sum(math.prod(shape) for shape in shapes)
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "decoder layers with two norms",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    att, ff, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * att + 2 * ff + 4 * norm) + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "without sharing only two tables (source, target), the scores use the target's",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    att, ff, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * att + 2 * ff + 5 * norm) + V * D * (1 if shared else 2) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the bias of the scores is counted only if not shared",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    att, ff, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    tables = V * D if shared else 3 * V * D + V
    return layers * (3 * att + 2 * ff + 5 * norm) + tables
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "a last norm after encoder and decoder ('no norm after the last')",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    att, ff, norm = 4 * (D * D + D), 2 * D * hidden + hidden + D, 2 * D
    return layers * (3 * att + 2 * ff + 5 * norm) + 2 * norm + V * D * (1 if shared else 3) + V
""",
    },
    {
        "task": "transformer_parameters",
        "right": False,
        "why": "the first layer's bias has the width D instead of F (both biases 2 D): right where F = D",
        "source": """
def transformer_parameters(V, D, hidden, layers, shared=True):
    att, ff, norm = 4 * (D * D + D), 2 * D * hidden + 2 * D, 2 * D
    return layers * (3 * att + 2 * ff + 5 * norm) + V * D * (1 if shared else 3) + V
""",
    },
    # layer_cost
    {
        "task": "layer_cost",
        "right": True,
        "why": "products by a helper",
        "source": """
def layer_cost(n, D, hidden):
    def product(a, b, c):
        return a * b * c
    return {"feed_forward": product(n, D, hidden) + product(n, hidden, D), "values": product(n, n, D),
            "scores": product(n, D, n), "projections": sum(product(n, D, D) for _ in range(4))}
""",
    },
    {
        "task": "layer_cost",
        "right": True,
        "why": "filled step by step",
        "source": """
def layer_cost(n, D, hidden):
    cost = dict.fromkeys(["projections", "scores", "values", "feed_forward"], 0)
    for _ in ("q", "k", "v", "o"):
        cost["projections"] += n * D ** 2
    cost["scores"] = cost["values"] = n ** 2 * D
    cost["feed_forward"] = 2 * n * D * hidden
    return cost
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "three projections: the output is forgotten",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 3 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "floats ('A dict of ints')",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 4.0 * n * D * D, "scores": float(n * n * D), "values": float(n * n * D),
            "feed_forward": 2.0 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "n = 0 is refused ('n: tokens, 0 or more')",
        "source": """
def layer_cost(n, D, hidden):
    if n < 1:
        raise ValueError("no tokens")
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "values counted as n x n by n x n",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n ** 3, "feed_forward": 2 * n * D * hidden}
""",
    },
    {
        "task": "layer_cost",
        "right": False,
        "why": "hidden width taken to be 4 D",
        "source": """
def layer_cost(n, D, hidden):
    return {"projections": 4 * n * D * D, "scores": n * n * D, "values": n * n * D, "feed_forward": 8 * n * D * D}
""",
    },
]
