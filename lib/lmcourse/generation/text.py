"""Text in, text out, as it is written."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Protocol, Unpack, runtime_checkable

import torch

from lmcourse import checks
from lmcourse.generation.config import SamplingConfig, SamplingSettings
from lmcourse.generation.language_model import LanguageModel
from lmcourse.generation.sampling import check_language_model, stream
from lmcourse.generation.stopping import until_stop
from lmcourse.tokenizers.stream_decoder import StreamDecoder


@runtime_checkable
class Tokenizer(Protocol):
    """Turns text into ids, and ids into text one at a time; `BPETokenizer` is one."""

    def encode(self, text: str) -> list[int]: ...

    def stream_decoder(self) -> StreamDecoder: ...


def stream_text(
    model: LanguageModel[Any],
    tokenizer: Tokenizer,
    prompt: str,
    max_new_tokens: int,
    *,
    stops: Sequence[str] = (),
    stop_ids: Collection[int] = (),
    config: SamplingConfig | None = None,
    generator: torch.Generator | None = None,
    **settings: Unpack[SamplingSettings],
) -> Iterator[str]:
    """Return an iterator over what the model writes after a prompt, piece by piece as it is sampled.

    >>> for piece in stream_text(model, tokenizer, "Once upon a time", 100, temperature=0.8):
    ...     print(piece, end="", flush=True)

    A piece never ends within a character, and never holds what may be the beginning of a stop string.

    Args:
        model: see `generate`.
        tokenizer: see `Tokenizer`.
        prompt: at least one token.
        max_new_tokens: tokens to sample at most.
        stops: strings before which the text ends.
        stop_ids: tokens that end the text and do not belong to it.
        config, settings: as for `generate`.
        generator: for reproducible samples, on the model's device.

    Raises:
        TypeError, ValueError: as `generate` and `until_stop` do, at the call.
    """
    check_language_model(model)
    checks.instance(Tokenizer, tokenizer=tokenizer)
    checks.instance(str, prompt=prompt)
    device = next((parameter.device for module in model.modules() for parameter in module.parameters()), None)
    ids = torch.tensor([tokenizer.encode(prompt)], dtype=torch.long, device=device)
    if ids.numel() == 0:
        raise ValueError("`prompt` must be at least one token long, got an empty text.")
    tokens = stream(model, ids, max_new_tokens, config=config, stop_ids=stop_ids, generator=generator, **settings)
    return until_stop(_pieces((int(token) for token in tokens), tokenizer.stream_decoder(), frozenset(stop_ids)), stops)


def _pieces(numbers: Iterator[int], decoder: StreamDecoder, stop_ids: frozenset[int]) -> Iterator[str]:
    for number in numbers:
        if number not in stop_ids:
            yield decoder.feed(number)
    yield decoder.end()
