"""Project `GPT`: the model whole, and its training.

What only a trained model shows is judged on texts that nobody has seen: the language is drawn from the seed, and how a
prefix goes on only the judge knows.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.exercises.evidence import as_log_probs
from lmcourse.tasks.ch03.shared import draw_matrices, log_probs_of


class Block(nn.Module):
    """A block of the model: what it gives is added to what it gets, and both are (B, T, D).

    Args:
        embed_dim: D.
        num_heads: H, which divides D.
    """

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.qkv, self.output = nn.Linear(embed_dim, 3 * embed_dim), nn.Linear(embed_dim, embed_dim)
        self.expand, self.contract = nn.Linear(embed_dim, 4 * embed_dim), nn.Linear(4 * embed_dim, embed_dim)

    def forward(self, x):
        B, T, D = x.shape
        heads = self.qkv(self.norm1(x)).reshape(B, T, 3, self.num_heads, D // self.num_heads)
        query, key, value = heads.permute(2, 0, 3, 1, 4)  # (B, H, T, K) each
        context = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.output(context.transpose(1, 2).reshape(B, T, D))
        return x + self.contract(F.gelu(self.expand(self.norm2(x))))


class GPT(nn.Module):
    """A decoder-only language model.

    Its blocks are in `blocks`, an nn.ModuleList of L modules. All else is up to you.

    Args:
        vocab_size: V; token ids are 0 to V - 1.
        context_length: the most tokens that it reads at once.
        embed_dim: D, the width of the model.
        num_heads: H, which divides D.
        num_layers: L.

    >>> model = GPT(7, context_length=8, embed_dim=12, num_heads=3, num_layers=2)
    >>> model(torch.tensor([[1, 2, 3, 0, 6]])).shape, len(model.blocks)
    (torch.Size([1, 5, 7]), 2)
    """

    def __init__(self, vocab_size, context_length, embed_dim, num_heads, num_layers):
        super().__init__()
        self.context_length = context_length
        self.tokens = nn.Embedding(vocab_size, embed_dim)
        self.positions = nn.Embedding(context_length, embed_dim)
        self.blocks = nn.ModuleList(Block(embed_dim, num_heads) for _ in range(num_layers))
        self.norm, self.head = nn.LayerNorm(embed_dim), nn.Linear(embed_dim, vocab_size, bias=False)
        for layer in (self.tokens, self.positions, self.head):
            nn.init.normal_(layer.weight, std=0.02)

    def forward(self, ids):
        """Return the logits of the next token, after every token.

        Args:
            ids: token ids (B, T), T from 1 to the context length.

        Returns:
            A tensor (B, T, V).

        Raises:
            ValueError: T is above the context length.
        """
        T = ids.shape[1]
        if self.context_length < T:
            raise ValueError(f"`ids` must hold at most {self.context_length} tokens in a row, got {T}.")
        x = self.tokens(ids) + self.positions.weight[:T]
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    def fit(self, ids):
        """Train on a text.

        Args:
            ids: its token ids in one row, a tensor (N,), N far above the context length.
        """
        steps, T = 500, self.context_length
        optimizer = torch.optim.AdamW(self.parameters(), lr=4e-3, betas=(0.9, 0.95))
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=steps, pct_start=0.1)
        for _ in range(steps):
            starts = torch.randint(len(ids) - T, (16, 1))
            rows = ids[starts + torch.arange(T + 1)]  # (16, T + 1)
            loss = F.cross_entropy(self(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
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
    measures: dict[str, Callable[..., Any]] = {"shapes": _shapes, "refuses": _refuses, "log-probs": log_probs_of}
    return (measures | {"causal": _causal, "blocks": _blocks, "learns": _learns})[asked](model, *given)


def _shapes(model: Any, *ids: Tensor) -> dict[str, Any]:
    return {"logits": [list(model(part).shape) for part in ids], "blocks": len(model.blocks)}


def _refuses(model: Any, ids: Tensor) -> str:
    try:
        model(ids)
    except ValueError:  # a subclass will do
        return "ValueError"
    return "nothing"


def _draw(weight: Tensor, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        weight.copy_(torch.randn(weight.shape, generator=generator) * weight.shape[-1] ** -0.5)


def _causal(model: Any, ids: Tensor, seed: int) -> dict[str, Tensor]:
    """Texts whole, by themselves, all their prefixes, with another first token, and with their first two exchanged."""
    draw_matrices(model, seed, 1.0)
    other, exchanged = ids.clone(), ids.clone()
    other[:, 0] = (ids[:, 0] + 1) % int(ids.max() + 1)
    exchanged[:, 0], exchanged[:, 1] = ids[:, 1], ids[:, 0]
    prefixes = [log_probs_of(model, ids[:, : end + 1])[:, -1] for end in range(ids.shape[1])]
    return {
        "whole": log_probs_of(model, ids),
        "alone": torch.cat([log_probs_of(model, row[None]) for row in ids]),
        "prefixes": torch.stack(prefixes, dim=1),
        "other first token": log_probs_of(model, other)[:, -1],
        "first two exchanged": log_probs_of(model, exchanged)[:, -1],
    }


def _blocks(model: Any, ids: Tensor, seed: int) -> dict[str, Any]:
    """The predictions after the last token: as they are, and with each matrix of each block drawn anew in its turn."""
    draw_matrices(model, seed, 1.0)
    names: list[str] = []
    changed: list[Tensor] = []
    whole = log_probs_of(model, ids)[:, -1]
    for number, block in enumerate(model.blocks):
        for name, weight in block.named_parameters():
            if weight.dim() > 1:
                kept = weight.detach().clone()
                _draw(weight, seed - 1 - len(names))
                names.append(f"{number}.{name}")
                changed.append(log_probs_of(model, ids)[:, -1])
                with torch.no_grad():
                    weight.copy_(kept)
    own = [{id(weight) for weight in block.parameters()} for block in model.blocks]
    shared = sum(map(len, own)) - len(set().union(*own))
    return {"whole": whole, "names": names, "changed": torch.stack(changed), "shared": shared}


def _learns(model: Any, text: Tensor, prefixes: Tensor) -> Tensor:
    """What the trained model expects after each prefix. No prefix holds what comes after another one.

    The second half of the prefixes is shorter: in training on whole windows, a model that sees what it predicts still
    learns to predict after the last token.
    """
    model.fit(text.long())
    halves = prefixes.long().chunk(2)
    parts = [*halves[0].split(256), *halves[1][:, prefixes.shape[1] // 3 :].split(256)]
    return torch.cat([log_probs_of(model, part)[:, -1] for part in parts])


# ----------------------------------------------------------------------------------------------- what is judged outside


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = Tensor if item.of in ("chance", "learns") else str if isinstance(item.truth, str) else dict
    evidence_is(kind, evidence)
    by = {"shapes": _judge_shapes, "chance": _judge_chance, "causal": _judge_causal, "order": _judge_order}
    return (by | {"blocks": _judge_blocks, "learns": _judge_learns})[item.of](item, evidence)


def _judge_shapes(item: Case, evidence: Any) -> str | None:
    if isinstance(item.truth, str):
        return None if evidence == item.truth else f"it should raise {item.truth}, and raised {evidence}"
    shapes, n_blocks = item.truth
    if evidence["logits"] != shapes:
        return f"the logits should have the shapes {shapes}, one row a token; got {evidence['logits']}"
    if evidence["blocks"] != n_blocks:
        return f"`blocks` should hold {n_blocks} blocks, got {evidence['blocks']}"
    return None


def _judge_chance(item: Case, evidence: Any) -> str | None:
    ids, V = item.truth, item.args[1][0]
    log_probs = as_log_probs(evidence, *ids.shape, V)
    cost = -log_probs.gather(-1, ids[..., None]).mean().item()
    if cost > math.log(V) + 0.35:
        return (
            f"before training, tokens drawn at random cost {cost:.2f} nats each, and a model that knows nothing pays "
            f"ln {V} = {math.log(V):.2f}. The logits begin too large: draw the embeddings and the head with a standard "
            "deviation of about 0.02"
        )
    return None


_SAME, _OTHER = 1e-3, 1e-4  # log-probabilities in float32 that are the same, and that are not


def _judge_causal(item: Case, evidence: Any) -> str | None:
    (B, T), V = item.args[2].shape, item.args[1][0]
    whole, prefixes, alone = (as_log_probs(evidence[name], B, T, V) for name in ("whole", "prefixes", "alone"))
    other = as_log_probs(evidence["other first token"], B, V)
    if (whole - alone).abs().max() > _SAME:
        return "the predictions for a text change with the other texts of the batch: the model mixes them up"
    seen = (other - whole[:, -1]).abs().max() > _OTHER
    apart = (whole - prefixes).abs().amax(dim=(0, 2))
    if (apart > _SAME).any():
        place = int((apart > _SAME).nonzero()[0])
        turned = "" if seen else ", and does not see the past: the mask is the wrong way round"
        return (
            f"the prediction after token {place} of {T} changes with the tokens that follow it: the model looks at "
            f"the future{turned}"
        )
    if not seen:
        return (
            f"the prediction after token {T - 1} stays the same whatever the first token is: the model does not see "
            "its context"
        )
    return None


def _judge_order(item: Case, evidence: Any) -> str | None:
    (B, T), V = item.args[2].shape, item.args[1][0]
    whole, exchanged = as_log_probs(evidence["whole"], B, T, V), as_log_probs(evidence["first two exchanged"], B, V)
    if (exchanged - whole[:, -1]).abs().max() <= _OTHER:
        return (
            "the last prediction stays the same when the first two tokens are exchanged: the model does not know where "
            "its tokens stand"
        )
    return None


def _judge_blocks(item: Case, evidence: Any) -> str | None:
    B, (V, *_, n_layers) = item.args[2].shape[0], item.args[1]
    names = [str(name) for name in evidence["names"]]
    whole, changed = as_log_probs(evidence["whole"], B, V), as_log_probs(evidence["changed"], len(names), B, V)
    if not {name.split(".")[0] for name in names} >= {str(number) for number in range(n_layers)}:
        return "a block has no weight matrices of its own"
    if evidence["shared"]:
        return "blocks share their weights: make a new block for each layer ([block] * L holds one block L times)"
    dead = [name for name, one in zip(names, changed, strict=True) if (one - whole).abs().max() <= _OTHER]
    unused = [n for n in range(n_layers) if all(name in dead for name in names if name.split(".")[0] == str(n))]
    if unused:
        return f"nothing changes when the weights of block {', '.join(map(str, unused))} do: the block is not used"
    if dead:
        return f"nothing changes when these weights do: {', '.join(f'blocks.{name}' for name in dead[:4])}"
    return None


def _judge_learns(item: Case, evidence: Any) -> str | None:
    targets, bar, counted = item.truth
    log_probs = as_log_probs(evidence, len(targets), item.args[1][0])
    bits = -log_probs.gather(-1, targets[:, None]).mean().item() / math.log(2)
    if bits > bar:
        return (
            f"on text that it has not seen, {bits:.2f} bits per byte after `fit`; at most {bar:.2f} are asked for, a "
            f"tenth below the {counted:.2f} of a {_ORDER}-gram model. Every prediction is the last one of its text, so "
            "nothing is gained by looking ahead"
        )
    return None


# --------------------------------------------------------------------------------------------------------- the language

_ALPHABET = "\n .?abcdefghijklmnopqrstuvwxyz"
_CONTEXT, _BYTES, _PREFIXES, _ORDER, _SHARE = 64, 100_000, 2_048, 6, 0.9


def _language(seed: int) -> Callable[[random.Random, int], str]:
    """A small language drawn from a seed: names, things, who has what, and questions about it."""
    rng = random.Random(seed)
    words: set[str] = set()
    while len(words) < 16:
        start = (rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(1, 2)))
        words.add("".join(start) + rng.choice("bdgklmnrst"))
    mixed = rng.sample(sorted(words), 16)
    names, things = mixed[:8], mixed[8:]

    def write(rng: random.Random, n_bytes: int) -> str:
        lines, size = [], 0
        while size < n_bytes:
            owns = list(zip(rng.sample(names, 3), rng.sample(things, 3), strict=True))
            facts = " ".join(f"{name} has a {thing}." for name, thing in owns)
            asked = " ".join(f"who has a {thing}? {name}." for name, thing in rng.sample(owns, 2))
            lines.append(f"{facts} {asked}\n")
            size += len(lines[-1])
        return "".join(lines)[:n_bytes]

    return write


def _bits_by_counting(read: str, prefixes: list[str], targets: list[str]) -> float:
    """What an n-gram model pays a byte: orders mixed as Witten and Bell (1991) have it, method C."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for order in range(_ORDER):
        for end in range(order, len(read)):
            counts[read[end - order : end]][read[end]] += 1
    bits = 0.0
    for prefix, target in zip(prefixes, targets, strict=True):
        share = 1 / len(_ALPHABET)
        for order in range(_ORDER):
            if found := counts.get(prefix[len(prefix) - order :]):
                total = sum(found.values())
                share = (found[target] + len(found) * share) / (total + len(found))
        bits -= math.log2(share)
    return bits / len(targets)


