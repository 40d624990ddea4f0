"""Sampling from a language model, a token at a time, with a cache that is filled in place.

The model is any whose `model(ids, cache=..., attention_mask=..., last_only=True)` gives the logits of the next token, and
whose `model.new_cache(batch_size, max_length)` gives an empty cache (with `reorder(rows)`, for several texts a prompt).
"""

import math
from collections.abc import Collection, Iterator
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor

from lmcourse.generation.layout import laid_out

WORTH_IT = 16  # tokens to write from which on it pays to lay the matrices out anew


def sampling_distribution(
    logits: Tensor, *, temperature: float = 1.0, top_k: int | None = None, top_p: float | None = None
) -> Tensor:
    """Return the probabilities from which the next token is drawn.

    softmax(logits / temperature), of which only some tokens are kept and made to sum to 1 again: the `top_k`
    likeliest, then the fewest likeliest whose probabilities sum to at least `top_p`. At temperature 0 all of it is on
    the likeliest token (the first of equals).

    Args:
        logits: (..., V).
        temperature: below 1 sharpens, above 1 flattens, 0 is greedy.
        top_k: tokens kept; more than V keeps all. Ties with the k-th are decided by `torch.topk`.
        top_p: above 0, at most 1. The likeliest token is always kept.

    Returns:
        (..., V) in float32 (float64 for float64 logits).

    Raises:
        ValueError: a setting out of range.

    Source: top-k from Fan, Lewis and Dauphin, 2018, section 5.4; top-p from Holtzman et al., 2020, equation 2.
    """
    check_settings(temperature, top_k, top_p)
    logits = logits if logits.dtype == torch.float64 else logits.float()
    if temperature == 0.0:
        return torch.zeros_like(logits).scatter_(-1, logits.argmax(-1, keepdim=True), 1.0)
    scaled = logits / temperature
    if top_k is not None and top_k < logits.shape[-1]:
        kept = scaled.topk(top_k, dim=-1).indices
        scaled = torch.full_like(scaled, -torch.inf).scatter_(-1, kept, scaled.gather(-1, kept))
    probs = scaled.softmax(dim=-1)
    if top_p is not None and top_p < 1.0:
        ordered, order = probs.sort(dim=-1, descending=True, stable=True)
        before = ordered.cumsum(dim=-1) - ordered  # what the likelier tokens sum to already
        ordered = ordered.masked_fill(before >= top_p, 0.0)
        probs = torch.zeros_like(probs).scatter_(-1, order, ordered)
        probs = probs / probs.sum(dim=-1, keepdim=True)
    return probs


def draw(probs: Tensor, *, generator: torch.Generator | None = None) -> Tensor:
    """Return one index for each row of probabilities (B, V), drawn by inversion, (B,).

    It is the first whose cumulated probability is above a number drawn uniformly: one random number a row, where
    `torch.multinomial` draws V. What has probability 0 is never drawn.

    Raises:
        ValueError: a row that holds NaN or infinity, or nothing but zeros.

    Source: Devroye, "Non-uniform random variate generation", 1986, section II.2.
    """
    cumulated = probs.cumsum(-1, dtype=torch.float64)  # (B, V)
    total = cumulated[:, -1:]
    least, most = torch.stack(total.aminmax()).tolist()
    if not 0.0 < least <= most < math.inf:
        raise ValueError("`probs` must be finite with a sum above 0 in each row: are the model's logits finite?")
    uniform = torch.rand(total.shape, dtype=torch.float64, device=probs.device, generator=generator) * total
    below = torch.minimum(uniform, total.nextafter(torch.zeros_like(total)))  # a product may be rounded up
    return torch.searchsorted(cumulated, below, right=True).squeeze(1)


def check_settings(temperature: float, top_k: int | None, top_p: float | None) -> None:
    """Raise ValueError unless the settings of `sampling_distribution` are in their ranges."""
    if not temperature >= 0.0 or math.isinf(temperature):
        raise ValueError(f"`temperature` must be 0 or more and finite, got {temperature}.")
    if top_k is not None and top_k < 1:
        raise ValueError(f"`top_k` must be at least 1 (or None), got {top_k}.")
    if top_p is not None and not 0.0 < top_p <= 1.0:
        raise ValueError(f"`top_p` must be above 0 and at most 1 (or None), got {top_p}.")


