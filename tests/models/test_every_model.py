"""What holds for every model: it compiles whole, exports, lives on the meta device, and draws all its weights anew."""

import copy
import inspect

import pytest
import torch
from torch import Tensor, nn
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.nn.utils import parametrizations

from lmcourse import models
from lmcourse.generation import generate
from lmcourse.models import (
    BERT,
    CBOW,
    GPT,
    BERTConfig,
    GPTConfig,
    MaskedLM,
    RecurrentConfig,
    RecurrentLM,
    SentenceClassifier,
    Seq2Seq,
    Seq2SeqConfig,
    SkipGram,
    TokenClassifier,
    Transformer,
    TransformerConfig,
)
from lmcourse.models.embeddings import NeuralBigram, NeuralNGram

V, C, D, H, L = 13, 17, 12, 3, 2
#: Each layer is compiled daily (layers/test_tracing), and one model of each family; the others in `make test-slow`.
COMPILED = ("gpt-llama", "masked-lm", "transformer", "seq2seq-input-feeding", "lstm")
LLAMA = {"positions": "rotary", "norm": "rms", "activation": "swiglu", "bias": False, "num_kv_heads": 1}


def bert() -> BERT:
    return BERT(BERTConfig(V, C, D, H, L))


MODELS = {
    "gpt": lambda: GPT(GPTConfig(V, C, D, H, L)),
    "gpt-sinusoidal": lambda: GPT(GPTConfig(V, C, D, H, L, positions="sinusoidal")),
    "gpt-llama": lambda: GPT(GPTConfig(V, C, D, H, L, **LLAMA)),
    "gpt-alibi": lambda: GPT(GPTConfig(V, C, D, H, L, positions="alibi")),
    "gpt-qk-norm": lambda: GPT(GPTConfig(V, C, D, H, L, qk_norm=True, tie_embeddings=False)),
    "bert": bert,
    "masked-lm": lambda: MaskedLM(BERTConfig(V, C, D, H, L)),
    "sentence-classifier": lambda: SentenceClassifier(bert(), 3, pooling="mean"),
    "token-classifier": lambda: TokenClassifier(bert(), 3),
    "transformer": lambda: Transformer(TransformerConfig(V, V, D, H, L, L)),
    "transformer-shared": lambda: Transformer(TransformerConfig(V, V, D, H, L, L, share_embeddings=True)),
    "seq2seq": lambda: Seq2Seq(Seq2SeqConfig(V, V, 5, 6)),
    "seq2seq-additive": lambda: Seq2Seq(Seq2SeqConfig(V, V, 5, 6, cell="gru"), "additive"),
    "seq2seq-general": lambda: Seq2Seq(Seq2SeqConfig(V, V, 5, 6, bidirectional=False), "general"),
    "seq2seq-input-feeding": lambda: Seq2Seq(Seq2SeqConfig(V, V, 5, 6, input_feeding=True), "dot"),
    "rnn": lambda: RecurrentLM(RecurrentConfig(V, 5, 7, cell="rnn")),
    "gru": lambda: RecurrentLM(RecurrentConfig(V, 5, 7, 2, cell="gru", fused=False)),
    "lstm": lambda: RecurrentLM(RecurrentConfig(V, 7, 7, forget_bias=1.0, tie_embeddings=True)),
    "bigram": lambda: NeuralBigram(V),
    "bigram-encoder": lambda: NeuralBigram(V, 5),
    "ngram": lambda: NeuralNGram(V, 3, 5, 7, direct=True),
    "skip-gram": lambda: SkipGram(V, 5),
    "cbow": lambda: CBOW(V, 5),
}


def ids(*shape: int) -> Tensor:
    return torch.randint(3, V, shape, generator=torch.Generator().manual_seed(sum(shape)))


def inputs_of(model: nn.Module) -> tuple[Tensor, ...]:
    if isinstance(model, Seq2Seq | Transformer):
        source = ids(2, 7)
        source[1, 5:] = 0  # padding: the recurrent encoder has to stop there
        return source, ids(2, 5)
    if isinstance(model, SentenceClassifier | TokenClassifier | MaskedLM | BERT):
        return ids(2, 7), torch.arange(7) < torch.tensor([[7], [4]])
    if isinstance(model, SkipGram):
        return ids(3), ids(3), ids(3, 2)
    if isinstance(model, CBOW):
        return ids(3), ids(3, 4), ids(3, 2)
    return (ids(5, 2),) if isinstance(model, NeuralNGram) else (ids(2, 7),)


def test_every_public_model_is_called():
    public = {kind for kind in vars(models).values() if inspect.isclass(kind) and issubclass(kind, nn.Module)}
    assert public - {type(build()) for build in MODELS.values()} == set()


@pytest.fixture(params=MODELS)
def model(request) -> nn.Module:
    torch.manual_seed(0)
    return MODELS[request.param]().eval()


one_of_each_family = pytest.mark.parametrize(
    "model",
    [name if name in COMPILED else pytest.param(name, marks=pytest.mark.slow) for name in MODELS],
    indirect=True,
)


