"""Gaps filled by counting and by masked models, for chapter 09: `python -m experiments.bert_gaps`.

One symbol in the middle of a row is hidden. An n-gram model that reads on the left guesses it from the symbols before
it. Asked about both sides, it writes each candidate into the gap and compares the probabilities of the whole row: the
candidate is in `order` of its factors, its own and those of the `order` - 1 symbols after it.

Letters: lower-case letters of the plays, order 6, beside the masked model of the page, trained for 1,000 steps.
First letters: every second word of a line lacks its first letter; the page shows some lines of this kind.
Words: the vocabulary of the checkpoint, order 3, beside the checkpoint. Writes chapters/recorded/bert-gaps.json.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from experiments.pretrained import SPECIALS, kept_bert
from experiments.recording import Record, launch, train
from lmcourse import data
from lmcourse.models import BERTConfig, MaskedLM, NGramModel, small_start
from lmcourse.tokenizers import Vocabulary
from lmcourse.tokenizers.words import split_words
from lmcourse.training import cosine_schedule, masked_batches, muon

SEED, STEPS, LENGTH = 0, 1_000, 32
Symbols = Sequence[str]
Fill = Callable[[str], str]  # a text with "_" for each gap -> the text filled


def rows_of(text: Symbols, n: int, length: int) -> list[list[str]]:
    """Rows of a text, evenly spread over it."""
    starts = np.linspace(0, len(text) - length, n).astype(int)
    return [list(text[start : start + length]) for start in starts]


class Counted:
    """An n-gram model that fills gaps."""

    def __init__(self, order: int, text: Symbols) -> None:
        self.model = NGramModel(order).fit([text])
        self.words = [word for word in self.model.vocabulary.tokens if not word.startswith("<")]
        self.before: dict[str, set[str]] = defaultdict(set)
        for first, second in pairwise(text[:1_000_000]):
            self.before[second].add(first)

    def left(self, row: Symbols, at: int) -> list[str]:
        """The likeliest symbols by the left side, at most 300."""
        tokens = self.model.vocabulary.tokens
        likely = self.model.distribution(row[:at]).argsort()[::-1]
        return [tokens[i] for i in likely[:303] if not tokens[i].startswith("<")][:300]

    def fill(self, text: str) -> str:
        """A text with each "_" filled from the left, by letters that were filled in before, too."""
        filled: list[str] = []
        for place, sign in enumerate(text):
            filled.append(self.left(filled, place)[0] if sign == "_" else sign)
        return "".join(filled)

    def both(self, row: Symbols, at: int) -> str:
        """The symbol that makes the row most probable; tried are those likely by one of the sides."""
        reach = self.model.order - 1
        after = list(row[at + 1 : at + 1 + reach])
        candidates = list(dict.fromkeys([*self.left(row, at), *(self.before[after[0]] if after else ())]))
        near = row[max(0, at - reach) : at]
        return candidates[int(self.model.score([[*near, each, *after] for each in candidates]).argmax())]


def shares(found: dict[str, list[bool]], unit: str, **more: Any) -> list[dict[str, Any]]:
    return [
        {"unit": unit, "model": name, "right": round(float(np.mean(right)), 4), "hidden": len(right), **more}
        for name, right in found.items()
    ]


@torch.no_grad()
def words() -> list[dict[str, Any]]:
    checkpoint, vocabulary = kept_bert()
    known = set(vocabulary.tokens)
    text, test = (
        [word if word in known else "[UNK]" for word in split_words(data.load_text("shakespeare", split=split))]
        for split in ("train", "test")
    )
    counted = Counted(3, text)
    rows = [row for row in rows_of(test, 1_600, 62) if row[31] != "[UNK]"]
    cls, sep, mask = (vocabulary.index(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
    ids = torch.tensor([[cls, *vocabulary.encode(row), sep] for row in rows])
    ids[:, 32] = mask
    states = torch.cat([checkpoint.encoder(part)[:, 32] for part in ids.split(100)])
    said = (checkpoint.score(states)[:, len(SPECIALS) :].argmax(-1) + len(SPECIALS)).tolist()
    found = {
        "3-gram, left": [counted.left(row, 31)[0] == row[31] for row in rows],
        "3-gram, both sides": [counted.both(row, 31) == row[31] for row in rows],
        "masked model": [vocabulary.tokens[i] == row[31] for i, row in zip(said, rows, strict=True)],
    }
    return shares(found, "words")


def letter_model(text: str) -> tuple[MaskedLM, Vocabulary]:
    """The masked model of letters of the page, trained longer than there."""
    signs = Vocabulary.build(text, special_tokens=SPECIALS)
    torch.manual_seed(SEED)
    model = MaskedLM(BERTConfig(len(signs), LENGTH, 64, 2, 2))
    small_start(model)
    batches = masked_batches(
        torch.tensor(signs.encode(text)), 64, LENGTH, cls_id=2, sep_id=3, mask_id=4, vocab_size=len(signs),
        special_ids=range(5), generator=torch.Generator().manual_seed(SEED),
    )  # fmt: skip
    train(model, batches, STEPS, muon(model, lr=0.02, bfloat16=True), warm_up=10, shape=cosine_schedule)
    return model.eval(), signs


def first_letters(masked: Fill, left: Fill, test: str, n: int = 4) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Lines of speech as long as the rows of the training, the first letter of every second word hidden.

    Returns:
        The shares of right letters over all these lines, and the first `n` lines that the masked model fills rightly.
    """
    lines = [line for line in test.split("\n") if len(line) == LENGTH - 2 and line[0].isalpha()]
    found: dict[str, list[bool]] = {"6-gram, left": [], "masked model": []}
    examples: list[dict[str, str]] = []
    for line in lines:
        text = " ".join(
            "_" + word[1:] if number % 2 and word[:1].isalpha() else word for number, word in enumerate(line.split(" "))
        )
        gaps = [place for place, sign in enumerate(text) if sign == "_"]
        guesses = {"left": left(text), "masked model": masked(text)}
        for name, guess in zip(found, guesses.values(), strict=True):
            found[name] += [guess[place] == line[place] for place in gaps]
        if len(gaps) >= 3 and guesses["masked model"] == line and len(examples) < n:
            examples.append({"unit": "example", "text": text, "meant": line, **guesses})
    return shares(found, "first letters", lines=len(lines)), examples


