import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def shown_so_far(pieces, stop):
    """Return the text that is shown after each piece.

    Args:
        pieces: a list of str, in the order in which they come; there may be none, and a piece may be empty.
        stop: the stop string, one letter or more.

    Returns:
        A list of str, the whole text that is shown after each piece that is read.

    >>> shown_so_far(["Hi", "\\nUs", "er:", " Bye"], "\\nUser:")
    ['Hi', 'Hi', 'Hi']
    """
    shown, text = [], ""
    for piece in pieces:
        text += piece
        if stop in text:
            return [*shown, text[: text.index(stop)]]
        held = max(n for n in range(len(stop)) if text.endswith(stop[:n]))
        shown.append(text[: len(text) - held])
    return shown


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    text = "".join(rng.choice(["a", "b", "ab", "aab", "c"]) for _ in range(23))
    cuts = sorted({int(n) for n in rng.integers(1, len(text), 7)})
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [
        case("the worked example", ["Hi", "\nUs", "er:", " Bye"], "\nUser:"),
        case("random pieces", pieces, "aabc"),
        border("random pieces, a stop of a single letter", pieces, "c"),
        border("the stop within one piece", ["one STOP two", "three"], "STOP"),
        case("a stop that begins twice", ["x aa", "ab y", "z"], "aab"),
        border("no stop: the last piece ends like one", ["abc", "EN"], "END"),
        border("a piece of no letters", ["ab", "", "E", "", "ND", "x"], "END"),
        border("no pieces at all", [], "END"),
        case("of two possible ends the longer one waits", ["xaa", "a", "b!", "aab"], "aab"),
        case("a stop that begins within its own beginning", ["ab", "a", "ab", "c", "ababac"], "ababac"),
        case("a stop of equal letters", ["a\n", "b\n", "\nc"], "\n\n"),
        case("text before an end that waits", ["one E", "two EN", "D"], "END"),
        case("two stops in one piece", ["a END b END c"], "END"),
        case("the stop in small letters, which is none", ["the end", " END"], "END"),
        border("empty pieces only", ["", ""], "END"),
        border("an empty piece after a beginning of the stop", ["xE", "", "y"], "END"),
        border("a stop longer than the whole text", ["<", "u"], "<user>"),
    ]


SLIPS = mistakes("""
each_piece: "a list of str, in the order in which they come"
    if stop in text => if stop in piece
  Each piece was searched by itself. A stop may begin in one piece and end in the next: search the text so far.
goes_on
    return [*shown, text[: text.index(stop)]] => shown.append(text[: text.index(stop)])
    |            continue
  Pieces were read after the stop. The list ends with the piece in which the stop was found.
always_held: "the stop string, one letter or more"
    max(n for n in range(len(stop)) if text.endswith(stop[:n])) => min(len(text), len(stop) - 1)
  As many letters as the stop has were always held back. Only an end that is the beginning of the stop has to wait.
shortest_end
    max(n for n in range(len(stop)) if text.endswith(stop[:n])) =>
        min((n for n in range(1, len(stop)) if text.endswith(stop[:n])), default=0)
  Of several ends that could become the stop the shortest was held back. The longest has to wait: with the stop aab, of
  the end aa both letters.
end_of_the_piece
    text.endswith => piece.endswith
  Only the last piece was searched for a beginning of the stop. It may have begun in the piece before: look at the end
  of the whole text.
last_stop
    text.index => text.rindex
  The text was cut at the last stop in it. It ends before the first.
stop_left_out: "A list of str, the whole text that is shown after each piece that is read"
    return [*shown, text[: text.index(stop)]] => return shown
  The piece with the stop has no entry. What is shown after it belongs to the list, too.
released_at_the_end
    return shown => return [*shown[:-1], text] if shown else shown
  When the pieces ran out, an end that was held back was shown. It stays hidden.
""")
HINTS = hints("""
- After each piece: is the stop in the text so far? If not, how long is the longest end of it that the stop begins with?
- held = max(n for n in range(len(stop)) if text.endswith(stop[:n])): n = 0 always fits, and that many letters wait.
- for piece in pieces: text += piece; if stop in text: append text[:text.index(stop)] and break; else append
  text[:len(text) - held].
""")
task = Task(shown_so_far, points=3, difficulty=3, minutes=25, cases=cases, slips=SLIPS, hints=HINTS)
