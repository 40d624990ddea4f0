"""Every layer under torch.compile, torch.export, torch.func, on the meta device and with fake tensors."""

import copy
import inspect

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from lmcourse import layers
from lmcourse.layers import (
    GRU,
    LSTM,
    RNN,
    ALiBi,
    AttentionConfig,
    BahdanauAttention,
    CausalConv,
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    LearnedPositionalEmbedding,
    LuongDotAttention,
    LuongGeneralAttention,
    MultiHeadAttention,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
    padding_mask,
)

B, T, S, H, K = 2, 5, 7, 2, 6
D = H * K
X, MEMORY, HEADS = (B, T, D), (B, S, D), (B, H, T, K)


def mask():
    return padding_mask(torch.tensor([2, T]))[:, None, None, :]


LAYERS = {
    "FeedForward": (lambda: FeedForward(D, 13, activation="swiglu"), [X], {}),
    "MultiHeadAttention": (lambda: MultiHeadAttention(D, H, num_kv_heads=1, qk_norm=True), [X], {"causal": True}),
    "attention with a mask": (lambda: MultiHeadAttention(D, H), [X], {"attention_mask": mask, "causal": True}),
    "attention to a memory": (lambda: MultiHeadAttention(D, H), [X, MEMORY], {}),
    "attention, rotary": (lambda: MultiHeadAttention(D, H, rotary=RotaryPositionalEmbedding(K)), [X], {"causal": True}),
    "attention, ALiBi": (lambda: MultiHeadAttention(D, H, alibi=ALiBi(H)), [X], {"causal": True}),
    "EncoderLayer": (lambda: EncoderLayer(D, H, 13, norm="pre", norm_layer="rms"), [X], {"attention_mask": mask}),
    "EncoderLayer, rotary": (
        lambda: EncoderLayer(D, H, 13, attention=AttentionConfig(1, rotary=RotaryPositionalEmbedding(K))), [X], {}
    ),
    "DecoderLayer": (lambda: DecoderLayer(D, H, 13), [X, MEMORY], {}),
    "RotaryPositionalEmbedding": (lambda: RotaryPositionalEmbedding(K), [HEADS], {}),
    "SinusoidalPositions": (lambda: SinusoidalPositions(D), [X], {}),
    "LearnedPositionalEmbedding": (lambda: LearnedPositionalEmbedding(11, D), [X], {}),
    "BahdanauAttention": (lambda: BahdanauAttention(D, D, 3), [X, MEMORY], {}),
    "LuongDotAttention": (LuongDotAttention, [X, MEMORY], {}),
    "LuongGeneralAttention": (lambda: LuongGeneralAttention(D, D), [X, MEMORY], {}),
    "CausalConv": (lambda: CausalConv(D, 3, 2, dilation=2), [X], {}),
    "RNN": (lambda: RNN(D, 3, fused=False), [X], {}),
    "GRU": (lambda: GRU(D, 3, fused=False), [X], {}),
    "LSTM": (lambda: LSTM(D, 3, fused=False), [X], {}),
    "LSTM, fused": (lambda: LSTM(D, 3, bidirectional=True), [X], {}),
}  # fmt: skip
every_layer = pytest.mark.parametrize("name", LAYERS)
#: Compiled every day are those that hold the others, and one of each other kind; the rest takes turns.
DAILY = {"attention, ALiBi", "EncoderLayer", "EncoderLayer, rotary", "DecoderLayer", "BahdanauAttention", "CausalConv"}
DAILY |= {"LSTM", "LSTM, fused"}
each_in_turn = pytest.mark.parametrize(
    "name", [name if name in DAILY else pytest.param(name, marks=pytest.mark.slow) for name in LAYERS]
)


def test_every_public_layer_is_called():
    public = {kind for kind in vars(layers).values() if inspect.isclass(kind) and issubclass(kind, torch.nn.Module)}
    called = {type(part) for build, _, _ in LAYERS.values() for part in build().modules()}
    assert public - called == set()


def make(name):
    torch.manual_seed(0)
    layer, shapes, options = LAYERS[name]
    tensors = [torch.randn(shape) for shape in shapes]
    return layer(), tensors, {key: value() if callable(value) else value for key, value in options.items()}


def tensors_of(result):
    return [part for each in result for part in tensors_of(each)] if isinstance(result, tuple) else [result]


def assert_equal(got, want):
    for ours, right in zip(tensors_of(got), tensors_of(want), strict=True):
        torch.testing.assert_close(ours, right)


@each_in_turn
def test_compiles_into_one_graph(name):
    layer, inputs, options = make(name)
    torch._dynamo.reset()
    got = torch.compile(copy.deepcopy(layer), fullgraph=True, backend="aot_eager")(*inputs, **options)
    want = layer(*inputs, **options)
    assert_equal(got, want)


@pytest.mark.slow  # daily a model of each family (models/test_every_model)
@every_layer
def test_exports(name):
    layer, inputs, options = make(name)
    exported = torch.export.export(layer, tuple(inputs), options).module()
    assert_equal(exported(*inputs, **options), layer(*inputs, **options))


@every_layer
def test_on_the_meta_device_and_drawn_anew_afterwards(name):
    layer, inputs, options = make(name)
    want = layer(*inputs, **options)
    with torch.device("meta"):
        empty = LAYERS[name][0]()
    given = {key: value.to("meta") if isinstance(value, torch.Tensor) else value for key, value in options.items()}
    got = empty(*(tensor.to("meta") for tensor in inputs), **given)
    for ours, right in zip(tensors_of(got), tensors_of(want), strict=True):
        assert (ours.device.type, ours.shape, ours.dtype) == ("meta", right.shape, right.dtype)
    empty.to_empty(device="cpu")
    with torch.no_grad():
        for parameter in empty.parameters():
            parameter.fill_(float("nan"))
    for part in empty.modules() if not hasattr(empty, "reset_parameters") else [empty]:
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()
    assert all(parameter.isfinite().all() for parameter in empty.parameters())
    assert all(part.isfinite().all() for part in tensors_of(empty(*inputs, **options)))


@every_layer
def test_fake_tensors_leave_nothing_behind(name):
    layer, inputs, options = make(name)
    want = copy.deepcopy(layer)(*inputs, **options)
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        given = {k: mode.from_tensor(v) if isinstance(v, torch.Tensor) else v for k, v in options.items()}
        fake = layer(*(mode.from_tensor(tensor) for tensor in inputs), **given)
    assert all(isinstance(part, FakeTensor) for part in tensors_of(fake))
    assert_equal(layer(*inputs, **options), want)


@every_layer
def test_gradients_by_torch_func_are_those_of_autograd(name):
    layer, inputs, options = make(name)
    if name == "LSTM, fused":
        pytest.skip("torch's own kernel, not this library's")
    parameters = dict(layer.named_parameters())

    def loss(parameters, *inputs):
        results = tensors_of(torch.func.functional_call(layer, parameters, inputs, options))
        return sum(result.sin().sum() for result in results)

    by_func = torch.func.grad(loss)(parameters, *inputs)
    if parameters:
        wanted = torch.autograd.grad(loss(parameters, *inputs), list(parameters.values()))
        for got, want in zip(by_func.values(), wanted, strict=True):
            torch.testing.assert_close(got, want)
