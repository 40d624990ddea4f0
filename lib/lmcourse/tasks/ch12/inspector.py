"""Project `Inspector`: the instruments of the chapter, for any GPT of the course."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lmcourse.exercises import Case, Compare, Task, hints, mistakes, probe, properties
from lmcourse.models import GPT, GPTConfig


class Inspector:
    """Looks into a GPT of the course, without changing it.

    The model has `embedding`, `layers`, `norm` and `head`. Each layer is called as layer(x, causal=True), with x of
    shape (B, T, D), and its attention has an `out_proj`, whose input (B, T, H K) holds what the heads have gathered,
    side by side, each `attention.head_dim` wide. The models of this exercise have no dropout, and their positions are
    in the layers, so that the stream begins with embedding(ids).

    After every call, also after one that raises, the model is as it was: no hook is left, no weight has changed, and it
    is in the mode (training or evaluation) in which it was.

    Args:
        model: a GPT.

    >>> from lmcourse.models import GPT, GPTConfig
    >>> model = GPT(GPTConfig(vocab_size=11, embed_dim=8, num_heads=2, num_layers=3, positions="rotary"))
    >>> ids, inspector = torch.tensor([[1, 2, 3]]), Inspector(model)
    >>> inspector.stream(ids).shape
    torch.Size([4, 1, 3, 8])
    >>> torch.allclose(inspector.lens(ids)[-1], model(ids), atol=1e-6)
    True
    """

    def __init__(self, model):
        self.model = model

    def stream(self, ids):
        """Return the stream (L + 1, B, T, D): the embedding of ids (B, T), and what leaves each layer."""
        x = self.model.embedding(ids)
        states = [x]
        for layer in self.model.layers:
            x = layer(x, causal=True)
            states.append(x)
        return torch.stack(states)

    def lens(self, ids):
        """Return what the model would say after each layer, logits (L, B, T, V)."""
        return self.model.head(self.model.norm(self.stream(ids)[1:]))

    def without(self, ids, heads, values=None):
        """Return the model's logits (B, T, V) with some heads replaced.

        Args:
            ids: (B, T).
            heads: pairs (layer, head), perhaps none.
            values: what each of them gives instead, (number of heads, K), in that order; None is zeros.
        """
        hooks = []
        try:
            for number, (layer, head) in enumerate(heads):
                attention = self.model.layers[layer].attention
                part = slice(head * attention.head_dim, (head + 1) * attention.head_dim)
                value = 0.0 if values is None else values[number]

                def replace(module, inputs, part=part, value=value):
                    mixed = inputs[0].clone()
                    mixed[..., part] = value
                    return (mixed,)

                hooks.append(attention.out_proj.register_forward_pre_hook(replace))
            return self.model(ids)
        finally:
            for hook in hooks:
                hook.remove()

    def patched(self, ids, clean, layer, position):
        """Return the logits (B, T, V) for ids, if the stream after `layer` were that of `clean` at one position.

        Args:
            ids, clean: (B, T) both.
            layer: from 0 to L - 1.
            position: from 0 to T - 1.
        """
        x = self.stream(ids)[layer + 1].clone()
        x[:, position] = self.stream(clean)[layer + 1][:, position]
        for later in self.model.layers[layer + 1 :]:
            x = later(x, causal=True)
        return self.model.head(self.model.norm(x))


def use(answer: Callable[..., Any], asked: str, sizes: dict[str, Any], weights: Any, *arguments: Any) -> Any:
    """What the instrument shows of a model with the weights of the case."""
    model = GPT(GPTConfig(**sizes)).double().eval()
    model.load_state_dict(weights)
    if asked == "clean":
        model.train()  # without dropout the same; so that it shows who switches it off
    inspector = answer(model)

    def hooks() -> int:
        return sum(len(part._forward_hooks) + len(part._forward_pre_hooks) for part in model.modules())

    with torch.no_grad():
        if asked != "clean":
            return getattr(inspector, asked)(*arguments)
        ids, clean, heads, values = arguments
        shown = [inspector.without(ids, heads), inspector.stream(ids), inspector.patched(ids, clean, 0, 1)]
        left = hooks()
        try:
            inspector.without(ids, [heads[0], (len(model.layers), 0)])  # no such layer
        except NotImplementedError:
            raise
        except Exception as error:
            del error  # whichever it is: what counts is what it leaves behind
        left += 100 * hooks()
        return {
            "shown": shown,
            "hooks that are left": left,
            "in training mode": all(part.training for part in model.modules()),
            "the model afterwards": model(ids),
            "ids": ids,
            "clean": clean,
            "values": values,
            "heads": [list(pair) for pair in heads],
        }


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def made(**sizes: Any) -> tuple[dict[str, Any], dict[str, Tensor]]:
        sizes = {"context_length": 16, "positions": "rotary", "norm": "rms", "bias": False, **sizes}
        with torch.random.fork_rng(devices=[]):  # what a fresh model draws is not kept
            state = GPT(GPTConfig(**sizes)).double().state_dict()
        fresh = {
            name: torch.randn(part.shape, generator=generator, dtype=part.dtype) * (0.4 if part.dim() > 1 else 1.0)
            if part.is_floating_point()
            else part
            for name, part in state.items()
        }
        if "head.weight" in fresh:
            fresh["head.weight"] = fresh["embedding.weight"]
        return sizes, fresh

    def ids(B: int, T: int, V: int) -> Tensor:
        return torch.randint(V, (B, T), generator=generator)

    def pair(B: int, T: int, V: int) -> tuple[Tensor, Tensor]:
        """Two texts that have no token in common at the same position, so that each exchange shows."""
        first = ids(B, T, V)
        return first, (first + torch.randint(1, V, (B, T), generator=generator)) % V

    def values(n: int, K: int) -> Tensor:
        return torch.randn(n, K, generator=generator, dtype=torch.float64)

    small = {"vocab_size": 13, "embed_dim": 12, "num_heads": 2, "num_layers": 3}
    grouped = {"vocab_size": 17, "embed_dim": 24, "num_heads": 4, "num_kv_heads": 2, "num_layers": 2}
    wide = {"vocab_size": 11, "embed_dim": 10, "num_heads": 5, "num_layers": 4, "activation": "swiglu"}
    layered = {**small, "norm": "layer", "bias": True}
    of_three, of_two = [(3, 4), (0, 1), (0, 2)], [(1, 0), (0, 1)]
    return [
        probe("stream", "three layers", "stream", *made(**small), ids(2, 5, 13)),
        probe("stream", "four layers, one text", "stream", *made(**wide), ids(1, 7, 11)),
        probe("lens", "three layers", "lens", *made(**small), ids(2, 5, 13)),
        probe("lens", "a model with LayerNorm and biases", "lens", *made(**layered), ids(3, 4, 13)),
        probe("ablation", "one head", "without", *made(**small), ids(2, 5, 13), [(1, 0)]),
        probe("ablation", "two heads of one layer", "without", *made(**wide), ids(2, 7, 11), [(2, 3), (2, 0)]),
        probe("ablation", "grouped heads", "without", *made(**grouped), ids(2, 5, 17), [(0, 3), (1, 1)]),
        probe("ablation", "no head", "without", *made(**small), ids(2, 5, 13), []),
        probe("values", "values for one head", "without", *made(**small), ids(2, 5, 13), [(2, 1)], values(1, 6)),
        probe("values", "values for three heads", "without", *made(**wide), ids(2, 3, 11), of_three, values(3, 2)),
        probe("patch", "in the middle", "patched", *made(**small), *pair(2, 5, 13), 1, 2),
        probe("patch", "the first layer and position", "patched", *made(**wide), *pair(1, 7, 11), 0, 0),
        probe("patch", "the last layer and position", "patched", *made(**grouped), *pair(3, 4, 17), 1, 3),
        probe("clean", "a model that is used again", "clean", *made(**small), *pair(2, 5, 13), of_two, values(2, 6)),
    ]


SLIPS = mistakes("""
no_embedding: loses stream, lens, patch, clean
    states = [x] => states = []
  The stream begins with the embedding, before the first layer.
