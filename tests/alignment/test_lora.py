"""LoRA beside peft: outputs, gradients, files; and what must not change."""

import copy
import json

import peft
import pytest
import torch
import torch.nn.functional as F
import transformers
from safetensors.torch import load_file, save_file
from torch import nn

from lmcourse import kernels
from lmcourse.alignment.lora import (
    LoRALinear,
    add_lora,
    load_lora,
    lora_disabled,
    lora_layers,
    merge_lora,
    save_lora,
    unmerge_lora,
)
from lmcourse.generation import generate
from lmcourse.models import GPT, GPTConfig, RecurrentConfig, RecurrentLM
from lmcourse.models.export import export_huggingface
from lmcourse.training import adamw, fit, load_checkpoint, save_checkpoint

V, C, D, H, L, R = 37, 23, 12, 2, 3, 5
LLAMA = {"positions": "rotary", "norm": "rms", "activation": "swiglu", "bias": False, "num_kv_heads": 1}
ALL = ("q_proj", "k_proj", "v_proj", "out_proj", "gate", "up", "down")


def make(**options):
    torch.manual_seed(0)
    sizes = {"vocab_size": V, "context_length": C, "embed_dim": D, "num_heads": H, "num_layers": L, "hidden_size": 29}
    model = GPT(GPTConfig(**sizes, **options)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))  # no weight at its start, where biases are zero
    return model


def tuned(model, targets=("q_proj", "v_proj"), **options):
    """The same model with adapters that do something."""
    torch.manual_seed(1)
    layers = add_lora(model, targets, **{"rank": R, "alpha": 7.0} | options)
    with torch.no_grad():
        for layer in layers.values():
            layer.lora_B.normal_(std=0.5)
    return model


def ids(*shape, seed=3):
    return torch.randint(V, shape, generator=torch.Generator().manual_seed(seed))


def bits(module):
    return {name: tensor.clone() for name, tensor in module.state_dict().items()}


def assert_same_bits(found, expected):
    assert found.keys() == expected.keys()
    for name in expected:
        assert torch.equal(found[name], expected[name]), name


# The layer ------------------------------------------------------------------------------------------------------------


def test_by_hand():
    """x = (1, 2): A x = 3, B A x = (6, -3), times alpha / r = 2 is (12, -6); W x + b = (1 + 10, 2 + 20)."""
    base = nn.Linear(2, 2)
    with torch.no_grad():
        base.weight.copy_(torch.eye(2))
        base.bias.copy_(torch.tensor([10.0, 20.0]))
    layer = LoRALinear(base, rank=1, alpha=2)
    x = torch.tensor([1.0, 2.0])
    assert layer(x).tolist() == [11.0, 22.0]
    with torch.no_grad():
        layer.lora_A.copy_(torch.tensor([[1.0, 1.0]]))
        layer.lora_B.copy_(torch.tensor([[2.0], [-1.0]]))
    assert layer(x).tolist() == [23.0, 16.0]
    assert layer.weight.tolist() == [[5.0, 4.0], [-2.0, -1.0]]
    assert layer.merged()(x).tolist() == [23.0, 16.0]


def of_peft(model, targets, dropout=0.0):
    """A copy with peft's adapters, whose weights are those of ours."""
    twin = copy.deepcopy(model)
    layers = merge_and_keep_base(twin)
    config = peft.LoraConfig(r=R, lora_alpha=7.0, lora_dropout=dropout, target_modules=list(targets))
    twin = peft.inject_adapter_in_model(config, twin)
    theirs = dict(twin.named_modules())
    with torch.no_grad():
        for name, layer in layers.items():
            theirs[name].lora_A["default"].weight.data = layer.lora_A.data.clone()
            theirs[name].lora_B["default"].weight.data = layer.lora_B.data.clone()
    return twin


def merge_and_keep_base(model):
    layers = merge_lora(model)
    for name, layer in layers.items():
        model.set_submodule(name, layer.base)
    return layers


