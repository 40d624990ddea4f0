import builtins
import re
from collections.abc import Callable

import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn


def run_call(text):
    """Return the text with the result of the call at its end, if there is one.

    The last call begins at the last <call>. A whole number is written in the digits 0 to 9 alone, without a sign. White
    space may be before, between and after numbers and sign, but not within a number.

    Args:
        text: what the model has written so far.

    Returns:
        A str that begins with `text`.

    >>> run_call("That is <call>47 + 38</call>")
    'That is <call>47 + 38</call><result>85</result>'
    """
    if "<call>" not in text or not text.endswith("</call>"):
        return text
    inside = text[text.rindex("<call>") + len("<call>") : -len("</call>")]
    match = re.fullmatch(r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*", inside)
    if match is None:
        return text + "<result>error</result>"
    a, b = int(match[1]), int(match[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[match[2]]
    return f"{text}<result>{value}</result>"


def call_without_eval(answer: Callable[[str], str], text: str) -> str:
    """Call the answer while `eval` and `exec` do nothing but say that they were called.

    Raises:
        RuntimeError: one of them was called, whatever the answer made of that.
    """
    called: list[RuntimeError] = []
    own = {name: getattr(builtins, name) for name in ("eval", "exec")}

    def refuse(*_: object, **__: object) -> None:
        called.append(RuntimeError("`eval` or `exec` was called: what a model writes is never run"))
        raise called[0]

    try:
        for name in own:
            setattr(builtins, name, refuse)
        result = answer(text)
    finally:
        for name, function in own.items():
            setattr(builtins, name, function)
    if called:
        raise called[0]
    return result


@drawn(4)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    a, b, c, d = (int(n) for n in rng.integers(2, 97, 4))
    return [
        case("the worked example", "That is <call>47 + 38</call>"),
        case("a product", f"Let me see: <call>{a}*{b}</call>"),
        case("a difference above 0", "<call>9 - 4</call>"),
        border("a difference below 0", f"<call>{a} - {a + b}</call>"),
        case("the second call of a text", f"<call>{a}+{b}</call><result>{a + b}</result> and <call>{c}-{d}</call>"),
        border("no call: nothing happens", f"The answer is {a}."),
        case("a call in the past: the last word is not a call", f"<call>{a}+{b}</call><result>{a + b}</result>. Done"),
        case("an end of a call without its beginning", f"{a}+{b}</call>"),
        case("a list, which Python would multiply", "<call>[0]*3</call>"),
        case("an unfinished sum", f"<call>{a} +</call>"),
        border("an empty call", "<call></call>"),
        border("three numbers are more than one sign", f"<call>{a}+{b}+{c}</call>"),
        border("an empty text", ""),
        case("a sum in fixed numbers", "<call>12+30</call>"),
        case("a product with many spaces", "So: <call>   6   *  7  </call>"),
        case("spaces at the beginning and at the end only", "<call> 6*7 </call>"),
        case("a difference of equal numbers", "<call>5 - 5</call>"),
        border("numbers beyond the digits of a float", "<call>12345678901234567890 * 98765432109876543211</call>"),
        border("a difference of fixed numbers below 0", "<call>3 - 8</call>"),
        border("numbers that begin with zeros", "<call>007 + 010</call>"),
        border("numbers of one digit, with zeros", "<call>0 * 0</call>"),
        case("an answered call at the end of the text", f"<call>{a}+{b}</call><result>{a + b}</result>"),
        border("a space after the call", f"<call>{a}+{b}</call> "),
        border("a line break after the call", f"<call>{a}+{b}</call>\n"),
        border("a call that begins twice", f"<call>{a} + <call>{c} + {d}</call>"),
        border("a call after one that was never ended", f"<call>{a} and then: <call>{c} * {d}</call>"),
        case("a text before the call with another sum", f"{c} + {d} is not <call>{a} * {b}</call>"),
        case("capital letters, which are no call", f"<CALL>{a}+{b}</CALL>"),
        case("a beginning of a call without its end", f"<call>{a}+{b}"),
        border("two numbers beside each other", "<call>4 7 + 3</call>"),
        border("a number with a sign", "<call>-3 * 4</call>"),
        border("two signs", "<call>3 - -4</call>"),
        border("a power", "<call>2 ** 3</call>"),
        border("a division", "<call>8 / 2</call>"),
        border("a number with a point", "<call>1.5 + 2</call>"),
        border("a number alone", "<call>42</call>"),
        border("a sum in brackets", "<call>(3 + 4)</call>"),
        border("a sum and a word", "<call>3 + 4 please</call>"),
        border("a call of several lines", "<call>please add\nthree and four</call>"),
        border("words", "<call>three + four</call>"),
        border("a number with an underscore", "<call>1_000 + 1</call>"),
        border("an empty call after another one", f"<call>{a}+{b}</call><result>{a + b}</result><call> </call>"),
        border("code, which is no sum", "<call>__import__('os').getcwd()</call>"),
        border("a power that would take one for ever", "<call>9**9**9</call>"),
    ]


SLIPS = mistakes(r"""
any_call: "Return the text with the result of the call at its end, if there is one"
    not text.endswith("</call>") => "</call>" not in text
    -len("</call>") => text.rindex("</call>")
  A call that stands further back was answered again. Only a text that ends with </call> waits for a result.
silent
    return text + "<result>error</result>" => return text
  A call that is no sum got no result at all, so that the model waits for nothing. Write error as its result.
single_spaces
    r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*" => r"([0-9]+) ([-+*]) ([0-9]+)"
  Only single spaces around the sign are understood. Spaces are free: there may be none, or many, also at the beginning
  and at the end.
no_spaces_around: "White space may be before, between and after numbers and sign"
    r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*" => r"([0-9]+)\s*([-+*])\s*([0-9]+)"
  Spaces at the beginning or at the end of a call were not understood. They are free there, too.
spaces_taken_out: "but not within a number"
    )] => )].replace(" ", "")
  All spaces were taken out, so that two numbers beside each other became one. Spaces may stand around a number, not
  within it.
signs_allowed: "A whole number is written in the digits 0 to 9 alone, without a sign"
    r"\s*([0-9]+)\s*([-+*])\s*([0-9]+)\s*" => r"\s*([-+]?[0-9]+)\s*([-+*])\s*([-+]?[0-9]+)\s*"
  A number with a sign before it was taken. A whole number is digits alone here: the result is error.
begins_a_sum
    fullmatch => match
  What begins with a sum of two numbers was taken for one. The whole call must be number, sign, number: re.fullmatch.
from_the_first: "The last call begins at the last <call>"
    text.rindex => text.index
  The call was taken to begin at the first <call> of the text. The last call begins at the last one.
one_line_only: "what the model has written so far"
    "<call>" not in text or => not re.search(r"<call>.*</call>$", text) or
  A call with a line break in it was not seen. A dot does not match a line break: pass re.DOTALL, or look for the last
  <call> with rindex.
""")
HINTS = hints(r"""
- First: does the text end with a call that waits? Then: is what it asks a sum of two numbers, and nothing more?
- text.rindex("<call>") finds the last call; re.fullmatch(r"\s*(\d+)\s*([-+*])\s*(\d+)\s*", inside) matches a sum or is
  None.
- value = {"+": a + b, "-": a - b, "*": a * b}[sign], with a and b as int; return text + f"<result>{value}</result>", or
  "<result>error</result>" where nothing matched.
""")
task = Task(
    run_call,
    points=3,
    difficulty=3,
    minutes=25,
    cases=cases,
    call=call_without_eval,
    slips=SLIPS,
    hints=HINTS,
)
