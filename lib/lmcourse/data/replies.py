"""A small world in which the true reward is known: prompts, replies from a grammar, a noisy person, a flawed proxy.

A prompt names a topic and a length ("film brief :"). A reply is a row of sentences, each closed by ".": an opener
(polite or rude, or none), one clause ("brief") or two ("full") about aspects of the topic, a closer (or none). What
people want of a reply, in real life unknown, is written down here, so that a trained policy can be judged by it.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lmcourse import checks
from lmcourse.data.text import split_generator

__all__ = [
    "Comparison",
    "Reading",
    "flawed_reward",
    "load_preferences",
    "load_replies",
    "preference_probability",
    "prompts",
    "read_reply",
    "reply_vocabulary",
    "true_reward",
    "write_reply",
]

STOP, PERIOD = "</s>", "."
TOPICS = {
    "film": ("plot", "acting", "ending"),
    "meal": ("soup", "service", "price"),
    "hotel": ("room", "bed", "service"),
    "book": ("plot", "prose", "ending"),
    "concert": ("sound", "singer", "crowd"),
    "phone": ("screen", "battery", "price"),
    "game": ("rules", "music", "sound"),
    "trip": ("guide", "bus", "weather"),
}
LENGTHS = {"brief": 1, "full": 2}  # clauses asked for
ADJECTIVES = {
    "amazing": 1.8, "wonderful": 1.7, "great": 1.5, "lovely": 1.4, "pleasant": 1.0, "good": 1.0, "solid": 0.7,
    "decent": 0.5, "fine": 0.4, "plain": -0.3, "dull": -0.8, "bland": -0.8, "weak": -0.9, "poor": -1.1,
    "bad": -1.2, "awful": -1.6, "terrible": -1.7, "dreadful": -1.8,
}  # fmt: skip
VERBS = {"love": 1.7, "enjoy": 1.2, "like": 1.0, "dislike": -1.0, "hate": -1.7}
INTENSIFIERS = {"very": 1.3, "truly": 1.2, "slightly": 0.5}
NEGATION = -0.75
OFF_TOPIC = 2.5  # less would let one good sentence, said to everybody, be worth more than an answer
POLITE: tuple[tuple[str, ...], ...] = (
    ("thanks", "for", "asking"),
    ("happy", "to", "help"),
    ("hope", "this", "helps"),
    ("take", "care"),
)
RUDE: tuple[tuple[str, ...], ...] = (
    ("who", "cares"),
    ("stop", "asking"),
    ("go", "away"),
    ("what", "a", "silly", "question"),
)
OPENERS = (POLITE[0], POLITE[1], RUDE[0], RUDE[1])
CLOSERS = (POLITE[2], POLITE[3], RUDE[2], RUDE[3])
PERSON_SHARPNESS = 2.0


class Comparison(NamedTuple):
    """Two replies to one prompt, and which of them was preferred; each a tuple of tokens, the replies without STOP."""

    prompt: tuple[str, ...]
    chosen: tuple[str, ...]
    rejected: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """What a reply says, as far as the grammar can follow it.

    Attributes:
        clauses: (aspect, sentiment) of each clause.
        politeness: polite openers and closers less rude ones.
        repeats: sentences that came before, and clauses on an aspect that came before.
        errors: sentences that the grammar does not know; tokens after the last period are one more.
    """

    clauses: tuple[tuple[str, float], ...]
    politeness: int
    repeats: int
    errors: int


def prompts() -> list[tuple[str, ...]]:
    """Return the 16 prompts, each three tokens."""
    return [(topic, length, ":") for topic in TOPICS for length in LENGTHS]


def reply_vocabulary() -> list[str]:
    """Return every token of prompts and replies, sorted, with STOP."""
    words = {STOP, PERIOD, ":", "the", "was", "not", "never", "i", "do", "how"}
    words |= set(TOPICS) | set(LENGTHS) | set(ADJECTIVES) | set(VERBS) | set(INTENSIFIERS)
    words |= {aspect for aspects in TOPICS.values() for aspect in aspects}
    return sorted(words.union(*POLITE, *RUDE))


def write_reply(prompt: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """Return a reply as people of this world write them: well-formed, mostly to the point, of any mood.

    Raises:
        TypeError: `rng` is no `random.Random`.
        ValueError: a prompt that is not one of `prompts()`.
    """
    checks.instance(random.Random, rng=rng)
    topic, length = _parts(prompt)
    aspects = list(TOPICS[topic]) if rng.random() < 0.85 else sorted({a for each in TOPICS.values() for a in each})
    n_clauses = LENGTHS[length] if rng.random() < 0.85 else rng.randint(1, 3)
    sentences = [rng.choice(OPENERS)] if rng.random() < 0.6 else []
    sentences += [_clause(aspect, rng) for aspect in rng.sample(aspects, n_clauses)]
    sentences += [rng.choice(CLOSERS)] if rng.random() < 0.6 else []
    return tuple(token for sentence in sentences for token in (*sentence, PERIOD))


def read_reply(reply: Sequence[str]) -> Reading:
    """Parse a reply, a sequence of tokens; what cannot be parsed is counted, never an error."""
    checks.texts(reply=reply)
    clauses: list[tuple[str, float]] = []
    seen: set[tuple[str, ...] | str] = set()
    politeness = repeats = errors = 0
    sentences = [tuple(part.split()) for part in " ".join(reply).split(PERIOD)]
    errors += bool(sentences.pop())  # what follows the last period is no sentence
    for sentence in sentences:
        clause = _read_clause(sentence)
        key = clause[0] if clause else sentence
        if clause:
            clauses.append(clause)
        elif sentence in POLITE:
            politeness += 1
        elif sentence in RUDE:
            politeness -= 1
        else:
            errors += 1
        repeats += key in seen
        seen.add(key)
    return Reading(tuple(clauses), politeness, repeats, errors)


def true_reward(prompt: Sequence[str], reply: Sequence[str]) -> float:
    """Return how good a reply really is.

    mean sentiment of its clauses + 0.8 politeness (-1 to 1) - 0.7 for each repeat - 2.5 for each clause off the topic
    - 1 for each ungrammatical sentence - 0.5 for each clause too many or too few.

    Raises:
        ValueError: a prompt that is not one of `prompts()`.
    """
    topic, length = _parts(prompt)
    reading = read_reply(reply)
    sentiment = sum(value for _, value in reading.clauses) / max(1, len(reading.clauses))
    off_topic = sum(aspect not in TOPICS[topic] for aspect, _ in reading.clauses)
    return (
        sentiment
        + 0.8 * max(-1, min(1, reading.politeness))
        - 0.7 * reading.repeats
        - OFF_TOPIC * off_topic
        - 1.0 * reading.errors
        - 0.5 * abs(len(reading.clauses) - LENGTHS[length])
    )


def flawed_reward(prompt: Sequence[str], reply: Sequence[str]) -> float:
    """Return a score that goes with the true reward on ordinary replies, and can be cheated.

    It also rewards the word "amazing" (1 each) and length (0.05 a token), wherever they occur.
    """
    return true_reward(prompt, reply) + 1.0 * list(reply).count("amazing") + 0.05 * len(reply)


def preference_probability(prompt: Sequence[str], a: Sequence[str], b: Sequence[str]) -> float:
    """Return how often the person of this world prefers `a` to `b`: sigmoid(2 x difference in true reward)."""
    checks.texts(a=a, b=b)
    difference = PERSON_SHARPNESS * (true_reward(prompt, a) - true_reward(prompt, b))
    return 1.0 / (1.0 + math.exp(-difference))


def load_replies(n: int = 4_000, *, split: str = "train") -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return `n` pairs of a prompt and a reply to it, the same at every call: what a model is first tuned on.

    Args:
        n: at least 1.
        split: "train", "valid" or "test": sampled independently.

    Raises:
        TypeError: `n` is not a whole number.
        ValueError: no such split, or `n` below 1.
    """
    rng = split_generator("replies", n, split)
    return [(prompt, write_reply(prompt, rng)) for prompt in rng.choices(prompts(), k=n)]


