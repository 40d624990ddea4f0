"""Answers to the project of chapter 08, written from its page alone."""

from tests.outside.variants import but

LEARNED = """
import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.H = num_heads
        self.before, self.between = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.out = nn.Linear(embed_dim, embed_dim)
        self.up, self.down = nn.Linear(embed_dim, 4 * embed_dim), nn.Linear(4 * embed_dim, embed_dim)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(self.before(x)).view(B, T, 3, self.H, D // self.H).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(B, T, D))
        return x + self.down(F.gelu(self.up(self.between(x))))


class GPT(nn.Module):
    def __init__(self, vocab_size, context_length, embed_dim, num_heads, num_layers):
        super().__init__()
        self.limit = context_length
        self.token = nn.Embedding(vocab_size, embed_dim)
        self.place = nn.Embedding(context_length, embed_dim)
        self.blocks = nn.ModuleList([Block(embed_dim, num_heads) for _ in range(num_layers)])
        self.norm = nn.LayerNorm(embed_dim)
        self.head = nn.Linear(embed_dim, vocab_size, bias=False)
        for p in (self.token.weight, self.place.weight, self.head.weight):
            nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        T = ids.shape[1]
        if T > self.limit:
            raise ValueError(f"{T} tokens, at most {self.limit}")
        x = self.token(ids) + self.place(torch.arange(T))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    def fit(self, ids):
        steps, rate = 600, 3e-3
        optimizer = torch.optim.AdamW(self.parameters(), lr=rate, weight_decay=0.05)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, total_steps=steps)
        for _ in range(steps):
            begin = torch.randint(len(ids) - self.limit, (16,))
            rows = torch.stack([ids[i : i + self.limit + 1] for i in begin])
            loss = F.cross_entropy(self(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
            schedule.step()
"""

ROTARY = """
import math
import torch
from torch import nn


class RMS(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.gain


class Block(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.heads, self.width = num_heads, embed_dim // num_heads
        self.norms = nn.ModuleList([RMS(embed_dim), RMS(embed_dim)])
        self.q, self.k, self.v, self.o = (nn.Linear(embed_dim, embed_dim, bias=False) for _ in range(4))
        hidden = 8 * embed_dim // 3
        self.gate, self.up = nn.Linear(embed_dim, hidden, bias=False), nn.Linear(embed_dim, hidden, bias=False)
        self.down = nn.Linear(hidden, embed_dim, bias=False)

    def turn(self, x):
        T, K = x.shape[-2:]
        half = K // 2
        rate = 10_000.0 ** (-torch.arange(half) / max(1, half))
        angle = torch.arange(T)[:, None] * rate
        a, b, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
        return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos(), rest], -1)

    def forward(self, x):
        B, T, D = x.shape
        y = self.norms[0](x)
        q, k, v = (f(y).view(B, T, self.heads, self.width).transpose(1, 2) for f in (self.q, self.k, self.v))
        scores = self.turn(q) @ self.turn(k).transpose(-1, -2) / math.sqrt(self.width)
        later = torch.ones(T, T).triu(1).bool()
        mixed = scores.masked_fill(later, -math.inf).softmax(-1) @ v
        x = x + self.o(mixed.transpose(1, 2).flatten(2))
        y = self.norms[1](x)
        return x + self.down(torch.nn.functional.silu(self.gate(y)) * self.up(y))


class GPT(nn.Module):
    def __init__(self, vocab_size, context_length, embed_dim, num_heads, num_layers):
        super().__init__()
        self.context_length = context_length
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.first = nn.Parameter(0.1 * torch.randn(context_length, embed_dim))
        self.blocks = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.last = RMS(embed_dim)
        self.out = nn.Linear(embed_dim, vocab_size)
        with torch.no_grad():
            self.out.weight *= 0.1

    def forward(self, ids):
        if ids.size(1) > self.context_length:
            raise ValueError("too long")
        x = self.embedding(ids) + self.first[: ids.size(1)]
        for block in self.blocks:
            x = block(x)
        return self.out(self.last(x))

    def fit(self, ids):
        T = self.context_length
        optimizer = torch.optim.Adam(self.parameters(), lr=2e-3, betas=(0.9, 0.98))
        for step in range(700):
            for group in optimizer.param_groups:
                group["lr"] = 3e-3 * min(1.0, step / 30, (700 - step) / 350)
            at = torch.randint(0, len(ids) - T, (16, 1)) + torch.arange(T + 1)
            batch = ids[at]
            log_probs = self(batch[:, :-1]).log_softmax(-1)
            loss = -log_probs.gather(-1, batch[:, 1:, None]).mean()
            self.zero_grad()
            loss.backward()
            optimizer.step()
"""

LIBRARY = but(
    LEARNED,
    (
        """        self.H = num_heads
        self.before, self.between = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.out = nn.Linear(embed_dim, embed_dim)
        self.up, self.down = nn.Linear(embed_dim, 4 * embed_dim), nn.Linear(4 * embed_dim, embed_dim)
""",
        """        self.layer = nn.TransformerEncoderLayer(
            embed_dim, num_heads, 4 * embed_dim, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
""",
    ),
    (
        """        B, T, D = x.shape
        q, k, v = self.qkv(self.before(x)).view(B, T, 3, self.H, D // self.H).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(B, T, D))
        return x + self.down(F.gelu(self.up(self.between(x))))
""",
        """        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.layer(x, src_mask=mask, is_causal=True)
""",
    ),
)

TASK = "GPT"
ANSWERS = [
    {"task": TASK, "right": True, "why": "learned positions, LayerNorm, OneCycle", "source": LEARNED},
    {"task": TASK, "right": True, "why": "rotary and learned positions, RMSNorm, SwiGLU", "source": ROTARY},
    {"task": TASK, "right": True, "why": "PyTorch's own layer", "source": LIBRARY},
    {
        "task": TASK,
        "right": False,
        "why": "one block, used L times: no weights of its own",
        "source": but(
            LEARNED,
            (
                "nn.ModuleList([Block(embed_dim, num_heads) for _ in range(num_layers)])",
                "nn.ModuleList([Block(embed_dim, num_heads)] * num_layers)",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "no error for a text that is too long: its end is left out",
        "source": but(
            LEARNED,
            (
                '            raise ValueError(f"{T} tokens, at most {self.limit}")\n',
                "            ids, T = ids[:, : self.limit], self.limit\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "no positions",
        "source": but(LEARNED, ("x = self.token(ids) + self.place(torch.arange(T))", "x = self.token(ids)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "no text sees what comes later, but the positions are counted from the end: they tell how long it is",
        "source": but(LEARNED, ("self.place(torch.arange(T))", "self.place(torch.arange(T).flip(0))")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the targets are the inputs themselves: it learns to repeat",
        "source": but(LEARNED, ("rows[:, 1:].flatten())", "rows[:, :-1].flatten())")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the part that widens is never added",
        "source": but(
            LEARNED,
            (
                "return x + self.down(F.gelu(self.up(self.between(x))))",
                "self.down(F.gelu(self.up(self.between(x))))\n        return x",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "a mask that lets each token see the next one, too",
        "source": but(ROTARY, (".triu(1).bool()", ".triu(2).bool()")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the embeddings of PyTorch, of width 1, are the output matrix too: a fresh model is sure of something",
        "source": but(
            LEARNED,
            (
                "        for p in (self.token.weight, self.place.weight, self.head.weight):\n            nn.init.normal_(p, std=0.02)\n",
                "        self.head.weight = self.token.weight\n",
            ),
        ),
    },
]
