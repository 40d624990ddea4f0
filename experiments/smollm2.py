"""What SmolLM2 learns from its prompt: `python -m experiments.smollm2`. About two minutes on one core.

A made-up task: living things are called "dax", tools "wug". The prompt shows k examples and asks about another word;
the answer is whichever of the two names is likelier. As a control the same prompts with the examples' names mixed up.
"""

import random

import torch

from experiments.pretrained import Smol, left_padded
from experiments.recording import Record, launch

LABELS = (" dax", " wug")
WORDS = (
    "cat dog horse cow sheep goat rabbit mouse lion tiger bear wolf fox deer frog duck goose hen owl eagle crow "
    "salmon shark whale snake lizard bee ant",
    "hammer saw drill wrench pliers screwdriver chisel axe shovel rake hoe knife scissors spoon fork ladle pan kettle "
    "broom mop bucket rope ladder needle brush pen ruler stapler",
)
SHOTS, QUESTIONS = (0, 1, 2, 4, 8, 16), 40


def prompts_of(shots: int, mixed: bool) -> list[tuple[str, int]]:
    """Pairs of a prompt and the number of the right label; examples and questions share no word within a prompt."""
    draw = random.Random(shots)
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
def accuracy(smol: Smol, prompts: list[tuple[str, int]], batch_size: int = 16) -> float:
    first = torch.tensor([smol.encode(label)[0] for label in LABELS])
    if len(set(first.tolist())) != len(LABELS):
        raise ValueError(f"`LABELS` must differ in their first token, got {LABELS}.")
    right = 0
    for at in range(0, len(prompts), batch_size):
        some = prompts[at : at + batch_size]
        ids, keep = left_padded([smol.encode(prompt) for prompt, _ in some])
        chosen = smol.model(ids, attention_mask=keep, last_only=True)[:, -1, first].argmax(-1).tolist()
        right += sum(choice == label for choice, (_, label) in zip(chosen, some, strict=True))
    return right / len(prompts)


def main() -> None:
    smol = Smol()
    record = Record("gpt-few-shot", questions=QUESTIONS, example=prompts_of(4, mixed=False)[0][0])
    for mixed in (False, True):
        for shots in SHOTS:
            share = round(accuracy(smol, prompts_of(shots, mixed)), 4)
            record.add({"names": "mixed up" if mixed else "as meant", "shots": shots, "accuracy": share})
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
