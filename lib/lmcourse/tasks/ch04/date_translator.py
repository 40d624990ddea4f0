"""Project `DateTranslator`: a translator with attention, put together from the functions of the other exercises.

The dates are those of a country that is drawn from the seed, its months and its ways to write a date. Greedy search
over `forward` is done here for `learns`, so that a mistake in `translate` does not cost that one, too; and as no target
goes in, a decoder that looks ahead gains nothing.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.exercises.evidence import as_log_probs, as_numbers
from lmcourse.tasks.ch03.shared import draw_matrices
from lmcourse.tasks.ch04.dot_attention import dot_attention
from lmcourse.tasks.ch04.greedy_decode import greedy_decode
from lmcourse.tasks.ch04.pad_batch import pad_batch
from lmcourse.tasks.ch04.teacher_pairs import teacher_pairs


class DateTranslator(nn.Module):
    """An encoder, attention over its states, and a decoder. How they are built is up to you.

    The ids 0, 1 and 2 are padding, start and stop on both sides; letters and digits have ids from 3 on. Where a batch
    of sources is given, `source` holds ids (B, S), padded at the end, and `mask` is True at letters, (B, S).

    Args:
        source_size, target_size: how many ids there are of either side.
        hidden_size: H, an even number: the width of the states.

    >>> model = DateTranslator(30, 14, hidden_size=8)
    >>> source, mask = torch.tensor([[5, 9, 4], [7, 3, 0]]), torch.tensor([[True] * 3, [True, True, False]])
    >>> logits, weights = model(source, mask, torch.tensor([[1, 4], [1, 8]]))
    >>> logits.shape, weights.shape
    (torch.Size([2, 2, 14]), torch.Size([2, 2, 3]))
    >>> len(model.translate([[5, 9, 4], [7, 3]], 6))
    2
    """

    def __init__(self, source_size, target_size, hidden_size):
        super().__init__()
        self.letters, self.digits = nn.Embedding(source_size, hidden_size), nn.Embedding(target_size, hidden_size)
        self.encoder = nn.GRU(hidden_size, hidden_size // 2, batch_first=True, bidirectional=True)
        self.decoder = nn.GRU(hidden_size, hidden_size, batch_first=True)
        self.combine, self.head = nn.Linear(2 * hidden_size, hidden_size), nn.Linear(hidden_size, target_size)

    def encode(self, source, mask):
        """Return the memory, a state for each letter (B, S, any width), and the first state of the decoder, of any
        kind. What stands at padding does not matter."""
        lengths = mask.sum(dim=1)
        packed = nn.utils.rnn.pack_padded_sequence(self.letters(source), lengths, True, enforce_sorted=False)
        memory, state = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(memory, batch_first=True, total_length=source.shape[1])
        return memory, torch.cat([state[0], state[1]], dim=-1)[None]

    def decode(self, target, memory, mask, state):
        """Predict the next token after each token of the target.

        Args:
            target: ids so far (B, T), each row begins with the start token.
            memory, state: what `encode` returned; they stay as they are.
            mask: (B, S).

        Returns:
            The logits (B, T, target_size), and the weights of the states in the context of each token, (B, T, S):
            a softmax over the letters, 0 at padding.
        """
        hidden, _ = self.decoder(self.digits(target), state)  # (B, T, H)
        found = [dot_attention(query, memory, mask) for query in hidden.unbind(dim=1)]
        context, weights = (torch.stack(parts, dim=1) for parts in zip(*found, strict=True))
        joined = torch.cat([context, hidden], dim=-1)  # (B, T, 2 H)
        return self.head(torch.tanh(self.combine(joined))), weights

    def forward(self, source, mask, target):
        """Encode and decode: return the logits and the weights."""
        memory, state = self.encode(source, mask)
        return self.decode(target, memory, mask, state)

    def translate(self, rows, max_length):
        """Translate by greedy search.

        Args:
            rows: the sources, a list of lists of ids, of unequal lengths.
            max_length: how many tokens may be chosen for each, the stop token among them.

        Returns:
            The translations, a list of lists of ids, without start and stop.
        """

        def translation(row):
            source, mask = pad_batch([row], 0)
            memory, state = self.encode(source, mask)

            def next_probs(ids):
                logits, _ = self.decode(torch.tensor([ids]), memory, mask, state)
                return logits[0, -1].softmax(dim=-1).tolist()

            return greedy_decode(next_probs, 1, 2, max_length)[0]

        with torch.no_grad():
            return [translation(row) for row in rows]

    def fit(self, pairs):
        """Train on a list of pairs (source, target), each a list of ids, without padding, start and stop."""
        steps = 400
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-2)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=steps, pct_start=0.1)
        for _ in range(steps):
            batch = [pairs[i] for i in torch.randint(len(pairs), (64,)).tolist()]
            source, mask = pad_batch([row for row, _ in batch], 0)
            given, wanted = zip(*teacher_pairs([row for _, row in batch], 1, 2), strict=True)
            (given, _), (wanted, real) = pad_batch(list(given), 0), pad_batch(list(wanted), 0)
            loss = F.cross_entropy(self(source, mask, given)[0][real], wanted[real])
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
    model.eval()
    by: dict[str, Callable[..., Any]] = {
        "parts": _parts,
        "attention": _attention,
        "batch": _batch,
        "causal": _causal,
        "gradients": _gradients,
        "translate": _translate,
        "learns": _learns,
    }
    return by[asked](model, *given)


def _found(pair: tuple[Any, Any]) -> list[Tensor]:
    """Log-probabilities and weights of what `forward` or `decode` gave."""
    logits, weights = pair
    return [torch.log_softmax(logits.detach().float(), dim=-1), weights.detach().float()]


def _parts(model: Any, source: Tensor, mask: Tensor, target: Tensor) -> dict[str, Any]:
    memory, state = model.encode(source, mask)
    logits, weights = model.decode(target, memory, mask, state)
    return {
        "memory": list(memory.shape[:2]),
        "logits": list(logits.shape),
        "weights": list(weights.shape),
        "decode": _found((logits, weights)),
        "forward": _found(model(source, mask, target)),
    }


def _attention(model: Any, source: Tensor, mask: Tensor, target: Tensor, seed: int) -> dict[str, Any]:
    """The weights, and what becomes of them if states are changed at padding, exchanged, given twice, drawn anew."""
    draw_matrices(model, seed)
    with torch.no_grad():
        memory, state = model.encode(source, mask)

        def decoded(memory: Tensor, mask: Tensor = mask) -> list[Tensor]:
            return _found(model.decode(target, memory, mask, state))

        exchanged = [1, 0, *range(2, memory.shape[1])]
        noise = torch.randn(memory.shape, generator=torch.Generator().manual_seed(seed))
        return {
            "plain": decoded(memory),
            "padding": decoded(torch.where(mask[..., None], memory, 3 * noise)),
            "exchanged": decoded(memory[:, exchanged]),
            "twice": decoded(memory.repeat(1, 2, 1), mask.repeat(1, 2)),
            "other": decoded(torch.where(mask[..., None], noise, memory)),
        }


def _batch(model: Any, source: Tensor, mask: Tensor, target: Tensor, seed: int) -> dict[str, Any]:
    """Pairs at once; each alone, with its padding; and without."""
    draw_matrices(model, seed)
    rows = [slice(n, n + 1) for n in range(len(source))]
    with torch.no_grad():
        short = [
            _found(model(source[n, :length], mask[n, :length], target[n]))
            for n, length in zip([[n] for n in range(len(source))], mask.sum(1).tolist(), strict=True)
        ]
        alone = [_found(model(source[n], mask[n], target[n])) for n in rows]
        return {"whole": _found(model(source, mask, target)), "alone": alone, "short": short}


def _causal(model: Any, source: Tensor, mask: Tensor, target: Tensor, seed: int) -> dict[str, Tensor]:
    """Targets whole, all prefixes of them, and with another second token."""
    draw_matrices(model, seed)
    other = target.clone()
    other[:, 1] = 3 + (target[:, 1] - 2) % (int(target.max()) - 2)

    def log_probs(target: Tensor) -> Tensor:
        return _found(model(source, mask, target))[0]

    with torch.no_grad():
        prefixes = [log_probs(target[:, :end])[:, -1] for end in range(1, target.shape[1] + 1)]
        return {"whole": log_probs(target), "prefixes": torch.stack(prefixes, dim=1), "other": log_probs(other)[:, -1]}


def _gradients(model: Any, source: Tensor, mask: Tensor, target: Tensor, seed: int) -> dict[str, Any]:
    """How large gradients are: of every matrix, of what the memory is made by, and of the memory in `decode`."""
    draw_matrices(model, seed)
    model.train()
    named = {name: weight for name, weight in model.named_parameters() if weight.dim() > 1}

    def sizes(out: Tensor, weights: Sequence[Tensor]) -> list[float]:
        if not out.requires_grad:
            return [0.0] * len(weights)
        scales = torch.linspace(-1, 2, out.numel()).reshape(out.shape)
        found = torch.autograd.grad((out * scales).sum(), list(weights), allow_unused=True)
        return [0.0 if part is None else float(part.abs().max()) for part in found]

    with torch.enable_grad():
        memory, state = model.encode(source, mask)
        made_by = sizes(memory, list(named.values()))
        leaf = memory.detach().clone().requires_grad_(True)
        of_memory = sizes(model.decode(target, leaf, mask, state)[0], [leaf])
        of_all = sizes(model(source, mask, target)[0], list(named.values()))
    return {"names": list(named), "matrices": of_all, "made by": made_by, "memory": of_memory}


def _searched(model: Any, source: Tensor, mask: Tensor, steps: int) -> Tensor:
    """What greedy search finds, (B, steps), on and on after the stop token."""
    tokens = torch.ones(len(source), 1, dtype=torch.long)
    with torch.no_grad():
        for _ in range(steps):
            logits, _ = model(source, mask, tokens)
            tokens = torch.cat([tokens, logits[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    return tokens[:, 1:]


def _rows_of(source: Tensor) -> list[list[int]]:
    return [row[row != 0].tolist() for row in source]


def _translate(model: Any, source: Tensor, steps: int, V: int, seed: int) -> dict[str, Any]:
    """Translations, at once and alone, and what the model expects along them.

    The rows are chosen so that some come to their end and some do not, not even one token later; that each has another
    translation, of different tokens; and that none asks for padding or a start token.
    """
    best: tuple[int, int, int, list[int]] = (0, 0, seed, [0])  # what it shows, how many rows, the draw, the rows
    for number in range(seed, seed + 100):
        draw_matrices(model, number)
        found = [row[: [*row, 2].index(2)] for row in _searched(model, source, source != 0, steps + 1).tolist()]
        plain = {tuple(ids): n for n, ids in enumerate(found) if len({*ids}) > 1 and not {0, 1} & {*ids}}
        ended = [n for ids, n in plain.items() if len(ids) < steps - 1][:3]
        whole = [n for ids, n in plain.items() if len(ids) > steps][:3]
        best = max(best, (bool(ended) + bool(whole), len(ended) + len(whole), number, [*ended, *whole]))
        if best[:2] >= (2, 3):
            break
    draw_matrices(model, best[2])
    rows = _rows_of(source[best[3]])
    new = _as_rows(model.translate([*map(list, rows)], steps))
    alone = _as_rows(model.translate([list(rows[-1])], steps))
    if new is None or len(new) != len(rows) or not all(0 <= i < V for row in new for i in row):
        return {"new": new, "alone": alone, "rows": len(rows)}
    expected = []
    for row, ids in zip(rows, new, strict=True):
        with torch.no_grad():
            pair = model(torch.tensor([row]), torch.ones(1, len(row), dtype=torch.bool), torch.tensor([[1, *ids]]))
        expected.append(_found(pair)[0][0])
    return {"new": new, "alone": alone, "rows": len(rows), "expected": expected}


def _as_rows(found: Any) -> list[list[int]] | None:
    try:
        return [[int(i) for i in row] for row in found]
    except (TypeError, ValueError):
        return None


def _learns(model: Any, sources: Tensor, targets: Tensor, unseen: Tensor) -> Tensor:
    """What greedy search finds for the unseen dates after `fit`."""
    model.train()
    model.fit(list(zip(_rows_of(sources.long()), targets.tolist(), strict=True)))
    model.eval()
    return _searched(model, unseen.long(), unseen != 0, targets.shape[1] + 1)


# ----------------------------------------------------------------------------------------------- what is judged outside

_SAME, _OTHER = 1e-3, 1e-4  # numbers in float32 that are the same, and that are not


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = Tensor if item.of == "learns" else dict
    evidence_is(kind, evidence)
    by: dict[str, Callable[[Case, Any], str | None]] = {
        "parts": _judge_parts,
        "attention": _judge_attention,
        "batch": _judge_batch,
        "causal": _judge_causal,
        "gradients": _judge_gradients,
        "translate": _judge_translate,
        "learns": _judge_learns,
    }
    return by[item.of](item, evidence)


def _sizes(item: Case) -> tuple[int, int, int, int]:
    (B, S), T, V = item.args[2].shape, item.args[4].shape[1], item.args[1][1]
    return B, S, T, V


def _apart(one: Tensor, other: Tensor) -> float:
    return float((one - other).abs().max())


def _judge_parts(item: Case, evidence: Any) -> str | None:
    B, S, T, V = _sizes(item)
    wanted = {"memory": [B, S], "logits": [B, T, V], "weights": [B, T, S]}
    for name, shape in wanted.items():
        if evidence[name] != shape:
            what = "the memory should begin with" if name == "memory" else f"the {name} should have"
            return f"{what} the shape {shape} for sources {(B, S)} and targets {(B, T)}, got {evidence[name]}"
    for one, other, last in zip(evidence["decode"], evidence["forward"], (V, S), strict=True):
        if _apart(as_numbers(one, B, T, last), as_numbers(other, B, T, last)) > _SAME:
            return "`forward` gives something else than `encode` and `decode`, one after the other"
    return None


def _judge_attention(item: Case, evidence: Any) -> str | None:
    B, S, T, V = _sizes(item)
    mask = item.args[3]
    found = {
        name: (
            as_log_probs(evidence[name][0], B, T, V),
            as_numbers(evidence[name][1], B, T, 2 * S if name == "twice" else S),
        )
        for name in ("plain", "padding", "exchanged", "twice", "other")
    }
    log_probs, weights = found["plain"]
    if weights.min() < 0:
        return f"a weight is {weights.min():.3g}: the weights are a softmax of the scores, and none is below 0"
    at_padding = weights.masked_fill(mask[:, None], 0.0).max()
    if at_padding > 1e-6:
        return f"a pad has the weight {at_padding:.3f}: set its score to minus infinity before the softmax"
    sums = weights.sum(-1)
    if (sums - 1).abs().max() > _SAME:
        worst = sums.flatten()[(sums - 1).abs().argmax()]
        return f"the weights of a target token should sum to 1 over the letters of its source; they sum to {worst:.3f}"
    if _apart(found["padding"][0], log_probs) > _SAME:
        return "what the memory holds at padding changes the predictions, though it has no weight"
    swapped = weights[..., [1, 0, *range(2, S)]]
    if _apart(found["exchanged"][1], swapped) > _SAME or _apart(found["exchanged"][0], log_probs) > _SAME:
        return (
            "exchanging the first two states of the memory should exchange their weights and change nothing else: "
            "score each state by itself, and average the states with these weights"
        )
    if _apart(found["twice"][0], log_probs) > _SAME or _apart(2 * found["twice"][1][..., :S], weights) > _SAME:
        return (
            "with every state of the memory given twice each should get half its weight, and the predictions should "
            "stay the same: the context is the average of the states"
        )
    if (found["other"][0] - log_probs).abs().amax((1, 2)).min() <= _OTHER:
        return "the predictions stay the same whatever the memory holds: the context is not used"
    if _apart(weights, weights[:, :1]) <= _OTHER:
        return "all tokens of a target have the same weights: compare the states with the decoder's state of each token"
    return None


def _judge_batch(item: Case, evidence: Any) -> str | None:
    B, S, T, V = _sizes(item)
    whole = as_log_probs(evidence["whole"][0], B, T, V), as_numbers(evidence["whole"][1], B, T, S)
    for n, length in enumerate(item.args[3].sum(1).tolist()):
        alone = as_log_probs(evidence["alone"][n][0], 1, T, V), as_numbers(evidence["alone"][n][1], 1, T, S)
        if max(_apart(whole[part][n], alone[part][0]) for part in (0, 1)) > _SAME:
            return "the predictions for a pair change with the other pairs of the batch: the model mixes them up"
        short = as_log_probs(evidence["short"][n][0], 1, T, V), as_numbers(evidence["short"][n][1], 1, T, length)
        if max(_apart(alone[0], short[0]), _apart(alone[1][..., :length], short[1])) > _SAME:
            return (
                "the predictions change when the padding is taken off a source: the encoder should not read pads, the "
                "decoder should begin with the state at the last letter, and attention should leave pads out"
            )
    return None


def _judge_causal(item: Case, evidence: Any) -> str | None:
    B, _, T, V = _sizes(item)
    whole, prefixes = as_log_probs(evidence["whole"], B, T, V), as_log_probs(evidence["prefixes"], B, T, V)
    if _apart(whole, prefixes) > _SAME:
        return "a prediction changes with the target tokens that follow it: the decoder looks at the future"
    if _apart(as_log_probs(evidence["other"], B, V), whole[:, -1]) <= _OTHER:
        return "the last prediction stays the same whatever the target so far is: the decoder does not read it"
    return None


def _judge_gradients(item: Case, evidence: Any) -> str | None:
    names, sizes = [str(name) for name in evidence["names"]], [float(size) for size in evidence["matrices"]]
    if len(names) != len(sizes) or len(names) < 5:
        raise ValueError("no gradients of a model")
    if not all(0 <= size < float("inf") for size in sizes):
        return "a gradient is not finite"
    if not any(float(size) > 0 for size in evidence["made by"]):
        return "the memory that `encode` returns is cut off from the layers that make it (detach, .data or no_grad)"
    if float(evidence["memory"][0]) <= 0:
        return "no gradient reaches the memory through `decode`: the context is cut off or not used"
    if unreached := [name for name, size in zip(names, sizes, strict=True) if size <= 0]:
        return f"no gradient reaches `{unreached[0]}`: it is cut off from the logits, or not used"
    return None


def _judge_translate(item: Case, evidence: Any) -> str | None:
    new, steps, V = evidence["new"], item.args[3], item.args[4]
    if new is None or evidence["alone"] is None:
        return "`translate` should return a list of translations, each a list of ids"
    if len(new) != evidence["rows"] or len(evidence["alone"]) != 1:
        return f"`translate` should return one translation for each row: {evidence['rows']}, got {len(new)}"
    if "expected" not in evidence:
        return f"a translation holds ids outside of 0 to {V - 1}"
    behind = []  # of the likeliest token, at each position
    for ids, log_probs in zip(new, evidence["expected"], strict=True):
        log_probs = as_log_probs(log_probs, len(ids) + 1, V)
        behind.append(log_probs.amax(-1) - log_probs[range(len(ids) + 1), [*ids, 2]])
    for ids, less in zip(new, behind, strict=True):
        if ids[:1] == [1] and less[0] > _SAME:
            return "a translation begins with the start token: leave it out"
        if 2 in ids:
            return "a translation has the stop token in it: end before it"
        if len(ids) > steps:
            return f"a translation has {len(ids)} tokens, though at most {steps} may be chosen"
    if new[-1] != evidence["alone"][0]:
        return "a row has another translation when it is translated alone: it must not depend on the other rows"
    for ids, less in zip(new, behind, strict=True):
        if (less[: len(ids)] > _SAME).any():
            return "a token of a translation is not the likeliest after those before it"
        if len(ids) < steps and less[-1] > _SAME:
            return "a translation ends where the stop token is not the likeliest after those before it"
    return None


def _judge_learns(item: Case, evidence: Any) -> str | None:
    if evidence.shape != item.truth.shape:
        raise ValueError("no translations")
    right = (evidence == item.truth).all(dim=1).double().mean().item()
    if right < _BAR:
        return (
            f"after `fit`, {right:.0%} of the unseen dates are exactly right; {_BAR:.0%} are asked for. Each token is "
            "predicted after the model's own tokens, so nothing is gained by looking ahead"
        )
    return None


# ------------------------------------------------------------------------------------------------------------ the dates

_BAR, _PAIRS, _UNSEEN, _H = 0.9, 2_000, 300, 64
_LETTERS = " .,0123456789abcdefghijklmnopqrstuvwxyz"
_DIGITS = "0123456789-"
_ORDERS = ("{d} {m} {y}", "{m} {d}, {y}", "{y} {m} {d}", "{d}. {m} {y}", "{y}, {d} {m}", "{m} {y}, {d}")
_SIZES = (len(_LETTERS) + 3, len(_DIGITS) + 3, _H)


def _dates(seed: int) -> list[tuple[str, str]]:
    """Dates of a country, all different, as it writes them and as year-month-day."""
    rng = random.Random(f"{seed} dates")
    months: list[str] = []
    while len(months) < 12:
        name = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
        months += [] if name in months else [name]
    orders, found = rng.sample(_ORDERS, 3), dict[str, str]()
    while len(found) < _PAIRS + _UNSEEN:
        day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1900, 2099)
        written = rng.choice(orders).format(d=day, m=months[month - 1], y=year)
        found[written] = f"{year}-{month:02}-{day:02}"
    return list(found.items())


def _padded(texts: Sequence[str], alphabet: str) -> Tensor:
    longest = max(map(len, texts))
    return torch.tensor([[*[3 + alphabet.index(c) for c in text], *[0] * (longest - len(text))] for text in texts])


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def given(V: int, W: int, lengths: Sequence[int], T: int) -> tuple[Tensor, Tensor, Tensor]:
        mask = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        ids = torch.randint(3, V, mask.shape, generator=generator)
        target = torch.randint(3, W, (len(lengths), T), generator=generator)
        target[:, 0] = 1
        return ids.where(mask, 0), mask, target

    def number() -> int:
        return int(torch.randint(10**6, (1,), generator=generator))

    rows = given(11, 7, [2 + n % 5 for n in range(40)], 1)[0]
    dates = _dates(seed)
    sources, targets = _padded([w for w, _ in dates], _LETTERS), _padded([iso for _, iso in dates], _DIGITS)
    truth = torch.cat([targets[_PAIRS:], torch.full((_UNSEEN, 1), 2)], dim=1)
    sources, targets = sources.byte(), targets.byte()
    sizes, small = (17, 11, 14), (11, 7, 10)
    return [
        probe("parts", "three padded sources", "parts", sizes, *given(17, 11, [5, 2, 7], 4)),
        probe("parts", "one letter and one token", "parts", small, *given(11, 7, [1, 1], 1)),
        probe("attention", "three padded sources", "attention", sizes, *given(17, 11, [5, 2, 7], 4), number()),
        probe("attention", "as many tokens as letters", "attention", small, *given(11, 7, [3, 5], 5), number()),
        probe("batch", "four padded sources", "batch", sizes, *given(17, 11, [5, 2, 7, 1], 3), number()),
        probe("causal", "two sources of five letters", "causal", sizes, *given(17, 11, [5, 5], 5), number()),
        probe("gradients", "three padded sources", "gradients", sizes, *given(17, 11, [5, 2, 7], 4), number()),
        probe("translate", "rows of 2 to 6 letters", "translate", small, rows, 6, 7, number()),
        probe("learns", f"H = {_H}", "learns", _SIZES, sources[:_PAIRS], targets[:_PAIRS], sources[_PAIRS:],
              truth=truth),
    ]  # fmt: skip


SLIPS = mistakes("""
pads_weighted: loses attention, batch
    dot_attention(query, memory, mask) => dot_attention(query, memory, torch.ones_like(mask))
  set its score to minus infinity
