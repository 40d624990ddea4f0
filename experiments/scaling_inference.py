"""Chapter 13's runs with SmolLM2: `python -m experiments.scaling_inference rounding` and `speculation`.

rounding: its weights rounded to 8 and 4 bits, bits per byte of the first of the held-out plays. The file that is loaded
has 4-bit weights already (its matrices are Q4_1, its table Q8_0), so this is a second rounding. speculation: greedy
text with and without drafts from the prompt, equal token for token; processor seconds of both, which take turns. A few
minutes each on one core.
"""

import statistics
import time

import torch
from torch import Tensor

from experiments.pretrained import Smol, chat
from experiments.recording import Record, launch
from lmcourse import data
from lmcourse.models import GPT
from lmcourse.training import bits_per_byte

TOKENS, STRIDE, NEW, DRAFT, ROUNDS = 6_000, 512, 40, 10, 3
WAYS = ((16, None), (8, None), (4, None), (4, 64), (4, 32))  # bits and group; 16: as it comes
LOG = """08:12 door opened by Kerem
08:15 lamp 7 replaced in the east hall
08:41 pump 2 stopped, pressure 3.9 bar
09:03 pump 2 started, pressure 4.2 bar
09:20 parcel 5518 left at the gate
09:47 window in room 14 closed
"""
CODE = '''def mean(numbers):
    """Return the mean of some numbers."""
    total = 0.0
    for number in numbers:
        total += number
    return total / len(numbers)
'''
#: What is asked, and how the answer begins.
PROMPTS = {
    "copying a log": (f"Copy this text:\n\n{LOG}", f"Here is the text again:\n\n{LOG[:10]}"),
    "changing code": (
        f"Here is a function.\n\n```python\n{CODE}```\n\nRename the variable total to result.", "```python\n"
    ),
    "an open question": ("Why do leaves change their colour in autumn?", ""),
}  # fmt: skip


def rounded(weight: Tensor, bits: int, group: int | None) -> Tensor:
    """Return a matrix on 2^bits evenly spaced levels from the smallest to the largest of each row or group."""
    groups = weight.view(len(weight), -1, group or weight.shape[1])
    low, high = groups.amin(-1, keepdim=True), groups.amax(-1, keepdim=True)
    scale = ((high - low) / (2**bits - 1)).clamp(min=1e-12)
    return (((groups - low) / scale).round() * scale + low).view_as(weight)


def rounding() -> None:
    torch.set_num_threads(1)
    smol, record = Smol(), Record("scaling-rounding")
    ids = torch.tensor(smol.encode(data.load_text("shakespeare", split="valid")))[:TOKENS]
    n_bytes = len(smol.tokenizer.decode_bytes(ids[1:].tolist()))
    matrices = [parameter for parameter in smol.model.parameters() if parameter.dim() == 2]
    originals = [matrix.detach().clone() for matrix in matrices]
    for bits, group in WAYS:
        size = 0.0
        for matrix, original in zip(matrices, originals, strict=True):
            matrix.data = original.clone() if bits == 16 else rounded(original, bits, group)
            levels = 0.0 if bits == 16 else 4 / (group or matrix.shape[1])  # 2 + 2 bytes of scale and smallest weight
            size += matrix.numel() * (bits / 8 + levels)
        score = bits_per_byte(smol.model.total_nll(ids, stride=STRIDE), n_bytes)
        record.add({"weight_bits": bits, "group": group, "megabytes": round(size / 1e6, 1), "bits": round(score, 4)})
    record.write()


def look_up(ids: list[int], k: int, longest: int = 3) -> list[int]:
    """Return what followed the last occurrence of the text's end: of its last 3 tokens, else 2, else 1."""
    for n in range(longest, 0, -1):
        for start in range(len(ids) - n - 1, -1, -1):
            if ids[start : start + n] == ids[-n:]:
                return ids[start + n : start + n + k]
    return []


@torch.no_grad()
def write(model: GPT, ids: list[int], n_tokens: int, stop: int, k: int) -> tuple[list[int], int]:
    """Write greedily, with drafts of up to k tokens; return the new tokens and the number of calls of the model."""
    text, end, calls = list(ids), len(ids) + n_tokens, 0
    cache = model.new_cache(1, end + k + 1)
    while len(text) < end and stop not in text[len(ids) :]:
        draft = look_up(text, k) if k else []
        read = torch.tensor([text[cache.length :] + draft])
        hidden = model.hidden(read, cache=cache)[:, -len(draft) - 1 :]
        guesses = model.head(hidden)[0].argmax(-1).tolist()
        calls += 1
        right = next((n for n, (a, b) in enumerate(zip(draft, guesses, strict=False)) if a != b), len(draft))
        text += [*draft[:right], guesses[right]]
        cache.length = len(text) - 1
        for layer in cache.layers:
            layer.length = len(text) - 1
    new = text[len(ids) : end]
    return new[: new.index(stop) + 1] if stop in new else new, calls


def speculation() -> None:
    torch.set_num_threads(1)
    smol, record = Smol(), Record("scaling-speculation", draft=DRAFT, rounds=ROUNDS)
    for name, (prompt, begun) in PROMPTS.items():
        ids = smol.encode(chat(prompt) + begun)
        seconds: dict[int, list[float]] = {0: [], DRAFT: []}
        found: dict[int, tuple[list[int], int]] = {}
        write(smol.model, ids, 2, smol.end, 0)  # warm-up
        for turn in range(ROUNDS):
            for k in sorted(seconds, reverse=turn % 2 == 1):
                begin = time.process_time()
                found[k] = write(smol.model, ids, NEW, smol.end, k)
                seconds[k].append(time.process_time() - begin)
        (plain, calls), (drafted, fewer) = found[0], found[DRAFT]
        if plain != drafted:
            raise RuntimeError(f"{name}: drafts must not change the text, got {plain} and {drafted}.")
        speed = statistics.median(a / b for a, b in zip(seconds[0], seconds[DRAFT], strict=True))
        row = {"prompt": name, "prompt_tokens": len(ids), "tokens": len(plain), "calls_plain": calls, "calls": fewer}
        row |= {"tokens_per_call": round(len(plain) / fewer, 2)}
        row |= {"seconds_plain": [round(each, 2) for each in seconds[0]]}
        row |= {"seconds": [round(each, 2) for each in seconds[DRAFT]], "times_as_fast": round(speed, 2)}
        record.add(row | {"text": smol.tokenizer.decode(plain)[:300]})
    record.write()


if __name__ == "__main__":
    launch(__doc__, {"rounding": rounding, "speculation": speculation})
