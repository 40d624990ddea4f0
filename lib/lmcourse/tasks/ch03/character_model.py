"""Project `CharacterModel`: a recurrent language model whole, its training, and what one does with it.

What only a trained model shows is judged on texts that nobody has seen: the language is drawn from the seed, and how a
prefix goes on only the judge knows.
"""

import math
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.exercises import Case, Task, evidence_is, hints, mistakes, probe, properties
from lmcourse.exercises.evidence import as_log_probs
from lmcourse.models.ngram import NGramModel
from lmcourse.tasks.ch03.shared import draw_matrices


class CharacterModel(nn.Module):
    """A recurrent language model of characters.

    What it is made of is up to you: an RNN, a GRU or an LSTM, of PyTorch or your own.

    Args:
        vocab_size: V; ids are 0 to V - 1.
        embed_dim: D, the width of the embeddings.
        hidden_size: H, the width of the state.

    >>> model = CharacterModel(7, embed_dim=5, hidden_size=8)
    >>> logits, state = model(torch.tensor([[1, 2, 3], [0, 6, 6]]))
    >>> logits.shape, model(torch.tensor([[4], [4]]), state)[0].shape
    (torch.Size([2, 3, 7]), torch.Size([2, 1, 7]))
    >>> model.write(torch.tensor([[1, 2, 3]]), 4).shape
    torch.Size([1, 4])
    """

    def __init__(self, vocab_size, embed_dim, hidden_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embed_dim)
        self.recurrent = nn.GRU(embed_dim, hidden_size, batch_first=True)
        self.head = nn.Linear(hidden_size, vocab_size)

    def forward(self, ids, state=None):
        """Read on, and predict the next character after each one.

        Args:
            ids: (B, T), T at least 1.
            state: what this method returned for the text before; None at the start of a text. It stays as it is.

        Returns:
            A tuple: the logits (B, T, V), and the state after the last character, of any kind that you like.
        """
        outputs, state = self.recurrent(self.embedding(ids), state)
        return self.head(outputs), state

    def bits(self, ids):
        """Return what a text costs: the bits of all its characters after the first, each predicted from all before it.

        A long text is read in parts of at most 64 characters, so that it does not fill the memory.

        Args:
            ids: (N,), N at least 2.

        Returns:
            The sum in bits, a float.
        """
        total, state = 0.0, None
        with torch.no_grad():
            for start in range(0, len(ids) - 1, 64):
                targets = ids[start + 1 : start + 65]
                logits, state = self(ids[None, start : start + len(targets)], state)
                total += F.cross_entropy(logits[0], targets, reduction="sum").item()
        return total / math.log(2)

    def write(self, ids, n_chars, temperature=1.0):
        """Continue texts, one character after another.

        Args:
            ids: the beginnings, (B, T), T at least 1.
            n_chars: how many characters to write.
            temperature: 0 takes the likeliest character each time; otherwise characters are sampled from the softmax of
                logits / temperature.

        Returns:
            The new characters alone, (B, n_chars).
        """
        written, state = [], None
        with torch.no_grad():
            for _ in range(n_chars):
                logits, state = self(ids, state)
                if temperature == 0:
                    ids = logits[:, -1].argmax(dim=-1, keepdim=True)
                else:
                    ids = torch.multinomial((logits[:, -1] / temperature).softmax(dim=-1), 1)
                written.append(ids)
        return torch.cat(written, dim=1)

    def fit(self, ids):
        """Train on a text.

        Args:
            ids: its ids in one row, a tensor (N,), N some 100,000.
        """
        steps, rows, length = 450, 32, 32
        per_row = (len(ids) - 1) // rows
        inputs = ids[: rows * per_row].view(rows, per_row)
        targets = ids[1 : rows * per_row + 1].view(rows, per_row)
        optimizer = torch.optim.AdamW(self.parameters(), lr=1e-2)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1e-2, total_steps=steps, pct_start=0.1)
        windows, state = per_row // length, None
        for step in range(steps):
            start = step % windows * length
            state = None if start == 0 else state.detach()
            logits, state = self(inputs[:, start : start + length], state)
            loss = F.cross_entropy(logits.flatten(0, 1), targets[:, start : start + length].flatten())
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
        return [list(model(ids)[0].shape) for ids in given]
    if asked == "learns":
        text, prefixes = given
        model.fit(text.long())
        model.eval()
        return torch.cat([_log_probs(model, part.long())[0][:, -1] for part in prefixes.split(256)])
    model.eval()
    shows = {"greedy": _changes, "sampled": _tells_temperatures}.get(asked)
    for number in range(given[-1], given[-1] + 100):
        draw_matrices(model, number)
        if shows is None or shows(model, *given[:-1]):
            break
    by: dict[str, Callable[..., Any]] = {
        "steps": _steps,
        "memory": _memory,
        "bits": _bits,
        "greedy": _greedy,
        "sampled": _sampled,
    }
    return by[asked](model, *given[:-1])


