"""GPT beside transformers' GPT-2 and Llama, its cache, its padding, its errors."""

import copy
import json
import warnings
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import gguf
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import save_file
from torch import nn
from torch.nn.utils import parametrize, prune
from torch.utils._python_dispatch import TorchDispatchMode

from lmcourse import data, kernels
from lmcourse.generation.sampling import generate
from lmcourse.kernels import linear_cross_entropy
from lmcourse.models import pretrained
from lmcourse.models.gpt import GPT, GPTConfig

V, C, D, H, L = 53, 37, 24, 6, 3
KINDS = {
    "learned": {},
    "sinusoidal": {"positions": "sinusoidal", "activation": "relu"},
    "llama": {"positions": "rotary", "norm": "rms", "activation": "swiglu", "num_kv_heads": 2, "bias": False},
    "modern": {"positions": "rotary", "norm": "rms", "activation": "relu2", "qk_norm": True, "bias": False},
    "alibi": {"positions": "alibi", "num_kv_heads": 3},
}


def model_of(kind: str, seed: int = 0) -> GPT:
    torch.manual_seed(seed)
    model = GPT(GPTConfig(V, C, D, H, L, **KINDS[kind])).double()
    with torch.no_grad():
        for parameter in model.parameters():  # weights as they start give almost even scores
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model.eval()


def hugging_face(kind: str) -> torch.nn.Module:
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(5)
    if kind == "gpt2":
        config = transformers.GPT2Config(
            vocab_size=V, n_positions=C, n_embd=D, n_head=H, n_layer=L, bos_token_id=0, eos_token_id=0
        )
        reference = transformers.GPT2LMHeadModel(config)
    else:
        config = transformers.LlamaConfig(
            vocab_size=V,
            max_position_embeddings=C,
            hidden_size=D,
            intermediate_size=43,
            num_attention_heads=H,
            num_key_value_heads=2,
            num_hidden_layers=L,
            tie_word_embeddings=kind == "llama-tied",
            rope_theta=500.0,
        )
        reference = transformers.LlamaForCausalLM(config)
    with torch.no_grad():
        for parameter in reference.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return reference.eval()


