import pytest

from lmcourse.plots import instruction as draw
from tests.plots.page import drawing_functions, keeps_to_the_page

PATHS = {"one": [(3.0, 2.0), (1.0, 2.5)], "another": [(2.8, 1.9), (1.2, 2.1)]}
DRAW = {
    "conversation": lambda: draw.conversation([[("<user>", "read only"), ("hi", "learned")]], "finding"),
    "trade_off": lambda: draw.trade_off(PATHS, 1.75, "finding", labels=("new", "old"), steps=(10, 20)),
    "lora": lambda: draw.lora("finding"),
}


@pytest.mark.parametrize("name", DRAW)
def test_figure_keeps_to_the_page(name):
    keeps_to_the_page(DRAW[name])


def test_every_drawing_function_is_tested():
    assert set(DRAW) == drawing_functions(draw)


def test_a_box_for_each_token_and_a_key_for_each_fate():
    rows = [[("<user>", "read only"), ("hi", "read only")], [("<bot>", "read only"), ("hello", "learned")]]
    fig = draw.conversation(rows, "Only the answer is learned")
    (axes,) = fig.axes
    assert [text.get_text() for text in axes.texts] == ["<user>", "hi", "<bot>", "hello"]
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["read only", "learned"]


def test_the_paths_and_where_they_began():
    fig = draw.trade_off({"one": [(3.0, 2.0), (1.0, 2.5)]}, 1.75, "A title", labels=("new", "old"))
    (axes,) = fig.axes
    assert list(axes.lines[0].get_xdata()) == [3.0, 1.0]
    assert set(axes.lines[1].get_ydata()) == {1.75}
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("new", "old")


def test_each_point_of_a_path_has_its_number_of_steps():
    fig = draw.trade_off({"one": [(3.0, 2.0), (1.0, 2.5)]}, 1.75, "A title", labels=("new", "old"), steps=(10, 20))
    (axes,) = fig.axes
    assert [(text.get_text(), text.xy) for text in axes.texts] == [("10", (3.0, 2.0)), ("20", (1.0, 2.5))]


def test_the_adapter_stands_beside_the_frozen_matrix():
    (axes,) = draw.lora("A title").axes
    words = " ".join(text.get_text() for text in axes.texts)
    assert "frozen" in words
    assert "zero at the start" in words
    assert len(axes.patches) == 3
