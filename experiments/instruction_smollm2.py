"""SmolLM2 as a model that continues and as one that answers: `python -m experiments.instruction_smollm2`.

The same weights read the same words with and without the chat template; one question in many wordings; one problem
with and without written-out steps; three system prompts. About six minutes on one core.
"""

import argparse
import random
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.alignment import CHATML
from lmcourse.generation import generate
from lmcourse.models import GPT
from lmcourse.tokenizers import BPETokenizer

SEED, OUT = 0, Path("chapters/recorded/instruction-smollm2.json")
CAPITALS = {
    "France": "Paris", "Germany": "Berlin", "Italy": "Rome", "Spain": "Madrid", "Portugal": "Lisbon",
    "Greece": "Athens", "Austria": "Vienna", "Poland": "Warsaw", "Hungary": "Budapest", "Norway": "Oslo",
    "Finland": "Helsinki", "Russia": "Moscow", "Turkey": "Ankara", "Egypt": "Cairo", "Kenya": "Nairobi",
    "Japan": "Tokyo", "China": "Beijing", "Thailand": "Bangkok", "Vietnam": "Hanoi", "Cuba": "Havana",
    "Peru": "Lima", "Chile": "Santiago", "Canada": "Ottawa", "Iran": "Tehran",
}  # fmt: skip
WORDINGS = (
    "The capital of {} is",
    "{}'s capital is",
    "{}. Capital:",
    "{} -",
    "capital of {}",
    "What is the capital of {}?",
    "Q: What is the capital of {}?\nA:",
    "France - Paris\nItaly - Rome\n{} -",
)
CHAT = "chat: What is the capital of {}?"
PROMPTS = (
    "What is the capital of France?",
    "Write one sentence about the sea.",
    "Name three colours.",
    "Is the moon larger than the earth?",
)
SYSTEMS = ("", "You answer with one word.", "You are a poet. You answer with a poem of several lines.")
TRANSCRIPT = (
    "A conversation between a user and a helpful assistant.\n\n"
    "User: What do bees make?\nAssistant: Bees make honey.\n"
    "User: How many legs has a spider?\nAssistant: A spider has eight legs.\n"
    "User: What is the capital of Peru?\nAssistant:"
)


class Smol:
    """The model with its tokenizer; greedy throughout."""

    def __init__(self) -> None:
        path = next(data.fetch("smollm2").glob("*.gguf"))
        self.model, self.tokenizer = GPT.from_pretrained(path), BPETokenizer.from_gguf(path)
        self.end = self.tokenizer.special_tokens["<|im_end|>"]

    def write(self, texts: list[str], n_tokens: int, batch_size: int = 12) -> list[str]:
        """What it writes after each text, up to the end of its turn."""
        written = []
        for start in range(0, len(texts), batch_size):
            rows = [self.tokenizer.encode(text, allowed_special="all") for text in texts[start : start + batch_size]]
            longest = max(map(len, rows))
            ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
            keep = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])
            out = generate(self.model, ids, n_tokens, temperature=0.0, stop_ids=(self.end,), attention_mask=keep)
            for row in out[:, longest:].tolist():
                row = row[: row.index(self.end)] if self.end in row else row
                written.append(self.tokenizer.decode(row))
        return written


def chat(question: str, system: str = "") -> str:
    turns = [("system", system)] if system else []
    return CHATML.render([*turns, ("user", question)], add_generation_prompt=True)


def problems(n: int) -> list[tuple[int, int, int]]:
    rng = random.Random(SEED)
    drawn = ((rng.randint(8, 20), rng.randint(2, 7), rng.randint(2, 9)) for _ in range(n))
    return list(drawn)


def steps_prompt(problem: tuple[int, int, int], steps: bool) -> str:
    shown = [(15, 8, 5), (12, 4, 3), (9, 2, 6), (18, 7, 2), (14, 6, 4)]
    lines = []
    for a, b, c in shown:
        work = f"{a}-{b}={a - b}, {a - b}x{c}={(a - b) * c}, so " if steps else ""
        lines.append(f"Q: ({a}-{b})x{c}\nA: {work}the answer is {(a - b) * c}\n")
    a, b, c = problem
    return "".join([*lines, f"Q: ({a}-{b})x{c}\nA:"])


def answer_of(text: str) -> int | None:
    """The number after "the answer is" in the first line."""
    words = text.strip().split("\n")[0].split("the answer is")
    number = words[1].strip().rstrip(".") if len(words) > 1 else ""
    return int(number) if number.isdigit() else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    smol, rows = Smol(), []

    def record(**row: Any) -> None:
        rows.append(row)
        print(row, flush=True)

    for prompt in PROMPTS:
        for how, text in (("plain", prompt), ("chat", chat(prompt))):
            record(what="mode", how=how, prompt=prompt, written=smol.write([text], 40)[0])
    for wording in (*WORDINGS, CHAT):
        texts = [wording.removeprefix("chat: ").format(country) for country in CAPITALS]
        texts = [chat(text) for text in texts] if wording == CHAT else texts
        written = smol.write(texts, 12)
        first_lines = [text.strip().split("\n")[0] for text in written]
        right = sum(city in line for city, line in zip(CAPITALS.values(), first_lines, strict=True))
        record(what="wording", wording=wording, right=right / len(CAPITALS), example=written[0])
    record(what="transcript", prompt=TRANSCRIPT, written=smol.write([TRANSCRIPT], 60)[0])
    for system in SYSTEMS:
        written = smol.write([chat(prompt, system) for prompt in PROMPTS], 60)
        words = [len(text.split()) for text in written]
        record(what="system", system=system, words=sum(words) / len(words), example=written[1])
    drawn = problems(60)
    for steps in (False, True):
        written = smol.write([steps_prompt(problem, steps) for problem in drawn], 30 if steps else 12)
        wanted = [(a - b) * c for a, b, c in drawn]
        right = sum(answer_of(text) == number for text, number in zip(written, wanted, strict=True))
        first = written[0].split("\n")[0].strip()
        record(
            what="steps", steps=steps, right=right / len(drawn), problem="({}-{})x{}".format(*drawn[0]), example=first
        )
    out = {"name": "instruction-smollm2"} | provenance("python -m experiments.instruction_smollm2", seed=SEED)
    write_run(arguments.out, out | {"rows": rows})


if __name__ == "__main__":
    main()
