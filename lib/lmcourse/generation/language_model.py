"""What a model must offer for text to be sampled from it.

B batch, T length of the new tokens, S of all tokens so far, V vocabulary.
"""

from collections.abc import Iterator
from typing import Protocol, TypeVar, runtime_checkable

from torch import Tensor, nn


class Cache(Protocol):
    """What a model remembers of the tokens that it has read: keys and values, or the state of a recurrent network."""

    def reorder(self, rows: Tensor) -> None:
        """Make row b a copy of what was row rows[b], for as many rows as there are in `rows`."""


C = TypeVar("C", bound=Cache)


@runtime_checkable
class LanguageModel(Protocol[C]):
    """A model that gives the logits of the next token: `GPT`, `RecurrentLM`, or one of your own.

    Any `nn.Module` with `new_cache` and such a `forward` is one; it need not inherit from this class.
    """

    def __call__(self, ids: Tensor, *, cache: C, attention_mask: Tensor | None, last_only: bool) -> Tensor:
        """Read new tokens and return the logits of the token after each of them.

        Args:
            ids: new tokens (B, T).
            cache: what the model remembers of the tokens before; these are added to it.
            attention_mask: (B, S) bool, False at the padding on the left; None where there is none.
            last_only: return the logits after the last token alone.

        Returns:
            (B, T, V), with `last_only` (B, 1, V).
        """

    def new_cache(self, batch_size: int, max_length: int) -> C:
        """Return an empty cache for `batch_size` texts of up to `max_length` tokens."""

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules that must be in evaluation mode while text is sampled, as `nn.Module.modules` does."""


class MakesDecoder(Protocol[C]):
    """A model that makes an object for fast decoding: a language model with the same logits, but for rounding."""

    def decoder(self) -> LanguageModel[C] | None:
        """Return the object, or None where there is none for the model as it is."""
