"""Good arguments for what `lmcourse.plots` makes public."""

import contextlib
import io

import ipywidgets
import matplotlib.pyplot as plt
import torch

from lmcourse import plots
from lmcourse.plots import attention, charts, text
from lmcourse.tokenizers import BPETokenizer
from tests.fuzz.examples import things
from tests.fuzz.examples.things import floats
from tests.fuzz.judge import Example

ALT = "Two maps of three words: every word looks at the first."
WORDS = "empty, other text, item empty, item other text"
TOKENIZER = BPETokenizer.train(["the cat sat"], 258, special_tokens=["<end>"])
A_TITLE = ("title", "empty, other text", "any words")
A_LABEL = ("?label", "empty, other text", "any words")
ANY_NUMBER = "negative, zero, tiny, huge, item negative, item zero, item tiny, item huge"
A_FORMAT = ("number", "empty", "as Python writes it")
OFF = "a head may look at nothing"


def _weights(queries, keys, heads=1):
    return torch.softmax(floats(2, heads, queries, keys), dim=-1)


def _quietly(draw):
    """Call what draws; what it displays is not printed, and what it has drawn is closed."""

    def call(**arguments):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                draw(**arguments)
        finally:
            plt.close("all")

    return call


def _slider():
    return ipywidgets.IntSlider(value=2)


def _line(height):
    fig, (axes,) = plots.figure()
    axes.plot([0, height])
    return fig


def _chat_model():
    return {
        "model": things.gpt(vocab_size=TOKENIZER.vocab_size, context_length=64),
        "tokenizer": TOKENIZER,
        "render": lambda turns: "".join(text + "<end>" for _, text in turns),
        "stops": ["two"],
        "stop_ids": (2,),
        "allowed_special": ("<end>",),
        "context_length": 64,
    }


