"""Project `Transformer`: it learns to copy into another alphabet, which is drawn from the seed.

What a trained model says is asked after prefixes of the target: none holds what is predicted.
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.exercises.evidence import as_log_probs
from lmcourse.tasks.ch03.shared import draw_matrices, log_probs_of


class Block(nn.Module):
    """A layer of the encoder, or with a memory one of the decoder. What it gives has the shape of x, (B, T, D)."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(embed_dim) for _ in range(3))
        self.own, self.cross = (nn.ModuleList(nn.Linear(embed_dim, embed_dim) for _ in range(4)) for _ in range(2))
        self.expand, self.contract = nn.Linear(embed_dim, 4 * embed_dim), nn.Linear(4 * embed_dim, embed_dim)

    def attend(self, layers, x, memory, mask=None, causal=False):
        parts = (layer(given) for layer, given in zip(layers, (x, memory, memory), strict=False))
        query, key, value = (part.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for part in parts)
        context = F.scaled_dot_product_attention(query, key, value, mask, is_causal=causal)
        return layers[3](context.transpose(1, 2).flatten(2))

    def forward(self, x, attention_mask, memory=None):
        normed = self.norm1(x)
        if memory is None:
            x = x + self.attend(self.own, normed, normed, attention_mask)
        else:
            x = x + self.attend(self.own, normed, normed, causal=True)
            x = x + self.attend(self.cross, self.norm2(x), memory, attention_mask)
        return x + self.contract(torch.relu(self.expand(self.norm3(x))))


class Transformer(nn.Module):
    """A transformer with an encoder and a decoder of L layers each. How it is built inside is up to you.

    Args:
        vocab_size: V; the ids 0, 1 and 2 are padding, start and stop, the others are symbols.
        embed_dim: D, the width of the model, an even number.
        num_heads: H, which divides D.
        num_layers: L.

    >>> model = Transformer(9, embed_dim=12, num_heads=3, num_layers=2)
    >>> model(torch.tensor([[3, 5, 8, 4]]), torch.tensor([[1, 6, 7]])).shape
    torch.Size([1, 3, 9])
    """

    def __init__(self, vocab_size, embed_dim, num_heads, num_layers):
        super().__init__()
        self.tokens, self.head = nn.Embedding(vocab_size, embed_dim), nn.Linear(embed_dim, vocab_size)
        nn.init.normal_(self.tokens.weight, std=embed_dim**-0.5)
        self.encoder = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.decoder = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.encoder_norm, self.decoder_norm = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)

    def embed(self, ids):
        T, D = ids.shape[1], self.tokens.embedding_dim
        angles = torch.arange(T)[:, None] / 10000 ** (torch.arange(0, D, 2) / D)  # (T, D / 2)
        return D**0.5 * self.tokens(ids) + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    def forward(self, source, target):
        """Return the logits of the next target token, after every target token.

        Args:
            source: ids (B, S); a row ends with padding (0) if it is shorter. Each row has a symbol at least.
            target: ids (B, T) of the target so far, shifted right: each row begins with the start id.

        Returns:
            A tensor (B, T, V).
        """
        attention_mask = (source != 0)[:, None, None]  # (B, 1, 1, S)
        memory, x = self.embed(source), self.embed(target)
        for block in self.encoder:
            memory = block(memory, attention_mask)
        memory = self.encoder_norm(memory)
        for block in self.decoder:
            x = block(x, attention_mask, memory)
        return self.head(self.decoder_norm(x))

    def fit(self, sources, targets):
        """Train on pairs: sources (N, S), and targets (N, T) with start and stop; both are padded at the end."""
        optimizer = torch.optim.AdamW(self.parameters(), lr=5e-3, betas=(0.9, 0.95))
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=500, pct_start=0.1)
        for _ in range(500):
            rows = torch.randint(len(sources), (64,))
            logits, following = self(sources[rows], targets[rows, :-1]), targets[rows, 1:]
            loss = F.cross_entropy(logits.transpose(1, 2), following, ignore_index=0)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.parameters(), 1.0)
            optimizer.step()
            schedule.step()


