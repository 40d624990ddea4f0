"""Exercise `run_call`."""

import re
from functools import partial

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case
from lmcourse.generation.tools import calculate


def run_call(text):
    """Return the text with the result of the call at its end, if there is one.

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


_CALL = re.compile(r"<call>(.*?)</call>", re.DOTALL)


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    a, b, c, d = (int(n) for n in rng.integers(2, 97, 4))
    return [
        case("the worked example", "That is <call>47 + 38</call>"),
        case("a product", f"Let me see: <call>{a}*{b}</call>"),
        border("a difference below 0", f"<call>{a} - {a + b}</call>"),
        case("the second call of a text", f"<call>{a}+{b}</call><result>{a + b}</result> and <call>{c}-{d}</call>"),
        border("no call: nothing happens", f"The answer is {a}."),
        case("a call in the past: the last word is not a call", f"<call>{a}+{b}</call><result>{a + b}</result>. Done"),
        case("an end of a call without its beginning", f"{a}+{b}</call>"),
        border("code, which is no sum", "<call>__import__('os').getcwd()</call>"),
        border("a power that would take one for ever", "<call>9**9**9</call>"),
        case("a list, which Python would multiply", "<call>[0]*3</call>"),
        case("an unfinished sum", f"<call>{a} +</call>"),
        border("an empty call", "<call></call>"),
        border("three numbers are more than one sign", f"<call>{a}+{b}+{c}</call>"),
        border("an empty text", ""),
    ]


def _call_wrong(text: str, *, how: str) -> str:
    if not text.endswith("</call>") and not (how == "any_call" and "</call>" in text):
        return text
    if "<call>" not in text:
        return text
    found = _CALL.findall(text)
    inside = found[0] if how == "first_call" else found[-1]
    match = re.fullmatch(r"\s*(\d+)\s*([-+*])\s*(\d+)\s*", inside)
    if match is None:
        if how == "raises":
            raise ValueError(inside)
        if how == "silent":
            return text
        if how == "python" and not re.search(r"[_(]|\*\*", inside):  # what eval would have said
            try:
                if "[" in inside:
                    return f"{text}<result>[0, 0, 0]</result>"
                return f"{text}<result>{calculate(inside)}</result>"
            except ValueError:
                return text + "<result>error</result>"
        return text + "<result>error</result>"
    a, b = int(match[1]), int(match[3])
    value = {"+": a + b, "-": abs(a - b) if how == "no_negatives" else a - b, "*": a * b}[match[2]]
    if how == "replaced":
        return text[: text.rindex("<call>")] + f"<result>{value}</result>"
    if how == "bare":
        return f"{text}{value}"
    return f"<result>{value}</result>" if how == "result_only" else f"{text}<result>{value}</result>"


def _call_by_partition(text: str) -> str:
    head, begin, rest = text.rpartition("<call>")
    if not begin or not rest.endswith("</call>"):
        return text
    del head
    inside = rest.removesuffix("</call>")
    for sign in "+-*":
        left, found, right = (part.strip() for part in inside.partition(sign))
        if found and left.isdigit() and right.isdigit() and left.isascii() and right.isascii():
            a, b = int(left), int(right)
            value = a + b if sign == "+" else a - b if sign == "-" else a * b
            return text + "<result>" + str(value) + "</result>"
    return text + "<result>error</result>"


def _call_by_parser(text: str) -> str:
    found = re.search(r"<call>((?:(?!<call>).)*)</call>\Z", text, re.DOTALL)
    if not found:
        return text
    tokens = re.findall(r"[0-9]+|\S", found[1])
    proper = len(tokens) == 3 and tokens[0][0] in "0123456789" and tokens[1] in "+-*" and tokens[2][0] in "0123456789"
    return text + f"<result>{calculate(' '.join(tokens)) if proper else 'error'}</result>"


task = Task(
    run_call,
    points=3,
    difficulty=3,
    minutes=25,
    cases=cases,
    slips=(
        Slip(
            "python",
            partial(_call_wrong, how="python"),
            "More than one sum of two numbers was accepted, as Python itself would. Never run what a model "
            "writes: match "
            "number, sign, number, and answer everything else with error.",
        ),
        Slip(
            "any_call",
            partial(_call_wrong, how="any_call"),
            "A call that stands further back was answered again. Only a text that ends with </call> waits for a "
            "result.",
        ),
        Slip(
            "first_call",
            partial(_call_wrong, how="first_call"),
            "The first call of the text was answered. It is the last one that waits.",
        ),
        Slip(
            "raises",
            partial(_call_wrong, how="raises"),
            "A call that is no sum raised an error and ends the conversation. Write error as its result: the "
            "model can go "
            "on from there.",
        ),
        Slip(
            "silent",
            partial(_call_wrong, how="silent"),
            "A call that is no sum got no result at all, so that the model waits for nothing. Write error as its "
            "result.",
        ),
        Slip(
            "replaced",
            partial(_call_wrong, how="replaced"),
            "The call was replaced by its result. It stays in the text: the model has to see what it asked.",
        ),
        Slip(
            "bare",
            partial(_call_wrong, how="bare"),
            "The result stands there without <result> and </result>, as if the model had written it.",
        ),
        Slip(
            "result_only",
            partial(_call_wrong, how="result_only"),
            "Only the result came back. The whole text so far is the prompt with which the model goes on.",
        ),
        Slip(
            "no_negatives",
            partial(_call_wrong, how="no_negatives"),
            "A difference below 0 lost its sign: 3 - 5 is -2, not 2.",
        ),
    ),
    alternatives=(_call_by_partition, _call_by_parser),
    hints=(
        "First: does the text end with a call that waits? Then: is what it asks a sum of two numbers, and nothing "
        "more?",
        'text.rindex("<call>") finds the last call; re.fullmatch(r"\\s*(\\d+)\\s*([-+*])\\s*(\\d+)\\s*", inside) '
        "matches a "
        "sum or is None.",
        'value = {"+": a + b, "-": a - b, "*": a * b}[sign], with a and b as int; return text + '
        'f"<result>{value}</result>", '
        'or "<result>error</result>" where nothing matched.',
    ),
)
