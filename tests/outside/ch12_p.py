"""Answers to the project of chapter 12, written from its page alone."""

from tests.outside.variants import but

WALK = """
import torch


class Inspector:
    def __init__(self, model):
        self.model = model

    def _walk(self, x, layers):
        for layer in layers:
            x = layer(x, causal=True)
        return x

    def _read(self, x):
        return self.model.head(self.model.norm(x))

    def stream(self, ids):
        states = [self.model.embedding(ids)]
        for layer in self.model.layers:
            states.append(layer(states[-1], causal=True))
        return torch.stack(states)

    def lens(self, ids):
        return torch.stack([self._read(state) for state in self.stream(ids)[1:]])

    def without(self, ids, heads, values=None):
        handles = []
        try:
            for number, (layer, head) in enumerate(heads):
                attention = self.model.layers[layer].attention
                K = attention.head_dim
                value = torch.zeros(K) if values is None else values[number]
                handles.append(attention.out_proj.register_forward_pre_hook(self._silence(head, K, value)))
            return self._read(self._walk(self.model.embedding(ids), self.model.layers))
        finally:
            for handle in handles:
                handle.remove()

    @staticmethod
    def _silence(head, K, value):
        def hook(module, inputs):
            x = inputs[0].clone()
            x[..., head * K : (head + 1) * K] = value.to(x)
            return (x, *inputs[1:])

        return hook

    def patched(self, ids, clean, layer, position):
        x = self.stream(ids)[layer + 1].clone()
        x[:, position] = self.stream(clean)[layer + 1][:, position]
        return self._read(self._walk(x, self.model.layers[layer + 1 :]))
"""

HOOKS = """
import contextlib
import torch


class Inspector:
    def __init__(self, model):
        self.model = model

    @contextlib.contextmanager
    def hooked(self, *handles):
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def stream(self, ids):
        kept = []

        def keep(module, inputs, output):
            kept.append(output)

        handles = [layer.register_forward_hook(keep) for layer in self.model.layers]
        with self.hooked(*handles):
            self.model(ids)
        return torch.stack([self.model.embedding(ids), *kept])

    def lens(self, ids):
        _, *after = self.stream(ids)
        return torch.stack([self.model.head(self.model.norm(state)) for state in after])

    def without(self, ids, heads, values=None):
        by_layer = {}
        for i, (layer, head) in enumerate(heads):
            by_layer.setdefault(int(layer), []).append((int(head), None if values is None else values[i]))
        handles = []
        with contextlib.ExitStack() as stack:
            for layer, replaced in by_layer.items():
                attention = self.model.layers[layer].attention

                def change(module, inputs, replaced=replaced, K=attention.head_dim):
                    (x,) = inputs
                    parts = list(x.split(K, dim=-1))
                    for head, value in replaced:
                        parts[head] = torch.zeros_like(parts[head]) if value is None else value.expand_as(parts[head])
                    return (torch.cat(parts, dim=-1),)

                stack.callback(attention.out_proj.register_forward_pre_hook(change).remove)
            return self.model(ids)

    def patched(self, ids, clean, layer, position):
        wanted = self.stream(clean)[layer + 1]

        def exchange(module, inputs, output):
            rows = torch.arange(output.shape[1]) == position
            return torch.where(rows[None, :, None], wanted, output)

        with self.hooked(self.model.layers[layer].register_forward_hook(exchange)):
            return self.model(ids)
"""

COPY = '''
import copy
import torch


class Inspector:
    """Whatever has to be changed is changed in a copy."""

    def __init__(self, model):
        self.model = model

    def stream(self, ids):
        model = self.model
        x = model.embedding(ids)
        out = x.unsqueeze(0)
        for i in range(len(model.layers)):
            x = model.layers[i](x, causal=True)
            out = torch.cat([out, x.unsqueeze(0)])
        return out

    def lens(self, ids):
        return self.model.head(self.model.norm(self.stream(ids)[1:]))

    def without(self, ids, heads, values=None):
        model = copy.deepcopy(self.model)
        for i, (layer, head) in enumerate(heads):
            projection = model.layers[layer].attention.out_proj
            K = model.layers[layer].attention.head_dim
            new = values[i] if values is not None else torch.zeros(K)

            def hook(module, args, head=head, K=K, new=new):
                x = args[0]
                return (torch.cat([x[..., : head * K], new.to(x).expand(*x.shape[:-1], K), x[..., (head + 1) * K :]], -1),)

            projection.register_forward_pre_hook(hook)
        return model(ids)

    def patched(self, ids, clean, layer, position):
        mine, other = self.stream(ids)[layer + 1], self.stream(clean)[layer + 1]
        x = torch.cat([mine[:, :position], other[:, position : position + 1], mine[:, position + 1 :]], dim=1)
        for i in range(layer + 1, len(self.model.layers)):
            x = self.model.layers[i](x, causal=True)
        return self.model.head(self.model.norm(x))
'''