def _log_probs(model: Any, ids: Tensor, state: Any = None) -> tuple[Tensor, Any]:
    with torch.no_grad():
        logits, state = model(ids, state)
    return torch.log_softmax(logits.float(), dim=-1), state


def _steps(model: Any, ids: Tensor) -> dict[str, Tensor]:
    """Texts at once, each alone, in two parts (the second twice from one state), and character by character."""
    half, state, single = ids.shape[1] // 2, None, []
    for t in range(ids.shape[1]):
        log_probs, state = _log_probs(model, ids[:, t : t + 1], state)
        single.append(log_probs)
    first, between = _log_probs(model, ids[:, :half])
    second = _log_probs(model, ids[:, half:], between)[0]
    return {
        "whole": _log_probs(model, ids)[0],
        "alone": torch.cat([_log_probs(model, row[None])[0] for row in ids]),
        "parts": torch.cat([first, second], dim=1),
        "again": _log_probs(model, ids[:, half:], between)[0],
        "single": torch.cat(single, dim=1),
    }


def _memory(model: Any, ids: Tensor) -> dict[str, Tensor]:
    """The prediction after the last character, and that with another first character."""
    other = ids.clone()
    other[:, 0] = (ids[:, 0] + 1) % int(ids.max() + 1)
    return {"last": _log_probs(model, ids)[0][:, -1], "other": _log_probs(model, other)[0][:, -1]}


def _bits(model: Any, ids: Tensor) -> dict[str, Any]:
    return {"bits": float(model.bits(ids)), "log-probs": _log_probs(model, ids[None])[0][0]}


def _changes(model: Any, ids: Tensor, n_chars: int) -> bool:
    """Whether the likeliest characters are of several kinds in each text, and others if less is read, or more twice."""

    def likeliest(*parts: Tensor) -> Tensor:
        return _log_probs(model, torch.cat(parts, dim=1))[0][:, -1:].argmax(-1)

    new = ids[:, :0]
    for _ in range(n_chars):
        new = torch.cat([new, likeliest(ids, new)], dim=1)
    if n_chars < 3:
        return True
    less, twice = likeliest(new[:, :1]), likeliest(ids, new[:, :1], new[:, :2])
    varied = all(len({*row}) >= 3 for row in new.tolist())
    return varied and bool((less != new[:, 1:2]).any() and (twice != new[:, 2:3]).any())


def _tells_temperatures(model: Any, ids: Tensor, n_copies: int, temperature: float | None) -> bool:
    """Whether the shares at the temperature are far from those at 1 and at its inverse, and these from each other."""
    tau, log_probs = temperature or 1.0, _log_probs(model, ids)[0][0, -1]
    shares = [(log_probs * scale).softmax(-1) for scale in (tau, 1.0, 1 / tau)]
    return tau == 1.0 or all(bool((a - b).abs().sum() > 0.25) for a, b in pairwise(shares))


def _greedy(model: Any, ids: Tensor, n_chars: int) -> dict[str, Tensor]:
    new = model.write(ids, n_chars, temperature=0).long()
    if new.shape != (len(ids), n_chars):
        return {"new": new}
    joined = torch.cat([ids, new], dim=1)
    return {"new": new, "log-probs": _log_probs(model, joined)[0][:, ids.shape[1] - 1 : -1]}


def _sampled(model: Any, ids: Tensor, n_copies: int, temperature: float | None) -> dict[str, Tensor]:
    """Two characters, written many times after the same text; None leaves the temperature to the answer."""
    torch.manual_seed(2)
    asked = {} if temperature is None else {"temperature": temperature}
    new = model.write(ids.expand(n_copies, -1), 2, **asked).long()
    if new.shape != (n_copies, 2):
        return {"new": new}
    first, _ = _log_probs(model, ids)
    second, _ = _log_probs(model, torch.cat([ids, new[:1, :1]], dim=1))
    return {"new": new, "first": first[0, -1], "second": second[0, -1]}


# ----------------------------------------------------------------------------------------------- what is judged outside

