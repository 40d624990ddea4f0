"""Good arguments for what `lmcourse.generation` makes public."""

from lmcourse import generation
from lmcourse.tokenizers import BPETokenizer
from tests.fuzz.examples import things
from tests.fuzz.examples.things import ANY_LENGTH, ANY_SIZE, V, floats, generator, ids, yes
from tests.fuzz.judge import Example

SHARP = ("temperature", "zero, tiny", "always the likeliest token")
FLAT = ("temperature", "huge", "every token alike")
NO_PENALTY = ("length_penalty", "zero, tiny", "lengths do not count")
STOPS = ("stop_ids", "empty", "nothing stops it but the number of tokens")
AN_ID = ("*_id*", "zero, item zero", "an id")


def _step(ids_so_far, rows):
    return floats(1, V).expand(len(ids_so_far), -1)


def _generate():
    return {
        "model": things.gpt(), "ids": ids(2, 5), "max_new_tokens": 3, "config": generation.SamplingConfig(0.8),
        "stop_ids": (2,), "attention_mask": yes(2, 5), "samples": 2, "use_cache": True, "generator": generator(),
        **SETTINGS,
    }  # fmt: skip


SETTINGS = {"temperature": 1.0, "top_k": 3, "top_p": 0.9, "min_p": 0.1, "repetition_penalty": 1.2}  # as **settings
TOKENIZER = BPETokenizer.train(["the cat sat"], 258)
_SETTINGS_TAKEN = (
    SHARP,
    FLAT,
    ("top_k", "huge", "all tokens are kept"),
    ("top_p", "tiny", "the likeliest token alone is kept"),
    ("min_p", "zero, tiny", "all tokens are kept"),
)
_NONE = ("*_[kp]", "kind: None", "it is off")
_TAKEN = (("max_new_tokens", "zero", "nothing new"), STOPS, AN_ID, _NONE, *_SETTINGS_TAKEN)
_FREES = (("max_new_tokens", "zero", "the model reads nothing"),)

EXAMPLES = {
    "generation.SamplingConfig": Example(lambda: SETTINGS, accepts=_SETTINGS_TAKEN),
    "generation.generate": Example(lambda: _generate(), accepts=_TAKEN, frees=_FREES),
    "generation.stream": Example(lambda: _generate(), accepts=_TAKEN, frees=_FREES),
    "generation.stream_text": Example(
        lambda: (
            {
                "model": things.gpt(vocab_size=TOKENIZER.vocab_size, context_length=64),
                "tokenizer": TOKENIZER,
                "prompt": "the",
                "max_new_tokens": 3,
            }
            | {"stops": ["two"], "stop_ids": (2,), "config": generation.SamplingConfig(0.8), "generator": generator()}
            | SETTINGS
        ),
        accepts=(
            *_TAKEN,
            ("prompt", "other text", ANY_LENGTH),
            ("stops", "empty, item other text", "nothing stops it but the number of tokens"),
        ),
    ),
    "generation.sampling_distribution": Example(
        lambda: {"logits": floats(2, V), "config": generation.SamplingConfig(0.8), "seen": yes(2, V), **SETTINGS},
        accepts=(
            ("logits", "negative, zero, huge, nan, inf, float16", "a score; NaN gives NaN"),
            _NONE,
            *_SETTINGS_TAKEN,
        ),
    ),
    "generation.sample_categorical": Example(
        lambda: {"probs": floats(2, V).softmax(-1), "generator": generator()},
        accepts=(
            ("probs", "longer *, one dimension less, transposed", ANY_SIZE),
            ("probs", "zero, huge", "weights need not sum to 1"),
        ),
    ),
    "generation.beam_search": Example(
        lambda: (
            {"step": _step, "start_id": 1, "stop_id": 2, "beam_size": 2, "max_length": 3, "length_penalty": 0.5}
            | {"device": "cpu"}
        ),
        accepts=(NO_PENALTY, AN_ID, ("start_id", "huge", "what the step knows is not known here")),
    ),
    "generation.beam_search_batch": Example(
        lambda: (
            {"step": _step, "start_id": 1, "stop_id": 2, "beam_size": 2, "max_length": 3, "length_penalty": 0.5}
            | {"batch_size": 2, "device": "cpu"}
        ),
        accepts=(NO_PENALTY, AN_ID, ("start_id", "huge", "what the step knows is not known here")),
    ),
    "generation.greedy_search": Example(
        lambda: {"step": _step, "start_id": 1, "stop_id": 2, "max_length": 3, "batch_size": 2, "device": "cpu"},
        accepts=(AN_ID, ("start_id", "huge", "what the step knows is not known here")),
    ),
    "generation.length_divisor": Example(
        lambda: {"length": 3, "length_penalty": 0.5}, accepts=(NO_PENALTY, ("length", "zero", "nothing found yet"))
    ),
    "generation.translate": Example(
        lambda: {
            "model": things.seq2seq(),
            "source": ids(2, 4),
            "max_length": 3,
            "beam_size": 2,
            "length_penalty": 0.5,
        },
        accepts=(NO_PENALTY, ("source", "longer *, transposed", ANY_SIZE)),
    ),
    "generation.tools.calculate": Example(lambda: {"expression": "2 * (3 + 4)"}),
    "generation.until_stop": Example(
        lambda: {"pieces": ["one tw", "o three"], "stops": ["two"]},
        accepts=(
            ("pieces", "empty, item empty, item other text", ANY_LENGTH),
            ("stops", "empty, item other text", "nothing stops it"),
        ),
    ),
}