TASK = "Inspector"
ANSWERS = [
    {"task": TASK, "right": True, "why": "walks through the layers", "source": WALK},
    {"task": TASK, "right": True, "why": "hooks for everything, one for all heads of a layer", "source": HOOKS},
    {"task": TASK, "right": True, "why": "changes a copy of the model", "source": COPY},
    {
        "task": TASK,
        "right": False,
        "why": "after an error the hooks stay: they are removed only at the end",
        "source": but(
            WALK,
            (
                "        finally:\n            for handle in handles:\n                handle.remove()\n",
                "        except ZeroDivisionError:\n            pass\n",
            ),
            (
                "            return self._read(self._walk(self.model.embedding(ids), self.model.layers))\n",
                "            logits = self._read(self._walk(self.model.embedding(ids), self.model.layers))\n            for handle in handles:\n                handle.remove()\n            return logits\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the output matrix of the attention is zeroed and put back, but not after an error",
        "source": but(
            WALK,
            (
                "    def patched(",
                """    def without(self, ids, heads, values=None):
        old = [layer.attention.out_proj.weight.data.clone() for layer in self.model.layers]
        for i, (layer, head) in enumerate(heads):
            attention = self.model.layers[layer].attention
            K = attention.head_dim
            weight = attention.out_proj.weight.data
            if values is None:
                weight[:, head * K : (head + 1) * K] = 0
        if values is not None:
            return Inspector_without(self, ids, heads, values)
        logits = self._read(self._walk(self.model.embedding(ids), self.model.layers))
        for layer, weight in zip(self.model.layers, old):
            layer.attention.out_proj.weight.data.copy_(weight)
        return logits

    def patched(""",
            ),
            (
                "class Inspector:\n",
                "def Inspector_without(self, ids, heads, values):\n    return Inspector.full(self, ids, heads, values)\n\n\nclass Inspector:\n",
            ),
            (
                "    def without(self, ids, heads, values=None):\n        handles = []\n",
                "    def full(self, ids, heads, values=None):\n        handles = []\n",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "of several heads of one layer only the last is replaced",
        "source": but(
            HOOKS,
            (
                "by_layer.setdefault(int(layer), []).append((int(head), None if values is None else values[i]))",
                "by_layer[int(layer)] = [(int(head), None if values is None else values[i])]",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the values go to the heads in the order of the layers, not in that of the pairs",
        "source": but(WALK, ("enumerate(heads):", "enumerate(sorted(heads)):")),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the patch is made before the layer, not after it",
        "source": but(
            WALK,
            (
                "        x = self.stream(ids)[layer + 1].clone()\n        x[:, position] = self.stream(clean)[layer + 1][:, position]\n",
                "        x = self.stream(ids)[layer].clone()\n        x[:, position] = self.stream(clean)[layer][:, position]\n",
            ),
            ("self.model.layers[layer + 1 :]", "self.model.layers[layer:]"),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "the lens leaves out the norm, but after the last layer",
        "source": but(
            WALK,
            (
                "torch.stack([self._read(state) for state in self.stream(ids)[1:]])",
                "torch.stack([*(self.model.head(state) for state in self.stream(ids)[1:-1]), self.model(ids)])",
            ),
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "all positions up to the one that is asked for are exchanged",
        "source": but(
            HOOKS, ("torch.arange(output.shape[1]) == position", "torch.arange(output.shape[1]) <= position")
        ),
    },
    {
        "task": TASK,
        "right": False,
        "why": "puts the model into evaluation mode and leaves it there",
        "source": but(
            WALK,
            (
                "        states = [self.model.embedding(ids)]\n",
                "        self.model.eval()\n        states = [self.model.embedding(ids)]\n",
            ),
        ),
    },
]
