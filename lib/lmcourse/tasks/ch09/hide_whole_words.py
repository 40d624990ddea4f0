import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def hide_whole_words(ids, word_of, chance, lot, drawn, mask_id):
    """Return a row with some words hidden whole, and what is to be guessed.

    Args:
        ids: T ids of pieces, a list of int; it may be empty.
        word_of: T numbers: to which word, counted from 0, each piece belongs; -1 for a special token, which is never
            chosen.
        chance, lot: a number from 0 to 1 for each word.
        drawn: T random ids.
        mask_id: id of [MASK].

    Returns:
        inputs and labels, two lists of T ints.

    >>> hide_whole_words([2, 17, 18, 19, 20, 3], [-1, 0, 0, 1, 2, -1], [0.1, 0.9, 0.1], [0.3, 0.3, 0.85], [7] * 6, 4)
    ([2, 4, 4, 19, 7, 3], [-100, 17, 18, -100, 20, -100])
    """
    inputs, labels = list(ids), [-100] * len(ids)
    for t, word in enumerate(word_of):
        if word >= 0 and chance[word] < 0.15:
            labels[t] = ids[t]
            if lot[word] < 0.8:
                inputs[t] = mask_id
            elif lot[word] < 0.9:
                inputs[t] = drawn[t]
    return inputs, labels


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n_words: int, *, high: float = 1.0, longest: int = 4) -> Case:
        lengths = rng.integers(1, longest + 1, n_words)
        word_of = [-1, *(int(w) for w in np.repeat(np.arange(n_words), lengths)), -1]
        ids = [2, *(int(i) for i in rng.integers(5, 97, len(word_of) - 2)), 3]
        chance, lot = rng.uniform(0, high, n_words).round(3).tolist(), rng.uniform(0, 1, n_words).round(3).tolist()
        drawn = [int(i) for i in rng.integers(5, 97, len(ids))]
        return case(label, ids, word_of, chance, lot, drawn, 4)

    pieces, drawn = [31, 32, 33, 34, 35, 36, 37], [41, 42, 43, 44, 45, 46, 47]
    worked = [2, 17, 18, 19, 20, 3], [-1, 0, 0, 1, 2, -1]
    three, five = (pieces, [0, 0, 0, 1, 1, 2, 2]), (pieces, [0, 0, 1, 2, 2, 3, 4])
    exact = [0.15, 0.1, 0.1, 0.1, 0.149], [0.5, 0.8, 0.9, 0.799, 0.899]
    return [
        case("the worked example", *worked, [0.1, 0.9, 0.1], [0.3, 0.3, 0.85], [7, 7, 7, 7, 7, 7], 4),
        draw("a long row", 83),
        draw("a row in which many words are chosen", 31, high=0.2),
        draw("words of one piece each", 41, high=0.25, longest=1),
        case("three words, one for each kind of lot", *three, [0.0, 0.1, 0.14], [0.1, 0.85, 0.95], drawn, 4),
        case("two sentences", [2, 31, 32, 3, 33, 34, 3], [-1, 0, 0, -1, 1, 1, -1], [0.9, 0.1], [0.1, 0.1], drawn, 4),
        border("numbers that are exactly at the border", *five, *exact, drawn, 4),
        border("only special tokens", [2, 3, 0, 0], [-1, -1, -1, -1], [], [], [9, 9, 9, 9], 4),
        border("special tokens beside a chosen last word", [2, 31, 3], [-1, 0, -1], [0.0], [0.1], [9, 8, 7], 4),
        border("an empty row", [], [], [], [], [], 4),
        border("a piece with the id 0", [0, 0, 5], [0, 0, 1], [0.1, 0.5], [0.85, 0.1], [9, 8, 7], 4),
        border("a piece that is [MASK] already", [4, 31], [0, 0], [0.1], [0.95], [9, 8], 4),
        border("a drawn piece that is the same", [31, 32], [0, 0], [0.1], [0.85], [31, 9], 4),
        border("one piece", [31], [0], [0.0], [0.0], [9], 4),
    ]


SLIPS = mistakes("""
specials_too: "-1 for a special token, which is never chosen"
    word >= 0 and chance[word] < 0.15 => chance and chance[word] < 0.15
  A special token was chosen: its word number, -1, looked up the last word's chance. Pieces with -1 are never chosen.
only_first_label
    labels[t] = ids[t] => labels[t] = ids[t] if word not in word_of[:t] else -100
  Only the first piece of a chosen word has a label. All its pieces are to be guessed.
drawn_by_word: "T numbers: to which word, counted from 0, each piece belongs"
    drawn[t] => drawn[word]
  The drawn id was looked up by the number of the word. There is one for each piece: drawn[t].
only_changed
    return inputs, labels => return inputs, [y if x != y else -100 for x, y in zip(inputs, labels)]
  A chosen piece that looks as before has lost its label. It is to be guessed too, or the words that stay would teach
  nothing.
stays_unlabelled
    labels[t] = ids[t] => labels[t] = ids[t] if lot[word] < 0.9 else -100
  With a lot of 0.9 or more the word stays, but it is chosen all the same: give its pieces their labels.
labels_from_inputs
    return inputs, labels => return inputs, [x if y != -100 else y for x, y in zip(inputs, labels)]
  The label is what stands there after hiding. It has to be the piece that was there before.
at_fifteen: "a number from 0 to 1 for each word"
    < 0.15 => <= 0.15
  A chance of exactly 0.15 was chosen. It must be below 0.15.
at_eighty
    < 0.8: => <= 0.8:
  A lot of exactly 0.8 became [MASK]. Below 0.8 it does; from 0.8 on come the drawn pieces.
at_ninety
    < 0.9: => <= 0.9:
  A lot of exactly 0.9 brought the drawn pieces. Below 0.9 it does; from 0.9 on the word stays.
""")
HINTS = hints("""
- Go through the pieces; word_of[t] says which word's dice count for piece t. What is that for [CLS]?
- A chosen piece gets its label, ids[t], whatever happens to it. Then lot[word] decides: mask_id, drawn[t], or nothing.
- for t, word in enumerate(word_of): if word >= 0 and chance[word] < 0.15: labels[t] = ids[t], and below 0.8 inputs[t] =
  mask_id, below 0.9 drawn[t].
""")
task = Task(hide_whole_words, points=3, difficulty=2, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
