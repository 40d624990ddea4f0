"""bertviz's views without a network, and the static maps beneath them."""

import html
import importlib.metadata
import json
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from lmcourse import plots
from lmcourse.plots import attention, layout, style, views
from lmcourse.plots.head_explorer import head_explorer
from lmcourse.plots.style import MAX_INCHES

ALT = "Two maps of three words: every word looks at the first."
TOKENS = ["a", "b", "c"]
SOURCE, TARGET = list("vwxyz"), list("abc")


def weights(layers=2, heads=2, queries=3, keys=3, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.softmax(torch.randn(layers, heads, queries, keys, generator=generator), dim=-1)


def three_kinds():
    return {
        "encoder_attention": weights(queries=5, keys=5),
        "decoder_attention": weights(),
        "cross_attention": weights(keys=5),
        "encoder_tokens": SOURCE,
        "decoder_tokens": TARGET,
    }


VIEWS = pytest.mark.parametrize("view", [plots.head_view, plots.model_view])


@VIEWS
def test_a_view_is_an_interactive_page_then_a_picture(view, shown):
    view(weights(), TOKENS, title="finding", alt=ALT)
    frame, picture = shown
    assert re.match(r'<div><iframe sandbox="allow-scripts" title="Two maps', frame.html)
    assert frame.html.endswith(f">{views._FALLBACK}</iframe></div>")
    assert frame.text == views._FALLBACK
    assert picture.alt == ALT
    assert len(picture.png) < style.MAX_BYTES / 2


def test_a_model_view_shrinks_with_its_frame(shown):
    plots.model_view(weights(), TOKENS, title="finding", alt=ALT)
    source = shown[0].html
    assert "attr(&quot;viewBox&quot;, `0 0 ${DIV_WIDTH} ${config.divHeight}`)" in source
    assert "attr(&quot;width&quot;, DIV_WIDTH)" not in source
    assert re.search(r"height: auto; aspect-ratio: 1000 / \d+", source)


@VIEWS
@pytest.mark.parametrize(
    "arguments", [{"attention": weights(), "tokens": TOKENS}, three_kinds()], ids=["self", "three"]
)
def test_nothing_is_fetched_and_the_same_call_gives_the_same_bytes(view, arguments, shown):
    for _ in range(2):
        view(title="finding", alt=ALT, **arguments)
    assert shown[:2] == shown[2:]
    source = shown[0].html
    assert not re.search(r"<(script|link|img|iframe)[^>]*\s(src|href)=", source)
    assert "cdnjs" not in source
    assert "require.config" not in source
    assert "default-src 'none'" in source
    assert not re.search(r"bertviz-[0-9a-f]{8}", source), "a random id"
    assert len(source) < 450_000


def test_the_libraries_are_the_ones_of_the_packages(shown):
    plots.head_view(weights(), TOKENS, title="finding", alt=ALT)
    source = shown[0].html.replace("&quot;", '"').replace("&amp;", "&")
    for package, file in views._LIBRARIES.items():
        assert importlib.metadata.distribution(package).locate_file(file).read_text(encoding="utf-8") in source


def test_weights_appear_once_and_in_four_decimals():
    parts = views._parts(weights(1, 1), TOKENS, None, None, None, None, None)
    source = views.page("head", parts, layer=0, heads=None)
    rows = [round(value, 4) for value in weights(1, 1).double().flatten().tolist()]
    assert all(source.count(f"{value}") == 1 for value in rows)


CODE = [
    "/**",
    "a",
    "*/",
    "// HACK: z",
    "const params = 1; // HACK:",
    "<!--",
    "<script>",
    "</script>",
    '"',
    "&lt;",
    "bertviz-" + "0" * 32,
    "require.config({",
    "});",
    "\\u003c",
    "PYTHON_PARAMS",
    "\u2028",
    "'",
    "${x}",
    "\n",
    "\x00",
    "7",
]


@pytest.mark.parametrize("kind", ["head", "model"])
@pytest.mark.parametrize("tokens", [CODE, CODE[::-1], ["/*", "\n*/", "-->", "]]>", "*/ /**"]])
def test_tokens_of_program_text_are_in_the_page_as_they_are(kind, tokens):
    parts = views._parts(weights(1, 1, len(tokens), len(tokens)), tokens, None, None, None, None, None)
    source = views.page(kind, parts)
    assert source.count("</script>") == 4  # jQuery, d3, requirejs, the view
    body = source.partition("<body>")[2].lower()
    assert body.count("<script") == 1
    assert "<!--" not in body
    attention = page_params(source)["attention"][0]
    assert attention["left_text"] == attention["right_text"] == tokens


def test_the_heads_that_can_be_clicked_take_any_tokens_too(shown):
    tokens = ["<!--", "<script>", "</script>", "<SCRIPT", "DATA"]
    maps = weights(1, 1, 5, 5).numpy()
    head_explorer(maps, tokens, {"score": [[0.5]]}, chosen=(0, 0), title="finding", alt=ALT)
    source = html.unescape(shown[0].html).partition("srcdoc=")[2].lower()
    assert source.count("<script") == source.count("</script") == 1
    assert "<!--" not in source


def page_params(source):
    (data,) = re.findall(r"const params = (.*); $", source, re.MULTILINE)
    return json.loads(data)


def test_tokens_of_each_side_of_cross_attention_are_its_own():
    given = three_kinds() | {"encoder_tokens": ["1", "0", "Ġv", "*/", "y"], "decoder_tokens": ["/**", "0", "b</w>"]}
    order = ("encoder_attention", "decoder_attention", "cross_attention", "encoder_tokens", "decoder_tokens")
    source = views.page("model", views._parts(None, None, *(given[name] for name in order)))
    texts = {each["name"]: (each["left_text"], each["right_text"]) for each in page_params(source)["attention"]}
    ours, theirs = ["/**", "0", "b"], ["1", "0", " v", "*/", "y"]
    assert texts == {"Encoder": (theirs, theirs), "Decoder": (ours, ours), "Cross": (ours, theirs)}


@VIEWS
def test_a_layer_may_carry_a_batch_of_one_or_a_gradient(view, shown):
    view(weights(), TOKENS, title="finding", alt=ALT)
    view([layer[None].requires_grad_() for layer in weights()], TOKENS, title="finding", alt=ALT)
    assert shown[:2] == shown[2:]


@VIEWS
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`attention` must be given, or one of"),
        ({"attention": weights()}, "`attention` must come with its tokens"),
        ({"attention": weights(), "tokens": ["a", "b"]}, r"weights \(H, 2, 2\) for each layer.*got \(2, 3, 3\)"),
        ({"attention": weights()[0], "tokens": TOKENS}, r"got \(3, 3\)"),
        ({"attention": [], "tokens": TOKENS}, "got no layers"),
        ({"attention": torch.stack([weights(), weights()], 1), "tokens": TOKENS}, r"got \(2, 2, 3, 3\)"),
        ({"attention": weights() / 0, "tokens": TOKENS}, "must hold finite weights"),
        ({"attention": torch.ones(1, 1, 3, 3, dtype=torch.int64), "tokens": TOKENS}, "torch.int64"),
        ({"attention": weights(), "tokens": TOKENS} | three_kinds(), "must stand alone.*encoder, decoder, cross"),
        ({"cross_attention": weights(keys=5), "encoder_tokens": SOURCE}, "encoder_tokens and decoder_tokens"),
        (three_kinds() | {"encoder_attention": weights(3, queries=5, keys=5)}, r"same \(layers, heads\), got encoder"),
    ],
)
def test_bad_shapes_are_told(view, arguments, message, shown):
    with pytest.raises(ValueError, match=message):
        view(title="finding", alt=ALT, **arguments)
    assert not shown


