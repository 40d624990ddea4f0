"""Mistakes, hints and properties as text: what is read, and which line is refused."""

import inspect

import pytest

from lmcourse.exercises import Property, Slip, Task, all_tasks, hints, mistakes, properties

TEXT = r"""
zeros_before: "over the kept entries only"
    scores.masked_fill(hidden, float("-inf")) =>
        scores.masked_fill(hidden, 0.0)
    weights = weights
    |    return weights => return weights
  The masked scores were set to 0,
  and e to the power of 0 is 1.
no_mask: loses causal, a reply
    is_causal=True, =>
  It looks at the future.
other
  A function says it.
"""


def other() -> None:
    return None


def test_names_quotes_patches_and_reasons_are_read() -> None:
    fill, zero = 'scores.masked_fill(hidden, float("-inf"))', "scores.masked_fill(hidden, 0.0)"
    first = ((fill, zero), ("weights = weights\n    return weights", "return weights"))
    assert mistakes(TEXT, other=other) == (
        Slip(
            "zeros_before",
            first,
            "The masked scores were set to 0, and e to the power of 0 is 1.",
            says="over the kept entries only",
        ),
        Slip("no_mask", (("is_causal=True,", ""),), "It looks at the future.", loses=("causal", "a reply")),
        Slip("other", other, "A function says it."),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\n   b => c\n  Because.", "line 2: a name, then patches behind 4 spaces"),
        ("    b => c\n  Because.", "line 1: a name, then patches"),
        ("a\n    |b => c\n  Because.", "line 2: a name, then patches"),
        ("a\n  Because.\n    b => c", "line 3: a name, then patches"),
        ("a\n    b => c => d\n  Because.", "line 2: a patch is one `old => new`, got 'b => c => d'"),
        ("a\n    b\n  Because.", "line 2: a patch is one `old => new`, got 'b'"),
        ("a says b\n    b => c\n  Because.", "line 1: a mistake begins with `name`"),
        ("a: b\n    b => c\n  Because.", "line 1: a mistake begins with `name`"),
        ("\na\n    b => c", "line 2: a must stand here once, with a reason"),
        ("a\n  Because.", "line 1: a must stand here once, with a reason, and with patches or a function, got 0"),
        ("other\n    b => c\n  Because.", "got 1 patches, a function"),
        ("a\n    b => c\n  Because.\na\n    c => d\n  Because.", "line 4: a must stand here once"),
        ("a\n    b => c\n  Because.", "`functions` must be of mistakes in the text, got other"),
    ],
)
def test_a_line_that_is_none_of_these_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        mistakes(text, **({"other": other} if "other" in text or "functions" in message else {}))
    assert message in str(caught.value)


def test_hints_are_read_and_a_line_out_of_place_is_refused() -> None:
    assert hints("\n- Add\n  up.\n- Divide.\n") == ("Add up.", "Divide.")
    for text in ("Add up.", "  up.", "- Add\nup."):
        with pytest.raises(ValueError, match=r"`text`, line \d: a hint begins with"):
            hints(text)


def test_properties_are_read_and_a_line_out_of_place_is_refused() -> None:
    text = "\nlog-probs, 2: They sum\n  to 1: all.\nlearns, 3, needs log-probs, 60 s: It learns.\n"
    assert properties(text) == (
        Property("log-probs", 2, "They sum to 1: all."),
        Property("learns", 3, "It learns.", 60.0, "log-probs"),
    )
    for wrong in ("learns: It learns.", "learns, 2 It learns.", "learns, two: It learns.", "  learns, 2: It learns."):
        with pytest.raises(
            ValueError, match="`text`, line 1: a property is `name, 2, needs other, 60 s: what is asked`"
        ):
            properties(wrong)


def _said(task: Task) -> str:
    return " ".join(" ".join(inspect.getdoc(part) or "" for part in (task.reference, *task.before)).split())


def test_what_a_mistake_breaks_stands_in_its_statement() -> None:
    quoted = [(task, slip) for task in all_tasks() for slip in task.slips if slip.says]
    assert len(quoted) > 500
    assert [(task.name, slip.name) for task, slip in quoted if slip.says not in _said(task).split(">>>")[0]] == []
