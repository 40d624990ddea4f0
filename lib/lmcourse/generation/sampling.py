"""Sampling from a language model: read the text so far, choose the next token, append it, and again.

B prompts, n samples of each, T length of the prompts, V vocabulary.
"""

from collections.abc import Collection, Iterator
from types import NoneType
from typing import Generic, TypeVar, Unpack, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.generation.config import SamplingConfig, SamplingSettings, configured
from lmcourse.generation.distribution import next_token
from lmcourse.generation.language_model import Cache, LanguageModel, MakesDecoder
from lmcourse.runtime import evaluation_mode

C = TypeVar("C", bound=Cache)


def generate(
    model: LanguageModel[C],
    ids: Tensor,
    max_new_tokens: int,
    *,
    config: SamplingConfig | None = None,
    stop_ids: Collection[int] = (),
    attention_mask: Tensor | None = None,
    samples: int = 1,
    use_cache: bool = True,
    generator: torch.Generator | None = None,
    **settings: Unpack[SamplingSettings],
) -> Tensor:
    """Return the prompts with what the model writes after them.

    >>> generate(model, ids, 100, temperature=0.8, top_k=50)

    Args:
        model: see `LanguageModel`. It computes as in evaluation mode; the mode that it has is not changed.
        ids: prompts (B, T) of any integer dtype, on the model's device. Prompts of different lengths are padded on the
            left.
        max_new_tokens: tokens to sample at most; fewer if every row has stopped.
        config: how a token is chosen; by default `SamplingConfig()`.
        stop_ids: a row that writes one of these has stopped, and is filled up with that token.
        attention_mask: (B, T) bool, True = a token, False = padding; needed with padded prompts only.
        samples: n texts for each prompt, side by side; with the cache a prompt is read once for all of them.
        use_cache: False computes everything anew for every token, and nothing quickly; the result is the same.
        generator: for reproducible samples, on the device of `ids`.
        settings: single settings of `SamplingConfig` by name; they replace those of `config`. `temperature=0` is
            greedy.

    Returns:
        (B n, T + N) in int64, N at most `max_new_tokens`.

    Raises:
        TypeError: an argument of another kind: `ids` that are not whole numbers, a mask that is not bool.
        ValueError: empty prompts, settings out of range, padding that is not on the left, a stop id outside the
            vocabulary, logits from which nothing can be sampled, more tokens to read than the model has positions (the
            last new token is not read).

    Cost: with the cache each new token costs one row of attention; without, all rows.
    """
    tokens = stream(
        model,
        ids,
        max_new_tokens,
        config=config,
        stop_ids=stop_ids,
        attention_mask=attention_mask,
        samples=samples,
        use_cache=use_cache,
        generator=generator,
        **settings,
    )
    prompts = ids.long().repeat_interleave(samples, 0)
    return torch.cat([prompts, *(token[:, None] for token in tokens)], dim=1)


def stream(
    model: LanguageModel[C],
    ids: Tensor,
    max_new_tokens: int,
    *,
    config: SamplingConfig | None = None,
    stop_ids: Collection[int] = (),
    attention_mask: Tensor | None = None,
    samples: int = 1,
    use_cache: bool = True,
    generator: torch.Generator | None = None,
    **settings: Unpack[SamplingSettings],
) -> Iterator[Tensor]:
    """Return an iterator over the new tokens, (B n,) at each step, as they are sampled.

    Arguments and errors are those of `generate`; arguments are checked at the call, not at the first token. What is
    put on the model between two tokens (a hook, a `forward` of its own) may count only from the next call on; a changed
    weight counts at once.
    """
    check_language_model(model)
    config = configured(config, settings)
    checks.whole(at_least=0, max_new_tokens=max_new_tokens)
    checks.whole(at_least=1, samples=samples)
    checks.whole_items(at_least=0, stop_ids=stop_ids)
    checks.instance(bool, use_cache=use_cache)
    checks.instance((torch.Generator, NoneType), generator=generator)
    _check_prompts(ids, attention_mask)
    if use_cache and hasattr(type(model), "decoder"):  # not by an attribute that a wrapper passes on
        model = cast(MakesDecoder[C], model).decoder() or model
    length = ids.shape[1] + max(max_new_tokens - 1, 0)  # the last token is not read
    read = _Reader(model, length, attention_mask, samples, use_cache)
    text = ids.long().repeat_interleave(samples, 0)  # (B n, T)
    return _tokens(read, text, max_new_tokens, config, tuple(stop_ids), generator)