_SAME, _OTHER = 1e-3, 1e-3  # log-probabilities in float32 that are the same, and that are not


def judge(item: Case, evidence: Any) -> str | None:
    """What is wrong with the evidence of a case, or None."""
    kind = {"shapes": list, "learns": Tensor}.get(item.of, dict)
    evidence_is(kind, evidence)
    by = {"shapes": _judge_shapes, "steps": _judge_steps, "memory": _judge_memory, "bits": _judge_bits}
    return (by | {"write": _judge_write, "learns": _judge_learns})[item.of](item, evidence)


def _judge_shapes(item: Case, evidence: Any) -> str | None:
    return None if evidence == item.truth else f"the logits should have the shapes {item.truth}, got {evidence}"


def _judge_steps(item: Case, evidence: Any) -> str | None:
    shape, V = item.args[2].shape, item.args[1][0]
    whole, alone, parts, single = (
        as_log_probs(evidence[name], *shape, V) for name in ("whole", "alone", "parts", "single")
    )
    half = shape[1] // 2
    again = as_log_probs(evidence["again"], shape[0], shape[1] - half, V)
    if (whole - alone).abs().max() > _SAME:
        return "the predictions for a text change with the other texts of the batch: is the batch the first dimension?"
    if (whole - parts)[:, :half].abs().max() > _SAME:
        return "a prediction changes with the characters that come after it: the model reads ahead"
    if (whole - parts).abs().max() > _SAME:
        return "read in two parts, with the state handed on, a text is predicted differently: is `state` used?"
    if (whole - single).abs().max() > _SAME:
        return "read character by character, with the state handed on, a text is predicted differently"
    if (again - parts[:, half:]).abs().max() > _SAME:
        return "reading on twice from one state gives two results: the state that was given has been changed"
    return None


def _judge_memory(item: Case, evidence: Any) -> str | None:
    B, V = len(item.args[2]), item.args[1][0]
    last, other = as_log_probs(evidence["last"], B, V), as_log_probs(evidence["other"], B, V)
    if (last - other).abs().amax(-1).min() <= _OTHER:
        return "the last prediction stays the same whatever the first character is: the model has no memory"
    return None


def _judge_bits(item: Case, evidence: Any) -> str | None:
    ids, V = item.args[2], item.args[1][0]
    log_probs = as_log_probs(evidence["log-probs"], len(ids), V)
    wanted = -log_probs[:-1].gather(1, ids[1:, None]).sum().item() / math.log(2)
    got = float(evidence["bits"])
    if abs(got - wanted) <= 1e-4 * wanted:
        return None
    told = f"`bits` says {got:.2f} for {len(ids)} characters; by the model's own predictions it should be {wanted:.2f}"
    if abs(got - wanted * math.log(2)) <= 1e-4 * wanted:
        return f"{told}. That is the cost in nats: divide by ln 2"
    if abs(got * (len(ids) - 1) - wanted) <= 1e-4 * wanted:
        return f"{told}. That is the cost per character: the sum is asked for"
    return f"{told}. Is the state handed on from part to part, and is no character left out or counted twice?"


def _judge_write(item: Case, evidence: Any) -> str | None:
    V = item.args[1][0]
    if item.args[0] == "greedy":
        (B, _), n_chars = item.args[2].shape, item.args[3]
        new = _ids_of(evidence["new"], (B, n_chars), V)
        if isinstance(new, str):
            return new
        log_probs = as_log_probs(evidence["log-probs"], B, n_chars, V)
        behind = log_probs.amax(-1) - log_probs.gather(-1, new[..., None])[..., 0]
        if behind.max() > _SAME:
            return (
                "at temperature 0 a character was written that is not the likeliest after the text so far: each new "
                "one is read once, with the state after those before it"
            )
        return None
    n_copies, temperature = item.args[3], item.args[4] or 1.0
    new = _ids_of(evidence["new"], (n_copies, 2), V)
    if isinstance(new, str):
        return new
    first, second = as_log_probs(evidence["first"], V), as_log_probs(evidence["second"], V)
    if (told := _wrong_shares(new[:, 0], first, temperature)) is not None:
        return told
    return _wrong_shares(new[new[:, 0] == new[0, 0], 1], second, temperature)


def _ids_of(new: Any, shape: tuple[int, ...], V: int) -> Tensor | str:
    if not isinstance(new, Tensor) or new.dtype != torch.int64:
        raise ValueError("no ids")
    if tuple(new.shape) != shape:
        return f"`write` should return the new characters alone, {shape}; got {tuple(new.shape)}"
    return new if bool(((new >= 0) & (new < V)).all()) else "`write` wrote ids that are not in the vocabulary"


