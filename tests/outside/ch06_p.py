"""Answers to the project of chapter 06, written from its page alone."""

from tests.outside.variants import but

OWN = """
import math
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, D, H):
        super().__init__()
        self.H = H
        self.q, self.k, self.v, self.o = (nn.Linear(D, D) for _ in range(4))

    def forward(self, x, memory, mask):
        B, T, D = x.shape
        q, k, v = (
            layer(y).view(B, -1, self.H, D // self.H).transpose(1, 2)
            for layer, y in ((self.q, x), (self.k, memory), (self.v, memory))
        )
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.o(mixed.transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.own, self.cross = Attention(embed_dim, num_heads), Attention(embed_dim, num_heads)
        self.norms = nn.ModuleList(nn.LayerNorm(embed_dim) for _ in range(3))
        self.net = nn.Sequential(nn.Linear(embed_dim, 4 * embed_dim), nn.ReLU(), nn.Linear(4 * embed_dim, embed_dim))

    def attend(self, layers, x, memory, mask=None, causal=False):
        return layers(x, memory, mask)

    def forward(self, x, attention_mask, memory=None):
        y = self.norms[0](x)
        if memory is None:
            x = x + self.own(y, y, attention_mask)
        else:
            T = x.shape[1]
            x = x + self.own(y, y, torch.ones(T, T, dtype=torch.bool).tril())
            x = x + self.cross(self.norms[1](x), memory, attention_mask)
        return x + self.net(self.norms[2](x))


class Transformer(nn.Module):
    def __init__(self, vocab_size, embed_dim, num_heads, num_layers):
        super().__init__()
        self.D = embed_dim
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.decoder = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.after, self.last = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.head = nn.Linear(embed_dim, vocab_size)

    def embed(self, ids):
        T, D = ids.shape[1], self.D
        angle = torch.arange(T)[:, None] / 10_000 ** (torch.arange(0, D, 2) / D)
        table = torch.zeros(T, D)
        table[:, 0::2], table[:, 1::2] = angle.sin(), angle.cos()
        return self.embedding(ids) + table

    def forward(self, source, target):
        mask = (source != 0)[:, None, None, :]
        memory = self.embed(source)
        for block in self.encoder:
            memory = block(memory, mask)
        memory = self.after(memory)
        x = self.embed(target)
        for block in self.decoder:
            x = block(x, mask, memory)
        return self.head(self.last(x))

    def fit(self, sources, targets):
        optimizer = torch.optim.Adam(self.parameters(), lr=4e-3, betas=(0.9, 0.98))
        steps = 700
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = 4e-3 * min(1, step / 50, 2 * (steps - step) / steps)
            rows = torch.randint(len(sources), (64,))
            source, target = sources[rows], targets[rows]
            logits = self(source, target[:, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten(), ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
"""

LIBRARY = """
import torch
from torch import nn


class Transformer(nn.Module):
    def __init__(self, vocab_size, embed_dim, num_heads, num_layers):
        super().__init__()
        self.tokens = nn.Embedding(vocab_size, embed_dim)
        options = dict(dim_feedforward=4 * embed_dim, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(embed_dim, num_heads, **options), num_layers, nn.LayerNorm(embed_dim), enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(embed_dim, num_heads, **options), num_layers, nn.LayerNorm(embed_dim)
        )
        self.head = nn.Linear(embed_dim, vocab_size)

    def embed(self, ids):
        x = self.tokens(ids)
        T, D = x.shape[1:]
        rate = torch.exp(torch.arange(D // 2) * -(torch.log(torch.tensor(1000.0)) / (D // 2)))
        angle = torch.arange(T)[:, None] * rate
        return x + torch.cat([angle.sin(), angle.cos()], -1)

    def forward(self, source, target):
        padding = source == 0
        memory = self.encoder(self.embed(source), src_key_padding_mask=padding)
        T = target.shape[1]
        later = torch.ones(T, T).triu(1).bool()
        x = self.decoder(self.embed(target), memory, tgt_mask=later, memory_key_padding_mask=padding)
        return self.head(x)

    def fit(self, sources, targets):
        optimizer = torch.optim.AdamW(self.parameters(), lr=3e-3)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=600)
        for _ in range(600):
            rows = torch.randperm(len(sources))[:64]
            logits = self(sources[rows], targets[rows, :-1])
            real = targets[rows, 1:] != 0
            loss = nn.functional.cross_entropy(logits[real], targets[rows, 1:][real])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
            schedule.step()
"""

POST_NORM = but(
    OWN,
    (
        """        y = self.norms[0](x)
        if memory is None:
            x = x + self.own(y, y, attention_mask)
        else:
            T = x.shape[1]
            x = x + self.own(y, y, torch.ones(T, T, dtype=torch.bool).tril())
            x = x + self.cross(self.norms[1](x), memory, attention_mask)
        return x + self.net(self.norms[2](x))
""",
        """        causal = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
        x = self.norms[0](x + self.own(x, x, attention_mask if memory is None else causal))
        if memory is not None:
            x = self.norms[1](x + self.cross(x, memory, attention_mask))
        return self.norms[2](x + self.net(x))
""",
    ),
)

TASK = "Transformer"
ANSWERS = [
    {"task": TASK, "right": True, "why": "norms before each part, a class for attention", "source": OWN},
    {"task": TASK, "right": True, "why": "PyTorch's own layers, sines and cosines in halves", "source": LIBRARY},
    {"task": TASK, "right": True, "why": "norms after each part", "source": POST_NORM},
    {
        "task": TASK,
        "right": False,
        "why": "the decoder sees all of the target",
        "source": but(OWN, ("torch.ones(T, T, dtype=torch.bool).tril()", "None")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the cross-attention sees the padding",
        "source": but(
            OWN, ("self.cross(self.norms[1](x), memory, attention_mask)", "self.cross(self.norms[1](x), memory, None)")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the target has no positions",
        "source": but(OWN, ("x = self.embed(target)", "x = self.embedding(target)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the encoder hides from a token what comes after it, and the decoder looks at one state: not all of the source",
        "source": but(
            OWN,
            ("memory = self.after(memory)", "memory, mask = self.after(memory)[:, :1], None"),
            (
                "memory = block(memory, mask)",
                "memory = block(memory, torch.ones(memory.shape[1], memory.shape[1], dtype=torch.bool).tril())",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "trained on the target that is not shifted: it repeats what it reads",
        "source": but(OWN, ("target[:, 1:].flatten(), ignore_index=0)", "target[:, :-1].flatten(), ignore_index=0)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the embeddings are normalised over the batch",
        "source": but(
            OWN,
            (
                "return self.embedding(ids) + table",
                "x = self.embedding(ids) + table\n        return x - x.mean(0, keepdim=True) / 2",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "padding is masked in the cross-attention, but the encoder reads it",
        "source": but(OWN, ("memory = block(memory, mask)", "memory = block(memory, None)")),
    },
]
