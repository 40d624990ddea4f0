"""Project `SelfAttention`: the module whole."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties
from lmcourse.tasks.ch05.shared import normal


class SelfAttention(nn.Module):
    """Multi-head self-attention, with masks.

    Its layers are `query`, `key`, `value` and `output`, each an nn.Linear(D, D) with a bias.

    Args:
        embed_dim: D, the width of the word vectors.
        num_heads: H, which divides D.
        causal: whether each word sees only itself and the words before it.

    Raises:
        ValueError: H does not divide D, or is below 1.

    >>> layer = SelfAttention(4, 2, causal=True)
    >>> x = torch.randn(1, 3, 4)
    >>> layer(x).shape
    torch.Size([1, 3, 4])
    >>> torch.allclose(layer(x)[:, :2], layer(x[:, :2]), atol=1e-6)
    True
    """

    def __init__(self, embed_dim, num_heads, causal=False):
        super().__init__()
        if num_heads < 1 or embed_dim % num_heads:
            raise ValueError(f"`num_heads` must divide `embed_dim`, got num_heads={num_heads}, embed_dim={embed_dim}.")
        self.num_heads, self.causal = num_heads, causal
        self.query, self.key = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.value, self.output = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        """Return what the words gather from each other. Large scores must not overflow.

        Args:
            x: the words, a tensor (B, T, D).
            mask: True where a key may be seen, a bool tensor that broadcasts to (B, H, T, T): queries are rows, keys
                columns. None hides nothing. A word that may see no key gathers zeros, before the output layer.

        Returns:
            A tensor (B, T, D).
        """
        B, T, D = x.shape
        parts = (layer(x).reshape(B, T, self.num_heads, -1) for layer in (self.query, self.key, self.value))
        query, key, value = (part.transpose(1, 2) for part in parts)  # (B, H, T, K)
        scores = query @ key.mT / query.shape[-1] ** 0.5  # (B, H, T, T)
        keep = torch.ones(T, T, dtype=torch.bool)
        if self.causal:
            keep = keep.tril()
        if mask is not None:
            keep = keep & mask
        scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
        weights = scores.softmax(dim=-1) * keep  # a row without keys: zeros
        return self.output((weights @ value).transpose(1, 2).reshape(B, T, D))


def use(
    answer: Callable[..., Any], asked: str, sizes: tuple, weights: Any = None, x: Any = None, mask: Any = None
) -> Any:
    """What the module gives, with the weights of the case."""
    if asked == "layers":
        return {name: list(value.shape) for name, value in answer(*sizes).state_dict().items()}
    if asked == "refuses":
        return type(_error(answer, *sizes)).__name__
    layer = answer(*sizes).double()
    layer.load_state_dict(weights)
    if asked == "value":
        return layer(x) if mask is None else (layer(x, mask), mask)  # the mask as it is left
    if asked == "shuffled":
        order = torch.arange(x.shape[1]).flip(0)
        return layer(x[:, order])[:, order.argsort()]
    if asked == "gradients":
        x.requires_grad_(True)
        out = layer(x, mask)
        (out * torch.linspace(-1, 2, out.numel(), dtype=out.dtype).reshape(out.shape)).sum().backward()
        return {"x": x.grad} | {name: part.grad for name, part in layer.named_parameters()}
    first, second = layer(x), layer(x)
    alone = torch.cat([layer(x[row : row + 1]) for row in range(len(x))])
    return {"first": first, "second": second, "each text alone": alone, "x": x, **layer.state_dict()}


def _error(answer: Callable[..., Any], *sizes: Any) -> Exception | None:
    try:
        answer(*sizes)
    except ValueError:  # its subclasses will do
        return ValueError()
    except NotImplementedError:
        raise
    except Exception as error:
        return error
    return None


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def given(B: int, T: int, D: int, scale: float = 1.0) -> tuple[dict[str, Tensor], Tensor]:
        shapes = {"weight": (D, D), "bias": (D,)}
        weights = {
            f"{layer}.{part}": normal(rng, *shape) / (D**0.5 if part == "weight" else 2)
            for layer in ("query", "key", "value", "output")
            for part, shape in shapes.items()
        }
        return weights, scale * normal(rng, B, T, D)

    def hidden(*shape: int) -> Tensor:
        """A mask with holes: each row of keys has some of both kinds."""
        mask = torch.from_numpy(rng.random(shape) < 0.6)
        mask[..., 0], mask[..., -1] = torch.from_numpy(rng.random(shape[:-1]) < 0.5), True
        return mask

    lengths = torch.tensor([5, 2, 4])
    padding = (torch.arange(5) < lengths[:, None])[:, None, None]  # (B, 1, 1, T)
    nobody = hidden(2, 1, 5, 5)
    nobody[0, 0, 2], nobody[1, 0, 0] = False, False

    def not_the_nearest(weights: dict[str, Tensor], x: Tensor) -> Tensor:
        """Each word sees all keys but the one that it would listen to."""
        query, key = (x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"] for name in ("query", "key"))
        scores = query @ key.mT
        return (scores < scores.amax(-1, keepdim=True))[:, None]

    far = given(2, 5, 6, scale=200.0)
    return [
        probe("layers", "a module of width 6", "layers", (6, 2)),
        probe("layers", "a causal module of width 10", "layers", (10, 5, True)),
        probe("layers", "5 heads for a width of 7", "refuses", (7, 5)),
        probe("layers", "no heads", "refuses", (7, 0)),
        probe("layers", "fewer heads than none", "refuses", (6, -2)),
        probe("attention", "one head", "value", (7, 1), *given(2, 5, 7)),
        probe("attention", "one word", "value", (6, 1), *given(3, 1, 6)),
        probe("attention", "the words in reverse order", "shuffled", (7, 1), *given(2, 5, 7)),
        probe("attention", "scores above 1,000, where exp overflows", "value", (6, 1), *given(2, 5, 6, scale=60.0)),
        probe("heads", "three heads of width 5", "value", (15, 3), *given(2, 7, 15)),
        probe("heads", "as many heads as words", "value", (10, 5), *given(3, 5, 10)),
        probe("heads", "heads of width 1", "value", (3, 3), *given(2, 4, 3)),
        probe("causal", "one head, causal", "value", (7, 1, True), *given(2, 5, 7)),
        probe("causal", "seven words, causal", "value", (6, 1, True), *given(2, 7, 6)),
        probe("causal", "the first words alone", "value", (6, 1, True), *given(2, 1, 6)),
        probe("mask", "three texts, two of them padded", "value", (6, 1), *given(3, 5, 6), padding),
        probe("mask", "one mask for all texts", "value", (6, 1), *given(2, 5, 6), hidden(5, 5)),
        probe("mask", "a mask for each head", "value", (6, 3), *given(2, 4, 6), hidden(2, 3, 4, 4)),
        probe("mask", "padding in a causal module", "value", (6, 1, True), *given(3, 5, 6), padding),
        probe("mask", "words that may see no key", "value", (6, 1), *given(2, 5, 6), nobody),
        probe("mask", "a hidden key with a score far above the others", "value", (6, 1), *far, not_the_nearest(*far)),
        probe("gradients", "no mask", "gradients", (6, 1), *given(3, 5, 6)),
        probe("gradients", "words that may see no key", "gradients", (6, 1), *given(2, 5, 6), nobody),
        probe("clean", "two calls with the same words", "clean", (6, 1), *given(2, 5, 6)),
    ]


SLIPS = mistakes("""
no_scale: loses attention, heads, causal, mask, gradients, clean
    / query.shape[-1] ** 0.5 =>
  The scores are not divided by the root of a head's width.
