"""Good arguments for what `lmcourse.data` makes public: what is generated or here already, nothing is fetched."""

from lmcourse import data
from tests.fuzz.judge import Example

SEED = ("seed", "zero, negative, huge", "any whole number is a seed")


def _no_fetch(name):
    """A name that is none is refused before anything is fetched; the good one is answered from here."""
    return "here" if name == "smollm2" else data.fetch(name)


EXAMPLES = {
    "data.Corpus.unavailable": Example(
        lambda: (data.corpus("smollm2").unavailable, {"why": "no network"}),
        accepts=(("why", "*", "the words of an error, whatever they are"),),
    ),
    "data.corpus": Example(lambda: (data.corpus, {"name": "smollm2"})),
    "data.fetch": Example(lambda: (_no_fetch, {"name": "smollm2"})),
    "data.is_cached": Example(lambda: (data.is_cached, {"name": "smollm2"})),
    "data.load_pairs": Example(lambda: (data.load_pairs, {"name": "numbers-en-de", "split": "test"})),
    "data.load_preferences": Example(lambda: (data.load_preferences, {"n": 3, "split": "test"})),
    "data.load_ratings": Example(lambda: (_ratings, {"split": "test"})),
    "data.load_replies": Example(lambda: (data.load_replies, {"n": 3, "split": "test"})),
    "data.load_reviews": Example(
        lambda: (data.load_reviews, {"kind": "order", "split": "test", "size": 6, "seed": 0}), accepts=(SEED,)
    ),
    "data.load_text": Example(lambda: (data.load_text, {"name": "python-docs", "split": "test"})),
    "data.load_works": Example(lambda: (data.load_works, {"name": "python-docs", "split": "test"})),
    "data.load_word_vectors": Example(lambda: (_vectors, {"limit": 5})),
    "data.number_alignment": Example(
        lambda: (
            data.number_alignment,
            {"source": "twenty one", "target": "ein und zwanzig", "language": "de"},
        ),
        accepts=(("source", "empty", "no words"), ("target", "empty", "no words")),
    ),
    "data.number_words": Example(
        lambda: (data.number_words, {"number": 21, "language": "en"}), accepts=(("number", "zero", "zero"),)
    ),
    "data.read_number": Example(lambda: (data.read_number, {"words": "twenty one", "language": "en"})),
    "data.pairs_source": Example(lambda: (data.pairs_source, {"name": "numbers-en-de"})),
    "data.text_source": Example(lambda: (data.text_source, {"name": "python-docs"})),
}


def _ratings(split):
    return [] if split == "test" else data.load_ratings(split=split)


def _vectors(limit):
    return [] if limit == 5 else data.load_word_vectors(limit=limit)