def generate(
    model: Any,
    ids: Tensor,
    max_new_tokens: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    stop_ids: Collection[int] = (),
    attention_mask: Tensor | None = None,
    samples: int = 1,
    use_cache: bool = True,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Return the prompts with what the model writes after them.

    Args:
        model: see the module; put into evaluation mode while it writes.
        ids: prompts (B, T), on the model's device. Prompts of different lengths are padded on the left.
        max_new_tokens: at most so many; fewer if every row has stopped.
        temperature, top_k, top_p: see `sampling_distribution`; temperature 0 is greedy.
        stop_ids: a row that writes one of these has stopped, and is filled up with that token.
        attention_mask: (B, T) bool, True = a token, False = padding; needed with padded prompts only.
        samples: n texts for each prompt, side by side; with the cache a prompt is read once for all of them.
        use_cache: False computes everything anew for every token; the result is the same.
        generator: for reproducible draws, on the device of `ids`.

    Returns:
        (B n, T + N), N at most `max_new_tokens`.

    Raises:
        TypeError: ids that are not whole numbers, a mask that is not bool.
        ValueError: empty prompts, settings out of range, padding that is not on the left, more tokens than the
            model's positions.

    Cost: with the cache each new token costs one row of attention; without, all rows.
    """
    settings = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
    steps = stream(
        model,
        ids,
        max_new_tokens,
        **settings,  # type: ignore[arg-type]
        stop_ids=stop_ids,
        attention_mask=attention_mask,
        samples=samples,
        use_cache=use_cache,
        generator=generator,
    )
    B, end = len(ids) * samples, ids.shape[1]
    written = torch.empty(B, end + max_new_tokens, dtype=ids.dtype, device=ids.device)
    written[:, :end] = ids.repeat_interleave(samples, 0)
    with laid_out(model, B) if max_new_tokens >= WORTH_IT and use_cache else nullcontext():
        for token in steps:
            written[:, end] = token
            end += 1
    return written[:, :end]


def stream(
    model: Any,
    ids: Tensor,
    max_new_tokens: int,
    *,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    stop_ids: Collection[int] = (),
    attention_mask: Tensor | None = None,
    samples: int = 1,
    use_cache: bool = True,
    generator: torch.Generator | None = None,
) -> Iterator[Tensor]:
    """Return an iterator over the new tokens, (B n,) a step, as they are drawn; the arguments are those of `generate`.

    Arguments are checked at the call, not at the first token.
    """
    check_settings(temperature, top_k, top_p)
    _check_prompt(ids, max_new_tokens, attention_mask)
    if samples < 1:
        raise ValueError(f"`samples` must be at least 1, got {samples}.")
    if attention_mask is not None and bool(attention_mask.all()):
        attention_mask = None
    arguments = (temperature, top_k, top_p, tuple(stop_ids), attention_mask, samples, use_cache, generator)
    return _steps(model, ids, max_new_tokens, *arguments)


@torch.no_grad()
def _steps(
    model: Any,
    ids: Tensor,
    max_new_tokens: int,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    stop_ids: tuple[int, ...],
    attention_mask: Tensor | None,
    samples: int,
    use_cache: bool,
    generator: torch.Generator | None,
) -> Iterator[Tensor]:
    prompts, prompts_mask = ids, attention_mask
    rows = torch.arange(len(ids), device=ids.device).repeat_interleave(samples)
    if samples > 1:
        ids, attention_mask = ids[rows], None if attention_mask is None else attention_mask[rows]
    B, T = ids.shape
    total = T + max_new_tokens
    was_training = model.training
    model.eval()
    try:
        cache = model.new_cache(len(prompts), total) if use_cache and max_new_tokens else None
        text = torch.empty(B, total, dtype=ids.dtype, device=ids.device)
        text[:, :T] = ids
        mask = None
        if attention_mask is not None:
            mask = torch.ones(B, total, dtype=torch.bool, device=ids.device)
            mask[:, :T] = attention_mask
        stops = torch.tensor(stop_ids, dtype=ids.dtype, device=ids.device)
        stopped = torch.zeros(B, dtype=torch.bool, device=ids.device)
        begin = 0
        for end in range(T, total):
            if begin == 0 and cache is not None and samples > 1:  # each prompt once
                logits = model(prompts, cache=cache, attention_mask=prompts_mask, last_only=True)[rows, -1]  # (B, V)
                cache.reorder(rows)
            else:
                part = None if mask is None else mask[:, :end]
                logits = model(text[:, begin:end], cache=cache, attention_mask=part, last_only=True)[:, -1]  # (B, V)
            if temperature == 0.0:
                token = logits.argmax(-1)
            else:
                probs = sampling_distribution(logits, temperature=temperature, top_k=top_k, top_p=top_p)
                token = draw(probs, generator=generator)
            if stop_ids:
                token = torch.where(stopped, text[:, end - 1], token)  # a row that has stopped repeats its stop token
                stopped = stopped | torch.isin(token, stops)
            text[:, end] = token
            yield token
            if use_cache:
                begin = end
            if stop_ids and bool(stopped.all()):
                return
    finally:
        if was_training:
            model.train()


def _check_prompt(ids: Tensor, max_new_tokens: int, attention_mask: Tensor | None) -> None:
    if not isinstance(ids, Tensor) or ids.is_floating_point() or ids.dtype == torch.bool:
        raise TypeError(f"`ids` must be whole numbers, got {getattr(ids, 'dtype', type(ids).__name__)}.")
    if ids.dim() != 2 or ids.numel() == 0:
        raise ValueError(f"`ids` must have shape (B, T), prompts of at least one token, got {tuple(ids.shape)}.")
    if max_new_tokens < 0:
        raise ValueError(f"`max_new_tokens` must be at least 0, got {max_new_tokens}.")
    if attention_mask is None:
        return
    if attention_mask.dtype != torch.bool:
        raise TypeError(f"`attention_mask` must be bool (True = a token), got {attention_mask.dtype}.")
    if attention_mask.shape != ids.shape:
        raise ValueError(
            f"`attention_mask` must have the shape of `ids`, got {tuple(attention_mask.shape)}, {tuple(ids.shape)}."
        )
    if not bool(attention_mask[:, -1].all()) or bool((attention_mask[:, :-1] & ~attention_mask[:, 1:]).any()):
        raise ValueError("`attention_mask` must have its padding on the left: a prompt ends where the writing begins.")
