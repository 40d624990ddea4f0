"""Exercise `few_shot_prompt`."""

from functools import partial
from itertools import takewhile

import numpy as np

from lmcourse.exercises import Case, Slip, Task, border, case


def few_shot_prompt(solved, question, max_words):
    """Return a prompt with as many solved examples as fit.

    Args:
        solved: (question, answer) pairs, in the order in which they should stand.
        question: to be answered.
        max_words: what the whole prompt may have.

    Returns:
        A str that ends with "A:".

    Raises:
        ValueError: the question alone is too long.

    >>> print(few_shot_prompt([("2+2", "4"), ("3+5", "8")], "1+6", 11))
    Q: 2+2
    A: 4
    Q: 3+5
    A: 8
    Q: 1+6
    A:
    """
    end = f"Q: {question}\nA:"
    if len(end.split()) > max_words:
        raise ValueError(f"the question has more than {max_words} words")
    prompt = ""
    for q, a in solved:
        longer = f"{prompt}Q: {q}\nA: {a}\n"
        if len((longer + end).split()) > max_words:
            break
        prompt = longer
    return prompt + end


Solved = list[tuple[str, str]]


def _one(question: str, answer: str) -> str:
    return f"Q: {question}\nA: {answer}\n"


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def words(n: int) -> str:
        return " ".join(f"w{int(number)}" for number in rng.integers(0, 97, n))

    pool = [(words(int(rng.integers(1, 5))), words(int(rng.integers(1, 4)))) for _ in range(7)]
    return [
        case("the worked example", [("2+2", "4"), ("3+5", "8")], "1+6", 11),
        case("room for all", pool, words(3), 97),
        case("room for some", pool, words(3), 31),
        border(
            "the next but one would fit, but the next does not", [("a", "b"), ("c d e f g", "h"), ("i", "j")], "k", 13
        ),
        border("room for one, to the word", [("a", "b"), ("c", "d")], "e f", 8),
        border("one word less: room for none", [("a", "b"), ("c", "d")], "e f", 7),
        border("no examples", [], words(5), 11),
        border("no room at all, not even for the question", pool, words(11), 5),
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


task = Task(
    few_shot_prompt,
    points=2,
    difficulty=2,
    minutes=20,
    cases=cases,
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