@pytest.mark.parametrize("options", [{}, LLAMA, {"num_kv_heads": 1, "qk_norm": True, "positions": "rotary"}])
@pytest.mark.parametrize("targets", [("q_proj", "v_proj"), ("k_proj", "out_proj", "up", "down")])
def test_outputs_and_every_gradient_are_pefts(options, targets):
    ours = tuned(make(**options), targets)
    theirs = of_peft(ours, targets)
    text = ids(3, 11)
    torch.testing.assert_close(ours(text), theirs(text), rtol=1e-12, atol=1e-12)
    assert (ours(text) - merged_base(ours)(text)).abs().max() > 1e-2  # the adapter does something
    for model in (ours, theirs):
        F.cross_entropy(model(text)[:, :-1].flatten(0, 1), text[:, 1:].flatten()).backward()
    twin, layers = dict(theirs.named_modules()), lora_layers(ours)
    for name, layer in layers.items():
        for part in ("lora_A", "lora_B"):
            wanted = getattr(twin[name], part)["default"].weight.grad
            torch.testing.assert_close(getattr(layer, part).grad, wanted, rtol=1e-10, atol=1e-13)
            assert wanted.abs().max() > 1e-8
    with_gradient = {name for name, parameter in ours.named_parameters() if parameter.grad is not None}
    assert with_gradient == {f"{name}.{part}" for name in layers for part in ("lora_A", "lora_B")}


def merged_base(model):
    plain = copy.deepcopy(model)
    merge_and_keep_base(plain)
    return plain


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_with_a_base_in_half_precision_outputs_are_pefts(dtype):
    ours = make(**LLAMA).to(dtype)
    tuned(ours)
    assert {layer.lora_A.dtype for layer in lora_layers(ours).values()} == {torch.float32}
    layer = lora_layers(ours)["layers.0.attention.q_proj"]
    assert layer(torch.randn(2, D).to(dtype)).dtype == layer.weight.dtype == dtype
    text = ids(2, 7)
    assert torch.equal(ours(text), of_peft(ours, ("q_proj", "v_proj"))(text))


def test_dropout_is_on_the_adapters_input_and_in_training_only():
    model = tuned(make(), dropout=0.5)
    twin = of_peft(model, ("q_proj", "v_proj"), dropout=0.5)
    text = ids(2, 7)
    assert torch.equal(model(text), model(text))
    torch.manual_seed(5)
    ours = model.train()(text)
    torch.manual_seed(5)
    torch.testing.assert_close(ours, twin.train()(text), rtol=1e-12, atol=1e-12)
    assert not torch.equal(ours, model.eval()(text))
    with lora_disabled(model.train()):
        assert torch.equal(model(text), merged_base(model)(text))


def test_a_fresh_adapter_changes_nothing():
    model = make()
    before = model(ids(2, 7))
    layers = add_lora(model, ALL[:4], rank=R)
    assert torch.equal(model(ids(2, 7)), before)
    assert all(layer.lora_A.abs().max() > 0 for layer in layers.values())


# In a model -----------------------------------------------------------------------------------------------------------


def test_only_the_adapter_is_trained():
    model = make()
    start = bits(model)
    n = {name: tensor.numel() for name, tensor in start.items()}
    layers = add_lora(model, ("q_proj", "down"), rank=R)
    trained = sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
    assert trained == L * R * ((D + D) + (29 + D))
    assert sum(n.values()) > 10 * L * D  # of something larger
    text = ids(4, 11)

    def loss(model, batch):
        return F.cross_entropy(model(batch)[:, :-1].flatten(0, 1), batch[:, 1:].flatten())

    history = fit(model, iter([text] * 40), loss, optimizer=adamw(model, 1e-2), max_steps=40, progress=False)
    assert history.loss[-1] < history.loss[0] - 0.5
    merge_and_keep_base(model)
    assert_same_bits(bits(model), start)
    assert all(not layer.base.weight.requires_grad for layer in layers.values())


@pytest.mark.parametrize("options", [{}, LLAMA])
def test_merged_logits_are_the_adapters_and_unmerging_is_exact(options):
    model = tuned(make(**options), ("q_proj", "v_proj", "up"))
    names, classes = make(**options).state_dict().keys(), [type(part) for part in make(**options).modules()]
    text, start = ids(3, 11), bits(model)
    with_adapter = model(text)
    layers = merge_lora(model)
    assert model.state_dict().keys() == names
    assert [type(part) for part in model.modules()] == classes
    torch.testing.assert_close(model(text), with_adapter, rtol=1e-11, atol=1e-11)
    theirs = of_peft(tuned(make(**options), ("q_proj", "v_proj", "up")), ("q_proj", "v_proj", "up"))
    for part in theirs.modules():
        if isinstance(part, peft.tuners.lora.Linear):
            part.merge()
    torch.testing.assert_close(model(text), theirs(text), rtol=1e-11, atol=1e-11)
    assert not any(parameter.requires_grad for name, parameter in model.named_parameters() if "q_proj" in name)
    unmerge_lora(model, layers)
    assert_same_bits(bits(model), start)
    assert torch.equal(model(text), with_adapter)


