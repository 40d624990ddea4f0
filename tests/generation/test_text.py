"""Text as it is written: whole characters, and nothing of a stop."""

import pytest
import torch

from lmcourse.generation import generate, stream_text
from lmcourse.models import GPT, GPTConfig
from lmcourse.tokenizers import BPETokenizer

TEXT = "größer als ein Käfer 🪲, ¿verdad? " * 7


@pytest.fixture(scope="module")
def tokenizer():
    return BPETokenizer.train(TEXT, 263, special_tokens=["<|end|>"])


@pytest.fixture(scope="module")
def model(tokenizer):
    torch.manual_seed(5)
    return GPT(GPTConfig(tokenizer.vocab_size, 96, 24, 3, 2))


class Parrot:
    """A language model that says a text, whatever was asked."""

    def __init__(self, ids, vocab_size, prompt_length):
        self.ids, self.vocab_size, self.prompt_length = ids, vocab_size, prompt_length

    def __call__(self, ids, *, cache, attention_mask=None, last_only=False):
        cache.length += ids.shape[1]
        logits = torch.zeros(1, 1, self.vocab_size)
        logits[..., self.ids[cache.length - self.prompt_length]] = 1.0
        return logits

    def new_cache(self, batch_size, max_length):
        class Cache:
            length = 0

            def reorder(self, rows): ...

        return Cache()

    def modules(self):
        return iter(())


def test_it_is_what_generate_gives(model, tokenizer):
    pieces = list(stream_text(model, tokenizer, "Käfer", 40, generator=torch.Generator().manual_seed(2)))
    ids = torch.tensor([tokenizer.encode("Käfer")])
    whole = generate(model, ids, 40, generator=torch.Generator().manual_seed(2))[0, ids.shape[1] :]
    assert "".join(pieces) == tokenizer.decode(whole.tolist())
    assert len(pieces) > 5


def test_no_piece_holds_half_a_character_or_the_beginning_of_a_stop(tokenizer):
    ids = tokenizer.encode(TEXT)
    parrot = Parrot(ids, tokenizer.vocab_size, 3)
    options = {"temperature": 0.0, "stops": ["¿verdad", "Wal"]}
    pieces = list(stream_text(parrot, tokenizer, "abc", len(ids), **options))
    assert "".join(pieces) == "größer als ein Käfer 🪲, "
    assert not any("\ufffd" in piece or "¿" in piece for piece in pieces)
    assert "🪲" in pieces  # four bytes, and no merge has joined them with others


def test_a_stop_token_ends_the_text_and_is_not_shown(tokenizer):
    end = tokenizer.encode("<|end|>", allowed_special="all")[0]
    parrot = Parrot([*tokenizer.encode("ein 🪲")[:-1], end, end], tokenizer.vocab_size, 1)
    assert "".join(stream_text(parrot, tokenizer, "a", 30, temperature=0.0, stop_ids=[end])) == "ein \ufffd"


def test_bad_input_is_refused_at_the_call(model, tokenizer):
    for arguments, error, message in (
        ((model, tokenizer, "", 3), ValueError, "`prompt` must be at least one token long"),
        ((model, tokenizer, 3, 3), TypeError, "`prompt` must be"),
        ((model, "abc", "a", 3), TypeError, "`tokenizer` must be"),
        ((3, tokenizer, "a", 3), TypeError, "`model` must be a language model"),
    ):
        with pytest.raises(error, match=message):
            stream_text(*arguments)
