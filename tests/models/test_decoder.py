"""Fast decoding: equal to the plain loop, whatever a user put on a model, in any thread; the model stays as it is."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parametrize

from lmcourse import kernels
from lmcourse.generation import generate, stream
from lmcourse.kernels import decoding
from lmcourse.layers import FeedForward, MultiHeadAttention
from lmcourse.models.gpt import GPT, GPTConfig

V = 11
KINDS = {
    "GPT-2": {"activation": "gelu_tanh"},
    "gelu": {"activation": "gelu"},
    "relu": {"activation": "relu"},
    "relu's square": {"activation": "relu2"},
    "Llama": {"positions": "rotary", "norm": "rms", "activation": "swiglu", "num_kv_heads": 1, "bias": False},
    "norms of queries and keys": {"qk_norm": True, "positions": "sinusoidal"},
    "ALiBi": {"positions": "alibi"},
}


def gpt(kind: str = "GPT-2", **options) -> GPT:
    torch.manual_seed(0)
    model = GPT(GPTConfig(V, 61, 24, 2, 3, **KINDS[kind], **options))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


@pytest.fixture
def packed(monkeypatch):
    """Matrices of any size have their copies, also for one row and few tokens."""
    monkeypatch.setattr(decoding, "PACKED_FROM_WEIGHTS", 0)
    monkeypatch.setattr(decoding, "BY_COLUMNS_FROM_TOKENS", 16)
    monkeypatch.setattr(decoding, "PRODUCTS_FROM_KEYS", 0)


def plainly(model: GPT, ids: torch.Tensor, n: int) -> list[list[int]]:
    """The obvious loop: the whole text is read anew for every token."""
    with torch.no_grad():
        for _ in range(n):
            ids = torch.cat([ids, model(ids)[:, -1].argmax(-1, keepdim=True)], dim=1)
    return ids.tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 2, 5])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_logits_are_those_of_the_model(kind, batch_size, dtype, packed):
    model = gpt(kind).to(dtype)
    ids = torch.randint(V, (batch_size, 31))
    decoder = model.decoder(batch_size, 40)
    assert decoder is not None
    assert not list(decoder.modules())
    cache = decoder.new_cache(batch_size, 31)
    with torch.no_grad():
        parts = [decoder(part, cache=cache) for part in ids.split([7, 1, 1, 5, 1, 1, 15], dim=1)]
        torch.testing.assert_close(torch.cat(parts, 1), model(ids), atol=3e-5, rtol=3e-5)
    assert cache.length == cache.layers[2].length == 31


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 2, 5])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_logits_in_half_precision_are_those_of_the_model(kind, batch_size, dtype, packed):
    """As far from the exact ones as the model's own: the two round at different steps."""
    model = gpt(kind)
    for parameter in model.parameters():
        parameter.data = parameter.to(dtype).float()
    ids = torch.randint(V, (batch_size, 31))
    with torch.no_grad():
        exact = model(ids)
        model.to(dtype)
        decoder = model.decoder(batch_size, 40)
        caches = decoder.new_cache(batch_size, 31), model.new_cache(batch_size, 31)
        parts = ids.split([7, 1, 1, 5, 1, 1, 15], dim=1)
        ours = torch.cat([decoder(part, cache=caches[0]) for part in parts], 1)
        theirs = torch.cat([model(part, cache=caches[1]) for part in parts], 1)
    assert ours.dtype == theirs.dtype == dtype
    errors = [float((logits - exact).square().mean().sqrt() / exact.std()) for logits in (ours, theirs)]
    assert errors[0] < 1.25 * errors[1] + 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_padding_is_not_seen(kind, packed):
    model, ids = gpt(kind).double(), torch.randint(V, (5, 13))
    mask = torch.arange(13) >= torch.tensor([0, 3, 7, 1, 4])[:, None]
    decoder, caches = model.decoder(5, 40), [model.new_cache(5, 13), model.new_cache(5, 13)]
    with torch.no_grad():
        for begin, end in ((0, 10), (10, 11), (11, 13)):
            options = {"attention_mask": mask[:, :end]}
            ours = decoder(ids[:, begin:end], cache=caches[0], **options)
            theirs = model(ids[:, begin:end], cache=caches[1], **options)
            seen = mask[:, begin:end]
            torch.testing.assert_close(ours[seen], theirs[seen])


def as_it_is(model):
    return contextlib.nullcontext()


def a_forward_hook(name):
    def put(model):
        model.get_submodule(name).register_forward_hook(lambda module, args, output: -1.7 * output)

    return put


def a_pre_hook(name):
    def put(model):
        model.get_submodule(name).register_forward_pre_hook(lambda module, args: (-0.6 * args[0],))

    return put