scaled_by_model_width: loses heads, mask
    query.shape[-1] ** 0.5 => D ** 0.5
  The scores are divided by the root of the whole width D. The dot products of a head have D / H terms: divide by the
  root of that.
heads_not_split: loses heads, mask
    self.num_heads, -1) for => 1, -1) for
  All of the width went into one head. Cut queries, keys and values into `num_heads` heads.
merged_by_reshape: loses heads, mask
    ).transpose(1, 2).reshape(B, T, D) => ).reshape(B, T, D)
  The heads were merged by reshape alone, which mixes words. Exchange heads and words first.
causal_forgotten: loses causal, mask
    if self.causal: => if False:
  With causal=True the words still see what comes after them. Keep the lower triangle only.
wrong_triangle: loses causal, mask
    .tril() => .triu()
  The past is hidden and the future is seen: the wrong triangle. Queries are rows, keys columns, and tril keeps the
  past.
mask_replaces_causal: loses mask
    keep = keep & mask => keep = mask
  With a mask the module is no longer causal. A key is seen if both allow it: combine them with &.
rows_without_keys: loses mask, gradients
    torch.finfo(scores.dtype).min => float('-inf')
    * keep =>
  A word that may see no key becomes NaN: the softmax of nothing but minus infinity. Its weights must be 0, and their
  gradient must not be NaN either.
