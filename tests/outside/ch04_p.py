"""Answers to the project of chapter 04, written from its page alone."""

from tests.outside.variants import but

PACKED = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class DateTranslator(nn.Module):
    def __init__(self, source_size, target_size, hidden_size):
        super().__init__()
        H = hidden_size
        self.letters = nn.Embedding(source_size, H)
        self.encoder = nn.GRU(H, H // 2, batch_first=True, bidirectional=True)
        self.tokens = nn.Embedding(target_size, H)
        self.decoder = nn.GRU(H, H, batch_first=True)
        self.mix = nn.Linear(2 * H, H)
        self.head = nn.Linear(H, target_size)

    def encode(self, source, mask):
        lengths = mask.sum(1)
        packed = pack_padded_sequence(self.letters(source), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.encoder(packed)
        memory, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])
        return memory, torch.cat([last[0], last[1]], -1)[None]

    def decode(self, target, memory, mask, state):
        states, _ = self.decoder(self.tokens(target), state)
        scores = states @ memory.transpose(1, 2)
        weights = scores.masked_fill(~mask[:, None], float("-inf")).softmax(-1)
        context = weights @ memory
        return self.head(torch.tanh(self.mix(torch.cat([states, context], -1)))), weights

    def forward(self, source, mask, target):
        return self.decode(target, *self._between(source, mask))

    def _between(self, source, mask):
        memory, state = self.encode(source, mask)
        return memory, mask, state

    def batch(self, rows):
        width = max(len(row) for row in rows)
        ids = torch.tensor([list(row) + [0] * (width - len(row)) for row in rows])
        lengths = torch.tensor([len(row) for row in rows])
        return ids, torch.arange(width)[None] < lengths[:, None]

    @torch.no_grad()
    def translate(self, rows, max_length):
        source, mask = self.batch(rows)
        memory, state = self.encode(source, mask)
        target = torch.full((len(rows), 1), 1)
        for _ in range(max_length):
            logits, _ = self.decode(target, memory, mask, state)
            target = torch.cat([target, logits[:, -1:].argmax(-1)], 1)
        found = []
        for row in target[:, 1:].tolist():
            found.append(row[: row.index(2)] if 2 in row else row)
        return found

    def fit(self, pairs):
        optimizer = torch.optim.Adam(self.parameters(), lr=5e-3)
        for step in range(400):
            chosen = [pairs[i] for i in torch.randint(len(pairs), (48,))]
            source, mask = self.batch([source for source, _ in chosen])
            target, real = self.batch([[1, *target, 2] for _, target in chosen])
            logits, _ = self(source, mask, target[:, :-1])
            loss = F.cross_entropy(logits[real[:, 1:]], target[:, 1:][real[:, 1:]])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