def letters() -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    text, test = (data.load_text("shakespeare", split=split).lower() for split in ("train", "test"))
    model, signs = letter_model(text)

    @torch.no_grad()
    def masked(row: Symbols) -> list[str]:
        ids = torch.tensor([[2, *(4 if sign == "_" else signs.index(sign) for sign in row), 3]])
        best = (model(ids)[0, 1:-1, len(SPECIALS) :].argmax(-1) + len(SPECIALS)).tolist()
        return [signs.tokens[i] for i in best]

    counted, at = Counted(6, text), (LENGTH - 2) // 2
    rows = rows_of(test, 2_000, LENGTH - 2)
    found = {
        "6-gram, left": [counted.left(row, at)[0] == row[at] for row in rows],
        "6-gram, both sides": [counted.both(row, at) == row[at] for row in rows],
        "masked model": [masked([*row[:at], "_", *row[at + 1 :]])[at] == row[at] for row in rows],
    }
    first, examples = first_letters(
        lambda text: "".join(guess if sign == "_" else sign for sign, guess in zip(text, masked(text), strict=True)),
        counted.fill,
        test,
    )
    return shares(found, "letters") + first, examples


def main() -> None:
    record = Record("bert-gaps", seed=SEED)
    rows, examples = letters()
    record.extend([*rows, *words(), *examples])
    record.write()


if __name__ == "__main__":
    launch(__doc__, main)
