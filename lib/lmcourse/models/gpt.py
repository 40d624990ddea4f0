"""GPT: the decoder-only transformer, from the blocks of `layers`.

It is the encoder layer of chapter 06 with a causal mask. With RMSNorm, SwiGLU, rotary positions and grouped queries
the same class is a model of Llama's kind.

B batch, T length, D width, V vocabulary, L layers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from types import NoneType
from typing import Literal, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse import checks, kernels, tensor_checks
from lmcourse.kernels.shared_prefix import SharedPrefixCache
from lmcourse.kernels.switch import enabled_eagerly
from lmcourse.kernels.unmodified import AsMade, is_called_as_written
from lmcourse.layers.cache import KVCache
from lmcourse.layers.losses import linear_cross_entropy
from lmcourse.layers.positions import (
    ALiBi,
    LearnedPositionalEmbedding,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
    check_scaling,
)
from lmcourse.layers.transformer import ACTIVATIONS, Activation, AttentionConfig, EncoderLayer, make_norm
from lmcourse.models.decoder import PARTS, Decoder
from lmcourse.models.pretrained import load_weights, read_gpt
from lmcourse.models.tying import tie
from lmcourse.runtime import evaluation_mode


@dataclass(frozen=True)
class GPTConfig:
    """The sizes of a `GPT`. GPT-2 small: vocabulary 50,257, context 1,024, 768 wide, 12 heads, 12 layers.

    Attributes:
        vocab_size: V.
        context_length: the tokens that it is trained to look back on. Learned positions end there; with the others a
            longer text can be read, which is not to say understood.
        embed_dim: D.
        num_heads, num_kv_heads: heads of the queries, and of keys and values (by default as many).
        num_layers: L.
        hidden_size: of the feed-forward blocks; by default 4 D, with swiglu 8/3 D rounded up to a multiple of 8.
        positions: "learned" (GPT-2), "sinusoidal", "rotary" (Llama) or "alibi" (see `ALiBi`).
        norm: "layer" or "rms", always before the sublayers.
        activation: "gelu_tanh" is GPT-2's, "swiglu" Llama's, "relu2" the square of relu.
        dropout: on embeddings and on every sublayer's output.
        bias: of all linear layers but the head; Llama has none.
        norm_eps: added to the variance.
        rotary_base, rotary_interleaved, rotary_scaling: see `RotaryPositionalEmbedding`.
        tie_embeddings: the head uses the embedding table.
        qk_norm: see `MultiHeadAttention`.
        zero_outputs: the projections that write to the stream start at zero, so that the fresh model is its embedding
            and head alone.
        head_dim: K, by default D / H (Qwen3 has others).
        window: a token sees so many, itself included (Mistral's sliding window); by default all before it.
        unrotated_layers: numbers of the layers, from 0, without the rotary positions of the others (SmolLM3 leaves
            every fourth to attend by content alone).
    """

    vocab_size: int
    context_length: int = 128
    embed_dim: int = 128
    num_heads: int = 4
    num_layers: int = 4
    num_kv_heads: int | None = None
    positions: Literal["learned", "sinusoidal", "rotary", "alibi"] = "learned"
    norm: Literal["layer", "rms"] = "layer"
    activation: Activation = "gelu"
    dropout: float = 0.0
    tie_embeddings: bool = True
    hidden_size: int | None = None
    bias: bool = True
    norm_eps: float = 1e-5
    rotary_base: float = 10000.0
    rotary_interleaved: bool = False
    qk_norm: bool = False
    zero_outputs: bool = False
    rotary_scaling: Sequence[float] | None = None
    head_dim: int | None = None
    window: int | None = None
    unrotated_layers: Sequence[int] = ()

    def __post_init__(self) -> None:
        checks.whole(
            vocab_size=self.vocab_size,
            context_length=self.context_length,
            embed_dim=self.embed_dim,
            num_heads=self.num_heads,
            at_least=1,
        )
        checks.whole(num_layers=self.num_layers, at_least=0)
        for name in ("num_kv_heads", "hidden_size", "head_dim", "window"):
            if getattr(self, name) is not None:
                checks.whole(at_least=1, **{name: getattr(self, name)})
        if self.head_dim is None:
            checks.divides(num_heads=self.num_heads, embed_dim=self.embed_dim)
        checks.divides(num_kv_heads=self.num_kv_heads or 1, num_heads=self.num_heads)
        checks.one_of(("learned", "sinusoidal", "rotary", "alibi"), positions=self.positions)
        checks.one_of(("layer", "rms"), norm=self.norm)
        checks.one_of(ACTIVATIONS, activation=self.activation)
        checks.number(dropout=self.dropout, at_least=0.0, below=1.0)
        checks.number(norm_eps=self.norm_eps, at_least=0.0, below=1.0)
        checks.number(rotary_base=self.rotary_base, at_least=1.0)
        check_scaling(rotary_scaling=self.rotary_scaling)
        checks.instance((tuple, list), unrotated_layers=self.unrotated_layers)
        checks.whole_items(at_least=0, below=self.num_layers, unrotated_layers=self.unrotated_layers)
        if self.unrotated_layers and self.positions != "rotary":
            raise ValueError(
                f"`unrotated_layers` must be empty where positions={self.positions!r}, got {self.unrotated_layers}."
            )

    @property
    def head_size(self) -> int:
        """K, the width of a head."""
        return self.head_dim or self.embed_dim // self.num_heads

    @property
    def feed_forward_size(self) -> int:
        """The hidden width of the feed-forward blocks."""
        if self.hidden_size is not None:
            return self.hidden_size
        return 8 * math.ceil(self.embed_dim / 3) if self.activation == "swiglu" else 4 * self.embed_dim


class GPTCache:
    """Keys and values of all layers, and how many tokens they hold."""

    def __init__(self, layers: list[KVCache]) -> None:
        self.layers = layers
        self.length = 0

    def reset(self) -> None:
        """Forget all tokens; the memory is kept."""
        self.length = 0
        for layer in self.layers:
            layer.reset()

    def reorder(self, rows: Tensor) -> None:
        """Make row b a copy of what was row rows[b], for as many rows as there are."""
        for layer in self.layers:
            layer.reorder(rows)


class GPT(nn.Module):
    """p(ids) = product over t of softmax(W norm(x_t))[ids_{t+1}], where x_t has seen ids_0 .. ids_t.

    x = dropout(E[ids] + P); x = x + attention(norm(x)), x = x + feed_forward(norm(x)), L times.

    Weights start as in GPT-2: normal with standard deviation 0.02, the two projections that write to the stream
    scaled by 1 / sqrt(2 L).

    Source: Radford et al., 2018 and 2019, section 2.3; Touvron et al., "LLaMA", 2023, section 2.2.
    """

    def __init__(self, config: GPTConfig) -> None:
        checks.instance(GPTConfig, config=config)
        super().__init__()
        self.config = config
        D = config.embed_dim
        self.embedding = nn.Embedding(config.vocab_size, D)
        self.positions = self._absolute_positions()
        self.dropout = nn.Dropout(config.dropout)
        attention = self._attention_config()
        self.layers = nn.ModuleList(
            EncoderLayer(
                D,
                config.num_heads,
                config.feed_forward_size,
                norm="pre",
                norm_layer=config.norm,
                norm_eps=config.norm_eps,
                activation=config.activation,
                dropout=config.dropout,
                bias=config.bias,
                attention=replace(attention, rotary=None) if number in config.unrotated_layers else attention,
            )
            for number in range(config.num_layers)
        )
        self.norm = make_norm(D, config.norm, eps=config.norm_eps)
        self.head = nn.Linear(D, config.vocab_size, bias=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew, as the class says; gains start at 1 and biases at 0."""
        if self.config.tie_embeddings:
            tie(self.head, self.embedding)
        for name, parameter in self.named_parameters():
            writes = name.endswith(("attention.out_proj.weight", "feed_forward.down.weight"))
            if name.endswith("bias") or (writes and self.config.zero_outputs):
                nn.init.zeros_(parameter)
            elif parameter.dim() == 1:
                nn.init.ones_(parameter)
            else:
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * self.config.num_layers) if writes else 0.02)

    def forward(
        self,
        ids: Tensor,
        *,
        cache: GPTCache | None = None,
        attention_mask: Tensor | None = None,
        last_only: bool = False,
    ) -> Tensor:
        """Return the logits of the token after each of `ids`.

        Args:
            ids: (B, T).
            cache: of `new_cache`: the tokens before `ids`; these are added to it.
            attention_mask: (B, S) bool, True = a token, False = padding, S counting the cached tokens too. Or
                (B, T, S): what each token may attend to, for several texts in one row; the future is hidden anyway. A
                token's position is the number of tokens that it sees before it.
            last_only: the logits after the last token alone: the head is a good part of the cost.

        Returns:
            logits (B, T, V), or (B, 1, V).

        Raises:
            TypeError: `ids` are not whole numbers, a mask that is not bool.
            ValueError: other shapes, an id outside the vocabulary (found on the CPU), a text beyond
                learned positions.
            RuntimeError: the cache is too short.
        """
        x = self.hidden(ids, cache=cache, attention_mask=attention_mask)  # (B, T, D)
        logits: Tensor = self.head(x[:, -1:] if last_only else x)  # (B, T, V)
        return logits

    def hidden(self, ids: Tensor, *, cache: GPTCache | None = None, attention_mask: Tensor | None = None) -> Tensor:
        """Return what the head reads, (B, T, D); the arguments are those of `forward`."""
        checks.instance((GPTCache, NoneType), cache=cache)
        x, mask, positions = self._start(ids, 0 if cache is None else cache.length, attention_mask)
        x = self.dropout(x)
        caches = [None] * len(self.layers) if cache is None else cache.layers
        for layer, layer_cache in zip(self.layers, caches, strict=True):
            x = layer(x, mask, causal=True, cache=layer_cache, positions=positions)
        if cache is not None:
            cache.length += ids.shape[1]
        normed: Tensor = self.norm(x)
        return normed

    def hidden_with_shared_prefix(
        self, prefixes: Tensor, continuations: Tensor, *, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return what the head reads in texts that begin alike; what they share is computed once for all of them.

        Args:
            prefixes: what the texts of a group begin with, (G, P).
            continuations: what the n texts of each group continue with, (G, n, R).
            attention_mask: (G, P) bool, False = padding, on the left of the prefixes.

        Returns:
            of the prefixes (G, P, D), and of the continuations (G, n, R, D): as `hidden` gives for each text alone,
            and so are the gradients. (With dropout, the texts of a group share what falls on their prefix.)

        Raises:
            TypeError, ValueError: shapes that do not fit, and what `forward` refuses.
        """
        tensor_checks.token_ids(self.embedding, prefixes=prefixes)
        tensor_checks.integers(continuations=continuations)
        tensor_checks.shape((len(prefixes), "n", "R"), continuations=continuations)
        tensor_checks.token_ids(self.embedding, continuations=continuations.flatten(0, 1))
        (G, n, R), seen = continuations.shape, None
        if attention_mask is not None:
            tensor_checks.boolean(attention_mask=attention_mask)
            tensor_checks.same_shape(prefixes=prefixes, attention_mask=attention_mask)
            seen = F.pad(attention_mask.repeat_interleave(n, 0), (0, R), value=True)  # (G n, P + R)
        if not kernels.enabled():
            return self._hidden_of_each(prefixes, continuations, seen)
        cache = GPTCache([cast(KVCache, SharedPrefixCache()) for _ in self.layers])  # used as one
        of_prefixes = self.hidden(prefixes, cache=cache, attention_mask=attention_mask)
        hidden = self.hidden(continuations.flatten(0, 1), cache=cache, attention_mask=seen)
        return of_prefixes, hidden.unflatten(0, (G, n))

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross-entropy of `targets` (B, T), the tokens after `inputs` (B, T), in nats.

        Every target counts; see `linear_cross_entropy`, which holds the logits of a part of them at once. A head
        that is not as it was made, or has hooks, is called instead, and all logits are held; so is the whole model, if
        it has hooks or a subclass has a `forward` of its own.

        Raises:
            TypeError, ValueError: targets of another shape than the inputs, and what `forward` refuses.
        """
        tensor_checks.token_ids(self.embedding, inputs=inputs, targets=targets)
        tensor_checks.same_shape(inputs=inputs, targets=targets)
        return self._cross_entropy(inputs, targets.flatten())

    @torch.no_grad()
    def total_nll(
        self, ids: Tensor, *, stride: int | None = None, batch_size: int = 16, part: tuple[int, int] = (0, 1)
    ) -> float:
        """Return the total cost of a long text: the sum of -log p(ids[t] | what the window shows before t), in nats.

        Windows of context_length tokens begin every `stride` tokens; of each, only the predictions that no window
        before it has made are counted, so that all but the first rest on context_length - stride + 1 tokens or more.
        The first token is given. Only the logits that count are computed, a part at a time.

        Args:
            ids: (N,), N at least 2.
            stride: by default half a window. Smaller ones cost more time and give each token more context.
            batch_size: windows read side by side.
            part: (k, n): only every n-th batch of windows from number k on, for process k of n that share the work. The
                parts add up to the whole, and all of them call the layers equally often.

        Raises:
            TypeError: `ids`, `stride`, `batch_size` or the parts of `part` are not whole numbers.
            ValueError: fewer than 2 tokens, `stride` outside 1..context_length, `batch_size` below 1, k outside 0..n-1.
        """
        C = self.config.context_length
        stride = max(1, C // 2) if stride is None else stride
        tensor_checks.integers(ids=ids, at_least=0, below=self.config.vocab_size)
        if ids.dim() != 1 or len(ids) < 2:
            raise ValueError(f"`ids` must have shape (N,) with N at least 2, got {tuple(ids.shape)}.")
        checks.whole(stride=stride, at_least=1, at_most=C)
        checks.whole(batch_size=batch_size, at_least=1)
        number, of = checks.pair(part=part)
        checks.whole(**{"part[1]": of}, at_least=1)
        checks.whole(**{"part[0]": number}, at_least=0, below=of)
        last = len(ids) - 1  # predictions to make
        starts = torch.arange(0, max(last - C + stride, 1), stride)  # the last window reaches the end
        total = 0.0
        batches = starts.split(batch_size)
        with evaluation_mode(self.modules()):
            for at in range(number, math.ceil(len(batches) / of) * of, of):
                some = batches[min(at, len(batches) - 1)]
                window = some[:, None] + torch.arange(min(C, last))  # (windows, C), the last may end beyond the text
                fresh = ((window >= some[:, None] + C - stride) | (some[:, None] == 0)) & (window < last)
                inputs = ids[window.clamp(max=last - 1).to(ids.device)]
                targets = ids[(window[fresh] + 1).to(ids.device)]  # (n,)
                nats = float(self._cross_entropy(inputs, targets, fresh.to(ids.device), "sum"))
                total += nats if at < len(batches) else 0.0  # where batches run out, one is read again for company
        return total

    @torch.no_grad()
    def attention_maps(self, ids: Tensor) -> list[Tensor]:
        """Return the weights of each layer for ids (B, T): L x (B, H, T, T)."""
        self._check(ids, 0, None)
        x, maps = self._embed(ids, 0, None), []
        for layer in self.layers:
            x, weights = layer(x, causal=True, return_weights=True)
            maps.append(weights)
        return maps

    def new_cache(self, batch_size: int, max_length: int) -> GPTCache:
        """Return an empty cache for `max_length` tokens; it is filled in place and never grows."""
        checks.whole(max_length=max_length, at_least=1)
        if self.config.positions == "learned" and max_length > self.config.context_length:
            raise ValueError(
                "`max_length` (in `generate`, the prompt and `max_new_tokens` together) must be at most "
                f"context_length={self.config.context_length}, where the learned positions end, got {max_length}."
            )
        return GPTCache(
            [cast(EncoderLayer, layer).attention.new_cache(batch_size, max_length) for layer in self.layers]
        )

    def decoder(self) -> Decoder[GPTCache] | None:
        """Return an object that gives the same logits as the model in evaluation mode, faster: `generate` uses it.

        Returns:
            A `Decoder`; None for a model in which somebody changed or hears anything: a hook, a subclass, an adapter, a
            `forward` of its own.
        """
        if not kernels.enabled() or not _as_made(self):
            return None
        return Decoder(self.layers, self.norm, self.head, start=self._start, new_cache=self.new_cache)

    @classmethod
    def from_pretrained(cls, path: str | PathLike[str], *, dtype: torch.dtype = torch.float32) -> "GPT":
        """Return a model with the weights of a folder (config.json, safetensors) or of a GGUF file.

        A setting that this class does not have is refused by its name. `models.export` writes them back:

        | model | read | exported, as a folder and as GGUF |
        |---|---|---|
        | GPT-2 | yes | yes |
        | Llama 2, 3.x | with biases, Llama 3's scaling, any `head_dim` | yes |
        | Mistral | with a sliding window in all layers | GGUF if the window holds the context |
        | Qwen2, Qwen3 | without a window | GGUF of Qwen3 without biases |
        | SmolLM3 | without a window | GGUF without biases, every fourth layer unrotated |
        | Gemma, Phi, mixtures of experts; other scalings (YaRN, linear) | no | |

        Raises:
            FileNotFoundError: no such folder or file, or no config.json or safetensors in it.
            ValueError: an architecture, setting or quantisation that this class does not have; missing or surplus
                tensors, or shapes that do not match the config (names are listed).
        """
        settings, weights = read_gpt(path)
        return load_weights(cls, GPTConfig(**settings), weights, dtype)

    def _absolute_positions(self) -> LearnedPositionalEmbedding | SinusoidalPositions | None:
        """Return the positions that are added to the embeddings."""
        config = self.config
        if config.positions == "learned":
            return LearnedPositionalEmbedding(config.context_length, config.embed_dim)
        return SinusoidalPositions(config.embed_dim) if config.positions == "sinusoidal" else None

    def _attention_config(self) -> AttentionConfig:
        """Return what the layers' attention has, the positions that act there included."""
        config, rotary, alibi = self.config, None, None
        if config.positions == "rotary":
            interleaved, scaling = config.rotary_interleaved, config.rotary_scaling
            rotary = RotaryPositionalEmbedding(
                config.head_size, base=config.rotary_base, interleaved=interleaved, scaling=scaling
            )
        elif config.positions == "alibi":
            alibi = ALiBi(config.num_heads)
        return AttentionConfig(
            config.num_kv_heads,
            rotary=rotary,
            alibi=alibi,
            qk_norm=config.qk_norm,
            head_dim=config.head_dim,
            window=config.window,
        )

    def _start(
        self, ids: Tensor, before: int, attention_mask: Tensor | None
    ) -> tuple[Tensor, Tensor | None, Tensor | None]:
        """Return the embeddings (B, T, D), the mask for the layers, and positions that are not simply 0, 1, 2, ..."""
        self._check(ids, before, attention_mask)
        if attention_mask is None:
            return self._embed(ids, before, None), None, None
        positions = positions_in(attention_mask, before)  # (B, S)
        mask = attention_mask.view(len(ids), 1, -1, attention_mask.shape[-1])  # (B, 1, 1 or T, S)
        return self._embed(ids, before, positions), mask, positions

    def _embed(self, ids: Tensor, before: int, positions: Tensor | None) -> Tensor:
        x: Tensor = self.embedding(ids.long())  # (B, T, D)
        if self.positions is not None:
            x = self.positions(x, before if positions is None else positions[:, -ids.shape[1] :])
        return x

    def _hidden_of_each(
        self, prefixes: Tensor, continuations: Tensor, attention_mask: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Return what `hidden_with_shared_prefix` does, from each text as a whole."""
        (G, n, _), P = continuations.shape, prefixes.shape[1]
        whole = torch.cat([prefixes[:, None].expand(-1, n, -1), continuations], dim=2)  # (G, n, P + R)
        hidden = self.hidden(whole.flatten(0, 1), attention_mask=attention_mask).unflatten(0, (G, n))
        return hidden[:, 0, :P], hidden[:, :, P:]

    def _cross_entropy(
        self,
        inputs: Tensor,
        targets: Tensor,
        counts: Tensor | None = None,
        reduction: Literal["mean", "sum"] = "mean",
    ) -> Tensor:
        """Return the cross-entropy of targets (N,), the tokens after those of `inputs` (B, T) that count."""
        as_a_whole = torch.compiler.is_compiling() or not is_called_as_written(self, "hidden")
        read = self(inputs) if as_a_whole else self.hidden(inputs)
        read = read.flatten(0, 1) if counts is None else read[counts]  # (N, V) or (N, D)
        if not as_a_whole and enabled_eagerly(read) and _as_made(self.head) and self.head.bias is None:
            return linear_cross_entropy(read, self.head.weight, targets, reduction=reduction)
        logits = read if as_a_whole else self.head(read)  # (N, V)
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        return F.cross_entropy(logits, targets.long(), reduction=reduction)

    def _check(self, ids: Tensor, before: int, attention_mask: Tensor | None) -> None:
        tensor_checks.token_ids(self.embedding, ids=ids)
        (B, T), C = ids.shape, self.config.context_length
        if self.config.positions == "learned" and before + T > C:
            raise ValueError(
                f"`ids` must end within context_length={C}, where the learned positions end, "
                f"got {before} tokens before and T={T}."
            )
        if attention_mask is None:
            return
        tensor_checks.boolean(attention_mask=attention_mask)
        tensor_checks.same_device(ids=ids, attention_mask=attention_mask)
        if attention_mask.shape not in ((B, before + T), (B, T, before + T)):
            raise ValueError(
                f"`attention_mask` must have shape (B, S) = {(B, before + T)}, the cached tokens included, "
                f"or (B, T, S), got {tuple(attention_mask.shape)}."
            )
        if self.config.positions == "alibi" and attention_mask.dim() == 3 and before > 0:
            raise ValueError(
                "`attention_mask` of shape (B, T, S) must come without cached tokens where positions='alibi', "
                f"got {before} tokens in the cache: it does not say at which positions they are."
            )


_as_made = AsMade([GPT, *PARTS])


def positions_in(attention_mask: Tensor, before: int) -> Tensor:
    """Return the position of each token: the number of tokens that it sees before it.

    Args:
        attention_mask: bool (B, S), or (B, T, S) of the T tokens after `before` cached ones.
        before: S - T.

    Returns:
        whole numbers (B, S); of a mask (B, T, S) only those of the T tokens, (B, T).
    """
    seen = attention_mask.cumsum(1) if attention_mask.dim() == 2 else attention_mask.tril(before).sum(2)
    return (seen - 1).clamp(min=0)
