"""Can a small model count letters? `python -m experiments.letters`. Half a minute on one core.

SmolLM2 is shown four words with their numbers of letters and asked for those of ten others, which are written as usual
and with spaces between their letters. It is also asked two questions as a chat. Beside its answers stand the tokens
that it reads: of the word with and without a space before it, and of five emoji.
"""

from experiments.pretrained import Smol, chat
from experiments.recording import Record, launch

SHOWN = ("cat", "orange", "lamp", "keyboard")
ASKED = ("ketchup", "banana", "table", "elephant", "smartphone", "garden", "window", "carpet", "bread", "umbrella")
QUESTIONS = (
    "How many letters are there in the word ketchup?",
    "How many letters are there in the word k e t c h u p?",
    "What is the third letter of the word ketchup?",
)
EMOJI = "🙂🔥😂👍🚀"


def prompt(word: str, *, spelled: bool) -> str:
    """The four examples and the beginning of a line about another word."""
    lines = []
    for shown in (*SHOWN, word):
        written = " ".join(shown) if spelled else shown
        lines.append(f"The word {written} has {len(shown)} letters.\n")
    return "".join(lines[:-1]) + lines[-1].split(" has ")[0] + " has"


def first_line(smol: Smol, text: str, length: int) -> str:
    """The first line of what the model writes after a text."""
    return smol.write([text], length)[0].split("\n")[0].strip()


def main() -> None:
    smol = Smol()
    asked = [(question, chat(question, "You are a helpful assistant.")) for question in QUESTIONS]
    record = Record(
        "letters",
        example=prompt("ketchup", spelled=False),
        chat=[{"asked": question, "said": first_line(smol, text, 40)} for question, text in asked],
        tokens={text: smol.tokens(text) for text in ("ketchup", " ketchup")},
    )
    for word in ASKED:
        said, spelled = (first_line(smol, prompt(word, spelled=each), 5) for each in (False, True))
        record.add({"asked": word, "letters": len(word), "said": said, "said if spelled": spelled})
    record.extend({"emoji": emoji, "tokens": len(smol.encode(emoji))} for emoji in EMOJI)
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