def a_hook_with_keywords(model):
    hook = lambda module, args, options, output: -1.3 * output  # noqa: E731
    model.layers[1].attention.register_forward_hook(hook, with_kwargs=True)


def a_forward_of_its_own(name):
    def put(model):
        part = model.get_submodule(name)
        before = part.forward
        part.forward = lambda x, *args, **options: -1.6 * before(x, *args, **options)

    return put


def a_subclass_of_linear(model):
    class Doubled(nn.Linear):
        def forward(self, x):
            return -2.0 * super().forward(x)

    model.layers[0].attention.v_proj.__class__ = Doubled


def a_subclass_of_feed_forward(model):
    class Negated(FeedForward):
        def forward(self, x):
            return -super().forward(x)

    model.layers[1].feed_forward.__class__ = Negated


def a_subclass_of_attention(model):
    class Sharper(MultiHeadAttention):
        def queries(self, x, start=0):
            return -3.0 * super().queries(x, start)

    model.layers[2].attention.__class__ = Sharper


def another_feed_forward(model):
    class Doubled(nn.Module):
        def forward(self, x):
            return -2.0 * x

    model.layers[1].feed_forward = Doubled()


def a_parametrization(name):
    class Shrunk(nn.Module):
        def forward(self, weight):
            return -0.5 * weight

    def put(model):
        parametrize.register_parametrization(model.get_submodule(name), "weight", Shrunk())

    return put


def a_compiled(name):
    def put(model):
        parent, _, child = name.rpartition(".")
        module = torch.compile(model.get_submodule(name), backend="eager")
        module.register_forward_hook(lambda module, args, output: -1.4 * output)
        setattr(model.get_submodule(parent), child, module)

    return put


def compiled_in_place(model):
    model.layers[1].feed_forward.compile(backend="eager")


def a_hook_of_the_whole(model):
    model.register_forward_hook(lambda module, args, output: -output)


def a_changed_weight(model):
    with torch.no_grad():
        model.layers[1].feed_forward.up.weight.mul_(-2.0)


ADDITIONS = {
    "nothing": as_it_is,
    "hook on q_proj": a_forward_hook("layers.0.attention.q_proj"),
    "hook on v_proj": a_forward_hook("layers.2.attention.v_proj"),
    "hook on up": a_forward_hook("layers.1.feed_forward.up"),
    "hook on a norm": a_forward_hook("layers.1.attention_norm"),
    "hook on a dropout": a_forward_hook("layers.1.dropout"),
    "hook on the dropout of embeddings": a_forward_hook("dropout"),
    "hook on the embedding": a_forward_hook("embedding"),
    "hook on a layer": a_forward_hook("layers.1"),
    "hook on the head": a_forward_hook("head"),
    "hook on the last norm": a_forward_hook("norm"),
    "hook on the model": a_hook_of_the_whole,
    "hook with keywords": a_hook_with_keywords,
    "pre-hook on down": a_pre_hook("layers.1.feed_forward.down"),
    "pre-hook on out_proj": a_pre_hook("layers.0.attention.out_proj"),
    "forward of a linear layer": a_forward_of_its_own("layers.0.attention.k_proj"),
    "forward of up": a_forward_of_its_own("layers.0.feed_forward.up"),
    "forward of a block": a_forward_of_its_own("layers.1.feed_forward"),
    "forward of a layer": a_forward_of_its_own("layers.2"),
    "forward of the model": a_forward_of_its_own(""),
    "subclass of Linear": a_subclass_of_linear,
    "subclass of FeedForward": a_subclass_of_feed_forward,
    "subclass of MultiHeadAttention": a_subclass_of_attention,
    "another feed-forward block": another_feed_forward,
    "parametrization of up": a_parametrization("layers.1.feed_forward.up"),
    "parametrization of a norm": a_parametrization("layers.1.feed_forward_norm"),
    "compiled linear layer": a_compiled("layers.0.attention.q_proj"),
    "compiled layer": a_compiled("layers.1"),
    "compiled in place": compiled_in_place,
    "changed weight": a_changed_weight,
}


@pytest.mark.parametrize("n", [15, 40])
@pytest.mark.parametrize("batch_size", [1, 5])
@pytest.mark.parametrize("what", ADDITIONS)
def test_what_a_user_put_on_a_model_counts(what, batch_size, n, packed):
    model = gpt()
    ids = torch.randint(V, (batch_size, 4), generator=torch.Generator().manual_seed(3))
    ADDITIONS[what](model)
    attributes = {name: list(vars(module)) for name, module in model.named_modules()}
    expected = plainly(model, ids, n)
    assert generate(model, ids, n, temperature=0.0).tolist() == expected
    assert generate(model, ids, n, temperature=0.0, use_cache=False).tolist() == expected
    assert {name: list(vars(module)) for name, module in model.named_modules()} == attributes  # it is not changed