# ----------------------------------------------------------------------------------- what is asked, where the answer is


def use(answer: Callable[..., Any], asked: str, sizes: tuple[int, ...], *given: Any) -> Any:
    """Build a model and return what it gives: numbers for the judge, who knows what they should be."""
    torch.manual_seed(1)
    model = answer(*sizes)
    if asked == "shapes":
        return [list(model(*pair).shape) for pair in zip(given[::2], given[1::2], strict=True)]
    measures: dict[str, Callable[..., Any]] = {"target": _target, "source": _source, "learns": _learns}
    return measures[asked](model, *given)


def _target(model: Any, source: Tensor, target: Tensor, seed: int) -> dict[str, Tensor]:
    """Pairs whole, by themselves, all prefixes of their targets, and with another second target token."""
    draw_matrices(model, seed, 1.0)
    other = target.clone()
    other[:, 1] = 3 + (target[:, 1] - 2) % (int(target.max()) - 2)
    ends = range(1, target.shape[1] + 1)
    return {
        "whole": log_probs_of(model, source, target),
        "alone": torch.cat([log_probs_of(model, source[n : n + 1], target[n : n + 1]) for n in range(len(source))]),
        "prefixes": torch.stack([log_probs_of(model, source, target[:, :end])[:, -1] for end in ends], dim=1),
        "other": log_probs_of(model, source, other)[:, -1],
    }


def _source(model: Any, source: Tensor, target: Tensor, seed: int) -> dict[str, Tensor]:
    """Pairs whole, with each source token changed, without padding, and with two tokens of a side exchanged."""
    draw_matrices(model, seed, 1.0)
    changed = []
    for position in range(source.shape[1]):
        other = source.clone()
        other[:, position] = 3 + (source[:, position] - 2) % (int(source.max()) - 2)
        changed.append(log_probs_of(model, other, target))
    lengths = (source != 0).sum(dim=1).tolist()
    rows = [log_probs_of(model, source[n : n + 1, :length], target[n : n + 1]) for n, length in enumerate(lengths)]
    exchange = [1, 0, *range(2, source.shape[1])], [0, 2, 1, *range(3, target.shape[1])]
    return {
        "whole": log_probs_of(model, source, target),
        "changed": torch.stack(changed, dim=1),
        "without padding": torch.cat(rows),
        "source exchanged": log_probs_of(model, source[:, exchange[0]], target)[:, -1],
        "target exchanged": log_probs_of(model, source, target[:, exchange[1]])[:, -1],
    }


def _learns(model: Any, sources: Tensor, targets: Tensor, unseen: Tensor, prefixes: Tensor) -> Tensor:
    """What the trained model expects after each prefix."""
    model.fit(sources.long(), targets.long())
    unseen, prefixes, lengths = unseen.long(), prefixes.long(), (prefixes != 0).sum(dim=1)
    found = []
    for length in lengths.unique().tolist():
        rows = lengths == length
        found.append(log_probs_of(model, unseen[rows], prefixes[rows, :length])[:, -1])
    return torch.cat(found)[lengths.argsort(stable=True).argsort()]  # in their old order


# ----------------------------------------------------------------------------------------------- what is judged outside

_SAME, _OTHER = 1e-3, 1e-4  # log-probabilities in float32 that are the same, and that are not


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    evidence_is({"shapes": list, "learns": Tensor}.get(item.of, dict), evidence)
    if item.of == "shapes":
        return None if evidence == item.truth else f"the logits should have the shapes {item.truth}, got {evidence}"
    return {"causal": _judge_causal, "learns": _judge_learns}.get(item.of, _judge_reading)(item, evidence)


def _sizes(item: Case) -> tuple[int, int, int, int]:
    (B, S), T, V = item.args[2].shape, item.args[3].shape[1], item.args[1][0]
    return B, S, T, V


