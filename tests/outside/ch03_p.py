"""Answers to the project of chapter 03, written from its page alone."""

from tests.outside.variants import but

GRU = """
import math
import torch
import torch.nn.functional as F
from torch import nn


class CharacterModel(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.rnn = nn.GRU(embed_dim, hidden_size, batch_first=True)
        self.head = nn.Linear(hidden_size, vocab_size)

    def forward(self, ids, state=None):
        hidden, state = self.rnn(self.embedding(ids), state)
        return self.head(hidden), state

    @torch.no_grad()
    def bits(self, ids):
        nats, state = 0.0, None
        for start in range(0, len(ids) - 1, 64):
            targets = ids[start + 1 : start + 65]
            logits, state = self(ids[start : start + len(targets)][None], state)
            nats += F.cross_entropy(logits[0], targets, reduction="sum").item()
        return nats / math.log(2)

    @torch.no_grad()
    def write(self, ids, n_chars, temperature=1.0):
        new, state, read = [], None, ids
        for _ in range(n_chars):
            logits, state = self(read, state)
            if temperature == 0:
                read = logits[:, -1].argmax(-1, keepdim=True)
            else:
                read = torch.multinomial((logits[:, -1] / temperature).softmax(-1), 1)
            new.append(read)
        return torch.cat(new, 1) if new else ids[:, :0]

    def fit(self, ids):
        optimizer = torch.optim.Adam(self.parameters(), lr=5e-3)
        rows = 32
        per_row = (len(ids) - 1) // rows
        inputs, targets = ids[: rows * per_row].view(rows, -1), ids[1 : rows * per_row + 1].view(rows, -1)
        state, start = None, 0
        for step in range(400):
            if start + 48 > per_row:
                state, start = None, 0
            logits, state = self(inputs[:, start : start + 48], state)
            state = state.detach()
            loss = F.cross_entropy(logits.flatten(0, 1), targets[:, start : start + 48].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
            start += 48
"""

LSTM = """
import torch
from torch import nn
from torch.distributions import Categorical


class CharacterModel(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden_size):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab_size, embed_dim))
        self.cell = nn.LSTM(embed_dim, hidden_size)
        self.out = nn.Sequential(nn.LayerNorm(hidden_size), nn.Linear(hidden_size, vocab_size))

    def forward(self, ids, state=None):
        hidden, state = self.cell(self.table[ids.T], state)
        return self.out(hidden).transpose(0, 1), state

    def bits(self, ids):
        total = 0.0
        with torch.no_grad():
            state = None
            inputs, targets = ids[:-1].split(64), ids[1:].split(64)
            for part, following in zip(inputs, targets):
                logits, state = self(part.unsqueeze(0), state)
                picked = logits[0].log_softmax(-1)[torch.arange(len(part)), following]
                total -= picked.double().sum().item()
        return total * 1.4426950408889634

    def write(self, ids, n_chars, temperature=1.0):
        with torch.no_grad():
            logits, state = self(ids)
            written = torch.empty(len(ids), n_chars, dtype=torch.long)
            for i in range(n_chars):
                last = logits[:, -1]
                chosen = last.max(-1).indices if temperature == 0 else Categorical(logits=last / temperature).sample()
                written[:, i] = chosen
                logits, state = self(chosen[:, None], state)
        return written

    def fit(self, ids):
        optimizer = torch.optim.AdamW(self.parameters(), lr=8e-3)
        steps = 450
        for step in range(steps):
            for group in optimizer.param_groups:
                group["lr"] = 8e-3 * min(1, (steps - step) / (steps / 2))
            begin = torch.randint(0, len(ids) - 65, (32,))
            rows = ids[begin[:, None] + torch.arange(65)]
            logits, _ = self(rows[:, :-1])
            loss = nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), rows[:, 1:].reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
"""

TWO_LAYERS = but(
    GRU,
    (
        "nn.GRU(embed_dim, hidden_size, batch_first=True)",
        "nn.GRU(embed_dim, hidden_size, num_layers=2, batch_first=True)",
    ),
    ("range(400)", "range(350)"),
)

TASK = "CharacterModel"
ANSWERS = [
    {"task": TASK, "right": True, "why": "a GRU, trained on rows that go on", "source": GRU},
    {"task": TASK, "right": True, "why": "an LSTM, trained on random pieces", "source": LSTM},
    {"task": TASK, "right": True, "why": "two layers of GRU", "source": TWO_LAYERS},
    {
        "task": TASK,
        "right": False,
        "why": "bits forgets the state at the end of each part",
        "source": but(
            GRU,
            (
                "            logits, state = self(ids[start : start + len(targets)][None], state)",
                "            logits, _ = self(ids[start : start + len(targets)][None], state)",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the first character of each part but the first costs nothing",
        "source": but(GRU, ("targets = ids[start + 1 : start + 65]", "targets = ids[start + 1 : start + 64]")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "bits are nats",
        "source": but(GRU, ("return nats / math.log(2)", "return nats")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "reads in both directions",
        "source": but(
            GRU,
            ("batch_first=True)", "batch_first=True, bidirectional=True)"),
            ("nn.Linear(hidden_size, vocab_size)", "nn.Linear(2 * hidden_size, vocab_size)"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "logits are multiplied by the temperature",
        "source": but(GRU, ("logits[:, -1] / temperature", "logits[:, -1] * temperature")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "writing begins anew at each character: only the last one is read",
        "source": but(
            GRU,
            (
                "            logits, state = self(read, state)\n            if",
                "            logits, _ = self(read, None)\n            if",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "all texts of a batch get the same random character",
        "source": but(
            LSTM,
            (
                "Categorical(logits=last / temperature).sample()",
                "Categorical(logits=last[0] / temperature).sample().expand(len(ids))",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the learning rate is 0 nearly from the start",
        "source": but(GRU, ("lr=5e-3", "lr=5e-6")),
    },
]