@pytest.mark.parametrize("what", sorted(set(ADDITIONS) - {"nothing", "compiled in place"}))
@pytest.mark.parametrize("batch_size", [1, 5])
def test_each_addition_changes_the_text(what, batch_size):
    """Or the test above would pass for a decoder that goes past it."""
    model, ids = gpt(), torch.randint(V, (batch_size, 4), generator=torch.Generator().manual_seed(3))
    before = plainly(model, ids, 15)
    ADDITIONS[what](model)
    assert plainly(model, ids, 15) != before


@pytest.mark.parametrize("n", [15, 40])
@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_hook_hears_every_token(batch_size, n, packed):
    model, heard = gpt(), []
    model.layers[1].feed_forward.up.register_forward_hook(lambda *seen: heard.append(tuple(seen[2].shape)))
    generate(model, torch.randint(V, (batch_size, 4)), n, temperature=0.0)
    assert heard == [(batch_size, 4, 96), *[(batch_size, 1, 96)] * (n - 1)]


@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_hook_for_all_modules_and_a_changed_class_are_heard(batch_size, monkeypatch, packed):
    model, ids = gpt(), torch.randint(V, (batch_size, 4))
    handle = nn.modules.module.register_module_forward_hook(
        lambda module, args, output: 1.5 * output if isinstance(module, nn.LayerNorm) else None
    )
    try:
        assert model.decoder(batch_size, 40) is None
        assert generate(model, ids, 20, temperature=0.0).tolist() == plainly(model, ids, 20)
    finally:
        handle.remove()
    assert model.decoder(batch_size, 40) is not None
    for kind in (nn.Linear, GPT):
        with monkeypatch.context() as patch:
            before = kind.forward
            patch.setattr(kind, "forward", lambda *args, before=before, **options: -1.2 * before(*args, **options))
            assert model.decoder(batch_size, 40) is None
            assert generate(model, ids, 20, temperature=0.0).tolist() == plainly(model, ids, 20)


def test_the_switch_turns_it_off():
    model = gpt()
    with kernels.plain():
        assert model.decoder(1, 40) is None


@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_weight_changed_after_the_object_was_made_counts(batch_size, packed):
    model, ids = gpt(), torch.randint(V, (batch_size, 9))
    decoder = model.decoder(batch_size, 40)
    for name in (
        "feed_forward.up.weight",
        "feed_forward.down.bias",
        "attention.v_proj.weight",
        "attention_norm.weight",
    ):
        with torch.no_grad():
            model.layers[1].get_parameter(name).mul_(-1.5).add_(0.1)
            logits = decoder(ids, cache=decoder.new_cache(batch_size, 9))
            torch.testing.assert_close(logits, model(ids), atol=3e-5, rtol=3e-5)


@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_weight_changed_between_two_tokens_of_a_stream_counts(batch_size, packed):
    model, ids = gpt(), torch.randint(V, (batch_size, 4))
    tokens = stream(model, ids, 40, temperature=0.0)
    cache = model.new_cache(batch_size, 44)
    with torch.no_grad():
        expected = model(ids, cache=cache)[:, -1].argmax(-1)
        for _ in range(30):
            assert torch.equal(next(tokens), expected)
            model.layers[1].feed_forward.up.weight.mul_(-1.1)
            expected = model(expected[:, None], cache=cache)[:, -1].argmax(-1)


def test_what_is_copied_and_what_is_read_in_place(packed):
    model = gpt()  # width 24: the products for queries, keys and values are wider than their input, `out` is not

    def copied(rows: int, tokens: int) -> set[str]:
        layer = model.decoder(rows, tokens)._layers[0]
        joined = layer.query_key_value.__closure__
        kinds = {type(cell.cell_contents) for cell in joined} if joined else set()
        found = {"query_key_value"} if decoding.PackedLinear in kinds else set()
        return found | ({"out"} if type(layer.out) is decoding.PackedLinear else set())

    assert copied(1, 15) == copied(2, 15) == set()
    assert copied(1, 16) == {"query_key_value"}
    assert copied(2, 16) == {"query_key_value", "out"}


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("activation", decoding.FUSED)
@pytest.mark.parametrize("with_bias", [True, False])
def test_a_copied_product_is_the_plain_one_and_follows_its_weights(rows, activation, with_bias):
    weights = [torch.randn(7, 5), torch.randn(3, 5)]
    biases = [torch.randn(7), torch.randn(3)] if with_bias else [None, None]
    product = decoding.PackedLinear(weights, biases, rows, activation)
    for _ in range(2):
        for x in (torch.randn(5), torch.randn(rows, 5), torch.randn(rows, 11, 5))[rows > 1 :]:
            apart = [F.linear(x, weight, bias) for weight, bias in zip(weights, biases, strict=True)]
            torch.testing.assert_close(product(x), decoding.FUSED[activation](torch.cat(apart, -1)))
        weights[1].mul_(-1.7)