def _judge_causal(item: Case, evidence: Any) -> str | None:
    B, _, T, V = _sizes(item)
    whole, alone, prefixes = (as_log_probs(evidence[name], B, T, V) for name in ("whole", "alone", "prefixes"))
    if (whole - alone).abs().max() > _SAME:
        return "the predictions for a pair change with the other pairs of the batch: the model mixes them up"
    if (whole - prefixes).abs().max() > _SAME:
        return "a prediction changes with the target tokens that follow it: the decoder looks at the future"
    if (as_log_probs(evidence["other"], B, V) - whole[:, -1]).abs().max() <= _OTHER:
        return "the last prediction stays the same whatever the target so far is: the decoder does not read it"
    return None


def _judge_reading(item: Case, evidence: Any) -> str | None:
    """What is wrong with how the source is read, its padding and the order of its tokens, or None."""
    B, S, T, V = _sizes(item)
    whole = as_log_probs(evidence["whole"], B, T, V)
    if item.of == "padding":
        if (whole - as_log_probs(evidence["without padding"], B, T, V)).abs().max() <= _SAME:
            return None
        return "the predictions change when padding is taken off the source: hide it, in the encoder and in the decoder"
    if item.of == "order":
        for side in ("source", "target"):
            if (as_log_probs(evidence[f"{side} exchanged"], B, V) - whole[:, -1]).abs().max() <= _OTHER:
                return (
                    f"nothing changes when two tokens of the {side} are exchanged: their positions are not in the model"
                )
        return None
    apart = (as_log_probs(evidence["changed"], B, S, T, V) - whole[:, None]).abs().amax(dim=-1)
    blind = (apart <= _OTHER) & (item.args[2] != 0)[:, :, None]  # (B, S, T)
    if blind.any():
        _, position, after = blind.nonzero()[0].tolist()
        return (
            f"the prediction after target token {after} does not change with token {position} of the source: every "
            "target position should attend to the whole source"
        )
    return None


def _judge_learns(item: Case, evidence: Any) -> str | None:
    likeliest = as_log_probs(evidence, len(item.truth), item.args[1][0]).argmax(dim=-1)
    right = (likeliest == item.truth).double().mean().item()
    if right < _BAR:
        return (
            f"after `fit`, {right:.0%} of the next tokens are right on sources that it has not seen; {_BAR:.0%} are "
            "asked for. Each is predicted after the target so far, so nothing is gained by looking ahead"
        )
    return None


# ------------------------------------------------------------------------------------------------------------ the pairs

_BAR, _SYMBOLS, _LONGEST, _PAIRS, _UNSEEN = 0.95, 12, 8, 4_000, 600
_SIZES = (_SYMBOLS + 3, 32, 4, 1)