def _ids(text: str) -> Tensor:
    return torch.tensor([_ALPHABET.index(sign) for sign in text], dtype=torch.uint8)


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(V: int, *sizes: int) -> Tensor:
        return torch.randint(V, sizes, generator=generator)

    def number() -> int:
        return int(draw(10**6, 1))

    write = _language(seed)
    read = write(random.Random(f"{seed} read"), _BYTES)
    unseen = write(random.Random(f"{seed} unseen"), _PREFIXES * (_CONTEXT + 3))
    ends = range(_CONTEXT, len(unseen) - 1, _CONTEXT + 1)[:_PREFIXES]  # what follows a prefix is in no other one
    prefixes, targets = [unseen[end - _CONTEXT : end] for end in ends], [unseen[end] for end in ends]
    counted = _bits_by_counting(read, prefixes, targets)
    held_out = torch.stack([_ids(prefix) for prefix in prefixes])
    truth = (_ids("".join(targets)).long(), _SHARE * counted, counted)
    shapes, small = (draw(11, 3, 1), draw(11, 2, 5), draw(11, 1, 7)), draw(5, 2, 3)
    many, two, one = draw(13, 2, 7), draw(17, 3, 11), draw(11, 2, 5)
    return [
        probe("shapes", "three batches", "shapes", (11, 7, 12, 3, 2), *shapes,
              truth=([[3, 1, 11], [2, 5, 11], [1, 7, 11]], 2)),
        probe("shapes", "one block and one head", "shapes", (5, 3, 6, 1, 1), small, truth=([[2, 3, 5]], 1)),
        probe("shapes", "8 tokens for a context of 7", "refuses", (5, 7, 6, 1, 1), draw(5, 1, 8), truth="ValueError"),
        probe("chance", "a fresh model", "log-probs", (101, 16, 48, 3, 2), draw(101, 16, 16), truth=draw(101, 16, 16)),
        probe("causal", "a model of two blocks", "causal", (13, 9, 24, 3, 2), many, number()),
        probe("causal", "a model of one block and one head", "causal", (17, 11, 16, 1, 1), two, number()),
        probe("order", "a model of one block", "causal", (11, 8, 24, 2, 1), one, number()),
        probe("blocks", "a model of three blocks", "blocks", (13, 9, 24, 3, 3), draw(13, 3, 7), number()),
        probe("learns", "a model of two blocks, D = 64", "learns", (len(_ALPHABET), _CONTEXT, 64, 4, 2), _ids(read),
              held_out, truth=truth),
    ]  # fmt: skip