def test_without_onednn_a_packed_product_is_a_plain_one(monkeypatch):
    weight, bias, x = torch.randn(7, 5), torch.randn(7), torch.randn(3, 1, 5)

    def refuse(*_):
        raise RuntimeError("no such processor")

    monkeypatch.setattr(torch.ops.mkldnn, "_reorder_linear_weight", refuse)
    for name, activation in decoding.FUSED.items():
        product = decoding.PackedLinear([weight], [bias], 3, name)
        torch.testing.assert_close(product(x), activation(F.linear(x, weight, bias)))


@pytest.mark.parametrize("n", [15, 40])
@pytest.mark.parametrize("batch_size", [1, 5])
@pytest.mark.parametrize("hooked", [False, True])
def test_dropout_is_off_and_every_module_keeps_its_mode(batch_size, n, hooked, packed):
    model, ids = gpt(dropout=0.4), torch.randint(V, (batch_size, 4))
    if hooked:
        model.layers[1].register_forward_hook(lambda *_: None)
    expected = plainly(model, ids, n)
    model.train()
    model.layers[2].eval()  # a frozen part
    modes = [module.training for module in model.modules()]
    tokens = stream(model, ids, n, temperature=0.0)
    next(tokens)
    assert [module.training for module in model.modules()] == modes  # between two tokens too
    for use_cache in (True, False):
        assert generate(model, ids, n, temperature=0.0, use_cache=use_cache).tolist() == expected
    assert [module.training for module in model.modules()] == modes


def test_a_plain_model_is_never_switched_to_evaluation_mode(monkeypatch):
    model, ids = gpt(dropout=0.4).train(), torch.randint(V, (5, 4))
    switched = []
    before = nn.Module.__setattr__

    def watched(self, name, value):
        if name == "training":
            switched.append(self)
        before(self, name, value)

    for kind in {type(module) for module in model.modules()}:
        monkeypatch.setattr(kind, "__setattr__", watched)
    generate(model, ids, 20, temperature=0.0)
    assert not switched


@pytest.mark.parametrize(
    ("batch_size", "hooked", "times"),
    [
        *((rows, hooked, 20) for rows in (1, 5) for hooked in (False, True)),
        *(pytest.param(rows, hooked, 200, marks=pytest.mark.slow) for rows in (1, 5) for hooked in (False, True)),
    ],
)
def test_eight_threads_write_what_one_writes(batch_size, hooked, times, packed):
    model = gpt("Llama", dropout=0.3).train()
    if hooked:
        model.layers[1].register_forward_hook(lambda *_: None)
    prompts = torch.randint(V, (times, batch_size, 3), generator=torch.Generator().manual_seed(5))
    start = threading.Barrier(8)

    def write(i: int) -> list[list[int]]:
        return generate(model, prompts[i], 17, generator=torch.Generator().manual_seed(i)).tolist()

    def write_some(thread: int) -> list[list[list[int]]]:
        start.wait()
        return [write(i) for i in range(thread, times, 8)]

    alone = [write(i) for i in range(times)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(write_some, range(8)))
    assert [together[i % 8][i // 8] for i in range(times)] == alone
    assert all(module.training for module in model.modules())


def test_a_cache_that_is_too_short_is_refused():
    model = gpt()
    decoder, cache = model.decoder(1, 5), model.new_cache(1, 3)
    with pytest.raises(
        RuntimeError, match="`cache` must be long enough for the new tokens, got max_length=3, length=0"
    ):
        decoder(torch.randint(V, (1, 4)), cache=cache)


@pytest.mark.parametrize(("name", "value"), [("batch_size", 0), ("new_tokens", -1), ("batch_size", 2.5)])
def test_bad_sizes(name, value):
    with pytest.raises((ValueError, TypeError), match=f"`{name}` must be"):
        gpt().decoder(**{"batch_size": 1, "new_tokens": 1, name: value})


def test_matrices_packed_together_have_biases_or_have_none():
    weights = [torch.randn(7, 5), torch.randn(3, 5)]
    biases = [torch.randn(7), torch.randn(3)]
    x = torch.randn(11, 5)
    for given in (biases, [None, None]):
        apart = [F.linear(x, weight, bias) for weight, bias in zip(weights, given, strict=True)]
        torch.testing.assert_close(decoding.PackedLinear(weights, given, 11)(x), torch.cat(apart, 1))
    with pytest.raises(ValueError, match="`biases` must be given for all weights or for none, got 1 of 2"):
        decoding.PackedLinear(weights, [biases[0], None], 11)