not_causal: loses stream, lens, patch, clean
    layer(x, causal=True => layer(x
  The layers were called without the causal mask, so that each position sees the future.
lens_without_norm: loses lens
    self.model.head(self.model.norm(self.stream(ids)[1:])) => self.model.head(self.stream(ids)[1:])
  The lens has no norm. The output matrix expects what the final norm gives.
one_head_of_all: loses ablation, values, clean
    for number, (layer, head) in enumerate(heads): => for number, (layer, head) in enumerate(heads[:1]):
  Only the first head was replaced.
the_whole_layer: loses ablation, clean
    mixed[..., part] = value => mixed[..., part] = value
    |                    mixed = mixed * 0 if values is None else mixed
  All heads of the layer were silenced. Replace the columns of one head, and leave the others.
values_forgotten: loses values
    0.0 if values is None else values[number] => 0.0
  The heads were set to zero, although `values` says what they give.
hooks_left: loses clean
    hook.remove() => pass
  The hooks were left on the model: the next call is still changed. Remove them in a `finally`.
hooks_left_after_an_error: loses clean
    finally:
    |            for hook in hooks:
    |                hook.remove() => except ZeroDivisionError:
    |            pass
    return self.model(ids) => logits = self.model(ids)
    |            for hook in hooks:
    |                hook.remove()
    |            return logits
  After an error hooks are left on the model. Remove them in a `finally`, which also runs then.
patch_of_all_positions: loses patch, clean
    x[:, position] = self.stream(clean)[layer + 1][:, position] => x[:] = self.stream(clean)[layer + 1]
  All positions were exchanged. Exchange the vector at one position.
patch_before_the_layer: loses patch, clean
    self.stream(ids)[layer + 1].clone()
    |        x[:, position] = self.stream(clean)[layer + 1][:, position]
    |        for later in self.model.layers[layer + 1 :]: => self.stream(ids)[layer].clone()
    |        x[:, position] = self.stream(clean)[layer][:, position]
    |        for later in self.model.layers[layer:]:
  The vector was exchanged before the layer. The exchange is after it.
""")
HINTS = hints("""
- Walk through the layers yourself where you only want to see; use a hook only where you change something within.
- without: a forward pre-hook on layer.attention.out_proj gets (mixed,), changes a copy, and returns a tuple. Put the
  calls into try and the removing into finally.
- patched: take both streams, exchange x[:, position] in the state after the layer, then call the later layers, the norm
  and the head.
""")
PROPERTIES = properties("""
stream, 1: The stream has L + 1 states: the embedding, and what leaves each layer.
lens, 2: After each layer the norm and the output matrix are applied; the last lens is the model.
ablation, 2: Heads are silenced, several of one layer too, and the other heads are untouched.
values, 1: With `values` each head gives the numbers that belong to it.
patch, 2: One vector after one layer is exchanged, and the later layers go on from there.
clean, 2: The model is left as it was: no hooks, no changed weights or mode, also after an error.
""")
task = Task(
    Inspector,
    points=10,
    difficulty=5,
    minutes=60,
    cases=cases,
    compare=Compare(rtol=1e-6, atol=1e-8, inputs_unchanged=False),
    call=use,
    seconds=60.0,
    properties=PROPERTIES,
    slips=SLIPS,
    hints=HINTS,
)