def _wrong_shares(new: Tensor, log_probs: Tensor, temperature: float) -> str | None:
    """What is wrong with samples that should come from the softmax at a temperature, or None."""

    def far(tau: float) -> float:
        probs = (log_probs / tau).softmax(-1)
        return float((new.bincount(minlength=len(probs)) / len(new) - probs).abs().sum() / 2)

    allowed = 2.0 * math.sqrt(len(log_probs) / len(new))
    if far(temperature) <= allowed:
        return None
    shares = (
        f"at temperature {temperature} the shares of what is sampled are not those of softmax(logits / temperature)"
    )
    if far(1 / temperature) <= allowed:
        return f"{shares}: the logits were multiplied by the temperature; divide by it"
    if far(1.0) <= allowed:
        return f"{shares}: the temperature plays no part"
    return shares


def _judge_learns(item: Case, evidence: Any) -> str | None:
    targets, bar, counted = item.truth
    log_probs = as_log_probs(evidence, len(targets), item.args[1][0])
    bits = -log_probs.gather(-1, targets[:, None]).mean().item() / math.log(2)
    if bits > bar:
        return (
            f"on text that it has not seen, {bits:.3f} bits per byte after `fit`; at most {bar:.3f} are asked for, "
            f"{1 - _SHARE:.0%} below the {counted:.3f} of a {_ORDER}-gram model. Every prediction is the last one of "
            "its text, so nothing is gained by reading ahead"
        )
    return None


# --------------------------------------------------------------------------------------------------------- the language

_ALPHABET = "\n abcdefghijklmnopqrstuvwxyz"
_CONTEXT, _BYTES, _PREFIXES, _ORDER, _SHARE = 96, 100_000, 1_536, 6, 0.9


def _language(seed: int) -> Callable[[random.Random, int], str]:
    """A small language drawn from a seed: the first word of a line decides its last, with another in between.

    One word in between is enough: a 6-gram model cannot see past it. Of two, training came to see the first word at
    last in some languages and in some not, and a right answer was refused for that.
    """
    rng = random.Random(seed)
    words: set[str] = set()
    while len(words) < 24:
        words.add("".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(2)))
    mixed = rng.sample(sorted(words), 24)
    first, between, last = mixed[:8], mixed[8:16], mixed[16:]

    def write(rng: random.Random, n_bytes: int) -> str:
        lines, size = [], 0
        while size < n_bytes:
            kind = rng.randrange(8)
            lines.append(f"{first[kind]} {rng.choice(between)} {last[kind]}\n")
            size += len(lines[-1])
        return "".join(lines)[:n_bytes]

    return write


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
    unseen = write(random.Random(f"{seed} unseen"), (_PREFIXES + 1) * (_CONTEXT + 1))
    ends = range(_CONTEXT, len(unseen) - 1, _CONTEXT + 1)[:_PREFIXES]  # what follows a prefix is in no other one
    prefixes, targets = [unseen[end - _CONTEXT : end] for end in ends], [unseen[end] for end in ends]
    counts = NGramModel(_ORDER).fit([list(read)])
    pairs = zip(prefixes, targets, strict=True)
    counted = -sum(math.log2(counts.prob(target, list(prefix[1 - _ORDER :]))) for prefix, target in pairs) / len(
        targets
    )
    truth = (_ids("".join(targets)).long(), _SHARE * counted, counted)
    held_out = torch.stack([_ids(prefix) for prefix in prefixes])
    sizes = (11, 5, 16)
    return [
        probe("shapes", "three batches", "shapes", (11, 5, 7), draw(11, 3, 1), draw(11, 2, 13), draw(11, 1, 4),
              truth=[[3, 1, 11], [2, 13, 11], [1, 4, 11]]),
        probe("shapes", "an alphabet of two", "shapes", (2, 3, 4), draw(2, 5, 3), truth=[[5, 3, 2]]),
        probe("steps", "three texts of 12 characters", "steps", sizes, draw(11, 3, 12), number()),
        probe("steps", "as many texts as characters", "steps", (7, 3, 8), draw(7, 5, 5), number()),
        probe("memory", "texts of 6 characters", "memory", sizes, draw(11, 3, 6), number()),
        probe("bits", "a text of 40 characters", "bits", sizes, draw(11, 40), number()),
        probe("bits", "a text of 65 characters", "bits", sizes, draw(11, 65), number()),
        probe("bits", "a text of 301 characters", "bits", sizes, draw(11, 301), number()),
        probe("bits", "two characters", "bits", sizes, draw(11, 2), number()),
        probe("write", "three texts, at temperature 0", "greedy", sizes, draw(11, 3, 4), 9, number()),
        probe("write", "one character, at temperature 0", "greedy", sizes, draw(11, 1, 1), 1, number()),
        probe("write", "4,000 samples at temperature 1", "sampled", (5, 3, 16), draw(5, 1, 3), 4_000, 1.0, number()),
        probe("write", "4,000 samples at temperature 0.4", "sampled", (5, 3, 16), draw(5, 1, 3), 4_000, 0.4, number()),
        probe("write", "4,000 samples, no temperature given", "sampled", (5, 3, 16), draw(5, 1, 3), 4_000, None,
              number()),
        probe("learns", "D = 32, H = 128", "learns", (len(_ALPHABET), 32, 128), _ids(read), held_out, truth=truth),
    ]  # fmt: skip