EXAMPLES = {
    "plots.ChatModel": Example(
        lambda: _chat_model(),
        accepts=(
            ("render", "returns None", "asked at the first question, and refused then"),
            ("stops", "empty, item empty, item other text", "nothing else ends an answer"),
            ("stop_ids", "empty, item zero, item huge", "the model checks its ids"),
            ("allowed_special", "empty, item empty, item other text", "the tokenizer checks its special tokens"),
        ),
    ),
    "plots.chat": Example(
        lambda: (
            _quietly(plots.chat),
            {"partners": {"a": plots.ChatModel(**_chat_model())}, "questions": ["the cat"], "system": "sat"}
            | {"max_new_tokens": 8, "temperature": 0.7, "top_p": 0.9, "seed": 3},
        ),
        accepts=(
            ("questions", "item other text", "any question"),
            ("system", "empty, other text", "any words, or none"),
            ("temperature", "zero, tiny, huge", "from the likeliest token to every token alike"),
            ("top_p", "tiny", "the likeliest token alone is kept"),
        ),
        parts=("question",),
    ),
    "plots.explore": Example(
        lambda: (_quietly(plots.explore), {"draw": _line, "alt": ALT, "height": _slider()}), parts=("controls",)
    ),
    "plots.figure": Example(
        lambda: (
            _quietly(plots.figure),
            {"rows": 1, "columns": 2, "width": 5.0, "height": 2.0, "title": "A finding", "sharex": True},
        ),
        accepts=(A_TITLE,),
    ),
    "plots.head_view": Example(
        lambda: (
            _quietly(plots.head_view),
            {"attention": _weights(3, 3, heads=2), "tokens": ["a", "b", "c"], "title": "finding", "alt": ALT}
            | {"encoder_attention": None, "decoder_attention": None, "cross_attention": None}
            | {"encoder_tokens": None, "decoder_tokens": None, "layer": 1, "heads": [0]},
        ),
        accepts=(
            ("t[io]*", WORDS, "any words"),
            ("attention", "zero", OFF),
            ("attention", "kind: list", "lists of numbers are read as tensors"),
            ("attention", "longer 0, longer 1", "any number of layers and heads"),
            ("layer", "zero", "the first"),
            ("heads", "empty, item zero", "the first, or none"),
        ),
    ),
    "plots.model_view": Example(
        lambda: (
            _quietly(plots.model_view),
            {"attention": None, "tokens": None, "title": "finding", "alt": ALT}
            | {"encoder_attention": list(_weights(2, 2)), "decoder_attention": _weights(3, 3)}
            | {"cross_attention": _weights(3, 2), "encoder_tokens": ["a", "b"], "decoder_tokens": ["c", "d", "e"]},
        ),
        accepts=(
            ("title", WORDS, "any words"),
            ("*_tokens", WORDS, "any words"),
            ("*_attention", "zero, item zero", OFF),
            ("*_attention", "kind: list, item kind: list", "lists of numbers are read as tensors"),
            ("encoder_attention", "item one dimension more", "a batch of one"),
        ),
    ),
    "plots.show": Example(lambda: (_quietly(plots.show), {"fig": _line(2), "alt": ALT})),
    "plots.attention.heat_maps": Example(
        lambda: (
            _quietly(attention.heat_maps),
            {"panels": {"a": _weights(3, 2)[0, 0], "b": _weights(3, 2)[1, 0]}, "query_tokens": ["a", "b", "c"]}
            | {
                "key_tokens": ["d", "e"],
                "title": "finding",
                "columns": 2,
                "numbers": True,
                "width": 5.0,
                "height": 2.0,
            },
        ),
        accepts=(
            A_TITLE,
            ("*_tokens", "item empty, item other text", "any words"),
            ("panels", "value kind: list", "a list of lists is read as an array"),
            ("panels", "value dtype, value zero", "weights of 0 and 1, or a token that looks at nothing"),
        ),
    ),
    "plots.charts.grouped_bars": Example(
        lambda: (
            _quietly(charts.grouped_bars),
            {"values": {"a": [0.5, 0.25], "b": [1.0, 0.75]}, "names": ["c", "d"], "title": "finding"}
            | {"ylabel": "share", "xlabel": "order", "number": ".2f", "height": 2.0, "shades": [3, 1]},
        ),
        accepts=(
            A_TITLE,
            A_LABEL,
            A_FORMAT,
            ("values", ANY_NUMBER, "any number"),
            ("names", "item empty, item other text", "any words"),
            ("shades", "item zero", "the first"),
        ),
    ),
    "plots.charts.lines": Example(
        lambda: (
            _quietly(charts.lines),
            {"curves": {"a": [(1.0, 0.5), (2.0, 0.75)]}, "title": "finding", "labels": ("step", "loss")}
            | {"mark": ("end", 2.0), "level": ("guess", 0.5), "logarithmic": "y", "errors": {"a": [0.1, 0.2]}}
            | {"height": 2.0, "ylim": (0.5, 1.0)},
        ),
        accepts=(
            A_TITLE,
            ("labels", "item empty, item other text", "any words"),
            ("mark", "item empty, item other text", "any words"),
            ("level", "item empty, item other text", "any words"),
            (
                "curves",
                "value item item negative, value item item zero, value item item tiny, value item item huge",
                "any number",
            ),
            ("errors", "value item zero, value item tiny, value item huge", "any length"),
            ("logarithmic", "empty", "no axis"),
            (
                "ylim",
                "item *ive, item zero, item huge, item tiny",
                "any two numbers: matplotlib shows what lies between",
            ),
        ),
    ),
    "plots.text.passage": Example(
        lambda: (_quietly(text.passage), {"text": "To be,\nor not to be", "title": "finding"}),
        accepts=(A_TITLE, ("text", "empty, other text", "any text")),
    ),
    "plots.charts.bars": Example(
        lambda: (
            _quietly(charts.bars),
            {"values": {"a": 0.5, "b": 0.25}, "title": "finding", "xlabel": "loss", "number": ".2f", "height": 2.0}
            | {"guess": 0.3},
        ),
        accepts=(A_TITLE, A_LABEL, A_FORMAT, ("guess", ANY_NUMBER, "any number"), ("values", ANY_NUMBER, "any number")),
    ),
    "plots.as_table": Example(
        lambda: {"rows": [("one", 0.5)], "columns": {"name": "", "share": ".0%"}},
        accepts=(
            ("rows", "empty", "a table of its head alone"),
            ("rows", "item item *", "any cell that can be written"),
            ("columns", "kind: list", "names alone"),
            ("columns", "value empty", "as Python writes it"),
        ),
    ),
}