@VIEWS
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alt": "Two maps."}, "`alt` must say what the figure shows"),
        ({"attention": weights() * torch.tensor([1.0, 2.0]).view(2, 1, 1, 1)}, "`attention` must hold weights from 0"),
        ({"encoder_tokens": "vwxyz"}, "`encoder_tokens` must be a sequence of str"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_shown(view, wrong, message, shown):
    with pytest.raises((TypeError, ValueError), match=message):
        view(**{"attention": weights(), "tokens": TOKENS, "title": "finding", "alt": ALT, **wrong})
    assert not shown


def test_bad_layers_and_heads_are_told(shown):
    with pytest.raises(ValueError, match="`layer` must be 0 to 1, got 2"):
        plots.head_view(weights(), TOKENS, title="finding", alt=ALT, layer=2)
    with pytest.raises(ValueError, match=r"`heads` must be 0 to 1, got \[0, 2\]"):
        plots.head_view(weights(), TOKENS, title="finding", alt=ALT, heads=[0, 2])


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(views, "_LIBRARIES", {"no-such-package": "a.js"})
    views._libraries.cache_clear()
    with pytest.raises(RuntimeError, match=r"needs a\.js of the package no-such-package"):
        views._libraries()
    views._libraries.cache_clear()


# ------------------------------------------------------------------------------------------------ static heat maps


def test_rows_are_queries_columns_are_keys_and_all_panels_share_the_colours():
    maps = weights(1, 2, queries=3, keys=5)[0]
    fig = attention.heat_maps({"head 0": maps[0], "head 1": maps[1]}, TARGET, SOURCE, "finding")
    panels = fig.axes[:2]
    for panel, map_ in zip(panels, maps, strict=True):
        image = panel.images[0]
        np.testing.assert_allclose(image.get_array(), map_)
        assert image.get_clim() == (0, 1)
        assert image.get_cmap().name == "shares"
        assert [text.get_text() for text in panel.get_xticklabels()] == SOURCE
    assert [text.get_text() for text in panels[0].get_yticklabels()] == TARGET
    assert fig.get_suptitle() == "finding"
    assert fig.get_supxlabel().startswith("key")
    assert fig.get_supylabel().startswith("query")
    plt.close(fig)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("count", [1, 5])
def test_maps_keep_to_the_page(count):
    maps = {f"head {head}": map_ for head, map_ in enumerate(weights(1, count, 11, 11)[0])}
    fig = attention.heat_maps(maps, list("abcdefghijk"), list("abcdefghijk"), "finding")
    width, height = fig.get_size_inches()
    assert width <= MAX_INCHES[0]
    assert height <= MAX_INCHES[1] * max(1, -(-count // 4) / 2)
    assert len(style.png(fig)) < style.MAX_BYTES / 2
    assert layout.faults(fig) == []


def test_a_small_map_carries_its_numbers():
    fig = attention.heat_maps({"": weights(1, 1)[0, 0]}, TOKENS, TOKENS, "finding")
    written = {text.get_text() for text in fig.axes[0].texts}
    assert written == {f"{value:.2f}" for value in weights(1, 1).flatten().tolist()}
    plt.close(fig)


def test_a_map_that_is_none_is_refused():
    with pytest.raises(ValueError, match="`panels` must not be empty"):
        attention.heat_maps({}, TOKENS, TOKENS, "finding")
    with pytest.raises(ValueError, match=r"\(query tokens, key tokens\) = \(3, 5\), got \(3, 3\) for 'x'"):
        attention.heat_maps({"x": weights(1, 1)[0, 0]}, TARGET, SOURCE, "finding")
    with pytest.raises(ValueError, match="weights from 0 to 1, got -1"):
        attention.heat_maps({"x": -np.eye(3)}, TOKENS, TOKENS, "finding")