@pytest.mark.parametrize("options", [{}, LLAMA])
@pytest.mark.parametrize("rows", [1, 3])
def test_generation_honours_the_adapter(options, rows):
    model = tuned(make(**options).float(), ALL if options else ("q_proj", "up"))
    text = ids(rows, 5)
    settings = {"max_new_tokens": 12, "temperature": 0.0}
    with kernels.plain():
        plain = generate(model, text, use_cache=False, **settings)
    assert torch.equal(generate(model, text, **settings), plain)
    assert not torch.equal(generate(merged_base(model), text, **settings), plain)
    with lora_disabled(model):
        assert torch.equal(generate(model, text, **settings), generate(merged_base(model), text, **settings))
    merge_lora(model)
    assert torch.equal(generate(model, text, **settings), plain)


def test_state_dicts_and_checkpoints_come_back(tmp_path):
    model = tuned(make())
    again = make()
    add_lora(again, rank=R, alpha=7.0)
    again.load_state_dict(model.state_dict())
    assert torch.equal(again(ids(2, 7)), model(ids(2, 7)))
    save_checkpoint(tmp_path / "tuned", model)
    third = make()
    add_lora(third, rank=R, alpha=7.0)
    load_checkpoint(tmp_path / "tuned", third)
    assert torch.equal(third(ids(2, 7)), model(ids(2, 7)))
    assert torch.equal(copy.deepcopy(model)(ids(2, 7)), model(ids(2, 7)))


def test_disabled_is_the_base_and_comes_back_after_an_error():
    model = tuned(make())
    text = ids(2, 7)
    base, with_adapter = merged_base(model)(text), model(text)
    query, wanted = lora_layers(model)["layers.0.attention.q_proj"], make().layers[0].attention.q_proj
    with lora_disabled(model):
        assert torch.equal(model(text), base)
        assert torch.equal(query.weight, wanted.weight)
    with pytest.raises(IndexError), lora_disabled(model):
        [][0]
    assert torch.equal(model(text), with_adapter)


def test_other_models_than_a_gpt():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(5, 7), nn.Tanh(), nn.Linear(7, 3))
    assert list(add_lora(model, ["2"], rank=2)) == ["2"]
    model(torch.randn(4, 5)).sum().backward()
    assert model[2].lora_B.grad is not None
    assert model[0].weight.grad is None
    recurrent = RecurrentLM(RecurrentConfig(V, embed_dim=5, hidden_size=7))
    assert list(add_lora(recurrent, ["head"], rank=2)) == ["head"]


def test_a_name_stands_for_all_layers_that_end_with_it():
    assert list(add_lora(make(), ["q_proj"], rank=2)) == [f"layers.{n}.attention.q_proj" for n in range(L)]
    assert list(add_lora(make(), ["layers.1.attention.v_proj"], rank=2)) == ["layers.1.attention.v_proj"]
    assert list(add_lora(make(), ["attention.v_proj", "0.feed_forward.up"], rank=2)) == [
        *(f"layers.{n}.attention.v_proj" for n in range(L)),
        "layers.0.feed_forward.up",
    ]


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, LLAMA, LLAMA | {"rotary_interleaved": True}])
def test_what_was_saved_is_loaded(tmp_path, options):
    model = tuned(make(**options), ("q_proj", "k_proj", "up"))
    save_lora(tmp_path / "adapter", model)
    again = make(**options)
    assert load_lora(tmp_path / "adapter", again).keys() == lora_layers(model).keys()
    assert_same_bits(bits(again), bits(model))
    assert torch.equal(again(ids(2, 7)), model(ids(2, 7)))
    assert [parameter.requires_grad for parameter in again.parameters()] == [
        parameter.requires_grad for parameter in model.parameters()
    ]


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("targets", [("q_proj", "v_proj"), ALL])
def test_peft_reads_it_over_transformers(tmp_path, interleaved, targets):
    base = make(**LLAMA, rotary_interleaved=interleaved)
    export_huggingface(base, tmp_path / "base")
    model = tuned(base, targets)
    save_lora(tmp_path / "adapter", model, base="the base")
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "base", dtype="auto")
    theirs = peft.PeftModel.from_pretrained(theirs, tmp_path / "adapter", autocast_adapter_dtype=False)
    text = ids(2, 11)
    torch.testing.assert_close(model(text), theirs(text).logits, rtol=1e-4, atol=1e-5)  # its cosines are float32
    with lora_disabled(model):
        assert (model(text) - theirs(text).logits).abs().max() > 1e-2


