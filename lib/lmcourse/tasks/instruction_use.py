"""Tasks of chapter 10, second part: stop strings, few-shot prompts, tool calls, retrieval, what is held out."""

import re
from functools import partial
from itertools import takewhile

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.generation.tools import calculate
from lmcourse.tasks.instruction_tuning import CHAPTER

# ---------------------------------------------------------------------------------------------------- shown_so_far


def _shown_so_far(pieces: list[str], stop: str) -> list[str]:
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            shown.append(text[: text.index(stop)])
            break
        held = max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        shown.append(text[: len(text) - held])
    return shown


def _stop_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = "".join(rng.choice(["a", "b", "ab", "aab", "c"]) for _ in range(23))
    cuts = sorted({int(n) for n in rng.integers(1, len(text), 7)})
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [
        case("the worked example", ["Hi", "\nUs", "er:", " Bye"], "\nUser:"),
        case("what only looks like a stop", ["a", "\nUs", "ually", "\nUser", ": no"], "\nUser:"),
        case("random pieces", pieces, "aabc"),
        case("random pieces, a stop of a single letter", pieces, "c"),
        case("the stop within one piece", ["one STOP two", "three"], "STOP"),
        case("a stop that begins twice", ["x aa", "ab y", "z"], "aab"),
        case("the stop at the very first letter", ["END", "more"], "END"),
        case("no stop: the last piece ends like one", ["abc", "EN"], "END"),
        case("a piece of no letters", ["ab", "", "E", "", "ND", "x"], "END"),
        case("no pieces at all", [], "END"),
    ]


def _stop_wrong(pieces: list[str], stop: str, *, how: str) -> list[str]:
    shown, text = [], ""
    for piece in pieces:
        text += piece
        found = piece.endswith(stop) if how == "at_the_end" else stop in (piece if how == "each_piece" else text)
        if found:
            place = text.index(stop) + (len(stop) if how == "stop_shown" else 0)
            shown.append(text if how == "not_cut" else text[:place])
            if how != "goes_on":
                break
            continue
        held = 0 if how == "early" else max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        held = min(len(text), len(stop) - 1) if how == "always_held" else held
        held = int(held == 1 or text.endswith(stop[:1])) if how == "first_letter" else held
        shown.append(text[: len(text) - held])
    return shown


def _stop_by_characters(pieces: list[str], stop: str) -> list[str]:
    def visible(text: str) -> str:
        for start in range(len(text)):
            if stop.startswith(text[start:]) or text.startswith(stop, start):
                return text[:start]
        return text

    shown: list[str] = []
    text = ""
    for piece in pieces:
        text = text + piece
        shown.append(visible(text))
        if text.find(stop) != -1:
            break
    return shown


def _stop_by_prefixes(pieces: list[str], stop: str) -> list[str]:
    beginnings = [stop[:n] for n in range(len(stop) - 1, 0, -1)]
    shown: list[str] = []
    for n in range(len(pieces)):
        text = "".join(pieces[: n + 1])
        before, found, _ = text.partition(stop)
        if found:
            return [*shown, before]
        tail = next((part for part in beginnings if text.endswith(part)), "")
        shown.append(text.removesuffix(tail))
    return shown


