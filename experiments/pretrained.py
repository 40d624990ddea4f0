"""Models that several experiments read: the course's own checkpoints, and SmolLM2."""

import torch
from torch import Tensor

from experiments.recording import CHECKPOINTS
from lmcourse import data
from lmcourse.alignment import CHATML
from lmcourse.generation import generate
from lmcourse.models import GPT, BERTConfig, GPTConfig, MaskedLM, RecurrentConfig, RecurrentLM
from lmcourse.tokenizers import BPETokenizer, Vocabulary
from lmcourse.training import load_checkpoint, read_recipe

SPECIALS = ("[PAD]", "<unk>", "[CLS]", "[SEP]", "[MASK]")  # of the vocabularies of chapter 09


def kept_gpt(name: str = "gpt") -> GPT:
    """Return the GPT of a checkpoint."""
    model = GPT(GPTConfig(**read_recipe(CHECKPOINTS / name)["config"]))
    load_checkpoint(CHECKPOINTS / name, model)
    return model.eval()


def kept_bpe() -> BPETokenizer:
    """Return the tokenizer of chapter 08."""
    return BPETokenizer.load(CHECKPOINTS / "gpt.bpe.json")


def kept_lstm() -> tuple[RecurrentLM, Vocabulary]:
    """Return the character LSTM of chapter 03 and its vocabulary."""
    recipe = read_recipe(CHECKPOINTS / "char_lstm")
    model = RecurrentLM(RecurrentConfig(**recipe["config"]))
    load_checkpoint(CHECKPOINTS / "char_lstm", model)
    return model.eval(), Vocabulary(recipe["vocabulary"])


def kept_bert() -> tuple[MaskedLM, Vocabulary]:
    """Return the masked language model of chapter 09 and its vocabulary."""
    recipe = read_recipe(CHECKPOINTS / "bert")
    model = MaskedLM(BERTConfig(**recipe["config"]))
    load_checkpoint(CHECKPOINTS / "bert", model)
    return model, Vocabulary(recipe["vocabulary"])


def left_padded(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Return rows of ids as one tensor (B, longest), padded at the beginning, and where there is no padding."""
    longest = max(map(len, rows))
    ids = torch.tensor([[0] * (longest - len(row)) + row for row in rows])
    return ids, torch.tensor([[False] * (longest - len(row)) + [True] * len(row) for row in rows])


def chat(question: str, system: str = "") -> str:
    """Return what SmolLM2 reads when it is asked a question."""
    turns = [("system", system)] if system else []
    return CHATML.render([*turns, ("user", question)], add_generation_prompt=True)


class Smol:
    """SmolLM2 with its tokenizer; greedy throughout."""

    def __init__(self) -> None:
        path = next(data.fetch("smollm2").glob("*.gguf"))
        self.model, self.tokenizer = GPT.from_pretrained(path).eval(), BPETokenizer.from_gguf(path)
        self.end = self.tokenizer.special_tokens["<|im_end|>"]

    def encode(self, text: str) -> list[int]:
        return self.tokenizer.encode(text, allowed_special="all")

    def tokens(self, text: str) -> list[str]:
        return [self.tokenizer.decode([number]) for number in self.encode(text)]

    def text(self, ids: list[int]) -> str:
        return self.tokenizer.decode([number for number in ids if number != self.end])

    def replies(self, prompts: list[list[int]], n_tokens: int, batch_size: int = 12) -> list[list[int]]:
        """The ids that it writes after each prompt, with the token that ends its turn if that comes in time."""
        found: list[list[int]] = []
        for start in range(0, len(prompts), batch_size):
            ids, keep = left_padded(prompts[start : start + batch_size])
            out = generate(self.model, ids, n_tokens, temperature=0.0, stop_ids=(self.end,), attention_mask=keep)
            written = out[:, ids.shape[1] :].tolist()
            found += [row[: row.index(self.end) + 1] if self.end in row else row for row in written]
        return found

    def write(self, texts: list[str], n_tokens: int, batch_size: int = 12) -> list[str]:
        """What it writes after each text, up to the end of its turn."""
        return [self.text(row) for row in self.replies([self.encode(text) for text in texts], n_tokens, batch_size)]