SLIPS = mistakes("""
state_ignored: loses steps, bits, write, learns
    self.recurrent(self.embedding(ids), state) => self.recurrent(self.embedding(ids))
  is `state` used?
time_first: loses steps, memory, bits, write, learns
    hidden_size, batch_first=True) => hidden_size)
  is the batch the first dimension?
old_state_returned: loses steps, bits, write, learns
    outputs, state = self.recurrent => outputs, _ = self.recurrent
  is `state` used?
no_recurrence: loses steps, memory, bits, write, learns
    outputs, state = self.recurrent(self.embedding(ids), state) =>
        outputs = self.recurrent(self.embedding(ids).flatten(0, 1)[:, None])[0].reshape(*ids.shape, -1)
  the model has no memory
reads_ahead: loses steps, bits, write, learns
    self.head(outputs) => self.head(outputs.flip(1).cumsum(1).flip(1))
  the model reads ahead
nats: loses bits
    / math.log(2) =>
  That is the cost in nats
per_character: loses bits
    / math.log(2) => / math.log(2) / (len(ids) - 1)
  That is the cost per character
every_part_afresh: loses bits
    start + len(targets)], state) => start + len(targets)], None)
  Is the state handed on from part to part
written_without_state: loses write
    logits, state = self(ids, state)
    |                if => logits, state = self(ids)
    |                if
  each new one is read once
no_temperature: loses write
    (logits[:, -1] / temperature) => logits[:, -1]
  the temperature plays no part
predicts_the_same_character: loses learns
    targets = ids[1 : rows * per_row + 1] => targets = ids[: rows * per_row]
  bits per byte after `fit`
""")
HINTS = hints("""
- Write `__init__` and `forward` first, as in section 3 of the page; two of the six properties need no more. Then
  `bits`, which hands the state from part to part, and `write`.
- In `fit`, cut the text into 32 rows and read windows of 32 characters. Detach the state between windows. When the rows
  are at their end, begin again at their start, without a state.
- 450 steps of AdamW with a GRU, a learning rate of 1e-2 that rises over the first tenth and then falls to 0, and
  gradients clipped at 1, take some 10 seconds. With an LSTM, a forget bias of 2 helps: the first word of a line must be
  remembered to its end.
""")
PROPERTIES = properties(f"""
shapes, 1: Logits (B, T, V) for texts of any number and length.
steps, 2, needs memory: A text read in parts, with the state handed on, is predicted as if it were read at once; nothing
  depends on later characters or on the other texts of the batch.
memory, 1: The prediction after the last character depends on the first one.
bits, 1, needs memory: `bits` is the cost of a text of any length by the model's own predictions.
write, 2, needs memory: At temperature 0 `write` takes the likeliest character each time; otherwise the shares of what
  it writes are those of the softmax.
learns, 3, needs steps, 60 s: `CharacterModel({len(_ALPHABET)}, 32, 128).fit(ids)`, on {_BYTES:,} bytes of a small
  language that is made up for the check, in 60 seconds of processor time: on unseen text at least a tenth fewer bits
  per byte than a {_ORDER}-gram model counted on the same bytes.
""")
task = Task(
    CharacterModel,
    points=10,
    difficulty=5,
    minutes=75,
    cases=cases,
    call=use,
    judge=judge,
    seconds=60.0,
    libraries=("torch._dynamo",),
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