shown_so_far = Task(
    name="shown_so_far",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=25,
    cases=_stop_cases,
    reference=_shown_so_far,
    slips=(
        Slip(
            "early",
            partial(_stop_wrong, how="early"),
            "The beginning of a stop string was shown before it was clear what it is. Hold back the end of the text as "
            "long as it could become the stop.",
        ),
        Slip(
            "each_piece",
            partial(_stop_wrong, how="each_piece"),
            "Each piece was searched by itself. A stop may begin in one piece and end in the next: search the text so "
            "far.",
        ),
        Slip(
            "at_the_end",
            partial(_stop_wrong, how="at_the_end"),
            "A stop was only seen at the end of a piece. It may stand anywhere in it.",
        ),
        Slip(
            "stop_shown",
            partial(_stop_wrong, how="stop_shown"),
            "The stop string itself was shown. The text ends before it.",
        ),
        Slip(
            "not_cut",
            partial(_stop_wrong, how="not_cut"),
            "What stands after the stop in the same piece was shown too.",
        ),
        Slip(
            "goes_on",
            partial(_stop_wrong, how="goes_on"),
            "Pieces were read after the stop. The list ends with the piece in which the stop was found.",
        ),
        Slip(
            "always_held",
            partial(_stop_wrong, how="always_held"),
            "As many letters as the stop has were always held back. Only an end that is the beginning of the stop "
            "has to "
            "wait.",
        ),
        Slip(
            "first_letter",
            partial(_stop_wrong, how="first_letter"),
            "Only the first letter of the stop is held back. Every beginning of it has to wait: one letter, two, "
            "three.",
        ),
    ),
    alternatives=(_stop_by_characters, _stop_by_prefixes),
    hints=(
        "After each piece: is the stop in the text so far? If not, how long is the longest end of it that the "
        "stop begins "
        "with?",
        "held = max(n for n in range(len(stop)) if text.endswith(stop[:n])): n = 0 always fits, and that many "
        "letters wait.",
        "for piece in pieces: text += piece; if stop in text: append text[:text.index(stop)] and break; else append "
        "text[:len(text) - held].",
    ),
)


# ------------------------------------------------------------------------------------------------- few_shot_prompt

Solved = list[tuple[str, str]]


def _one(question: str, answer: str) -> str:
    return f"Q: {question}\nA: {answer}\n"


def _few_shot_prompt(solved: Solved, question: str, max_words: int) -> str:
    end = f"Q: {question}\nA:"
    left = max_words - len(end.split())
    if left < 0:
        raise ValueError("no room for the question")
    chosen: list[str] = []
    for pair in solved:
        left -= len(_one(*pair).split())
        if left < 0:
            break
        chosen.append(_one(*pair))
    return "".join(chosen) + end


def _few_shot_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def words(n: int) -> str:
        return " ".join(f"w{int(number)}" for number in rng.integers(0, 97, n))

    pool = [(words(int(rng.integers(1, 5))), words(int(rng.integers(1, 4)))) for _ in range(7)]
    return [
        case("the worked example", [("2+2", "4"), ("3+5", "8")], "1+6", 11),
        case("room for all", pool, words(3), 97),
        case("room for some", pool, words(3), 31),
        case(
            "the next but one would fit, but the next does not", [("a", "b"), ("c d e f g", "h"), ("i", "j")], "k", 13
        ),
        case("room for one, to the word", [("a", "b"), ("c", "d")], "e f", 8),
        case("one word less: room for none", [("a", "b"), ("c", "d")], "e f", 7),
        case("no examples", [], words(5), 11),
        case("no room at all, not even for the question", pool, words(11), 5),
        case("a limit of just the question", pool, "a b c", 5),
    ]


def _few_shot_wrong(solved: Solved, question: str, max_words: int, *, how: str) -> str:
    end = f"Q: {question}\nA:" + (" " if how == "space" else "")
    left = max_words - (0 if how == "question_free" else len(end.split()))
    if max_words < len(end.split()):
        if how == "cut":
            return " ".join(end.split()[:max_words])
        raise ValueError("room")
    if how == "characters":
        left = max_words - len(end)
    chosen: list[str] = []
    for pair in solved:
        text = _one(*pair)
        size = (
            len(text)
            if how == "characters"
            else len(" ".join(pair).split())
            if how == "marks_free"
            else len(text.split())
        )
        if size > left:
            if how == "skips":
                continue
            break
        left -= size
        chosen.append(text)
    if how == "none_fits_none":
        chosen = chosen if len(chosen) == len(solved) else []
    if how == "reversed":
        chosen.reverse()
    return "".join(chosen) + (f"Q: {question}\n" if how == "no_open_answer" else end)


