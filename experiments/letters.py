"""Can a small model count letters? `python -m experiments.letters`. Half a minute on one core.

SmolLM2 is shown four words with their numbers of letters and asked for those of ten others, which are written as usual
and with spaces between their letters. It is also asked two questions as a chat. Beside its answers stand the tokens
that it reads: of the word with and without a space before it, and of five emoji.
"""

import argparse
from pathlib import Path

import torch

from experiments.provenance import provenance, write_run
from lmcourse import data
from lmcourse.generation import generate
from lmcourse.models import GPT
from lmcourse.tokenizers import BPETokenizer

SHOWN = ("cat", "orange", "lamp", "keyboard")
ASKED = ("ketchup", "banana", "table", "elephant", "smartphone", "garden", "window", "carpet", "bread", "umbrella")
QUESTIONS = (
    "How many letters are there in the word ketchup?",
    "How many letters are there in the word k e t c h u p?",
    "What is the third letter of the word ketchup?",
)
EMOJI = "🙂🔥😂👍🚀"
CHAT = (
    "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
    "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
)
MARKS = {"<|im_start|>", "<|im_end|>"}


def prompt(word: str, *, spelled: bool) -> str:
    """The four examples and the beginning of a line about another word."""
    lines = []
    for shown in (*SHOWN, word):
        written = " ".join(shown) if spelled else shown
        lines.append(f"The word {written} has {len(shown)} letters.\n")
    return "".join(lines[:-1]) + lines[-1].split(" has ")[0] + " has"


@torch.no_grad()
def answer(model: GPT, tokenizer: BPETokenizer, text: str, length: int) -> str:
    """What the model writes after a text if it takes the likeliest token each time."""
    ids = torch.tensor([tokenizer.encode(text, allowed_special=MARKS)])
    written = generate(model, ids, length, temperature=0.0)[0, ids.shape[1] :].tolist()
    return tokenizer.decode(written).split("<|im_end|>")[0].split("\n")[0].strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("chapters/recorded/letters.json"))
    arguments = parser.parse_args()
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model, tokenizer = GPT.from_pretrained(path).eval(), BPETokenizer.from_gguf(path)
    rows = []
    for word in ASKED:
        said = {key: answer(model, tokenizer, prompt(word, spelled=key == "spelled"), 5) for key in ("word", "spelled")}
        rows.append({"asked": word, "letters": len(word), "said": said["word"], "said if spelled": said["spelled"]})
        print(rows[-1], flush=True)
    rows += [{"emoji": emoji, "tokens": len(tokenizer.encode(emoji))} for emoji in EMOJI]
    record = {"name": "letters"} | provenance("python -m experiments.letters", seed=0)
    record |= {"example": prompt("ketchup", spelled=False), "rows": rows}
    record["chat"] = [
        {"asked": question, "said": answer(model, tokenizer, CHAT.format(question), 40)} for question in QUESTIONS
    ]
    record["tokens"] = {
        text: [tokenizer.decode([number]) for number in tokenizer.encode(text)] for text in ("ketchup", " ketchup")
    }
    write_run(arguments.out, record)


if __name__ == "__main__":
    main()