SLIPS = mistakes("""
no_mask: loses chance, causal, learns
    is_causal=True => is_causal=False
  looks at the future
mask_turned_round: loses chance, causal, order, learns
    is_causal=True => torch.ones(T, T, dtype=torch.bool).triu()
  the mask is the wrong way round
texts_mixed: loses chance, causal, learns
    x = self.tokens(ids) + self.positions.weight[:T] => x = self.tokens(ids) + self.positions.weight[:T]
    |        x = x + x.mean(0, keepdim=True)
  the model mixes them up
no_positions: loses order
    self.tokens(ids) + self.positions.weight[:T] => self.tokens(ids)
  the model does not know where
last_block_unused: loses blocks
    for block in self.blocks: => for block in self.blocks[:2]:
  the block is not used
one_block_for_all: loses blocks
    Block(embed_dim, num_heads) for _ in range(num_layers) => [Block(embed_dim, num_heads)] * num_layers
  blocks share their weights
attention_forgotten: loses chance, causal, order, blocks, learns
    x = x + self.output(context.transpose(1, 2).reshape(B, T, D)) => x = x + 0.0
  the model does not see its context
begins_too_sure: loses chance
    std=0.02 => std=0.3
  The logits begin too large
does_not_train: loses learns
    optimizer.step() => optimizer.zero_grad()
  bits per byte after `fit`
predicts_the_same_token: loses learns
    rows[:, 1:].flatten() => rows[:, :-1].flatten()
  bits per byte after `fit`
any_length: loses shapes
    if self.context_length < T: => if False:
  on 8 tokens for a context of 7
""")
HINTS = hints("""
- Write `Block` and `forward` first, and check: five of the six properties need no training. In a block, what goes in is
  added to what comes out, twice: x = x + attention(norm(x)); x = x + feed_forward(norm(x)).
- In `fit`, a step draws 16 starts, takes T + 1 ids from each, predicts ids 1 to T from ids 0 to T - 1, and makes one
  step of AdamW. A rate of 4e-3 that warms up over the first tenth and then sinks to 0 does well.
- 500 such steps, with gradients clipped to a norm of 1, take some 10 seconds. Look at the loss: near ln V = 3.4 nats at
  first, below 1 after 100 steps, 0.3 at the end. If it falls to 0, the model sees the future.
""")
PROPERTIES = properties(f"""
shapes, 1: Logits (B, T, V) for any T up to the context length, a ValueError beyond it; L blocks.
chance, 1, needs causal: A fresh model knows nothing: a token costs it at most 0.35 nats more than ln V.
causal, 2: A prediction depends on all tokens of its text up to its own, and on nothing else.
order, 1: A prediction depends on where the tokens stand.
blocks, 2: Every block has weights of its own, and every matrix in it matters.
learns, 3, needs causal, 60 s: `GPT({len(_ALPHABET)}, {_CONTEXT}, 64, 4, 2).fit(ids)`, on {_BYTES:,} bytes of a small
  language that is made up for the check, in 60 seconds of processor time: on unseen text at least a tenth fewer bits
  per byte than a {_ORDER}-gram model counted on the same bytes.
""")
task = Task(
    GPT,
    points=10,
    difficulty=5,
    minutes=120,
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
