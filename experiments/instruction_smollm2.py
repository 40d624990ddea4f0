"""SmolLM2 as a model that continues and as one that answers: `python -m experiments.instruction_smollm2`.

The same weights read the same words with and without the chat template; one question in many wordings; one problem
with and without written-out steps; three system prompts. About six minutes on one core.
"""

import random

from experiments.pretrained import Smol, chat
from experiments.recording import Record, launch

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


def problems(n: int) -> list[tuple[int, int, int]]:
    rng = random.Random(0)
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
    smol, record = Smol(), Record("instruction-smollm2")
    for prompt in PROMPTS:
        for how, text in (("plain", prompt), ("chat", chat(prompt))):
            record.add({"what": "mode", "how": how, "prompt": prompt, "written": smol.write([text], 40)[0]})
    for wording in (*WORDINGS, CHAT):
        texts = [wording.removeprefix("chat: ").format(country) for country in CAPITALS]
        written = smol.write([chat(text) for text in texts] if wording == CHAT else texts, 12)
        first_lines = [text.strip().split("\n")[0] for text in written]
        right = sum(city in line for city, line in zip(CAPITALS.values(), first_lines, strict=True))
        record.add({"what": "wording", "wording": wording, "right": right / len(CAPITALS), "example": written[0]})
    record.add({"what": "transcript", "prompt": TRANSCRIPT, "written": smol.write([TRANSCRIPT], 60)[0]})
    for system in SYSTEMS:
        written = smol.write([chat(prompt, system) for prompt in PROMPTS], 60)
        words = sum(len(text.split()) for text in written) / len(written)
        record.add({"what": "system", "system": system, "words": words, "example": written[1]})
    drawn = problems(60)
    for steps in (False, True):
        written = smol.write([steps_prompt(problem, steps) for problem in drawn], 30 if steps else 12)
        right = sum(answer_of(text) == (a - b) * c for text, (a, b, c) in zip(written, drawn, strict=True))
        row = {"what": "steps", "steps": steps, "right": right / len(drawn)}
        row |= {"problem": "({}-{})x{}".format(*drawn[0]), "example": written[0].split("\n")[0].strip()}
        record.add(row)
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
