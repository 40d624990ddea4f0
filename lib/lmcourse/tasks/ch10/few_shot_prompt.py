import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def few_shot_prompt(solved, question, max_words):
    """Return a prompt with as many solved examples as fit.

    The examples are taken from the first one on, until the next one does not fit.

    Args:
        solved: (question, answer) pairs, in the order in which they should stand.
        question: to be answered.
        max_words: how many words the whole prompt may have; text.split() says what a word is.

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
        border("more than one blank, and a line break", [("a  b", "c\nd"), ("e", " f ")], " g   h", 15),
        border("examples of no words", [("", ""), ("a", "")], "", 7),
        border("the first example is too long, the others are not", [("a b c d e f", "g"), ("h", "i")], "j", 10),
        border("a limit of 3 words for a question of one, which fits", [("a", "b")], "c", 3),
        border("a limit of 2 words for a question of one", [("a", "b")], "c", 2),
        border("a limit of 0", [], "", 0),
        border("a limit below 0", [("a", "b")], "c", -3),
    ]


SLIPS = mistakes(r"""
question_free: "how many words the whole prompt may have"
    (longer + end).split() => longer.split()
  The question was not counted: it needs room in the context too. Take its words off first.
characters: "text.split() says what a word is"
    len((longer + end).split()) => len(longer + end)
  Characters were counted. The limit is in words, text.split().
skips: "The examples are taken from the first one on, until the next one does not fit"
    break => continue
  An example that did not fit was skipped and a later one taken. Take them in order, and stop at the first that does not
  fit.
space: "A str that ends with "A:""
    return prompt + end => return prompt + end + " "
  There is a space after the last "A:". Most tokenizers put the space in front of a word, so the model would have to
  begin with a token that it has hardly ever seen there.
unchecked: "the question alone is too long"
    if len(end.split()) > max_words: => if False:
  A question that does not fit came back all the same. Raise ValueError then.
question_alone
    if len(end.split()) > max_words: => if len(question.split()) > max_words:
  Only the words of the question were compared with the limit. "Q:" and "A:" belong to the prompt, too.
one_word_less: "Return a prompt with as many solved examples as fit"
    (longer + end).split()) > max_words => (longer + end).split()) >= max_words
  An example that fits exactly was left out. The prompt may have max_words words, not only fewer.
line_between
    A: {a}\n => A: {a}\n\n
  There is an empty line between the examples. Each line is followed by the next one at once.
split_at_blanks: "text.split() says what a word is"
    len((longer + end).split()) => len((longer + end).split(" "))
    if len(end.split()) => if len(end.split(" "))
  The prompt was split at blanks only, so that what a line break parts counts as one word. text.split() without an
  argument splits at any white space.
single_blanks: "text.split() says what a word is"
    len((longer + end).split()) => len((longer + end).replace("\n", " ").split(" "))
  Words were counted by single blanks, so that two blanks in a row count as a word. text.split() without an argument
  takes any white space as one.
""")
HINTS = hints(r"""
- What must be in the prompt in any case, and how many words are left after that?
- Go through the examples in order, take each one's words off what is left, and stop when it would go below 0.
- end = f"Q: {question}\nA:"; left = max_words - len(end.split()); if left < 0 raise ValueError; then a loop with break;
  return the chosen examples joined, plus end.
""")
task = Task(few_shot_prompt, points=2, difficulty=2, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
