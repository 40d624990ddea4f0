"""One model has one set of names, whatever wraps it: in checkpoints, states of `fit`, adapters, exports."""

import copy

import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper

from lmcourse.alignment.lora import add_lora, load_lora, lora_layers, save_lora
from lmcourse.models import GPT, GPTConfig
from lmcourse.models.export import export_gguf, export_huggingface
from lmcourse.training import adamw, fit, load_checkpoint, read_recipe, save_checkpoint
from lmcourse.training.states import load_training_state, save_training_state

LLAMA = {"positions": "rotary", "norm": "rms", "activation": "swiglu", "bias": False}


def compiled(module):
    return torch.compile(module, backend="eager")


def layer_compiled(model):
    model.layers[1] = compiled(model.layers[1])
    return model


def projection_compiled(model):
    model.layers[0].attention.v_proj = compiled(model.layers[0].attention.v_proj)
    return model


def layer_checkpointed(model):
    model.layers[0] = compiled(checkpoint_wrapper(model.layers[0]))
    return model


def layers_in_parallel(model):
    model.layers[0].feed_forward = nn.DataParallel(model.layers[0].feed_forward)
    return model


def joined(model):
    return nn.parallel.DistributedDataParallel(model)


WRAPPERS = {
    "compile": compiled,
    "DataParallel": nn.DataParallel,
    "DDP": joined,
    "compiled DDP": lambda model: compiled(joined(model)),
    "DataParallel of compiled": lambda model: nn.DataParallel(compiled(model)),
    "one layer": layer_compiled,
    "one projection": projection_compiled,
    "one layer, checkpointed": layer_checkpointed,
    "one part in parallel": layers_in_parallel,
}


@pytest.fixture(params=WRAPPERS)
def wrap(request):
    if "DDP" in request.param:
        dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    yield WRAPPERS[request.param]
    if dist.is_initialized():
        dist.destroy_process_group()


def make(seed=0):
    torch.manual_seed(seed)
    return GPT(GPTConfig(17, 11, embed_dim=12, num_heads=2, num_layers=2, **LLAMA))


def assert_same(model, other):
    state = other.state_dict()
    assert model.state_dict().keys() == state.keys()
    assert all(torch.equal(tensor, state[name]) for name, tensor in model.state_dict().items())


def test_a_checkpoint_has_the_models_own_names_and_is_read_with_and_without_the_wrapper(wrap, tmp_path):
    model = make()
    save_checkpoint(tmp_path / "plain", model)
    save_checkpoint(tmp_path / "wrapped", wrap(copy.deepcopy(model)))
    recipes = [read_recipe(tmp_path / name) | {"sha256": None} for name in ("plain", "wrapped")]
    assert recipes[0] == recipes[1]
    plain = GPT(GPTConfig(**read_recipe(tmp_path / "wrapped")["config"]))
    load_checkpoint(tmp_path / "wrapped", plain)
    assert_same(plain, model)
    again = wrap(make(2))
    load_checkpoint(tmp_path / "plain", again)
    for found, wanted in zip(again.parameters(), model.parameters(), strict=True):
        assert torch.equal(found, wanted)


def test_a_state_of_fit_goes_on_with_and_without_the_wrapper(wrap, tmp_path):
    text = torch.randint(17, (3, 7), generator=torch.Generator().manual_seed(5))

    def train(model, max_steps, name):
        loss = lambda model, ids: F.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten())  # noqa: E731
        settings = {"optimizer": adamw(model, 1e-2), "checkpoint": tmp_path / name, "progress": False}
        return fit(model, lambda step: text, loss, max_steps=max_steps, **settings).loss

    whole = train(make(), 4, "whole")
    train(wrap(make()), 2, "begun wrapped")
    train(make(), 2, "begun plain")
    assert load_training_state(tmp_path / "begun wrapped")["model"].keys() == make().state_dict().keys()
    assert train(make(1), 4, "begun wrapped") == pytest.approx(whole)
    assert train(wrap(make(1)), 4, "begun plain") == pytest.approx(whole)