def _pairs(n: int, alphabet: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Sources (n, 8), and their copies in another alphabet with start and stop, (n, 10), padded."""
    lengths = torch.randint(1, _LONGEST + 1, (n, 1), generator=generator)
    symbols = torch.randint(_SYMBOLS, (n, _LONGEST), generator=generator)
    inside = torch.arange(_LONGEST) < lengths
    targets = torch.zeros(n, _LONGEST + 2, dtype=torch.long)
    targets[:, 0] = 1
    targets[:, 1:-1] = torch.where(inside, 3 + alphabet[symbols], 0)
    return torch.where(inside, 3 + symbols, 0), targets.scatter(1, lengths + 1, 2)


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(V: int, *sizes: int) -> Tensor:
        return torch.randint(3, V, sizes, generator=generator)

    def begun(target: Tensor) -> Tensor:
        return torch.cat([torch.ones(len(target), 1, dtype=torch.long), target], dim=1)

    def number() -> int:
        return int(torch.randint(10**6, (1,), generator=generator))

    padded = draw(13, 3, 6)
    padded[1, 4:], padded[2, 2:] = 0, 0
    alphabet = torch.randperm(_SYMBOLS, generator=generator)
    sources, targets = _pairs(_PAIRS, alphabet, generator)
    unseen, whole = _pairs(_UNSEEN, alphabet, generator)
    cuts = 1 + (torch.rand(_UNSEEN, 1, generator=generator) * ((whole != 0).sum(dim=1, keepdim=True) - 1)).long()
    prefixes, truth = whole.where(torch.arange(whole.shape[1]) < cuts, 0), whole.gather(1, cuts)[:, 0]
    shapes = (draw(11, 3, 1), begun(draw(11, 3, 4)), draw(11, 2, 5), begun(draw(11, 2, 1)))
    given = {name: (draw(13, 2, 5), begun(draw(13, 2, 5)), number()) for name in ("causal", "source", "order")}
    return [
        probe("shapes", "two batches", "shapes", (11, 12, 3, 2), *shapes, truth=[[3, 5, 11], [2, 2, 11]]),
        probe("causal", "a model of two layers", "target", (13, 24, 3, 2), *given["causal"]),
        probe("causal", "one layer and one head", "target", (13, 16, 1, 1), *given["source"]),
        probe("source", "a model of one layer", "source", (13, 24, 3, 1), *given["source"]),
        probe("padding", "a model of two layers", "source", (13, 24, 3, 2), padded, begun(draw(13, 3, 4)), number()),
        probe("order", "a model of one layer", "source", (13, 24, 2, 1), *given["order"]),
        probe("learns", "one layer, D = 32", "learns", _SIZES, sources.byte(), targets.byte(), unseen.byte(),
              prefixes.byte(), truth=truth),
    ]  # fmt: skip


SLIPS = mistakes("""
no_mask: loses causal, learns
    normed, normed, causal=True => normed, normed
  looks at the future
padding_seen: loses padding
    attention_mask = (source != 0)[:, None, None] => attention_mask = None
  hide it, in the encoder
padding_seen_by_decoder: loses padding
    self.norm2(x), memory, attention_mask) => self.norm2(x), memory)
  hide it, in the encoder and in the decoder
no_positions_in_source: loses order, learns
    memory, x = self.embed(source), self => memory, x = self.tokens(source), self
  two tokens of the source
source_not_read: loses source, padding, order, learns
    x = x + self.attend(self.cross, self.norm2(x), memory, attention_mask) => x = x + 0.0
  should attend to the whole source
pairs_mixed: loses causal, padding, learns
    x = block(x, attention_mask, memory) => x = block(x, attention_mask, memory)
    |            x = x + x.mean(0)
  the model mixes them up
last_position_alone: loses shapes, causal, source, padding, order, learns
    self.decoder_norm(x)) => self.decoder_norm(x[:, -1]))
  the logits should have the shapes
predicts_the_same_token: loses learns
    targets[rows, 1:] => targets[rows, :-1]
  of the next tokens are right
""")
HINTS = hints("""
- Write `Block` and `forward` first, and check: all properties but the last need no training. The encoder's layers
  attend to the source under the padding mask; the decoder's to the target, causally, and to the memory.
- In `fit`, a step draws 64 rows, reads targets[rows, :-1], predicts targets[rows, 1:], leaves padding out of the loss
  (ignore_index=0), and makes one step of AdamW.
- 500 such steps take some 5 seconds; a rate of 5e-3 that warms up over the first tenth and then sinks to 0 does well.
  The loss falls below 0.1. If it does so at once and copies are wrong, the decoder sees the future.
""")
PROPERTIES = properties(f"""
shapes, 1: Logits (B, T, V), whatever the lengths of source and target are.
causal, 2: A prediction depends on the target tokens up to its own, on no later one, and on no other pair.
source, 1: Every prediction depends on every token of its source.
padding, 1, needs source: Padding at the end of a source changes nothing.
order, 1: Predictions depend on where the tokens stand, in the source and in the target.
learns, 4, needs causal, 60 s: `Transformer{_SIZES}.fit(sources, targets)`, on {_PAIRS:,} pairs: the target is a copy of
  the source in another alphabet, which is drawn for the check. In 60 seconds of processor time, on sources that it has
  not seen: {_BAR:.0%} of the next tokens are right.
""")
task = Task(
    Transformer,
    points=10,
    difficulty=5,
    minutes=90,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    before=(Block,),
    libraries=("torch._dynamo",),
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
