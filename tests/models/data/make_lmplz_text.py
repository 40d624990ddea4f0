"""Writes the two small texts that KenLM's lmplz was run on: made-up sentences of a seeded grammar, nothing quoted."""

import random
from pathlib import Path

NOUNS, VERBS, ADJECTIVES, PLACES, NAMES, SYLLABLES = (
    line.split()
    for line in (
        "pump kettle ferry lantern orchard ladder compass bucket tractor parcel window harbour violin blanket chimney "
        "mill barrel saddle anchor ribbon gravel thimble pulley sundial hammock weasel crate funnel beacon trellis",
        "finds moves paints repairs follows borrows carries hides measures forgets sells cleans",
        "old green heavy quiet broken small naïve crooked cheap borrowed",
        "near behind under above beside",
        "Ada Ben Cleo Dov Edda Finn",
        "ba lo mi ru ke ta no su fi dra",
    )
)
NOUNS += [first + second for first in SYLLABLES for second in SYLLABLES if first != second]  # coined, rare


def zipf(rng: random.Random, words: list[str]) -> str:
    """A word, the early ones of the list more often."""
    return rng.choices(words, [1 / (place + 1) for place in range(len(words))])[0]


def thing(rng: random.Random) -> list[str]:
    adjective = [zipf(rng, ADJECTIVES)] if rng.random() < 0.4 else []
    return [rng.choice(["the", "the", "a"]), *adjective, zipf(rng, NOUNS)]


def sentence(rng: random.Random) -> list[str]:
    subject = [zipf(rng, NAMES)] if rng.random() < 0.5 else thing(rng)
    words = [*subject, zipf(rng, VERBS), *thing(rng)]
    if rng.random() < 0.35:
        words += [zipf(rng, PLACES), *thing(rng)]
    if rng.random() < 0.2:
        words += ["and", zipf(rng, VERBS), *thing(rng)]
    return [*words, "."] if rng.random() < 0.8 else words


def text(seed: int, size: int) -> str:
    rng = random.Random(seed)
    return "".join(" ".join(sentence(rng)) + "\n" for _ in range(size))


GRAMMAR = text(seed=1, size=320)
TINY = "the cat sat\nthe dog sat on the mat\n\nthe cat ran\n"

if __name__ == "__main__":
    here = Path(__file__).parent
    (here / "grammar.txt").write_text(GRAMMAR, encoding="utf-8", newline="\n")
    (here / "tiny.txt").write_text(TINY, encoding="utf-8", newline="\n")
