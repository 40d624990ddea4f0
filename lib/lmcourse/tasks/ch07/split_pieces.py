import numpy as np
import regex

from lmcourse.exercises import Case, Task, border, case, hints, mistakes


def split_pieces(text):
    """Cut text into pieces as GPT-2 does.

    Args:
        text: a str.

    Returns:
        A list of str, in order; joined they are the text.

    >>> split_pieces("I'll pay 1234 pods!")
    ['I', "'ll", ' pay', ' 1234', ' pods', '!']
    """
    endings = r"'s|'t|'re|'ve|'m|'ll|'d"
    runs = r" ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+"
    blanks = r"\s+(?!\S)|\s+"
    return regex.findall("|".join([endings, runs, blanks]), text)


_WORDS = ("rain", "GARDEN", "caf\u00e9", "\u0434\u043e\u043c", "tree", "7", "1999", "x2", "don't", "WE'LL", "she's")


_SIGNS = ("!", "?!", ",", " -", "...", " (", "_")


_GAPS = (" ", " ", " ", "  ", "\n", "\n    ", "\t")


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def written(n_words: int) -> str:
        parts = []
        for _ in range(n_words):
            for choice in (_WORDS, _GAPS, _SIGNS):
                if choice is not _SIGNS or rng.random() < 0.4:
                    parts.append(choice[int(rng.integers(len(choice)))])
        return "".join(parts)

    return [
        case("the worked example", "I'll pay 1234 pods!"),
        *(case(f"a text of {n} words", written(n)) for n in (3, 7, 13)),
        case("all endings", "it's can't we're I've I'm you'll he'd"),
        case("a curly apostrophe", "it\u2019s"),
        case("letters that are not English", "la caf\u00e9t\u00e9ria, \u0434\u043e\u043c \u6771\u4eac"),
        case("a mark that is no letter: an accent by itself", "cafe\u0301s"),
        case("digits that are not 0 to 9", "3\u00bd x\u00b2! \u0663\u0664, 5\u0663 \u2167"),
        case("a run of spaces before digits and before signs", "a   12   !?"),
        case("spaces at the end", "the end   "),
        border("one space", " "),
        border("nothing but white space", " \n\t  "),
        border("an empty text", ""),
    ]


SLIPS = mistakes(r"""
str_split: "Cut text into pieces as GPT-2 does"
    regex.findall("|".join([endings, runs, blanks]), text) => text.split()
  str.split throws the spaces away, and leaves punctuation on the words. Every character of the text must be in some
  piece, so that the pieces joined are the text.
blanks_lost
    [endings, runs, blanks] => [endings, runs]
  White space that does not belong to a word is gone, so the text cannot be put together again. It is a piece too: the
  last two lines of the table.
any_white_space
    " ?\p{L}+| ?\p{N}+| ?[^ => "\s?\p{L}+|\s?\p{N}+|\s?[^
  A tab or a line end was given to the word after it. Only a space is: write ' ?', not '\s?'.
no_endings
    [endings, runs, blanks] => [runs, blanks]
  The English endings ('s, 't, 're, 've, 'm, 'll, 'd) must be pieces of their own, and be tried first.
endings_in_capitals
    [endings, runs, blanks] => ['(?i:' + endings + ')', runs, blanks]
  Endings in capital letters were cut off, too. Only those in small letters are, as in GPT-2.
english_only
    ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+ => ?[A-Za-z]+| ?\p{N}+| ?[^\sA-Za-z\p{N}]+
  Only A to Z count as letters here, so a word with an accent falls apart. \p{L} is a letter of any script.
decimal_digits
    ?\p{N}+| ?[^\s\p{L}\p{N}]+ => ?\d+| ?[^\s\p{L}\d]+
  \d takes decimal digits only. \p{N} takes fractions, raised digits and Roman numerals as well.
ascii_digits
    ?\p{N}+| ?[^\s\p{L}\p{N}]+ => ?[0-9]+| ?[^\s\p{L}0-9]+
  Only 0 to 9 count as digits here. \p{N} is a digit of any script.
three_digits: "Cut text into pieces as GPT-2 does"
    ?\p{N}+| => ?\p{N}{1,3}|
  Digits were cut into threes, as later tokenizers do. In GPT-2 a run of digits is one piece.
marks_as_letters
    ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+ => ?[\p{L}\p{M}]+| ?\p{N}+| ?[^\s\p{L}\p{M}\p{N}]+
  A mark such as an accent by itself was taken for a letter. \p{L} does not hold marks: they are among the other signs.
greedy_blanks: "Cut text into pieces as GPT-2 does"
    \s+(?!\S)| =>
  A run of white space took the blank that belongs to the next word. Try \s+(?!\S) before \s+: it gives the last blank
  back.
""")
HINTS = hints(r"""
- Write one alternative for each line of the table, in its order, and join them with |.
- A run of letters with one space before it, if there is one, is ' ?\p{L}+'. Digits are \p{N}, and the rest is
  [^\s\p{L}\p{N}].
- Join these with | and give them to regex.findall, the endings first: 's 't 're 've 'm 'll 'd, then " ?\p{L}+", "
  ?\p{N}+", " ?[^\s\p{L}\p{N}]+", "\s+(?!\S)", "\s+".
""")
task = Task(split_pieces, points=3, difficulty=3, minutes=20, cases=cases, slips=SLIPS, hints=HINTS)