def test_adapters_and_exports_are_those_of_the_model_inside(wrap, tmp_path):
    model = make()
    for name, each in (("plain", model), ("wrapped", wrap(copy.deepcopy(model)))):
        export_huggingface(each, tmp_path / name)
        export_gguf(each, tmp_path / f"{name}.gguf")
    assert_same_files(tmp_path / "plain", tmp_path / "wrapped")
    assert (tmp_path / "plain.gguf").read_bytes() == (tmp_path / "wrapped.gguf").read_bytes()
    add_lora(model, rank=2)
    save_lora(tmp_path / "plain", model)
    save_lora(tmp_path / "wrapped", wrap(copy.deepcopy(model)))
    assert_same_files(tmp_path / "plain", tmp_path / "wrapped")


def assert_same_files(folder, other):
    assert {path.name for path in folder.iterdir()} == {path.name for path in other.iterdir()}
    for path in folder.iterdir():
        if path.suffix == ".json":
            assert path.read_text() == (other / path.name).read_text()
        else:
            found, wanted = load_file(path), load_file(other / path.name)
            assert found.keys() == wanted.keys()
            assert all(torch.equal(found[name], wanted[name]) for name in wanted)


@pytest.mark.parametrize("wrap", [compiled, nn.DataParallel, layer_compiled])
def test_an_adapter_is_put_into_a_wrapped_model_and_works_there(wrap, tmp_path):
    model, ids = make(), torch.arange(7).reshape(1, 7)
    base = copy.deepcopy(model)
    for layer in add_lora(model, ("q_proj", "up"), rank=2).values():
        nn.init.normal_(layer.lora_B)
    save_lora(tmp_path, model)
    wrapped = wrap(base)
    before = wrapped(ids)
    assert load_lora(tmp_path, wrapped).keys() == lora_layers(wrapped).keys()
    assert torch.equal(wrapped(ids), model(ids))
    assert not torch.equal(wrapped(ids), before)


def test_no_adapter_is_put_where_a_compiled_layer_would_not_see_it(tmp_path):
    model = make()
    add_lora(model, ["v_proj"], rank=2)
    save_lora(tmp_path, model)
    wrapped = projection_compiled(make())
    with pytest.raises(ValueError, match="`model` must have the linear layers of the adapter"):
        load_lora(tmp_path, wrapped)
    with pytest.raises(ValueError, match="`targets` must be names of linear layers"):
        add_lora(wrapped, ["_orig_mod"])


@pytest.mark.parametrize("prefix", ["_orig_mod.", "module.", "module._orig_mod.", "_fsdp_wrapped_module."])
def test_files_of_others_with_a_wrappers_prefix_are_read(prefix, tmp_path):
    model = make()
    export_huggingface(model, tmp_path / "model")
    add_lora(model, rank=2)
    save_lora(tmp_path / "adapter", model)
    for file in (tmp_path / "model" / "model.safetensors", tmp_path / "adapter" / "adapter_model.safetensors"):
        save_file({prefix + name: tensor for name, tensor in load_file(file).items()}, file)
    again = GPT.from_pretrained(tmp_path / "model")
    load_lora(tmp_path / "adapter", again)
    assert_same(again, model)


def test_states_that_were_written_with_a_wrappers_names_are_read(tmp_path):
    def train(model, steps):
        loss = lambda model, batch: model(batch).square().mean()  # noqa: E731
        settings = {"max_steps": steps, "checkpoint": tmp_path / "state", "progress": False}
        fit(model, lambda step: torch.arange(5).reshape(1, 5), loss, **settings)

    train(make(), 1)
    state = load_training_state(tmp_path / "state")
    state["model"] = {f"_orig_mod.{name}": tensor for name, tensor in state["model"].items()}
    save_training_state(tmp_path / "state", state)
    train(make(), 2)


def test_a_part_that_is_called_module_keeps_its_name(tmp_path):
    class Named(nn.Module):
        def __init__(self):
            super().__init__()
            self.module = nn.Linear(2, 3)

    model, again = Named(), Named()
    save_checkpoint(tmp_path / "named", compiled(model))
    load_checkpoint(tmp_path / "named", again)
    assert_same(again, model)
    add_lora(model, ["module"], rank=1)
    save_lora(tmp_path, model)
    assert list(load_lora(tmp_path, again)) == ["module"]