same_query_for_all: loses attention, batch, learns
    hidden.unbind(dim=1) => hidden[:, :1].expand_as(hidden).unbind(dim=1)
  all tokens of a target have the same weights
context_not_used: loses attention, batch, gradients, learns
    torch.cat([context, hidden], dim=-1) => torch.cat([hidden, hidden], dim=-1)
  the context is not used
pads_read: loses batch
    lengths = mask.sum(dim=1) => lengths = torch.full((len(mask),), mask.shape[1])
  the encoder should not read pads
pairs_mixed: loses batch
    joined = torch.cat([context, hidden] => joined = torch.cat([context, hidden + hidden.mean(dim=0)]
  the model mixes them up
looks_ahead: loses causal, translate, learns
    joined = torch.cat([context, hidden] => joined = torch.cat([context, hidden.roll(-1, dims=1)]
  the decoder looks at the future
start_returned: loses translate
    return greedy_decode(next_probs, 1, 2, max_length)[0] => return [1, *greedy_decode(next_probs, 1, 2, max_length)[0]]
  begins with the start token
stop_passed_over: loses translate
    greedy_decode(next_probs, 1, 2, max_length) => greedy_decode(next_probs, 1, -1, max_length)
  has the stop token in it
one_token_too_many: loses translate
    greedy_decode(next_probs, 1, 2, max_length) => greedy_decode(next_probs, 1, 2, max_length + 1)
  may be chosen
last_token_alone: loses translate
    torch.tensor([ids]) => torch.tensor([ids[-1:]])
  not the likeliest after those before it
predicts_the_same_token: loses learns
    wanted[real]) => given[real])
  of the unseen dates are exactly right
""")
HINTS = hints("""
- Write `encode`, `decode` and `forward` first, as in section 5 of the page, and check: five of the seven properties
  need no more. `dot_attention` takes one query for each pair: call it for each token of the target.
- `translate` makes a batch of one row with `pad_batch`, encodes it, and hands `greedy_decode` a function that calls
  `decode` on the ids so far and returns the probabilities after the last one.
- In `fit`, a step takes 64 pairs, pads sources, inputs and targets (`teacher_pairs`), and takes the cross-entropy where
  a target is real. 400 steps of AdamW with a rate of 1e-2 that rises over the first tenth and then falls to 0, and
  gradients clipped at 1, take some 15 seconds; the loss ends below 0.05.
""")
PROPERTIES = properties(f"""
parts, 1: Memory, logits and weights have the shapes asked for, and `forward` gives what `encode` and `decode` give one
  after the other.
attention, 2: The weights of each target token are a softmax over the letters, 0 at padding; they come from comparing
  its state with each state of the memory, and what is predicted uses the weighted average.
batch, 1, needs attention: A pair gets the same logits and weights alone, in a batch, and with padding.
causal, 1: A prediction depends on the target tokens up to its own, and on no later one.
gradients, 1: The gradient of the logits reaches the memory and every weight matrix of the model; that of the memory
  reaches the encoder.
translate, 2, needs causal: `translate` chooses the likeliest token each time, up to the stop token or the limit, for
  each row as if it were alone.
learns, 2, needs causal, 60 s: `DateTranslator{_SIZES}.fit(pairs)`, on {_PAIRS:,} dates of a country that is made up for
  the check, in 60 seconds of processor time: {_BAR:.0%} of unseen dates come out exactly right by greedy search.
""")
task = Task(
    DateTranslator,
    points=10,
    difficulty=5,
    minutes=90,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    libraries=("torch._dynamo",),
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