"""

ADDITIVE = but(
    PACKED,
    (
        "        self.mix = nn.Linear(2 * H, H)\n",
        "        self.mix = nn.Linear(2 * H, H)\n        self.of_key, self.of_query, self.of_both = nn.Linear(H, H), nn.Linear(H, H), nn.Linear(H, 1, bias=False)\n",
    ),
    (
        "        scores = states @ memory.transpose(1, 2)\n",
        "        both = torch.tanh(self.of_query(states)[:, :, None] + self.of_key(memory)[:, None])\n        scores = self.of_both(both)[..., 0]\n",
    ),
)

STEPS = '''
import torch
import torch.nn.functional as F
from torch import nn


class DateTranslator(nn.Module):
    """Cells by hand; the encoder keeps its state at padding; each row is translated by itself."""

    def __init__(self, source_size, target_size, hidden_size):
        super().__init__()
        self.H = hidden_size
        self.source_embedding = nn.Embedding(source_size, hidden_size)
        self.target_embedding = nn.Embedding(target_size, hidden_size)
        self.forwards = nn.GRUCell(hidden_size, hidden_size)
        self.backwards = nn.GRUCell(hidden_size, hidden_size)
        self.cell = nn.GRUCell(hidden_size, hidden_size)
        self.bridge = nn.Linear(2 * hidden_size, hidden_size)
        self.compare = nn.Linear(hidden_size, 2 * hidden_size, bias=False)
        self.out = nn.Linear(3 * hidden_size, target_size)

    def run(self, cell, x, mask, order):
        state, states = x.new_zeros(len(x), self.H), [None] * x.shape[1]
        for t in order:
            state = torch.where(mask[:, t, None], cell(x[:, t], state), state)
            states[t] = state
        return torch.stack(states, 1), state

    def encode(self, source, mask):
        x = self.source_embedding(source)
        there, end = self.run(self.forwards, x, mask, range(x.shape[1]))
        back, begin = self.run(self.backwards, x, mask, reversed(range(x.shape[1])))
        return torch.cat([there, back], -1), {"h": torch.tanh(self.bridge(torch.cat([end, begin], -1)))}

    def decode(self, target, memory, mask, state):
        h, logits, looks = state["h"], [], []
        for t in range(target.shape[1]):
            h = self.cell(self.target_embedding(target[:, t]), h)
            scores = torch.einsum("bsk,bk->bs", memory, self.compare(h))
            look = torch.softmax(scores + torch.where(mask, 0.0, -torch.inf), dim=1)
            context = torch.einsum("bs,bsk->bk", look, memory)
            logits.append(self.out(torch.cat([h, context], 1)))
            looks.append(look)
        return torch.stack(logits, 1), torch.stack(looks, 1)

    def forward(self, source, mask, target):
        memory, state = self.encode(source, mask)
        return self.decode(target, memory, mask, state)

    def translate(self, rows, max_length):
        return [self.one(row, max_length) for row in rows]

    @torch.no_grad()
    def one(self, row, max_length):
        mask = torch.ones(1, len(row), dtype=torch.bool)
        memory, state = self.encode(torch.tensor([row]), mask)
        found = [1]
        while len(found) <= max_length:
            token = int(self.decode(torch.tensor([found]), memory, mask, state)[0][0, -1].argmax())
            if token == 2:
                break
            found.append(token)
        return found[1:]

    def fit(self, pairs):
        optimizer = torch.optim.AdamW(self.parameters(), lr=6e-3)
        for step in range(300):
            chosen = [pairs[int(i)] for i in torch.randint(len(pairs), (40,))]
            source = nn.utils.rnn.pad_sequence([torch.tensor(s) for s, _ in chosen], batch_first=True)
            target = nn.utils.rnn.pad_sequence([torch.tensor([1, *t, 2]) for _, t in chosen], batch_first=True)
            logits, _ = self(source, source != 0, target[:, :-1])
            loss = F.cross_entropy(logits.transpose(1, 2), target[:, 1:], ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
'''

TASK = "DateTranslator"
ANSWERS = [
    {"task": TASK, "right": True, "why": "packed GRU of both directions, dot products", "source": PACKED},
    {"task": TASK, "right": True, "why": "the additive score", "source": ADDITIVE},
    {"task": TASK, "right": True, "why": "cells step by step, rows translated one by one", "source": STEPS},
    {
        "task": TASK,
        "right": False,
        "why": "the weights do not leave out the padding",
        "source": but(PACKED, ('scores.masked_fill(~mask[:, None], float("-inf")).softmax(-1)', "scores.softmax(-1)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "weights are found, but the last state of the memory is used instead of their average",
        "source": but(PACKED, ("context = weights @ memory", "context = memory[:, :1].expand_as(states)")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the stop token stays in the translation",
        "source": but(PACKED, ("row[: row.index(2)] if", "row[: row.index(2) + 1] if")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "all rows end when the first one ends",
        "source": but(
            PACKED,
            (
                "logits[:, -1:].argmax(-1)], 1)\n",
                "logits[:, -1:].argmax(-1)], 1)\n            if (target[:, -1] == 2).any():\n                break\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the encoder reads on into the padding",
        "source": but(
            PACKED,
            (
                "        packed = pack_padded_sequence(self.letters(source), lengths, batch_first=True, enforce_sorted=False)\n        states, last = self.encoder(packed)\n        memory, _ = pad_packed_sequence(states, batch_first=True, total_length=source.shape[1])\n",
                "        memory, last = self.encoder(self.letters(source))\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the weights come from the tokens alone, not from the states of the decoder's memory: every letter the same",
        "source": but(
            PACKED, ("scores = states @ memory.transpose(1, 2)", "scores = 0 * (states @ memory.transpose(1, 2))")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the stop token does not count against the limit: one token more may be chosen",
        "source": but(STEPS, ("while len(found) <= max_length:", "while len(found) <= max_length + 1:")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the encoder is cut off: it is never trained",
        "source": but(
            STEPS, ("return torch.cat([there, back], -1), {", "return torch.cat([there, back], -1).detach(), {")
        ),
    },
]