@pytest.mark.parametrize("interleaved", [False, True])
def test_what_peft_wrote_is_loaded(tmp_path, interleaved):
    model = make(**LLAMA, rotary_interleaved=interleaved)
    export_huggingface(model, tmp_path / "base")
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "base", dtype="auto")
    config = peft.LoraConfig(r=R, lora_alpha=7, target_modules=["q_proj", "o_proj", "gate_proj"], task_type="CAUSAL_LM")
    theirs = peft.get_peft_model(theirs, config, autocast_adapter_dtype=False)
    with torch.no_grad():
        for name, parameter in theirs.named_parameters():
            if "lora_B" in name:
                parameter.normal_(std=0.5)
    theirs.save_pretrained(tmp_path / "adapter")
    layers = load_lora(tmp_path / "adapter", model)
    assert {name.rpartition(".")[2] for name in layers} == {"q_proj", "out_proj", "gate"}
    text = ids(2, 11)
    torch.testing.assert_close(model(text), theirs.eval()(text).logits, rtol=1e-4, atol=1e-5)


INVOKED = {"alora_invocation_tokens": [1, 2]}


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        ({"init_lora_weights": "gaussian"}, None),
        ({"init_lora_weights": False}, None),
        ({"init_lora_weights": "mica"}, None),
        ({"init_lora_weights": "orthogonal", "r": 4}, None),
        ({"layers_to_transform": [1], "exclude_modules": ["v_proj"]}, None),
        ({"init_lora_weights": "pissa"}, "`init_lora_weights` in adapter_config.json must be True or .*got 'pissa'"),
        ({"init_lora_weights": "pissa_niter_4"}, "`init_lora_weights`"),
        ({"init_lora_weights": "olora"}, "`init_lora_weights`"),
        (INVOKED, r"`alora_invocation_tokens` in adapter_config.json must be off, got \[1, 2\]"),
        ({"use_rslora": True}, "`use_rslora`"),
        (
            {"r": 4, "target_modules": ["q_proj"], "use_bdlora": {"target_modules_bd_a": ["q_proj"], "nblocks": 2}},
            "`use_bdlora`",
        ),
        ({"kasa_config": {}}, "`kasa_config`"),
        ({"layer_replication": [[0, 2], [1, 3]]}, "`layer_replication`"),
        ({"target_parameters": ["mlp.up_proj.weight"]}, "`target_parameters`"),
    ],
)
def test_an_adapter_of_any_option_computes_what_pefts_does_or_is_refused(tmp_path, options, refused):
    model = make(**LLAMA)
    export_huggingface(model, tmp_path / "base")
    settings = {"r": R, "lora_alpha": 7, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"}
    theirs = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "base", dtype=torch.float32)
    theirs = peft.get_peft_model(theirs, peft.LoraConfig(**settings | options))
    with torch.no_grad():
        for name, parameter in theirs.named_parameters():
            if "lora_" in name:
                parameter.add_(0.3 * torch.randn_like(parameter))
    theirs.save_pretrained(tmp_path / "adapter")
    if refused:
        with pytest.raises(ValueError, match=refused):
            load_lora(tmp_path / "adapter", model)
        return
    again = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "base", dtype=torch.float32)
    again = peft.PeftModel.from_pretrained(again, tmp_path / "adapter").eval()
    load_lora(tmp_path / "adapter", model.float())
    torch.testing.assert_close(model(ids(2, 11)), again(ids(2, 11)).logits, rtol=1e-4, atol=1e-4)


def test_peft_reads_it_over_our_own_model(tmp_path):
    base = make()
    model = tuned(copy.deepcopy(base))
    save_lora(tmp_path, model)
    theirs = peft.inject_adapter_in_model(peft.LoraConfig.from_pretrained(tmp_path), base)
    peft.set_peft_model_state_dict(theirs, peft.utils.load_peft_weights(str(tmp_path), device="cpu"))
    torch.testing.assert_close(theirs(ids(2, 7)), model(ids(2, 7)), rtol=1e-12, atol=1e-12)


# Refusals -------------------------------------------------------------------------------------------------------------


def test_layers_and_weights_that_are_shared_are_refused():
    model = make()
    with pytest.raises(ValueError, match="`targets` must be layers that share their weights with no other, got 'head'"):
        add_lora(model, ["head"])
    assert lora_layers(model) == {}
    assert all(parameter.requires_grad for parameter in model.parameters())
    untied = make(tie_embeddings=False)
    assert list(add_lora(untied, ["head"])) == ["head"]
    one = nn.Linear(3, 3)
    with pytest.raises(ValueError, match=r"`targets` .* got 'a'"):
        add_lora(nn.ModuleDict({"a": one, "b": one}), ["a"], rank=2)
    twice = nn.ModuleDict({"a": nn.Linear(3, 3), "b": nn.Linear(3, 3)})
    twice["b"].bias = twice["a"].bias
    with pytest.raises(ValueError, match=r"`targets` .* got 'b'"):
        add_lora(twice, ["b"], rank=2)


