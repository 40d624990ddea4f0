"""Fast decoding: equal to the plain loop, whatever a user put on a model, in any thread; the model stays as it is."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
from torch import nn
from torch.nn.utils import parametrize

from lmcourse import kernels
from lmcourse.alignment.lora import add_lora
from lmcourse.generation import generate, stream
from lmcourse.kernels import decoding
from lmcourse.layers import EncoderLayer, MultiHeadAttention
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
def products(monkeypatch):
    """Plain products for keys of any number."""
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
def test_logits_are_those_of_the_model(kind, batch_size, dtype, products):
    model = gpt(kind).to(dtype)
    ids = torch.randint(V, (batch_size, 31))
    decoder = model.decoder()
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
def test_logits_in_half_precision_are_those_of_the_model(kind, batch_size, dtype, products):
    """As far from the exact ones as the model's own: the two round at different steps."""
    model = gpt(kind)
    for parameter in model.parameters():
        parameter.data = parameter.to(dtype).float()
    ids = torch.randint(V, (batch_size, 31))
    with torch.no_grad():
        exact = model(ids)
        model.to(dtype)
        decoder = model.decoder()
        caches = decoder.new_cache(batch_size, 31), model.new_cache(batch_size, 31)
        parts = ids.split([7, 1, 1, 5, 1, 1, 15], dim=1)
        ours = torch.cat([decoder(part, cache=caches[0]) for part in parts], 1)
        theirs = torch.cat([model(part, cache=caches[1]) for part in parts], 1)
    assert ours.dtype == theirs.dtype == dtype
    errors = [float((logits - exact).square().mean().sqrt() / exact.std()) for logits in (ours, theirs)]
    assert errors[0] < 1.25 * errors[1] + 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_padding_is_not_seen(kind, products):
    model, ids = gpt(kind).double(), torch.randint(V, (5, 13))
    mask = torch.arange(13) >= torch.tensor([0, 3, 7, 1, 4])[:, None]
    decoder, caches = model.decoder(), [model.new_cache(5, 13), model.new_cache(5, 13)]
    with torch.no_grad():
        for begin, end in ((0, 10), (10, 11), (11, 13)):
            options = {"attention_mask": mask[:, :end]}
            ours = decoder(ids[:, begin:end], cache=caches[0], **options)
            theirs = model(ids[:, begin:end], cache=caches[1], **options)
            seen = mask[:, begin:end]
            torch.testing.assert_close(ours[seen], theirs[seen])


class Shrunk(nn.Module):
    def forward(self, weight):
        return -0.5 * weight


class Doubled(nn.Linear):
    def forward(self, x):
        return -2.0 * super().forward(x)


class Sharper(MultiHeadAttention):
    def queries(self, x, start=0):
        return -3.0 * super().queries(x, start)


def another_forward(part):
    before = part.forward
    part.forward = lambda *args, **options: -1.6 * before(*args, **options)


def another_norm(model):
    model.layers[2].attention_norm = Shrunk()


def an_adapter(model):
    add_lora(model, rank=2, alpha=50.0)
    nn.init.normal_(model.layers[1].attention.v_proj.lora_B)


def a_hook(part):
    part.register_forward_hook(lambda module, args, output: -1.7 * output)


ADDITIONS = {
    "a hook on q_proj": lambda model: a_hook(model.layers[0].attention.q_proj),
    "a hook on the embedding": lambda model: a_hook(model.embedding),
    "a hook on a dropout": lambda model: a_hook(model.layers[1].dropout),
    "a hook on a layer": lambda model: a_hook(model.layers[1]),
    "a hook on the head": lambda model: a_hook(model.head),
    "a hook on the model": a_hook,
    "a pre-hook": lambda model: model.norm.register_forward_pre_hook(lambda module, args: (-0.6 * args[0],)),
    "a hook with keywords": lambda model: model.layers[1].attention.register_forward_hook(
        lambda module, args, options, output: -1.3 * output, with_kwargs=True
    ),
    "forward of a part": lambda model: another_forward(model.layers[0].feed_forward.up),
    "forward of the model": another_forward,
    "a subclass of Linear": lambda model: setattr(model.layers[0].attention.v_proj, "__class__", Doubled),
    "a subclass of attention": lambda model: setattr(model.layers[2].attention, "__class__", Sharper),
    "another norm": another_norm,
    "a parametrization": lambda model: parametrize.register_parametrization(
        model.layers[1].feed_forward.up, "weight", Shrunk()
    ),
    "an adapter": an_adapter,
}


@pytest.mark.parametrize("what", ADDITIONS)
def test_what_a_user_put_on_a_model_counts(what):
    model = gpt()
    ids = torch.randint(V, (3, 4), generator=torch.Generator().manual_seed(3))
    before = plainly(model, ids, 15)
    ADDITIONS[what](model)
    attributes = {name: list(vars(module)) for name, module in model.named_modules()}
    assert model.decoder() is None
    written = generate(model, ids, 15, temperature=0.0).tolist()
    assert written == plainly(model, ids, 15) != before
    assert {name: list(vars(module)) for name, module in model.named_modules()} == attributes  # it is not changed


def test_a_model_that_is_compiled_in_part_is_called():
    whole, part = gpt(), gpt()
    whole.compile(backend="eager")
    part.layers[1] = torch.compile(part.layers[1], backend="eager")
    assert whole.decoder() is part.decoder() is None


def test_a_hook_for_all_modules_and_a_changed_class_count(monkeypatch):
    model = gpt()
    handle = nn.modules.module.register_module_forward_hook(lambda module, args, output: None)
    try:
        assert model.decoder() is None
    finally:
        handle.remove()
    assert model.decoder() is not None
    for kind in (nn.Linear, EncoderLayer, GPT):
        with monkeypatch.context() as patch:
            patch.setattr(kind, "forward", lambda *args, **options: None)
            assert model.decoder() is None


def test_the_switch_turns_it_off():
    model = gpt()
    with kernels.plain():
        assert model.decoder() is None


@pytest.mark.parametrize("batch_size", [1, 5])
def test_a_weight_changed_between_two_tokens_of_a_stream_counts(batch_size, products):
    model, ids = gpt(), torch.randint(V, (batch_size, 4))
    tokens = stream(model, ids, 9, temperature=0.0)
    cache = model.new_cache(batch_size, 13)
    with torch.no_grad():
        expected = model(ids, cache=cache)[:, -1].argmax(-1)
        for _ in range(8):
            assert torch.equal(next(tokens), expected)
            model.layers[1].feed_forward.up.weight.mul_(-1.1)
            expected = model(expected[:, None], cache=cache)[:, -1].argmax(-1)


@pytest.mark.parametrize("batch_size", [1, 5])
@pytest.mark.parametrize("hooked", [False, True])
def test_dropout_is_off_and_every_module_keeps_its_mode(batch_size, hooked, products):
    n, model, ids = 15, gpt(dropout=0.4), torch.randint(V, (batch_size, 4))
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


@pytest.mark.parametrize("batch_size", [1, 5])
@pytest.mark.parametrize("hooked", [False, True])
@pytest.mark.parametrize("times", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_eight_threads_write_what_one_writes(batch_size, hooked, times, products):
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
    decoder, cache = model.decoder(), model.new_cache(1, 3)
    with pytest.raises(
        RuntimeError, match="`cache` must be long enough for the new tokens, got max_length=3, length=0"
    ):
        decoder(torch.randint(V, (1, 4)), cache=cache)