@torch.no_grad()
def _tokens(
    read: "_Reader[C]",
    text: Tensor,
    max_new_tokens: int,
    config: SamplingConfig,
    stop_ids: tuple[int, ...],
    generator: torch.Generator | None,
) -> Iterator[Tensor]:
    """Sample token after token: the loop of chapter 08."""
    stops = torch.tensor(stop_ids, dtype=torch.long, device=text.device)
    stopped = torch.zeros(len(text), dtype=torch.bool, device=text.device)
    for _ in range(max_new_tokens):
        logits = read(text)  # (B n, V)
        seen = None if config.repetition_penalty == 1.0 else read.seen(text, logits.shape[-1])
        token = next_token(logits, config, seen=seen, generator=generator)
        if stop_ids:
            checks.whole_items(below=logits.shape[-1], stop_ids=stop_ids)
            token = torch.where(stopped, text[:, -1], token)  # a row that has stopped repeats its stop token
            stopped = stopped | torch.isin(token, stops)
        text = torch.cat([text, token[:, None]], dim=1)
        yield token
        if stop_ids and bool(stopped.all()):
            return


class _Reader(Generic[C]):
    """Gives the logits of the next token of texts that grow, (B n, V); with a cache it reads only what is new."""

    def __init__(
        self, model: LanguageModel[C], max_length: int, attention_mask: Tensor | None, samples: int, use_cache: bool
    ) -> None:
        self.model, self.max_length, self.samples, self.use_cache = model, max_length, samples, use_cache
        self.modules = list(model.modules())
        self.cache: C | None = None
        self.mask: Tensor | None = None  # (B n, max_length)
        if attention_mask is not None and not bool(attention_mask.all()):
            new = max_length - attention_mask.shape[1]
            self.mask = F.pad(attention_mask, (0, new), value=True).repeat_interleave(samples, 0)

    def __call__(self, text: Tensor) -> Tensor:
        n, length = self.samples, text.shape[1]
        mask = None if self.mask is None else self.mask[:, :length]
        if not self.use_cache:
            return self._last(text, self.model.new_cache(len(text), length), mask)
        if self.cache is not None:
            return self._last(text[:, -1:], self.cache, mask)
        self.cache = self.model.new_cache(len(text) // n, self.max_length)
        logits = self._last(text[::n], self.cache, None if mask is None else mask[::n])  # each prompt once
        if n == 1:
            return logits
        rows = torch.arange(len(text), device=text.device) // n
        self.cache.reorder(rows)
        return logits[rows]

    def _last(self, ids: Tensor, cache: C, mask: Tensor | None) -> Tensor:
        with evaluation_mode(self.modules):
            logits = self.model(ids, cache=cache, attention_mask=mask, last_only=True)
        if not isinstance(logits, Tensor) or logits.dim() != 3 or logits.shape[:2] != (len(ids), 1):
            got = tuple(logits.shape) if isinstance(logits, Tensor) else type(logits).__name__
            raise ValueError(f"`model` must return logits (B, 1, V) with B={len(ids)}, got {got}.")
        return logits[:, -1]

    def seen(self, text: Tensor, vocab_size: int) -> Tensor:
        """Return which tokens the texts hold, padding left out, (B n, V)."""
        if self.mask is not None:  # padding stands for the last token of the prompt, which is there anyway
            text = torch.where(self.mask[:, : text.shape[1]], text, text[:, -1:])
        return torch.zeros(len(text), vocab_size, dtype=torch.bool, device=text.device).scatter_(1, text, True)


def check_language_model(model: object) -> None:
    """Raise TypeError for what is not a `LanguageModel`."""
    if not isinstance(model, LanguageModel):
        raise TypeError(
            "`model` must be a language model: it must be callable and have the methods `new_cache` and `modules`, "
            f"got {type(model).__name__}."
        )


def _check_prompts(ids: Tensor, attention_mask: Tensor | None) -> None:
    tensor_checks.integers(ids=ids)
    if ids.dim() != 2 or ids.numel() == 0:
        raise ValueError(f"`ids` must have shape (B, T), prompts of at least one token, got {tuple(ids.shape)}.")
    tensor_checks.has_values(ids=ids)
    if attention_mask is None:
        return
    tensor_checks.boolean(attention_mask=attention_mask)
    tensor_checks.same_shape(ids=ids, attention_mask=attention_mask)
    tensor_checks.same_device(ids=ids, attention_mask=attention_mask)
    tensor_checks.padding_on_the_left(attention_mask=attention_mask)
