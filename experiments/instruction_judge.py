"""SmolLM2 as a judge of answers, and asked to reason and to rhyme: two commands, two minutes each on one core.

python -m experiments.instruction_judge judge      # a right and a wrong answer, in both orders, short and long
python -m experiments.instruction_judge puzzles    # a murder, Sally's sisters, four lines that rhyme
"""

import argparse
import itertools
import random
import re
from pathlib import Path
from typing import Any

import torch

from experiments.instruction_smollm2 import CAPITALS, Smol, chat
from experiments.provenance import provenance, write_run
from lmcourse import runtime
from lmcourse.generation import generate

RECORDED, SEED, POEMS, COUNTRIES = Path("chapters/recorded"), 0, 12, 16
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
def next_probs(smol: Smol, prompts: list[str], words: tuple[str, ...]) -> list[list[float]]:
    """The probabilities of some first tokens after each prompt, among themselves."""
    first = torch.tensor([smol.tokenizer.encode(word)[0] for word in words])
    if len(set(first.tolist())) < len(words):
        raise ValueError(f"`words` must differ in their first token, got {words}.")
    found = []
    for prompt in prompts:
        ids = torch.tensor([smol.tokenizer.encode(chat(prompt), allowed_special="all")])
        found.append(smol.model(ids, last_only=True)[0, -1, first].softmax(-1).tolist())
    return found


def run_judge(smol: Smol) -> list[dict[str, Any]]:
    rng, rows = random.Random(SEED), []
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
            a_first, b_first = next_probs(
                smol, [JUDGE.format(question, good, bad), JUDGE.format(question, bad, good)], ("A", "B")
            )
            row = {
                "what": "pair",
                "right_is": one,
                "wrong_is": other,
                "country": country,
                "as_a": a_first[0],
                "as_b": b_first[1],
            }
            rows.append({key: round(v, 4) if isinstance(v, float) else v for key, v in row.items()})
        print(rows[-4:], flush=True)
    return rows


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


def run_puzzles(smol: Smol) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for order in itertools.permutations(SUSPECTS):
        prompt = MURDER.format(*order, " ".join(CLUES))
        (probs,) = next_probs(smol, [prompt], tuple(word.capitalize() for word in order))
        written = smol.write([chat(prompt)], 24)[0]
        rows.append(
            {
                "what": "murder",
                "order": list(order),
                "probs": dict(zip(order, (round(p, 4) for p in probs), strict=True)),
                "written": written,
            }
        )
        print(rows[-1], flush=True)
    rows.append({"what": "sally", "prompt": SALLY, "written": smol.write([chat(SALLY)], 60)[0]})
    print(rows[-1], flush=True)
    runtime.seed_everything(SEED)
    ids = torch.tensor([smol.tokenizer.encode(chat(POEM), allowed_special="all")] * POEMS)
    out = generate(
        smol.model,
        ids,
        70,
        temperature=0.7,
        top_p=0.9,
        stop_ids=(smol.end,),
        generator=torch.Generator().manual_seed(SEED),
    )
    for row in out[:, ids.shape[1] :].tolist():
        text = smol.tokenizer.decode(row[: row.index(smol.end)] if smol.end in row else row)
        lines = [line for line in text.split("\n") if line.strip()][:4]
        if len(lines) == 4:
            pairs = {"asked": [(0, 1), (2, 3)], "not asked": [(0, 2), (1, 3), (0, 3), (1, 2)]}
            rhymes = {kind: [rhyme(lines[i], lines[j]) for i, j in both] for kind, both in pairs.items()}
            rows.append(
                {"what": "poem", "lines": lines, "rhymes": rhymes, "syllables": [syllables(line) for line in lines]}
            )
    print(rows[-3:], flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("judge", "puzzles"))
    what = parser.parse_args().what
    rows = {"judge": run_judge, "puzzles": run_puzzles}[what](Smol())
    name = f"instruction-{what}"
    asked: dict[str, dict[str, Any]] = {
        "judge": {"request": JUDGE},
        "puzzles": {"murder": MURDER, "clues": list(CLUES), "poem": POEM},
    }
    record = {"name": name} | provenance(f"python -m experiments.instruction_judge {what}", seed=SEED)
    write_run(RECORDED / f"{name}.json", record | {"rows": [{"what": "asked"} | asked[what], *rows]})


if __name__ == "__main__":
    main()