def _few_shot_by_count(solved: Solved, question: str, max_words: int) -> str:
    def prompt(n: int) -> str:
        return "".join(f"Q: {q}\nA: {a}\n" for q, a in solved[:n]) + f"Q: {question}\nA:"

    fitting = [n for n in range(len(solved) + 1) if len(prompt(n).split()) <= max_words]
    if not fitting:
        raise ValueError("the question alone is too long")
    return prompt(max(fitting))


def _few_shot_by_sums(solved: Solved, question: str, max_words: int) -> str:
    tail = "Q: " + question + "\nA:"
    if len(tail.split()) > max_words:
        raise ValueError(f"{max_words} words are not enough")
    texts = ["Q: " + q + "\nA: " + a + "\n" for q, a in solved]
    sums = np.cumsum([len(text.split()) for text in texts]) + len(tail.split())
    n = len(list(takewhile(lambda total: total <= max_words, sums)))
    return "".join([*texts[:n], tail])


few_shot_prompt = Task(
    name="few_shot_prompt",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=20,
    cases=_few_shot_cases,
    reference=_few_shot_prompt,
    slips=(
        Slip(
            "question_free",
            partial(_few_shot_wrong, how="question_free"),
            "The question was not counted: it needs room in the context too. Take its words off first.",
        ),
        Slip(
            "marks_free",
            partial(_few_shot_wrong, how="marks_free"),
            'The marks "Q:" and "A:" were not counted. They are words of the prompt like all others.',
        ),
        Slip(
            "characters",
            partial(_few_shot_wrong, how="characters"),
            "Characters were counted. The limit is in words, text.split().",
        ),
        Slip(
            "skips",
            partial(_few_shot_wrong, how="skips"),
            "An example that did not fit was skipped and a later one taken. Take them in order, and stop at the first "
            "that does not fit.",
        ),
        Slip(
            "reversed",
            partial(_few_shot_wrong, how="reversed"),
            "The examples come in reverse. Keep their order.",
        ),
        Slip(
            "no_open_answer",
            partial(_few_shot_wrong, how="no_open_answer"),
            'The last line is missing: the prompt ends with "A:", so that what comes next is an answer.',
        ),
        Slip(
            "space",
            partial(_few_shot_wrong, how="space"),
            'There is a space after the last "A:". Most tokenizers put the space in front of a word, so the model '
            "would "
            "have to begin with a token that it has hardly ever seen there.",
        ),
        Slip(
            "cut",
            partial(_few_shot_wrong, how="cut"),
            "The question was cut to fit. A question without its end is another question: raise ValueError.",
        ),
        Slip(
            "all_or_none",
            partial(_few_shot_wrong, how="none_fits_none"),
            "When not all examples fitted, all were left out. Take as many as fit.",
        ),
    ),
    alternatives=(_few_shot_by_count, _few_shot_by_sums),
    hints=(
        "What must be in the prompt in any case, and how many words are left after that?",
        "Go through the examples in order, take each one's words off what is left, and stop when it would go below 0.",
        'end = f"Q: {question}\\nA:"; left = max_words - len(end.split()); if left < 0 raise ValueError; then a '
        "loop with "
        "break; return the chosen examples joined, plus end.",
    ),
)


# ----------------------------------------------------------------------------------------------------- run_call

_CALL = re.compile(r"<call>(.*?)</call>", re.DOTALL)
_SUM = re.compile(r"(-?\d+)((?:[-+*]-?\d+)*)")


def _run_call(text: str) -> str:
    if not text.endswith("</call>") or "<call>" not in text:
        return text
    inside = text[text.rindex("<call>") + len("<call>") : -len("</call>")]
    match = re.fullmatch(r"\s*(\d+)\s*([-+*])\s*(\d+)\s*", inside, re.ASCII)
    if match is None:
        return text + "<result>error</result>"
    a, b = int(match[1]), int(match[3])
    value = {"+": a + b, "-": a - b, "*": a * b}[match[2]]
    return f"{text}<result>{value}</result>"