zeros_before_softmax: loses causal, mask, gradients
    torch.finfo(scores.dtype).min => 0.0
  The scores of hidden keys were set to 0, and e to the power of 0 is 1: they still take a share. Use minus infinity, or
  the smallest number there is.
over_queries: loses attention, heads, causal, mask, gradients, clean
    dim=-1 => dim=-2
  The softmax runs over the queries. The weights of one query over the keys must sum to 1: the last axis.
overflow: loses attention, mask
    weights = scores.softmax(dim=-1) * keep => raised = scores.exp() * keep
    |        weights = raised / raised.sum(dim=-1, keepdim=True).clamp(min=1e-30)
  Right for small scores, but exp overflows when they are large, and infinity divided by infinity is not a number.
  Subtract from each row its maximum first, or use torch's softmax, which does so.
mask_ignored: loses mask, gradients
    keep = keep & mask => ...
  The caller's mask has no effect. A key is seen if the mask allows it, and in a causal module if it is not after the
  query, too.
mask_of_queries: loses mask, gradients
    keep & mask => keep & mask.mT
  Rows and columns of the mask are exchanged: queries are rows, keys are columns.
rows_without_keys_not_zero: loses mask, gradients
    scores.softmax(dim=-1) * keep => scores.softmax(dim=-1)
  A word that may see no key gathers the mean of all that is hidden from it. It gathers zeros: its weights must be 0.
no_biases: loses layers, attention, heads, causal, mask, gradients, clean
    self.query, self.key = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim) =>
        self.query, self.key = (nn.Linear(embed_dim, embed_dim, bias=False) for _ in range(2))
    self.value, self.output = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim) =>
        self.value, self.output = (nn.Linear(embed_dim, embed_dim, bias=False) for _ in range(2))
  The layers have no biases. Each is an nn.Linear(D, D) with a bias, which it has by itself.
no_output: loses attention, heads, causal, mask, gradients, clean
    self.output((weights @ value).transpose(1, 2).reshape(B, T, D) => (weights @ value).transpose(1, 2).reshape(B, T, D
  What the heads found is not mixed: the layer `output` is not used.
changes_its_input: loses gradients, clean
    weights = scores => x.data *= 0.5
    |        weights = scores
  The words that the module was given are changed in place. Make a new tensor.
unchecked: loses layers
    if num_heads < 1 or embed_dim % num_heads: => if False:
  Heads that do not divide the width must be refused with a ValueError, when the module is made.
""")
HINTS = hints("""
- You have written its parts in exercises 3 to 8. In `__init__` make the layers, and remember `num_heads` and `causal`;
  in `forward`: project, cut into heads, scores, mask, softmax, values, merge, project.
- keep = torch.ones(T, T, dtype=torch.bool), its tril() if causal, & mask if there is one; it broadcasts to the scores
  (B, H, T, T).
- For words without keys: fill with torch.finfo(scores.dtype).min instead of minus infinity, take the softmax, and
  multiply by `keep`. No number is infinite, so no gradient is NaN.
""")
PROPERTIES = properties("""
layers, 1: Four linear layers of the right names and shapes; a ValueError if H does not divide D.
attention, 2: With one head and no mask it equals the definition, in whatever order the words are.
heads, 2: With several heads it equals the definition: each works on its own columns.
causal, 2: With `causal=True` no word gathers anything from the words after it.
mask, 1: The mask hides what it should, for padding, for each head, and together with `causal`.
gradients, 1: The gradients of all parameters and of x are right, and never NaN.
clean, 1: Nothing that it is given is changed, and a text's result does not depend on the others.
""")
task = Task(
    SelfAttention,
    points=10,
    difficulty=5,
    minutes=60,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-9, inputs_unchanged=False),
    call=use,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