def first(result):
    return result[0] if isinstance(result, tuple) else result


@one_of_each_family
def test_it_compiles_as_one_graph(model):
    inputs = inputs_of(model)
    torch.compiler.reset()
    compiled = torch.compile(model, fullgraph=True, backend="eager")
    torch.testing.assert_close(first(compiled(*inputs)), first(model(*inputs)))


@pytest.mark.slow
def test_its_gradients_compile_as_one_graph(model):
    inputs = inputs_of(model)
    torch.compiler.reset()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    first(compiled(*inputs)).square().sum().backward()
    found = {name: parameter.grad for name, parameter in model.named_parameters()}
    model.zero_grad()
    first(model(*inputs)).square().sum().backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(found[name], parameter.grad, msg=name)


@one_of_each_family
def test_it_exports(model):
    inputs = inputs_of(model)
    program = torch.export.export(model, inputs)
    torch.testing.assert_close(first(program.module()(*inputs)), first(model(*inputs)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_it_runs_with_linear_layers_in_8_bits(model):
    quantised = torch.ao.quantization.quantize_dynamic(copy.deepcopy(model).eval(), {nn.Linear}, dtype=torch.qint8)
    replaced = any("quantized" in type(part).__module__ for part in quantised.modules())
    assert replaced == any(type(part) is nn.Linear for part in model.modules())
    with torch.no_grad():
        exact, found = (first(each(*inputs_of(model))).double() for each in (model.eval(), quantised))
    assert (found - exact).norm() <= 0.1 * exact.norm()
    assert not replaced or not torch.equal(found, exact)
    if isinstance(model, GPT):
        texts = [generate(quantised, ids(2, 5), max_new_tokens=4, temperature=0.0, use_cache=c) for c in (True, False)]
        assert torch.equal(*texts)


def test_it_runs_on_the_meta_device(model):
    result = first(model(*inputs_of(model)))
    there = copy.deepcopy(model).to("meta")
    on_meta = first(there(*(each.to("meta") for each in inputs_of(model))))
    assert (on_meta.device.type, on_meta.shape, on_meta.dtype) == ("meta", result.shape, result.dtype)


def test_fake_tensors_leave_nothing_behind(model):
    inputs = inputs_of(model)
    expected = first(model(*inputs))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        assert isinstance(first(model(*(mode.from_tensor(each) for each in inputs))), FakeTensor)
    torch.testing.assert_close(first(model(*inputs)), expected)


@pytest.mark.parametrize("kind", MODELS)
def test_it_is_built_on_the_meta_device_and_drawn_afterwards(kind):
    with torch.device("meta"):
        model = MODELS[kind]()
    assert {parameter.device.type for parameter in model.parameters()} == {"meta"}
    model = model.to_empty(device="cpu")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(torch.nan)
    torch.manual_seed(1)
    model.reset_parameters()
    fresh = [name for name, _ in MODELS[kind]().named_parameters()]
    assert [name for name, _ in model.named_parameters()] == fresh  # what is tied is tied again
    assert all(bool(parameter.isfinite().all()) for parameter in model.parameters())
    assert bool(first(model.eval()(*inputs_of(model))).isfinite().all())


@pytest.mark.parametrize("kind", ["gpt", "lstm", "transformer", "transformer-shared"])
def test_a_head_that_a_user_replaced_or_parametrized_is_not_tied_by_drawing_anew(kind):
    changes = [
        lambda model: setattr(model, "head", nn.Linear(model.head.in_features, 2)),
        lambda model: parametrizations.orthogonal(model.head),
    ]
    if kind == "gpt":  # the others set the bias of their head
        changes.append(lambda model: setattr(model, "head", nn.Sequential(nn.Linear(model.head.in_features, V))))
    for change in changes:
        model = MODELS[kind]()
        change(model)
        before = [name for name, _ in model.named_parameters()]
        model.reset_parameters()
        assert [name for name, _ in model.named_parameters()] == before


def test_all_weights_are_drawn_anew_as_they_were_at_first(model):
    """Same mean and spread as a fresh model's, tensor by tensor, whatever stood there; ties stay."""
    fresh = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(100.0)
    torch.manual_seed(1)
    model.reset_parameters()
    for name, parameter in model.named_parameters():
        spread = fresh[name].std() if fresh[name].numel() > 1 else torch.tensor(0.0)
        if float(spread) == 0.0:
            torch.testing.assert_close(parameter.detach(), fresh[name], msg=name)  # gains, biases, tables of zeros
        else:
            assert 0.3 < float(parameter.std() / spread) < 3.0, name
            assert not torch.equal(parameter, fresh[name]), name


def test_ids_of_every_integer_dtype_give_the_same(model):
    inputs = inputs_of(model)
    expected = first(model(*inputs))
    for dtype in (torch.int32, torch.int16, torch.uint8):
        given = [each if each.dtype == torch.bool else each.to(dtype) for each in inputs]
        torch.testing.assert_close(first(model(*given)), expected)
