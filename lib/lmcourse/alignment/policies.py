"""What a language model must offer to be aligned: `GPT`, or a model of one's own."""

import copy
from collections.abc import Callable, Iterator
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn

from lmcourse.generation.language_model import LanguageModel
from lmcourse.kernels.unmodified import is_called_as_written
from lmcourse.runtime import evaluation_mode


class Policy(Protocol):
    """A language model whose hidden states can be had: its logits are `head(hidden(ids))`.

    Any `nn.Module` with these methods is one; it need not inherit from this class.
    """

    training: bool

    @property
    def head(self) -> Callable[[Tensor], Tensor]:
        """The last layer: hidden states (B, T, D) -> logits (B, T, V)."""

    def hidden(self, ids: Tensor, *, cache: Any = None, attention_mask: Tensor | None = None) -> Tensor:
        """Return the hidden states (B, T, D) from which the head predicts the token after each of `ids` (B, T)."""

    def new_cache(self, batch_size: int, max_length: int) -> Any:
        """Return an empty cache for `batch_size` texts of up to `max_length` tokens."""

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules, as `nn.Module.modules` does."""

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]:
        """Yield the parameters, as `nn.Module.parameters` does."""


class ReadsByParts(Protocol):
    """What reads text for a `Policy`: itself, or an object that it has made for that."""

    @property
    def head(self) -> Callable[[Tensor], Tensor]:
        """Hidden states (B, T, D) -> logits (B, T, V)."""

    def hidden(self, ids: Tensor, *, cache: Any, attention_mask: Tensor | None = None) -> Tensor:
        """Return the hidden states (B, T, D) of new tokens; they are added to the cache."""

    def modules(self) -> Iterator[nn.Module]:
        """Yield the modules that are called."""


def frozen(policy: nn.Module) -> Policy:
    """Return a copy of a policy that does not learn, in evaluation mode."""
    return cast(Policy, copy.deepcopy(policy).eval().requires_grad_(False))


def check_language_model(**models: Any) -> None:
    """Raise TypeError unless every argument is an `nn.Module` from which text can be sampled."""
    for name, model in models.items():
        if not isinstance(model, nn.Module) or not isinstance(model, LanguageModel):
            raise TypeError(
                f"`{name}` must be an nn.Module that is a LanguageModel (such as GPT), got {type(model).__name__}."
            )


def check_policy(**policies: Any) -> None:
    """Raise TypeError unless every argument is an `nn.Module` that offers what a `Policy` does."""
    for name, policy in policies.items():
        if not isinstance(policy, nn.Module) or not all(
            hasattr(policy, part) for part in ("hidden", "head", "new_cache")
        ):
            raise TypeError(
                f"`{name}` must be an nn.Module with `hidden`, `head` and `new_cache` (such as GPT), "
                f"got {type(policy).__name__}."
            )


def check_predicts_by_head(**policies: Any) -> None:
    """Raise TypeError for a policy whose call is more than its `head(hidden(ids))`, where only those are called."""
    for name, policy in policies.items():
        if not is_called_as_written(policy, "hidden"):
            raise TypeError(
                f"`{name}` must have the logits `head(hidden(ids))`, got a {type(policy).__name__} with hooks on the "
                "whole model, or with a `forward` of its own beside the `hidden` of another class: put hooks on its "
                "parts, or override `hidden` too."
            )


def scalar_head(policy: Policy) -> nn.Linear:
    """Return a new linear layer from a policy's hidden states to one number, on its device and in its dtype."""
    like = getattr(policy.head, "weight", None)  # (V, D), of a linear head
    if not isinstance(like, Tensor) or like.dim() != 2:  # another head: the hidden state of a token tells
        device = next(policy.parameters()).device
        with evaluation_mode(policy.modules()), torch.no_grad():
            like = policy.hidden(torch.zeros(1, 1, dtype=torch.long, device=device))[0]
    return nn.Linear(like.shape[1], 1, device=like.device, dtype=like.dtype)