def _call_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    a, b, c, d = (int(n) for n in rng.integers(2, 97, 4))
    return [
        case("the worked example", "That is <call>47 + 38</call>"),
        case("a product", f"Let me see: <call>{a}*{b}</call>"),
        case("a difference below 0", f"<call>{a} - {a + b}</call>"),
        case("the second call of a text", f"<call>{a}+{b}</call><result>{a + b}</result> and <call>{c}-{d}</call>"),
        case("no call: nothing happens", f"The answer is {a}."),
        case("a call in the past: the last word is not a call", f"<call>{a}+{b}</call><result>{a + b}</result>. Done"),
        case("an end of a call without its beginning", f"{a}+{b}</call>"),
        case("code, which is no sum", "<call>__import__('os').getcwd()</call>"),
        case("a power that would take one for ever", "<call>9**9**9</call>"),
        case("a list, which Python would multiply", "<call>[0]*3</call>"),
        case("an unfinished sum", f"<call>{a} +</call>"),
        case("an empty call", "<call></call>"),
        case("three numbers are more than one sign", f"<call>{a}+{b}+{c}</call>"),
        case("an empty text", ""),
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


run_call = Task(
    name="run_call",
    chapter=CHAPTER,
    points=3,
    difficulty=3,
    minutes=25,
    cases=_call_cases,
    reference=_run_call,
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


# ------------------------------------------------------------------------------------------------ nearest_passages


def _nearest_passages(query: Tensor, passages: Tensor, k: int) -> list[int]:
    lengths = passages.norm(dim=1) * query.norm()
    cosines = (passages @ query) / lengths.clamp(min=1e-12)
    return cosines.argsort(descending=True, stable=True)[:k].tolist()


def _nearest_cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=torch.float64)

    long = draw(7, 5)
    stretched = torch.cat([long, 23 * long[:1].flip(1)])
    alike = torch.tensor([[1.0, 1.0], [0.0, -1.0], [2.0, 2.0]], dtype=torch.float64)
    empty_one = torch.cat([torch.zeros(1, 3, dtype=torch.float64), draw(4, 3)])
    worked = torch.tensor([[3.0, 0.0], [1.0, 1.0], [0.0, 9.0]], dtype=torch.float64)
    return [
        case("the worked example", torch.tensor([1.0, 0.2], dtype=torch.float64), worked, 2),
        case("three of eleven", draw(7), draw(11, 7), 3),
        case("a long passage that points elsewhere", long[0] + 0.3 * draw(5), stretched, 2),
        case("all of them, in order", draw(3), draw(5, 3), 5),
        case("k beyond their number", draw(3), draw(2, 3), 11),
        case("one passage", draw(5), draw(1, 5), 1),
        case("two of equal cosine: the first one first", draw(2).abs(), alike, 2),
        case("a passage of no words, all zeros", draw(3), empty_one, 5),
        case("k is 0: none", draw(3), draw(5, 3), 0),
    ]  # fmt: skip


def _nearest_wrong(query: Tensor, passages: Tensor, k: int, *, how: str) -> list[int]:
    dots = passages @ query
    cosines = dots / (passages.norm(dim=1) * query.norm()).clamp(min=1e-12)
    scores = {"dot": dots, "distance": -(passages - query).norm(dim=1), "absolute": cosines.abs()}.get(how, cosines)
    order = scores.argsort(descending=how != "farthest", stable=True)[:k].tolist()
    if how == "in_reading_order":
        return sorted(order)
    if how == "worst_first":
        return order[::-1]
    if how == "one_more":
        return scores.argsort(descending=True, stable=True)[: k + 1].tolist()
    return order


def _nearest_by_sorting(query: Tensor, passages: Tensor, k: int) -> list[int]:
    unit = torch.nn.functional.normalize(query, dim=0)
    scores = [float(torch.nn.functional.normalize(row, dim=0) @ unit) for row in passages]
    return sorted(range(len(scores)), key=lambda n: -round(scores[n], 12))[:k]


def _nearest_by_numpy(query: Tensor, passages: Tensor, k: int) -> list[int]:
    q, P = query.numpy(), passages.numpy()
    sizes = np.linalg.norm(P, axis=1)
    sizes[sizes == 0] = 1
    scores = np.round(P @ q / sizes, 12)
    return [int(n) for n in np.argsort(-scores, kind="stable")[:k]]


nearest_passages = Task(
    name="nearest_passages",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=15,
    cases=_nearest_cases,
    reference=_nearest_passages,
    slips=(
        Slip(
            "dot",
            partial(_nearest_wrong, how="dot"),
            "The passages were ranked by the plain dot product, so long vectors win. Divide by their lengths: cosine.",
        ),
        Slip(
            "distance",
            partial(_nearest_wrong, how="distance"),
            "This ranks by distance, in which length plays a part too. Rank by the cosine of the angle.",
        ),
        Slip(
            "farthest",
            partial(_nearest_wrong, how="farthest"),
            "The least similar passages came first. The largest cosine is the most similar.",
        ),
        Slip(
            "in_reading_order",
            partial(_nearest_wrong, how="in_reading_order"),
            "The right passages, in the order in which they stand. Return the most similar first.",
        ),
        Slip(
            "worst_first",
            partial(_nearest_wrong, how="worst_first"),
            "The right passages, but the best one last. Return the most similar first.",
        ),
        Slip(
            "absolute",
            partial(_nearest_wrong, how="absolute"),
            "A cosine near -1 is the opposite of similar. Do not take the absolute value.",
        ),
        Slip(
            "one_more",
            partial(_nearest_wrong, how="one_more"),
            "One passage too many: return k of them (fewer if there are fewer).",
        ),
    ),
    alternatives=(_nearest_by_sorting, _nearest_by_numpy),
    hints=(
        "Which number says how alike two vectors are, whatever their lengths?",
        "cosines = passages @ query / (lengths of the passages * length of the query); clamp the lengths, for zeros.",
        "return cosines.argsort(descending=True, stable=True)[:k].tolist()",
    ),
)


# -------------------------------------------------------------------------------------------------- held_out_split

Lessons = list[tuple[str, str, str]]


def _held_out_split(lessons: Lessons, tasks: list[str], wordings: list[str]) -> dict[str, Lessons]:
    parts: dict[str, Lessons] = {"train": [], "wording": [], "task": []}
    for lesson in lessons:
        task, wording, _ = lesson
        part = "task" if task in tasks else "wording" if wording in wordings else "train"
        parts[part].append(lesson)
    trained = {lesson[0] for lesson in parts["train"]}
    parts["wording"] = [lesson for lesson in parts["wording"] if lesson[0] in trained]
    return parts


def _split_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    pool = [(f"task {int(rng.integers(5))}", f"wording {int(rng.integers(3))}", f"text {n}") for n in range(31)]
    few = [("sum", "what is", "a"), ("sum", "tell me", "b"), ("home", "what is", "c"), ("home", "tell me", "d")]
    return [
        case("the worked example", few, ["home"], ["tell me"]),
        case("31 lessons", pool, ["task 1"], ["wording 2"]),
        case("two tasks and two wordings", pool, ["task 0", "task 3"], ["wording 0", "wording 1"]),
        case("no task is held out", pool, [], ["wording 1"]),
        case("no wording is held out", pool, ["task 4"], []),
        case("a task that only the held-out wording asks for", [*few, ("kind", "tell me", "e")], ["home"], ["tell me"]),
        case("the same lesson twice", [few[0], few[0], few[2]], ["home"], []),
        case("an empty list of lessons", [], ["home"], ["tell me"]),
        case("every wording is held out: nothing to learn from", few, ["home"], ["what is", "tell me"]),
    ]


def _split_wrong(lessons: Lessons, tasks: list[str], wordings: list[str], *, how: str) -> dict[str, Lessons]:
    parts: dict[str, Lessons] = {"train": [], "wording": [], "task": []}
    for number, lesson in enumerate(lessons):
        task, wording, _ = lesson
        part = "task" if task in tasks else "wording" if wording in wordings else "train"
        if how == "wording_first":
            part = "wording" if wording in wordings else "task" if task in tasks else "train"
        if how == "both_only":
            part = "task" if task in tasks and wording in wordings else "wording" if wording in wordings else "train"
        if how == "by_place":
            part = ("train", "train", "wording", "task")[number % 4]
        parts[part].append(lesson)
    trained = {lesson[0] for lesson in parts["train"]}
    if how != "unknown_tasks":
        parts["wording"] = [lesson for lesson in parts["wording"] if lesson[0] in trained]
    if how == "leaks":
        parts["train"] = parts["train"] + parts["wording"]
    if how == "without_doubles":
        parts = {name: list(dict.fromkeys(found)) for name, found in parts.items()}
    return parts


def _split_by_lists(lessons: Lessons, tasks: list[str], wordings: list[str]) -> dict[str, Lessons]:
    train = [(t, w, x) for t, w, x in lessons if t not in tasks and w not in wordings]
    learned = [t for t, _, _ in train]
    return {
        "train": train,
        "wording": [(t, w, x) for t, w, x in lessons if w in wordings and t not in tasks and t in learned],
        "task": [(t, w, x) for t, w, x in lessons if t in tasks],
    }


def _split_by_filter(lessons: Lessons, tasks: list[str], wordings: list[str]) -> dict[str, Lessons]:
    rest = list(filter(lambda lesson: lesson[0] not in set(tasks), lessons))
    train = list(filter(lambda lesson: lesson[1] not in set(wordings), rest))
    known = {task for task, *_ in train}
    others = [lesson for lesson in rest if lesson[1] in wordings and lesson[0] in known]
    return {"train": train, "wording": others, "task": [lesson for lesson in lessons if lesson[0] in set(tasks)]}


held_out_split = Task(
    name="held_out_split",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=20,
    cases=_split_cases,
    reference=_held_out_split,
    slips=(
        Slip(
            "leaks",
            partial(_split_wrong, how="leaks"),
            "The held-out wordings are among the lessons to learn from, so the test is no test.",
        ),
        Slip(
            "wording_first",
            partial(_split_wrong, how="wording_first"),
            "A held-out task in a held-out wording belongs to the part task: the wording is tested on tasks that are "
            "known.",
        ),
        Slip(
            "both_only",
            partial(_split_wrong, how="both_only"),
            "A held-out task in an ordinary wording was put among the lessons. A task is held out in every wording.",
        ),
        Slip(
            "by_place",
            partial(_split_wrong, how="by_place"),
            "The lessons were dealt out by their place, as in an ordinary split, so all tasks and wordings are "
            "everywhere.",
        ),
        Slip(
            "unknown_tasks",
            partial(_split_wrong, how="unknown_tasks"),
            "The part wording holds a task that no lesson teaches: it would test two things at once. Keep the "
            "tasks that "
            "train has.",
        ),
        Slip(
            "without_doubles",
            partial(_split_wrong, how="without_doubles"),
            "Lessons that come twice were made one. Only sort them, change nothing.",
        ),
    ),
    alternatives=(_split_by_lists, _split_by_filter),
    hints=(
        "For each lesson ask about its task first, then about its wording.",
        "Three lists. A lesson of a held-out task goes to task; else one in a held-out wording to wording; else "
        "to train.",
        "After that keep of the part wording only the lessons whose task is among those of train: {t for t, _, _ "
        "in train}.",
    ),
)
