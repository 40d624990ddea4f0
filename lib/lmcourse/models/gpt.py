"""GPT: the decoder-only transformer, from the blocks of `layers`.

It is the encoder layer of chapter 06 with a causal mask. With RMSNorm, SwiGLU, rotary positions and grouped queries
the same class is a model of Llama's kind.

B batch, T length, D width, V vocabulary, L layers.
"""

import math
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any, Literal, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lmcourse.layers.attention import KVCache
from lmcourse.layers.branches import attention_in_branches
from lmcourse.layers.linear_cross_entropy import linear_cross_entropy
from lmcourse.layers.positions import LearnedPositionalEmbedding, RotaryPositionalEmbedding, sinusoidal_positions
from lmcourse.layers.transformer import Activation, EncoderLayer, FeedForward, is_plain, make_norm
from lmcourse.models.pretrained import load_weights, read_gpt


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
        positions: "learned" (GPT-2), "sinusoidal", or "rotary".
        norm: "layer" or "rms", always before the sublayers.
        activation: "gelu_tanh" is GPT-2's, "swiglu" Llama's, "relu2" the square of relu.
        dropout: on embeddings and on every sublayer's output.
        bias: of all linear layers but the head; Llama has none.
        norm_eps: added to the variance.
        rotary_base, rotary_interleaved: see `RotaryPositionalEmbedding`.
        tie_embeddings: the head uses the embedding table.
        qk_norm: see `MultiHeadAttention`.
        zero_outputs: the projections that write to the stream start at zero, so that the fresh model is its embedding
            and head alone.
    """

    vocab_size: int
    context_length: int = 128
    embed_dim: int = 128
    num_heads: int = 4
    num_layers: int = 4
    num_kv_heads: int | None = None
    positions: Literal["learned", "sinusoidal", "rotary"] = "learned"
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

    def __post_init__(self) -> None:
        for name in ("vocab_size", "context_length", "embed_dim", "num_heads"):
            if getattr(self, name) < 1:
                raise ValueError(f"`{name}` must be at least 1, got {getattr(self, name)}.")
        if self.num_layers < 0:
            raise ValueError(f"`num_layers` must be at least 0, got {self.num_layers}.")
        if self.positions not in ("learned", "sinusoidal", "rotary"):
            raise ValueError(f'`positions` must be "learned", "sinusoidal" or "rotary", got {self.positions!r}.')
        if not 0.0 <= self.dropout < 1.0:
            raise ValueError(f"`dropout` must be at least 0 and less than 1, got {self.dropout}.")

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
        super().__init__()
        self.config = config
        D = config.embed_dim
        self.embedding = nn.Embedding(config.vocab_size, D)
        self.positions = LearnedPositionalEmbedding(config.context_length, D) if config.positions == "learned" else None
        self.dropout = nn.Dropout(config.dropout)
        rotary = None
        if config.positions == "rotary":
            head_dim = D // config.num_heads
            rotary = RotaryPositionalEmbedding(head_dim, base=config.rotary_base, interleaved=config.rotary_interleaved)
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
                num_kv_heads=config.num_kv_heads,
                rotary=rotary,
                qk_norm=config.qk_norm,
                bias=config.bias,
            )
            for _ in range(config.num_layers)
        )
        self.norm = make_norm(D, config.norm, eps=config.norm_eps)
        self.head = nn.Linear(D, config.vocab_size, bias=False)
        if config.tie_embeddings:
            self.head.weight = self.embedding.weight
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew, as the class says."""
        for name, parameter in self.named_parameters():
            if parameter.dim() < 2:
                continue  # gains start at 1 and biases at 0
            writes = name.endswith(("attention.out_proj.weight", "feed_forward.down.weight"))
            if writes and self.config.zero_outputs:
                nn.init.zeros_(parameter)
            else:
                nn.init.normal_(parameter, std=0.02 / math.sqrt(2 * self.config.num_layers) if writes else 0.02)
        for module in self.modules():
            if isinstance(module, nn.Linear) and module.bias is not None:
                nn.init.zeros_(module.bias)

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
            attention_mask: (B, S) bool, True = a token, False = padding (on the left), S counting the cached tokens too.
                Or (B, T, S): what each token may look at, for several texts in one row; the future is hidden anyway,
                and a token's position is the number of those it sees before it.
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
        return self.head(x[:, -1:] if last_only else x)

    def hidden(self, ids: Tensor, *, cache: GPTCache | None = None, attention_mask: Tensor | None = None) -> Tensor:
        """Return what the head reads, (B, T, D); the arguments are those of `forward`."""
        before = 0 if cache is None else cache.length
        x = self.dropout(self._embed(ids, before, attention_mask))
        mask = None
        if attention_mask is not None:
            mask = (
                attention_mask[:, None, None] if attention_mask.dim() == 2 else attention_mask[:, None]
            )  # (B, 1, 1 or T, S)
        for i, layer in enumerate(self.layers):
            x = layer(x, mask, causal=True, cache=None if cache is None else cache.layers[i])
        if cache is not None:
            cache.length += ids.shape[1]
        return self.norm(x)

    def hidden_in_branches(
        self, shared: Tensor, branches: Tensor, *, attention_mask: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Return what the head reads in texts that begin alike; what they share is read once for all of them.

        Args:
            shared: the beginnings, (G, P).
            branches: what n texts go on with, (G, n, R).
            attention_mask: (G, P) bool, False = padding, on the left of the beginnings.

        Returns:
            of the beginnings (G, P, D), and of what follows (G, n, R, D): as `hidden` gives for each text alone (of
            dropout, the texts of a group share what falls on their beginning). The layers' own `forward` is not
            called, see `reads_in_branches`.

        Raises:
            ValueError: shapes that do not fit, and what `forward` refuses.
        """
        if shared.dim() != 2 or branches.dim() != 3 or len(shared) != len(branches):
            raise ValueError(
                "`shared` and `branches` must have shapes (G, P) and (G, n, R), got "
                f"{tuple(shared.shape)} and {tuple(branches.shape)}."
            )
        (G, P), (_, n, R) = shared.shape, branches.shape
        seen = None if attention_mask is None else F.pad(attention_mask.repeat_interleave(n, 0), (0, R), value=True)
        parts = self._embed(shared, 0, attention_mask), self._embed(branches.flatten(0, 1), P, seen)
        x = self.dropout(torch.cat([part.flatten(0, 1) for part in parts])[None])  # (1, G P + G n R, D)
        places: dict[str, Any] = {"groups": G, "shared": P, "branches": n, "attention_mask": attention_mask}
        for layer in cast(list[EncoderLayer], self.layers):
            attend = partial(attention_in_branches, module=layer.attention, **places)
            x, _ = layer.residual(x, layer.attention_norm, attend)
            x, _ = layer.residual(x, layer.feed_forward_norm, layer.feed_forward)
        first, rest = self.norm(x)[0].split([G * P, G * n * R])
        return first.view(G, P, -1), rest.view(G, n, R, -1)

    @property
    def reads_in_branches(self) -> bool:
        """Whether `hidden_in_branches` does all that `hidden` does: nobody changed it or a layer, or listens to one."""
        ours = type(self).hidden is GPT.hidden and "hidden" not in vars(self)
        return ours and all(
            is_plain(layer) and type(layer.feed_forward) is FeedForward
            for layer in cast(list[EncoderLayer], self.layers)
        )

    def loss(self, inputs: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross-entropy of `targets` (B, T), the tokens after `inputs` (B, T), in nats.

        Every target counts; see `linear_cross_entropy`, which holds the logits of a part of them at once.
        """
        return linear_cross_entropy(self.hidden(inputs).flatten(0, 1), self.head.weight, targets.flatten())

    @torch.no_grad()
    def total_nll(self, ids: Tensor, *, stride: int | None = None, batch_size: int = 16) -> float:
        """Return the total cost of a long text: the sum of -log p(ids[t] | what the window shows before t), in nats.

        Windows of context_length tokens begin every `stride` tokens; of each, only the predictions that no window
        before it has made are counted, so that all but the first rest on context_length - stride + 1 tokens or more.
        The first token is given.

        Args:
            ids: (N,), N at least 2.
            stride: by default half a window. Smaller ones cost more time and give each token more to look back on.
            batch_size: windows read side by side.

        Raises:
            ValueError: fewer than 2 tokens, `stride` outside 1..context_length, `batch_size` below 1.
        """
        C = self.config.context_length
        stride = max(1, C // 2) if stride is None else stride
        if ids.dim() != 1 or len(ids) < 2:
            raise ValueError(f"`ids` must have shape (N,) with N at least 2, got {tuple(ids.shape)}.")
        if not 1 <= stride <= C or batch_size < 1:
            raise ValueError(f"`stride` must be in 1..{C} and `batch_size` at least 1, got {stride} and {batch_size}.")
        was_training = self.training
        self.eval()
        last = len(ids) - 1  # predictions to make
        starts = torch.arange(0, max(last - C + stride, 1), stride)  # the last window reaches the end
        total = torch.zeros((), dtype=torch.float64)
        for some in starts.split(batch_size):
            places = some[:, None] + torch.arange(min(C, last))  # (windows, C), the last may end beyond the text
            logits = self(ids[places.clamp(max=last - 1).to(ids.device)])
            targets = ids[(places + 1).clamp(max=last).to(ids.device)]
            nats = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), reduction="none")
            fresh = (places >= some[:, None] + C - stride) | (some[:, None] == 0)
            total += nats.cpu().double()[(fresh & (places < last)).flatten()].sum()
        self.train(was_training)
        return float(total)

    @torch.no_grad()
    def attention_maps(self, ids: Tensor) -> list[Tensor]:
        """Return the weights of each layer for ids (B, T): L x (B, H, T, T)."""
        x = self._embed(ids, 0, None)
        maps = []
        for layer in self.layers:
            x, weights = layer(x, causal=True, return_weights=True)
            maps.append(weights)
        return maps

    def new_cache(self, batch_size: int, max_length: int) -> GPTCache:
        """Return an empty cache for `max_length` tokens; it is filled in place and never grows."""
        if self.positions is not None and max_length > self.config.context_length:
            raise ValueError(
                f"`max_length` must be at most context_length={self.config.context_length}, where the learned "
                f"positions end, got {max_length}."
            )
        return GPTCache(
            [cast(EncoderLayer, layer).attention.new_cache(batch_size, max_length) for layer in self.layers]
        )

    @classmethod
    def from_pretrained(cls, path: str | PathLike[str], *, dtype: torch.dtype = torch.float32) -> "GPT":
        """Return a model with the weights of a GPT-2 or Llama-style folder (config.json, safetensors) or a GGUF file.

        Raises:
            FileNotFoundError: no such folder or file, or no config.json or safetensors in it.
            ValueError: an architecture, setting or quantisation that this class does not have; missing or surplus
                tensors, or shapes that do not match the config (names are listed).
        """
        settings, weights = read_gpt(path)
        return load_weights(cls, GPTConfig(**settings), weights, dtype)

    def _embed(self, ids: Tensor, before: int, attention_mask: Tensor | None) -> Tensor:
        if not isinstance(ids, Tensor) or ids.is_floating_point() or ids.dtype == torch.bool:
            raise TypeError(f"`ids` must be whole numbers, got {getattr(ids, 'dtype', type(ids).__name__)}.")
        if ids.dim() != 2 or ids.numel() == 0:
            raise ValueError(f"`ids` must have shape (B, T) with B and T at least 1, got {tuple(ids.shape)}.")
        B, T = ids.shape
        if attention_mask is not None and attention_mask.shape not in ((B, before + T), (B, T, before + T)):
            raise ValueError(
                f"`attention_mask` must have shape (B, S) = {(B, before + T)}, the cached tokens included, or (B, T, S), "
                f"got {tuple(attention_mask.shape)}."
            )
        try:
            x = self.embedding(ids)  # (B, T, D)
        except IndexError as error:
            raise ValueError(
                f"`ids` must be in 0..V-1 with V={self.config.vocab_size}, "
                f"got {int(ids.min())} to {int(ids.max())}: is it the same vocabulary?"
            ) from error
        if self.config.positions == "rotary":  # only distances count, so padding on the left changes nothing
            return x
        if self.positions is not None:
            table: Tensor = self.positions.weight
            if before + T > len(table):
                raise ValueError(
                    f"`ids` must end within context_length={len(table)}, where the learned positions end, "
                    f"got {before} tokens before and T={T}."
                )
        else:
            table = sinusoidal_positions(before + T, x.shape[-1], device=x.device, dtype=x.dtype)
        if attention_mask is None:
            return x + table[before : before + T]
        if attention_mask.dim() == 2:
            places = (attention_mask.cumsum(dim=1) - 1)[:, before:]  # the first token of each row is at 0
        else:
            places = attention_mask.tril(before).sum(dim=2) - 1
        return x + table[places.clamp(min=0)]  # (B, T, D)
