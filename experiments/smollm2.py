"""What SmolLM2 learns from its prompt: `python -m experiments.smollm2`. About two minutes on one core.

A made-up task: living things are called "dax", tools "wug". The prompt shows k examples and asks about another word;
the answer is whichever of the two names is likelier. As a control the same prompts with the examples' names mixed up.
"""

import argparse
import random
from pathlib import Path
from typing import Any

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.models import GPT
from lmcourse.tokenizers import BPETokenizer

LABELS = (" dax", " wug")
WORDS = (
    "cat dog horse cow sheep goat rabbit mouse lion tiger bear wolf fox deer frog duck goose hen owl eagle crow "
    "salmon shark whale snake lizard bee ant",
    "hammer saw drill wrench pliers screwdriver chisel axe shovel rake hoe knife scissors spoon fork ladle pan kettle "
    "broom mop bucket rope ladder needle brush pen ruler stapler",
)
SHOTS, QUESTIONS, SEED = (0, 1, 2, 4, 8, 16), 40, 0


def prompts_of(shots: int, mixed: bool) -> list[tuple[str, int]]:
    """Pairs of a prompt and the number of the right label; examples and questions share no word within a prompt."""
    draw = random.Random(SEED + shots)
    labelled = [(word, label) for label, words in enumerate(WORDS) for word in words.split()]
    made = []
    for n in range(QUESTIONS):
        words = draw.sample(labelled, len(labelled))
        question = next(pair for pair in words[shots:] if pair[1] == n % 2)
        lines = []
        for word, label in words[:shots]:
            shown = draw.randrange(2) if mixed else label
            lines.append(f"{word} ->{LABELS[shown]}\n")
        made.append(("".join([*lines, f"{question[0]} ->"]), question[1]))
    return made


@torch.no_grad()
def accuracy(model: GPT, tokenizer: BPETokenizer, prompts: list[tuple[str, int]], batch_size: int = 16) -> float:
    first = torch.tensor([tokenizer.encode(label)[0] for label in LABELS])
    right = 0
    for start in range(0, len(prompts), batch_size):
        some = prompts[start : start + batch_size]
        rows = [tokenizer.encode(prompt) for prompt, _ in some]
        longest = max(map(len, rows))
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
        keep = torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])
        chosen = model(ids, attention_mask=keep, last_only=True)[:, -1, first].argmax(-1).tolist()
        right += sum(choice == label for choice, (_, label) in zip(chosen, some, strict=True))
    return right / len(prompts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("chapters/recorded/gpt-few-shot.json"))
    arguments = parser.parse_args()
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model, tokenizer = GPT.from_pretrained(path), BPETokenizer.from_gguf(path)
    if len({tokenizer.encode(label)[0] for label in LABELS}) != len(LABELS):
        raise ValueError(f"`LABELS` must differ in their first token, got {LABELS}.")
    rows: list[dict[str, Any]] = []
    for mixed in (False, True):
        for shots in SHOTS:
            share = accuracy(model, tokenizer, prompts_of(shots, mixed))
            rows.append({"names": "mixed up" if mixed else "as meant", "shots": shots, "accuracy": round(share, 4)})
            print(rows[-1], flush=True)
    record = {"name": "gpt-few-shot"} | provenance("python -m experiments.smollm2", seed=SEED)
    record |= {"questions": QUESTIONS, "example": prompts_of(4, mixed=False)[0][0], "rows": rows}
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