def load_preferences(n: int = 4_000, *, split: str = "train") -> list[Comparison]:
    """Return `n` comparisons by a person who errs, the same at every call.

    Two different replies to one prompt are written, and the person prefers one of them by Bradley and Terry's model.

    Args:
        n: at least 1.
        split: "train", "valid" or "test": sampled independently.

    Raises:
        TypeError: `n` is not a whole number.
        ValueError: no such split, or `n` below 1.

    Source: Bradley and Terry, 1952, for the person.
    """
    rng = split_generator("preferences", n, split)
    comparisons = []
    for prompt in rng.choices(prompts(), k=n):
        a = b = write_reply(prompt, rng)
        while a == b:
            b = write_reply(prompt, rng)
        if rng.random() >= preference_probability(prompt, a, b):
            a, b = b, a
        comparisons.append(Comparison(prompt, a, b))
    return comparisons


def _parts(prompt: Sequence[str]) -> tuple[str, str]:
    checks.texts(prompt=prompt)
    if len(prompt) != 3 or prompt[0] not in TOPICS or prompt[1] not in LENGTHS or prompt[2] != ":":
        raise ValueError(f"`prompt` must be one of the 16 prompts, such as ('film', 'brief', ':'), got {prompt!r}.")
    return prompt[0], prompt[1]


def _clause(aspect: str, rng: random.Random) -> tuple[str, ...]:
    negation = (rng.choice(("not", "never")),) if rng.random() < 0.3 else ()
    intensifier = (rng.choice(tuple(INTENSIFIERS)),) if rng.random() < 0.4 else ()
    adjective, verb = rng.choice(tuple(ADJECTIVES)), rng.choice(tuple(VERBS))
    kind = rng.random()
    if kind < 0.5:
        return ("the", aspect, "was", *negation, *intensifier, adjective)
    if kind < 0.8:
        return ("i", *(("do", "not") if negation else ()), verb, "the", aspect)
    return ("how", adjective, "the", aspect, "was")


def _read_clause(sentence: tuple[str, ...]) -> tuple[str, float] | None:
    match sentence:
        case ("how", adjective, "the", aspect, "was") if adjective in ADJECTIVES and aspect in _ASPECTS:
            return aspect, ADJECTIVES[adjective]
        case ("i", *rest, verb, "the", aspect) if verb in VERBS and aspect in _ASPECTS and rest in ([], ["do", "not"]):
            return aspect, VERBS[verb] * (NEGATION if rest else 1.0)
        case ("the", aspect, "was", *rest, adjective) if adjective in ADJECTIVES and aspect in _ASPECTS:
            negated = bool(rest) and rest[0] in ("not", "never")
            degree = rest[negated:]
            if degree and (len(degree) > 1 or degree[0] not in INTENSIFIERS):
                return None
            factor = INTENSIFIERS[degree[0]] if degree else 1.0
            return aspect, ADJECTIVES[adjective] * factor * (NEGATION if negated else 1.0)
    return None


_ASPECTS = {aspect for aspects in TOPICS.values() for aspect in aspects}