@pytest.fixture(params=["gpt2", "llama", "llama-tied"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[GPT, torch.nn.Module]:
    reference = hugging_face(request.param)
    reference.save_pretrained(tmp_path)
    return GPT.from_pretrained(tmp_path), reference


def test_logits_and_gradients_equal_transformers(pair):
    ours, theirs = pair
    ids = torch.randint(V, (3, 29), generator=torch.Generator().manual_seed(1))
    logits = theirs(ids).logits
    torch.testing.assert_close(ours(ids), logits, atol=1e-5, rtol=1e-5)
    weight = torch.randn(logits.shape, generator=torch.Generator().manual_seed(2))
    (ours(ids) * weight).mean().backward()
    (logits * weight).mean().backward()
    of_theirs = {name: parameter.grad for name, parameter in theirs.named_parameters()}
    read = pretrained._from_gpt2 if ours.config.positions == "learned" else pretrained._from_llama
    config = pretrained._Config(theirs.config.to_dict())
    expected = read(config, of_theirs)[1]  # the names change, and c_attn comes apart
    for name, parameter in ours.named_parameters():
        torch.testing.assert_close(parameter.grad, expected[name], atol=1e-6, rtol=1e-4, msg=name)


def test_greedy_text_equals_transformers(pair):
    ours, theirs = pair
    ids = torch.randint(V, (2, 5), generator=torch.Generator().manual_seed(3))
    text = theirs.generate(ids, max_new_tokens=31, do_sample=False, pad_token_id=0, eos_token_id=None)
    assert generate(ours, ids, 31, temperature=0.0).tolist() == text.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_cached_logits_are_the_uncached(kind):
    model = model_of(kind)
    ids = torch.randint(V, (2, 23))
    whole = model(ids)
    generator = torch.Generator().manual_seed(4)
    for _ in range(5):
        cuts = sorted({0, 23, *torch.randint(1, 23, (4,), generator=generator).tolist()})
        cache = model.new_cache(2, 23)
        pieces = [model(ids[:, a:b], cache=cache) for a, b in pairwise(cuts)]
        torch.testing.assert_close(torch.cat(pieces, dim=1), whole)
        assert cache.length == 23


@pytest.mark.parametrize("kind", KINDS)
def test_a_left_padded_batch_is_each_prompt_alone(kind):
    model = model_of(kind)
    prompts = [torch.randint(V, (n,)) for n in (3, 11, 7)]
    ids = torch.full((3, 11), 0)
    keep = torch.zeros(3, 11, dtype=torch.bool)
    for row, prompt in enumerate(prompts):
        ids[row, 11 - len(prompt) :] = prompt
        keep[row, 11 - len(prompt) :] = True
    logits = model(ids, attention_mask=keep)
    for row, prompt in enumerate(prompts):
        torch.testing.assert_close(logits[row, 11 - len(prompt) :], model(prompt[None])[0])
    together = generate(model, ids, 13, temperature=0.0, attention_mask=keep)
    for row, prompt in enumerate(prompts):
        alone = generate(model, prompt[None], 13, temperature=0.0)
        assert together[row, 11:].tolist() == alone[0, len(prompt) :].tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_texts_that_share_a_row_are_each_alone(kind):
    model = model_of(kind)
    first, second = torch.randint(V, (1, 7)), torch.randint(V, (1, 5))
    segment = torch.tensor([[1] * 7 + [2] * 5])
    logits = model(torch.cat([first, second], 1), attention_mask=segment[:, :, None] == segment[:, None, :])
    torch.testing.assert_close(logits[:, :7], model(first))
    torch.testing.assert_close(logits[:, 7:], model(second))


@pytest.mark.parametrize("kind", KINDS)
def test_a_token_stands_where_the_tokens_it_sees_say(kind):
    """A mask with holes: the tokens that are left are the text, wherever they lie; cached or not."""
    model = model_of(kind)
    ids, keep = torch.randint(V, (2, 11)), torch.ones(2, 11, dtype=torch.bool)
    keep[0, [0, 3, 4, 7]] = False
    keep[1, [2, 9]] = False
    logits, cache = model(ids, attention_mask=keep), model.new_cache(2, 11)
    parts = [
        model(ids[:, :5], attention_mask=keep[:, :5], cache=cache),
        model(ids[:, 5:], attention_mask=keep, cache=cache),
    ]
    for row in range(2):
        alone = model(ids[row, keep[row]][None])[0]
        torch.testing.assert_close(logits[row, keep[row]], alone)
        torch.testing.assert_close(torch.cat(parts, dim=1)[row, keep[row]], alone)


@pytest.mark.parametrize("kind", KINDS)
def test_two_continuations_in_one_row_each_follow_the_prefix(kind):
    """A mask (B, T, S) in which the second continuation does not see the first."""
    model = model_of(kind)
    prefix, first, second = (torch.randint(V, (1, n)) for n in (5, 3, 4))
    sees = torch.ones(12, 12, dtype=torch.bool).tril()
    sees[8:, 5:8] = False
    logits = model(torch.cat([prefix, first, second], dim=1), attention_mask=sees[None])
    torch.testing.assert_close(logits[:, :8], model(torch.cat([prefix, first], dim=1)))
    torch.testing.assert_close(logits[:, 8:], model(torch.cat([prefix, second], dim=1))[:, 5:])


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_texts_that_begin_alike_are_each_alone(kind, padded):
    """Numbers and gradients of three beginnings with two continuations each."""
    model, G, P, n, R = model_of(kind), 3, 6, 2, 4
    shared, branches = torch.randint(V, (G, P)), torch.randint(V, (G, n, R))
    keep = torch.ones(G, P, dtype=torch.bool)
    if padded:
        keep[0, :2], keep[2, :5] = False, False
    whole = torch.cat([shared[:, None].expand(-1, n, -1), branches], dim=2).flatten(0, 1)  # (G n, P + R)
    seen = torch.cat([keep.repeat_interleave(n, 0), torch.ones(G * n, R, dtype=torch.bool)], dim=1)
    expected = model.hidden(whole, attention_mask=seen).unflatten(0, (G, n))
    first, rest = model.hidden_with_shared_prefix(shared, branches, attention_mask=keep if padded else None)
    torch.testing.assert_close(rest, expected[:, :, P:])
    torch.testing.assert_close(first[keep], expected[:, 0, :P][keep])
    wanted = torch.randn_like(rest)
    parameters = [parameter for name, parameter in model.named_parameters() if name != "head.weight"]
    gradients = torch.autograd.grad((rest * wanted).sum(), parameters)
    alone = torch.autograd.grad((expected[:, :, P:] * wanted).sum(), parameters)
    for found, right in zip(gradients, alone, strict=True):
        torch.testing.assert_close(found, right)


@pytest.mark.parametrize("kind", KINDS)
def test_the_future_changes_nothing(kind):
    model = model_of(kind)
    ids = torch.randint(V, (2, 19))
    other = ids.clone()
    other[:, 12:] = (other[:, 12:] + 1) % V
    torch.testing.assert_close(model(ids)[:, :12], model(other)[:, :12], rtol=0, atol=0)
    assert (model(ids)[:, 12:] - model(other)[:, 12:]).abs().max() > 1e-3


def test_last_only_and_the_loss():
    model = model_of("llama")
    ids = torch.randint(V, (3, 11))
    torch.testing.assert_close(model(ids, last_only=True), model(ids)[:, -1:])
    log_probs = model(ids[:, :-1]).log_softmax(-1)
    by_hand = -sum(log_probs[b, t, ids[b, t + 1]] for b in range(3) for t in range(10)) / 30
    torch.testing.assert_close(model.loss(ids[:, :-1], ids[:, 1:]), by_hand.float(), check_dtype=False)


def test_maps_are_those_of_the_forward_pass():
    model = model_of("learned")
    maps = model.attention_maps(torch.randint(V, (2, 9)))
    assert [tuple(each.shape) for each in maps] == [(2, H, 9, 9)] * L
    torch.testing.assert_close(maps[0].sum(-1), torch.ones(2, H, 9, dtype=torch.float64))
    assert (maps[1].triu(1) == 0).all()


def test_targets_of_another_shape_are_refused():
    model = model_of("llama")
    ids = torch.randint(V, (3, 11))
    with pytest.raises(
        ValueError, match=r"`inputs`, `targets` must have the same shape, .*\(3, 11\), targets \(11, 3\)"
    ):
        model.loss(ids, ids.t())


@pytest.mark.parametrize("dtype", [torch.int32, torch.int16, torch.uint8])
def test_ids_of_any_integer_dtype(dtype):
    model, ids = model_of("llama"), torch.randint(V, (3, 11))
    torch.testing.assert_close(model(ids.to(dtype)), model(ids))
    torch.testing.assert_close(model.loss(ids.to(dtype), ids.to(dtype)), model.loss(ids, ids))
    torch.testing.assert_close(model.total_nll(ids.flatten().to(dtype)), model.total_nll(ids.flatten()))


def test_a_validation_computes_no_gradients(monkeypatch):
    asked, compute = [], linear_cross_entropy._sum_and_gradients
    monkeypatch.setattr(linear_cross_entropy, "_sum_and_gradients", lambda *a: (asked.append(a[3:]), compute(*a))[1])
    model, ids = model_of("llama"), torch.randint(V, (3, 11))
    model.loss(ids, ids)
    with torch.no_grad():
        model.loss(ids, ids)
    assert asked == [(True, True), (False, False)]


class Halved(nn.Module):
    def forward(self, weight):
        return -0.5 * weight


def a_forward_of_its_own(head):
    before = head.forward
    head.forward = lambda x: -1.6 * before(x)


def old_weight_norm(head):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is deprecated
        nn.utils.weight_norm(head)
    with torch.no_grad():
        head.weight_g.mul_(-1.7)


def compiled_in_place(head):
    head.compile(backend="eager")
    a_forward_of_its_own(head)


class Doubled(torch.Tensor):
    """Stands for quantised weights: products with it are its own."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        result = super().__torch_function__(function, types, args, kwargs)
        return -2.0 * result.as_subclass(torch.Tensor) if function is F.linear else result


def a_weight_of_another_kind(head):
    head.weight = nn.Parameter(head.weight.detach().as_subclass(Doubled))


ON_THE_HEAD = {
    "hook": lambda head: head.register_forward_hook(lambda module, args, output: -1.7 * output),
    "pre-hook": lambda head: head.register_forward_pre_hook(lambda module, args: (-0.6 * args[0],)),
    "forward": a_forward_of_its_own,
    "pruning": lambda head: prune.random_unstructured(head, "weight", 0.5),
    "weight norm": old_weight_norm,
    "parametrization": lambda head: parametrize.register_parametrization(head, "weight", Halved()),
    "compiled": compiled_in_place,
    "weight of another kind": a_weight_of_another_kind,
}


@pytest.mark.parametrize("what", ON_THE_HEAD)
def test_what_a_user_put_on_the_head_counts_in_the_losses(what):
    model, ids = model_of("llama"), torch.randint(V, (3, 11), generator=torch.Generator().manual_seed(0))
    text = torch.randint(V, (30,), generator=torch.Generator().manual_seed(1))
    before = model.loss(ids[:, :-1], ids[:, 1:]).detach()
    ON_THE_HEAD[what](model.head)
    with torch.no_grad():
        expected = F.cross_entropy(model(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        of_text = F.cross_entropy(model(text[None, :-1])[0], text[1:], reduction="sum")
    assert not torch.isclose(expected, before, rtol=0.01)  # or a loss that goes past the head would pass
    torch.testing.assert_close(model.loss(ids[:, :-1], ids[:, 1:]), expected)
    assert model.total_nll(text) == pytest.approx(float(of_text))


def test_a_full_backward_hook_of_the_head_and_hooks_for_all_modules_are_called():
    model, ids, heard = model_of("llama"), torch.randint(V, (3, 11)), []
    handle = model.head.register_full_backward_hook(lambda module, given, out: heard.append(out[0].shape[-1]))
    model.loss(ids, ids).backward()
    handle.remove()
    assert heard == [V]
    handle = nn.modules.module.register_module_forward_hook(
        lambda module, args, output: heard.append("called") if module is model.head else None
    )
    model.loss(ids, ids)
    handle.remove()
    model.loss(ids, ids)
    assert heard == [V, "called"]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_loss_of_a_head_with_a_hook_is_as_exact_as_without(dtype):
    model, ids = model_of("llama").to(dtype), torch.randint(V, (3, 11))
    expected = model.loss(ids, ids)
    model.head.register_forward_hook(lambda *_: None)
    assert expected.dtype == torch.float32
    torch.testing.assert_close(model.loss(ids, ids), expected)


class Capped(GPT):
    """A subclass with a `forward` of its own."""

    def forward(self, ids, **options):
        return super().forward(ids, **options).tanh()


def changed(how: str) -> GPT:
    model = model_of("learned")
    if how == "a subclass":
        model.__class__ = Capped
    elif how == "a hook":
        model.register_forward_hook(lambda _, inputs, logits: logits.tanh())
    else:
        model.forward = lambda ids, **options: GPT.forward(model, ids, **options).tanh()
    return model


@pytest.mark.parametrize("how", ["a subclass", "a hook", "an instance"])
def test_losses_go_through_the_forward_of_a_changed_model(how):
    model, plain = changed(how), model_of("learned")
    ids = torch.randint(V, (2, 12), generator=torch.Generator().manual_seed(0))
    want = F.cross_entropy(plain(ids[:, :-1]).tanh().flatten(0, 1), ids[:, 1:].flatten())
    torch.testing.assert_close(model.loss(ids[:, :-1], ids[:, 1:]), want)
    assert not torch.isclose(plain.loss(ids[:, :-1], ids[:, 1:]), want)
    first = ids[0]
    nats = F.cross_entropy(plain(first[None, :-1])[0].tanh(), first[1:], reduction="sum")
    assert model.total_nll(first) == pytest.approx(float(nats.detach()), rel=1e-6)
    assert model.loss(ids[:, :-1], ids[:, 1:]).requires_grad


def test_total_nll_puts_every_module_back_into_its_mode():
    torch.manual_seed(0)
    model, ids = GPT(GPTConfig(V, C, D, H, L, dropout=0.4)).train(), torch.randint(V, (50,))
    model.layers[1].eval()  # a frozen part
    modes = [module.training for module in model.modules()]
    assert model.total_nll(ids) == model.total_nll(ids)  # without dropout
    assert [module.training for module in model.modules()] == modes
    model.layers[0].register_forward_hook(lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        model.total_nll(ids)
    assert [module.training for module in model.modules()] == modes


@pytest.mark.parametrize("use_cache", [True, False])
def test_a_text_beyond_learned_positions_is_refused_by_the_name_of_its_argument(use_cache):
    with pytest.raises(ValueError, match=r"`max_new_tokens` together.*at most context_length=37"):
        generate(model_of("learned"), torch.zeros(1, 30, dtype=torch.long), 9, use_cache=use_cache)


def test_full_backward_hooks_are_called_where_a_prefix_is_shared():
    model, called = model_of("llama"), []
    for name, part in model.named_modules():
        if name.endswith(("attention", "down", "attention_norm")):
            part.register_full_backward_hook(lambda part, given, out, name=name: called.append((name, out[0].shape[0])))
    first, rest = model.hidden_with_shared_prefix(torch.randint(V, (2, 5)), torch.randint(V, (2, 3, 4)))
    (first.sum() + rest.sum()).backward()
    for name in ("attention", "feed_forward.down", "attention_norm"):
        for layer in range(L):
            assert sorted(rows for part, rows in called if part == f"layers.{layer}.{name}") == [2, 6]


def test_plain_and_fast_give_the_same_losses_and_gradients():
    for kind in KINDS:
        model, ids = model_of(kind), torch.randint(V, (3, 11))
        results = []
        for switch in (nullcontext, kernels.plain):
            with switch():
                loss = model.loss(ids[:, :-1], ids[:, 1:])
                first, rest = model.hidden_with_shared_prefix(ids[:, :4], ids[:, None, 4:].expand(-1, 2, -1))
                results.append(torch.autograd.grad(loss + first.sum() + rest.sin().sum(), list(model.parameters())))
                results[-1] = (loss.detach(), *results[-1])
        for got, want in zip(*results, strict=True):
            torch.testing.assert_close(got, want)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_by_torch_func_are_those_of_autograd(kind):
    model, ids = model_of(kind), torch.randint(V, (2, 7), generator=torch.Generator().manual_seed(2))
    parameters = dict(model.named_parameters())

    def loss(parameters):
        return torch.func.functional_call(LossAsForward(model), parameters, (ids[:, :-1], ids[:, 1:]))

    by_func = torch.func.grad(loss)({f"model.{name}": parameter for name, parameter in parameters.items()})
    wanted = torch.autograd.grad(model.loss(ids[:, :-1], ids[:, 1:]), list(parameters.values()))
    for (name, got), want in zip(by_func.items(), wanted, strict=True):
        torch.testing.assert_close(got, want, msg=name)


class LossAsForward(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, inputs, targets):
        return self.model.loss(inputs, targets)


@pytest.mark.parametrize(
    "kind", [kind if kind == "learned" else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]
)
def test_compiles_into_one_graph_and_exports(kind):
    model = model_of(kind)
    ids, keep = torch.randint(V, (2, 9)), torch.ones(2, 9, dtype=torch.bool)
    keep[0, :3] = False
    torch._dynamo.reset()
    compiled = torch.compile(copy.deepcopy(model), fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(ids), model(ids))
    torch.testing.assert_close(compiled(ids, attention_mask=keep)[keep], model(ids, attention_mask=keep)[keep])
    loss = torch.compile(model.loss, fullgraph=True, backend="aot_eager")(ids[:, :-1], ids[:, 1:])
    torch.testing.assert_close(loss, model.loss(ids[:, :-1], ids[:, 1:]))
    batch, length = torch.export.Dim("B", max=99), torch.export.Dim("T", min=2, max=C)
    exported = torch.export.export(model, (ids,), dynamic_shapes={"ids": {0: batch, 1: length}}).module()
    longer = torch.randint(V, (3, 23))
    torch.testing.assert_close(exported(longer), model(longer))


@pytest.mark.slow  # daily its scores beside the plain formula (layers/test_positions)
def test_a_model_with_alibi_learns_what_came_last_and_reads_longer_texts():
    """After the token 4 comes the token before it once more: of all that were seen, the nearest."""
    torch.manual_seed(0)
    model = GPT(GPTConfig(5, 15, 32, 8, 2, positions="alibi"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=300)

    def texts(pieces):
        token = torch.randint(4, (64, pieces, 1))
        return torch.cat([token, torch.full_like(token, 4), token], dim=2).flatten(1)

    for _ in range(300):
        ids = texts(5)
        optimizer.zero_grad()
        model.loss(ids[:, :-1], ids[:, 1:]).backward()
        optimizer.step()
        schedule.step()
    with torch.no_grad():
        for pieces in (5, 20):  # four times the length of the training
            ids = texts(pieces)
            guesses = model(ids[:, :-1]).argmax(-1)[:, 1::3]
            assert (guesses == ids[:, 2::3]).double().mean() > 0.9


def test_the_logits_of_a_long_text_are_never_held_at_once():
    """Of 16 windows of 37 tokens, no tensor is as large as all logits together."""
    model, ids = model_of("llama"), torch.randint(V, (600,))
    largest = 0

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            nonlocal largest
            result = function(*args, **(kwargs or {}))
            if isinstance(result, torch.Tensor) and result.dim() > 0 and result.shape[-1] == V:
                largest = max(largest, result.numel())
            return result

    with pytest.MonkeyPatch.context() as patch, Watch():
        patch.setattr(linear_cross_entropy, "rows_at_once", lambda *_: 7)
        model.total_nll(ids)
    assert 0 < largest <= max(7 * V, D * V)


def test_parameters_of_gpt2_small_and_the_start():
    with torch.device("meta"):
        model = GPT(GPTConfig(50_257, 1_024, 768, 12, 12, activation="gelu_tanh"))
    assert sum(p.numel() for p in model.parameters()) == 124_439_808
    small = GPT(GPTConfig(V, C, 64, 4, 8))
    assert small.layers[0].attention.out_proj.weight.std().item() == pytest.approx(0.02 / 4, rel=0.1)  # sqrt(2 x 8) = 4
    assert small.layers[0].attention.q_proj.weight.std().item() == pytest.approx(0.02, rel=0.1)
    start = small.loss(torch.randint(V, (5, 20)), torch.randint(V, (5, 20)))
    assert start.item() == pytest.approx(torch.tensor(float(V)).log().item(), abs=0.1)


def test_with_zero_outputs_a_fresh_model_is_embedding_norm_and_head():
    torch.manual_seed(0)
    model = GPT(GPTConfig(V, C, D, H, L, zero_outputs=True, **KINDS["modern"]))
    ids = torch.randint(V, (3, 7))
    torch.testing.assert_close(model(ids), model.head(model.norm(model.embedding(ids))), rtol=0, atol=0)
    loss = model.loss(ids, ids.roll(1, 1))
    loss.backward()
    last = model.layers[-1]
    assert last.attention.out_proj.weight.grad.abs().max() > 0  # they learn first
    assert last.attention.q_proj.weight.grad.abs().max() == 0


@pytest.mark.parametrize(("n", "stride"), [(2, None), (5, 3), (38, None), (61, 5), (74, 37), (113, 1), (113, 11)])
def test_the_cost_of_a_text_counts_each_token_once_with_enough_before_it(n, stride):
    model = model_of("llama", seed=3)
    ids = torch.randint(V, (n,), generator=torch.Generator().manual_seed(n))
    step = C // 2 if stride is None else stride
    expected, counted = 0.0, 0
    for begin in range(0, n, step):  # one window after the other, counting what the one before has not
        window = ids[begin : begin + C + 1]
        fresh = list(range(1, len(window))) if begin == 0 else list(range(C - step + 1, len(window)))
        log_probs = model(window[None, :C])[0].log_softmax(-1)
        expected -= sum(log_probs[t - 1, window[t]].item() for t in fresh)
        counted += len(fresh)
    assert counted == n - 1
    for batch_size in (1, 3, 16):
        assert model.total_nll(ids, stride=stride, batch_size=batch_size) == pytest.approx(expected, rel=1e-6)


def test_the_cost_of_a_text_leaves_the_mode_and_checks_its_arguments():
    model = GPT(GPTConfig(V, C, D, H, L, dropout=0.5)).train()
    ids = torch.randint(V, (50,))
    assert model.total_nll(ids) == model.total_nll(ids)
    assert model.training
    for bad, message in [
        ({"ids": ids[:1]}, "N at least 2"),
        ({"ids": ids, "stride": C + 1}, rf"`stride` must be at least 1 and at most {C}"),
        ({"ids": ids, "batch_size": 0}, "`batch_size` must be at least 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.total_nll(**bad)


def test_the_eps_of_the_config_is_used():
    model = GPT(GPTConfig(V, C, D, H, L, norm="rms", norm_eps=0.25))
    assert model.norm.eps == model.layers[0].attention_norm.eps == 0.25


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda config, weights: weights.pop("transformer.wpe.weight"), "missing: positions.weight; surplus: none"),
        (lambda config, weights: weights.update(extra=torch.zeros(3)), "missing: none; surplus: extra"),
        (lambda config, weights: config.update(n_positions=11), r"positions.weight \(37, 24\) instead of \(11, 24\)"),
        (
            lambda config, weights: config.update(model_type="t5"),
            "`model_type` .* must be one of gpt2, llama",
        ),
        (lambda config, weights: config.update(activation_function="mish"), "`activation_function` .* must be one of"),
    ],
)
def test_a_folder_that_does_not_fit(tmp_path, change, message):
    reference = hugging_face("gpt2")
    reference.save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    weights = {name: tensor.clone() for name, tensor in reference.state_dict().items() if name != "lm_head.weight"}
    change(config, weights)
    (tmp_path / "config.json").write_text(json.dumps(config))
    save_file(weights, tmp_path / "model.safetensors")
    with pytest.raises(ValueError, match=message):
        GPT.from_pretrained(tmp_path)


def test_no_folder_and_no_gguf(tmp_path):
    with pytest.raises(FileNotFoundError, match="must be a folder with config"):
        GPT.from_pretrained(tmp_path / "nothing")
    with pytest.raises(FileNotFoundError, match="must hold config"):
        GPT.from_pretrained(tmp_path)
    (tmp_path / "a.gguf").write_bytes(b"not a model, but long enough to hold a header of some kind")
    with pytest.raises(ValueError, match=r"a.gguf must be a GGUF file"):
        GPT.from_pretrained(tmp_path / "a.gguf")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: m(torch.zeros(1, 0, dtype=torch.long)), ValueError, r"shape \(B, T\) with B and T at least 1"),
        (
            lambda m: m(torch.zeros(1, 3)),
            TypeError,
            "`ids` must be a tensor of whole numbers, got a tensor of torch.float32",
        ),
        (lambda m: m(torch.full((1, 3), V)), ValueError, rf"`ids` must be in 0\.\.{V - 1}, got values from {V} to {V}"),
        (lambda m: m(torch.zeros(1, C + 1, dtype=torch.long)), ValueError, f"context_length={C}.* T={C + 1}"),
        (lambda m: m.new_cache(1, C + 1), ValueError, f"at most context_length={C}.* got {C + 1}"),
        (
            lambda m: m(torch.zeros(1, 3, dtype=torch.long), attention_mask=torch.ones(1, 4, dtype=torch.bool)),
            ValueError,
            r"shape \(B, S\) = \(1, 3\).* got \(1, 4\)",
        ),
        (
            lambda m: m.hidden_with_shared_prefix(
                *(torch.zeros(size, dtype=torch.long) for size in ((2, 3), (1, 2, 4)))
            ),
            ValueError,
            r"`continuations` must have shape \(2, n, R\), got \(1, 2, 4\)",
        ),
        (
            lambda m: m.hidden_with_shared_prefix(
                *(torch.zeros(size, dtype=torch.long) for size in ((1, 9), (1, 2, C - 8)))
            ),
            ValueError,
            f"context_length={C}.* 9 tokens before and T={C - 8}",
        ),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call(model_of("learned"))


def test_bad_configs():
    with pytest.raises(ValueError, match="`vocab_size` must be at least 1, got vocab_size=0"):
        GPTConfig(0)
    with pytest.raises(ValueError, match=r"`positions` must be one of 'learned', .*got positions='absolute'"):
        GPTConfig(V, positions="absolute")


@pytest.mark.slow
def test_a_real_model_knows_the_capital_of_france():
    if not data.is_cached("smollm2"):
        pytest.skip("the model `smollm2` is not on this machine")
    path = next(data.fetch("smollm2").glob("*.gguf"))
    model = GPT.from_pretrained(path)
    assert sum(parameter.numel() for parameter in model.parameters()) == 134_515_008
    tokens = gguf.GGUFReader(path).get_field("tokenizer.ggml.tokens").contents()
    ids = torch.tensor([[tokens.index(word) for word in ("The", "Ġcapital", "Ġof", "ĠFrance", "Ġis")]])
    assert tokens[int(generate(model, ids, 1, temperature=0.0)[0, -1])] == "ĠParis"