def test_what_does_not_fit_is_refused_and_changes_nothing(tmp_path):
    model = make()
    before, flags = bits(model), [parameter.requires_grad for parameter in model.parameters()]
    for error, pattern, arguments in [
        (ValueError, r"`targets` must be names of linear layers \(down, .*, got 'query'", (["q_proj", "query"],)),
        (ValueError, "`targets` must be names of linear layers", (["norm"],)),
        (ValueError, "`targets` must be names of linear layers", ([""],)),
        (ValueError, "`targets` must not be empty", ([],)),
        (TypeError, "`targets` must be a sequence of str", ("q_proj",)),
    ]:
        with pytest.raises(error, match=pattern):
            add_lora(model, *arguments, rank=2)
    for options, pattern in [
        ({"rank": 13}, "`rank` must be .* at most 12, got rank=13"),
        ({"rank": 0}, "`rank` must be at least 1"),
        ({"alpha": 0.0}, "`alpha` must be more than 0"),
        ({"dropout": 1.0}, "`dropout` must be .* less than 1"),
    ]:
        with pytest.raises(ValueError, match=pattern):
            add_lora(model, **{"rank": 2} | options)
    assert_same_bits(bits(model), before)
    assert [parameter.requires_grad for parameter in model.parameters()] == flags
    with pytest.raises(TypeError, match=r"`base` must be a plain nn.Linear, got NonDynamicallyQuantizableLinear"):
        LoRALinear(nn.MultiheadAttention(6, 2).out_proj, 2)
    for call in (merge_lora, lambda model: save_lora(tmp_path, model)):
        with pytest.raises(RuntimeError, match="`model` must have adapters"):
            call(model)
    add_lora(model, rank=2)
    with pytest.raises(RuntimeError, match="`model` must have no adapters yet"):
        add_lora(model, rank=2)
    layers = merge_lora(model)
    with pytest.raises(ValueError, match=r"`layers` must be plain linear layers of `model`.*q_proj"):
        unmerge_lora(make().layers[0], layers)
    with pytest.raises(ValueError, match="`layers` must be plain linear layers of `model`"):
        unmerge_lora(GPT(GPTConfig(V, embed_dim=20, num_layers=L)), layers)


def test_files_that_do_not_fit_are_refused_and_change_nothing(tmp_path):
    save_lora(tmp_path, tuned(make()))
    model = make()
    before = bits(model)
    good = (tmp_path / "adapter_config.json").read_text()
    for option, value in [
        ("use_dora", True),
        ("peft_type", "IA3"),
        ("rank_pattern", {"q_proj": 3}),
        ("bias", "all"),
        ("arrow_config", {"top_k": 2}),
        ("invented_next_year", "yes"),
    ]:
        (tmp_path / "adapter_config.json").write_text(json.dumps(json.loads(good) | {option: value}))
        with pytest.raises(ValueError, match=f"`{option}` in adapter_config.json must be"):
            load_lora(tmp_path, model)
    (tmp_path / "adapter_config.json").write_text(json.dumps(json.loads(good) | {"r": 3}))
    with pytest.raises(ValueError, match=r"`model` must have the linear layers of the adapter.*for r=3"):
        load_lora(tmp_path, model)
    (tmp_path / "adapter_config.json").write_text(good)
    with pytest.raises(ValueError, match=r"`model` must have the linear layers of the adapter.*no such layer"):
        load_lora(tmp_path, nn.Sequential(nn.Linear(2, 2)))
    tensors = load_file(tmp_path / "adapter_model.safetensors")
    name = next(iter(tensors))
    save_file({key: tensor for key, tensor in tensors.items() if key != name}, tmp_path / "adapter_model.safetensors")
    with pytest.raises(ValueError, match="must hold lora_A and lora_B"):
        load_lora(tmp_path, model)
    (tmp_path / "adapter_model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(ValueError, match=r"adapter_model.safetensors is damaged"):
        load_lora(tmp_path, model)
    (tmp_path / "adapter_model.safetensors").unlink()
    with pytest.raises(FileNotFoundError):
        load_lora(tmp_path, model)
    assert_same_bits(bits(model), before)
    mixed = make()
    add_lora(mixed, ["q_proj"], rank=2)
    mixed.set_submodule("layers.0.attention.v_proj", LoRALinear(mixed.layers[0].attention.v_proj, 3))
    with pytest.raises(ValueError, match="`model` must have adapters of one rank, alpha and dropout"):
        save_lora(tmp_path, mixed)
