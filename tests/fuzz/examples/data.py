"""Good arguments for what `lmcourse.data` makes public: what is generated or here already, nothing is fetched."""

import random
from datetime import date

from lmcourse import data
from lmcourse.data import chains, dates, logbook, town
from tests.fuzz.judge import Example

SEED = ("seed", "zero, negative, huge", "any whole number is a seed")
ANY_REPLY = (
    "[abr]*",
    "empty, item empty, item other text",
    "tokens that the grammar does not know are errors of the reply",
)
PROMPT, REPLY, RUDE = ("film", "brief", ":"), ("the", "plot", "was", "good", "."), ("go", "away", ".")
QUESTION = town.Question("home", "the home of ada", "oslo")


def _no_fetch(name):
    """A name that is none is refused before anything is fetched; the good one is answered from here."""
    return "here" if name == "smollm2" else data.fetch(name)


EXAMPLES = {
    "data.Corpus.unavailable": Example(
        lambda: (data.corpus("smollm2").unavailable, {"why": "no network"}),
        accepts=(("why", "*", "the words of an error, whatever they are"),),
    ),
    "data.corpus": Example(lambda: {"name": "smollm2"}),
    "data.fetch": Example(lambda: (_no_fetch, {"name": "smollm2"})),
    "data.is_cached": Example(lambda: {"name": "smollm2"}),
    "data.load_pairs": Example(lambda: {"name": "numbers-en-de", "split": "test"}),
    "data.load_preferences": Example(lambda: {"n": 3, "split": "test"}),
    "data.load_ratings": Example(lambda: (_ratings, {"split": "test"})),
    "data.load_replies": Example(lambda: {"n": 3, "split": "test"}),
    "data.load_reviews": Example(lambda: {"kind": "order", "split": "test", "n": 6, "seed": 0}, accepts=(SEED,)),
    "data.load_text": Example(lambda: {"name": "python-docs", "split": "test"}),
    "data.load_works": Example(lambda: {"name": "python-docs", "split": "test"}),
    "data.load_word_vectors": Example(lambda: (_vectors, {"limit": 5})),
    "data.shapes.draw_shapes": Example(
        lambda: {"n": 3, "seed": 0, "size": 16, "noise": 0.1},
        accepts=(("seed", "zero", "any whole number is a seed"), ("noise", "zero, tiny", "hardly any noise, or none")),
    ),
    "data.number_alignment": Example(
        lambda: {"source": "twenty one", "target": "ein und zwanzig", "language": "de"},
        accepts=(("source", "empty", "no words"), ("target", "empty", "no words")),
    ),
    "data.number_words": Example(lambda: {"number": 21, "language": "en"}, accepts=(("number", "zero", "zero"),)),
    "data.read_number": Example(lambda: {"words": "twenty one", "language": "en"}),
    "data.pairs_source": Example(lambda: {"name": "numbers-en-de"}),
    "data.text_source": Example(lambda: {"name": "python-docs"}),
    "data.chains.Chain.reply": Example(lambda: (chains.Chain(7, ("+5",), (2,)).reply, {"form": "dots"})),
    "data.chains.apply_step": Example(lambda: {"digit": 7, "step": "-8"}, accepts=(("digit", "zero", "a digit"),)),
    "data.chains.draw_chain": Example(lambda: {"length": 3, "rng": random.Random(0)}),
    "data.dates.date_locales": Example(lambda: (_dates("locales"), {"split": "test"})),
    "data.dates.date_pairs": Example(lambda: (_dates("pairs"), {"split": "test"})),
    "data.dates.write_date": Example(lambda: {"day": date(2024, 3, 9), "locale": "de", "form": "long"}),
    "data.logbook.load_log": Example(lambda: {"days": 3, "split": "test"}),
    "data.logbook.log_entry": Example(
        lambda: {"day": 3, "rng": random.Random(0)}, accepts=(("day", "huge", "any day"),)
    ),
    "data.logbook.read_entry": Example(lambda: {"entry": logbook.log_entry(3, random.Random(0))}),
    "data.replies.flawed_reward": Example(lambda: {"prompt": PROMPT, "reply": REPLY}, accepts=(ANY_REPLY,)),
    "data.replies.true_reward": Example(lambda: {"prompt": PROMPT, "reply": REPLY}, accepts=(ANY_REPLY,)),
    "data.replies.preference_probability": Example(
        lambda: {"prompt": PROMPT, "a": REPLY, "b": RUDE}, accepts=(ANY_REPLY,)
    ),
    "data.replies.read_reply": Example(lambda: {"reply": REPLY}, accepts=(ANY_REPLY,)),
    "data.replies.write_reply": Example(lambda: {"prompt": PROMPT, "rng": random.Random(0)}),
    "data.sentences.load_sentences": Example(lambda: {"name": "python-docs", "split": "test"}),
    "data.town.ask": Example(lambda: {"skill": "home", "rng": random.Random(0)}),
    "data.town.document": Example(lambda: {"kind": "quiz", "rng": random.Random(0), "header": True}),
    "data.town.good_reply": Example(lambda: {"question": QUESTION}),
    "data.town.human_reply": Example(lambda: {"question": QUESTION, "rng": random.Random(0)}),
    "data.town.load_documents": Example(lambda: {"n": 3, "split": "test"}),
    "data.town.load_turns": Example(
        lambda: (
            {"n": 3, "skills": ("home", "kind"), "wordings": ("what is {} ?", "name {} ."), "split": "test"}
            | {"rewritten": True, "notes": 0.5}
        ),
        accepts=(("notes", "zero, tiny", "hardly a passage, or none"),),
    ),
    "data.town.moved_fact": Example(lambda: {"question": QUESTION, "rng": random.Random(0)}),
    "data.town.tokens": Example(lambda: {"text": "what is it ?"}, accepts=(("text", "empty, other text", "any text"),)),
}


def _ratings(split):
    return [] if split == "test" else data.load_ratings(split=split)


def _vectors(limit):
    return [] if limit == 5 else data.load_word_vectors(limit=limit)


def _dates(what):
    """Writing the dates of all locales takes seconds: the good split is answered from here."""
    door = dates.date_pairs if what == "pairs" else dates.date_locales
    return lambda split: [] if split == "test" else door(split)
