"""SmolLM2 as a judge of answers, and asked to reason and to rhyme: two commands, two minutes each on one core.

python -m experiments.instruction_judge judge      # a right and a wrong answer, in both orders, short and long
python -m experiments.instruction_judge puzzles    # a murder, Sally's sisters, four lines that rhyme
"""

import itertools
import random
import re

import torch

from experiments.instruction_smollm2 import CAPITALS
from experiments.pretrained import Smol, chat
from experiments.recording import Record, launch
from lmcourse.generation import generate

POEMS, COUNTRIES = 12, 16
JUDGE = "Question: {}\n\nAnswer A: {}\n\nAnswer B: {}\n\nWhich answer is better? Reply with A or B only."
SHORT, LONG = (
    "{city}.",
    "The capital of {country} is {city}, a famous and very beautiful city with a long and rich history.",
)
SUSPECTS, ROOMS, WEAPONS = ("cook", "gardener", "nephew"), ("kitchen", "library", "garden"), ("knife", "rope", "poker")
CLUES = (
    "Whoever was in the library had the rope.",
    "The nephew had the knife.",
    "The gardener was not in the garden.",
    "The cook did not have the poker.",
)
MURDER = (
    "There are three suspects: the {}, the {} and the {}. Each was alone in one of three rooms, the kitchen, the "
    "library and the garden, and each had one of three weapons, the knife, the rope and the poker. {} The murder "
    "happened in the garden. Who is the murderer? Answer with one word."
)
SALLY = (
    "Sally is a girl. She has three brothers. Each of her brothers has two sisters. How many sisters does Sally have?"
)
POEM = "Write a poem of four lines about the sea. Line one rhymes with line two, and line three rhymes with line four."


@torch.no_grad()
def next_probs(smol: Smol, prompt: str, words: tuple[str, ...]) -> list[float]:
    """The probabilities of some first tokens after a prompt, among themselves."""
    first = torch.tensor([smol.encode(word)[0] for word in words])
    if len(set(first.tolist())) < len(words):
        raise ValueError(f"`words` must differ in their first token, got {words}.")
    ids = torch.tensor([smol.encode(chat(prompt))])
    probs: list[float] = smol.model(ids, last_only=True)[0, -1, first].softmax(-1).tolist()
    return probs


def judge() -> None:
    smol, rng, record = Smol(), random.Random(0), Record("instruction-judge")
    record.add({"what": "asked", "request": JUDGE})
    cities = list(CAPITALS.values())
    for country, city in list(CAPITALS.items())[:COUNTRIES]:
        wrong = rng.choice([other for other in cities if other != city])
        question = f"What is the capital of {country}?"
        texts = {
            (kind, right): form.format(country=country, city=city if right else wrong)
            for kind, form in (("short", SHORT), ("long", LONG))
            for right in (True, False)
        }
        for one, other in (("short", "short"), ("short", "long"), ("long", "short")):
            good, bad = texts[one, True], texts[other, False]
            as_a = next_probs(smol, JUDGE.format(question, good, bad), ("A", "B"))[0]
            as_b = next_probs(smol, JUDGE.format(question, bad, good), ("A", "B"))[1]
            row = {"what": "pair", "right_is": one, "wrong_is": other, "country": country}
            record.add(row | {"as_a": round(as_a, 4), "as_b": round(as_b, 4)})
    record.write()


def rhyme(one: str, other: str) -> bool:
    """Whether two lines end with different words that have the same last vowel and all that follows."""
    ends = [re.findall(r"[a-z']+", line.lower())[-1:] or [""] for line in (one, other)]
    tails = [re.search(r"[aeiouy]+[^aeiouy]*e?$", word[0]) for word in ends]
    return ends[0] != ends[1] and all(tails) and tails[0][0] == tails[1][0]  # type: ignore[index]


def syllables(line: str) -> int:
    """A count of the groups of vowels, a silent e at the end of a word left out."""
    return sum(
        len(re.findall(r"[aeiouy]+", re.sub(r"e$", "", word))) or 1 for word in re.findall(r"[a-z]+", line.lower())
    )


def poems(smol: Smol) -> list[str]:
    ids = torch.tensor([smol.encode(chat(POEM))] * POEMS)
    draws = torch.Generator().manual_seed(0)
    out = generate(smol.model, ids, 70, temperature=0.7, top_p=0.9, stop_ids=(smol.end,), generator=draws)
    written = out[:, ids.shape[1] :].tolist()
    return [smol.text(row[: row.index(smol.end)] if smol.end in row else row) for row in written]


def puzzles() -> None:
    smol, record = Smol(), Record("instruction-puzzles")
    record.add({"what": "asked", "murder": MURDER, "clues": list(CLUES), "poem": POEM})
    for order in itertools.permutations(SUSPECTS):
        prompt = MURDER.format(*order, " ".join(CLUES))
        probs = next_probs(smol, prompt, tuple(word.capitalize() for word in order))
        said = dict(zip(order, (round(p, 4) for p in probs), strict=True))
        row = {"what": "murder", "order": list(order), "probs": said, "written": smol.write([chat(prompt)], 24)[0]}
        record.add(row)
    record.add({"what": "sally", "prompt": SALLY, "written": smol.write([chat(SALLY)], 60)[0]})
    for text in poems(smol):
        lines = [line for line in text.split("\n") if line.strip()][:4]
        if len(lines) == 4:
            pairs = {"asked": [(0, 1), (2, 3)], "not asked": [(0, 2), (1, 3), (0, 3), (1, 2)]}
            rhymes = {kind: [rhyme(lines[i], lines[j]) for i, j in both] for kind, both in pairs.items()}
            counts = [syllables(line) for line in lines]
            record.add({"what": "poem", "lines": lines, "rhymes": rhymes, "syllables": counts})
    record.write()


if __name__ == "__main__":
    launch(__doc__, {"judge": judge, "puzzles": puzzles})
