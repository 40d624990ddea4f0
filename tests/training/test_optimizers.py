"""Muon and AdamW as one: what each gets, that each steps as it would alone, and that a training resumes."""

import copy
import pickle

import pytest
import torch
from torch import nn

from lmcourse.models import GPT, GPTConfig
from lmcourse.training import CombinedOptimizer, adamw, fit, muon, token_batches

V, C, D, H, L = 29, 11, 12, 3, 2


def model_of(seed=0, **options):
    torch.manual_seed(seed)
    return GPT(GPTConfig(V, C, D, H, L, **options))


def names_of(model, optimizer):
    by_id = {id(parameter): name for name, parameter in model.named_parameters()}
    return {by_id[id(p)] for group in optimizer.param_groups for p in group["params"]}


@pytest.mark.parametrize("options", [{}, {"positions": "rotary", "qk_norm": True, "tie_embeddings": False}])
def test_muon_gets_the_matrices_inside_and_adamw_the_rest(options):
    model = model_of(**options)
    optimizer = muon(model)
    inside, outside = (names_of(model, part) for part in optimizer.parts)
    assert inside == {name for name, p in model.named_parameters() if name.startswith("layers") and p.dim() == 2}
    assert inside | outside == {name for name, _ in model.named_parameters()}
    assert not inside & outside
    assert {"embedding.weight", "norm.weight"} <= outside
    decays = [group["weight_decay"] for group in optimizer.parts[1].param_groups]
    assert decays == [0.01, 0.0]


def test_the_fused_kernel_of_adamw_gives_the_losses_of_its_steps_one_by_one():
    ids = torch.randint(V, (5, C + 1), generator=torch.Generator().manual_seed(3))
    losses = []
    for fused in (True, False):
        model = model_of()
        optimizer = adamw(model, lr=0.02, weight_decay=0.3)
        assert optimizer.param_groups[0]["fused"]
        if not fused:
            groups = [{"params": g["params"], "weight_decay": g["weight_decay"]} for g in optimizer.param_groups]
            optimizer = torch.optim.AdamW(groups, lr=0.02, betas=(0.9, 0.99), foreach=False, fused=False)
        found = []
        for _ in range(7):
            optimizer.zero_grad()
            loss = model.loss(ids[:, :-1], ids[:, 1:])
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        losses.append(found)
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)
    assert losses[0][-1] < 0.8 * losses[0][0]


def orthogonal_step(gradient, lr):
    """Muon's step by its idea: U V^T of the singular value decomposition, longer for tall matrices."""
    u, _, v = torch.linalg.svd(gradient, full_matrices=False)
    return -lr * max(1, gradient.shape[0] / gradient.shape[1]) ** 0.5 * (u @ v)


@pytest.mark.parametrize("shape", [(7, 5), (5, 7), (6, 6)])
def test_the_first_step_is_near_the_orthogonal_factor_of_the_gradient(shape):
    torch.manual_seed(1)
    layer = nn.Linear(shape[1], shape[0], bias=False)
    model = nn.Sequential(layer)
    before = layer.weight.detach().clone()
    layer.weight.grad = torch.randn(shape)
    muon(model, lr=0.1, weight_decay=0.0).step()
    step, wanted = layer.weight.detach() - before, orthogonal_step(layer.weight.grad, 0.1)
    cosine = float((step * wanted).sum() / step.norm() / wanted.norm())
    assert cosine > 0.95
    sizes = torch.linalg.svdvals(step) / (0.1 * max(1, shape[0] / shape[1]) ** 0.5)
    assert ((sizes > 0.5) & (sizes < 1.4)).all()  # the iteration ends near 1, not at 1
    raw = layer.weight.grad
    assert cosine > float((-raw * wanted).sum() / raw.norm() / wanted.norm())


@pytest.mark.parametrize("shape", [(7, 5), (5, 7), (6, 6)])
def test_without_bfloat16_it_is_torchs_muon_in_the_precision_of_the_gradient(shape, monkeypatch):
    torch.manual_seed(2)
    gradients = torch.randn(3, *shape).double()
    ours, theirs = (nn.Linear(shape[1], shape[0], bias=False).double() for _ in range(2))
    theirs.load_state_dict(ours.state_dict())
    unused = nn.Linear(3, 3, bias=False)  # no gradient: left alone
    optimizer = muon(nn.Sequential(ours, unused), lr=0.1, momentum=0.8, weight_decay=0.3, bfloat16=False)
    reference = torch.optim.Muon(theirs.parameters(), lr=0.1, momentum=0.8, weight_decay=0.3)
    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda tensor: tensor.clone())
    for gradient in gradients:
        ours.weight.grad, theirs.weight.grad = gradient.clone(), gradient.clone()
        optimizer.step()
        reference.step()
        torch.testing.assert_close(ours.weight, theirs.weight, rtol=1e-12, atol=1e-12)
        assert torch.equal(ours.weight.grad, gradient)
    assert optimizer.state[ours.weight].keys() == reference.state[theirs.weight].keys()
    assert optimizer.parts[0].step(lambda: 0.5) == 0.5


@pytest.mark.parametrize(("device", "rounds"), [("cpu", False), ("meta", True)])
def test_by_default_it_rounds_to_bfloat16_unless_the_weights_are_on_the_cpu(device, rounds):
    layer = nn.Linear(5, 7, device=device)
    plain, rounded = (type(muon(nn.Sequential(layer), bfloat16=given).parts[0]) for given in (False, True))
    assert type(muon(nn.Sequential(layer)).parts[0]) is (rounded if rounds else plain)
    assert plain is not rounded


def test_the_parts_step_as_they_would_alone():
    ours, theirs = model_of(), model_of()
    optimizer = muon(ours, lr=0.03, adamw_lr=0.005, weight_decay=0.1, bfloat16=True)
    matrices = [p for name, p in theirs.named_parameters() if name.startswith("layers") and p.dim() == 2]
    others = [p for p in theirs.parameters() if all(p is not m for m in matrices)]
    alone = [
        torch.optim.Muon(matrices, lr=0.03, momentum=0.95, weight_decay=0.1),
        torch.optim.AdamW(
            [p for p in others if p.dim() == 2], lr=0.005, betas=(0.9, 0.95), weight_decay=0.1, fused=True
        ),
        torch.optim.AdamW(
            [p for p in others if p.dim() == 1], lr=0.005, betas=(0.9, 0.95), weight_decay=0.0, fused=True
        ),
    ]
    for step in range(3):
        ids = torch.randint(V, (2, C), generator=torch.Generator().manual_seed(step))
        for model, parts in ((ours, [optimizer]), (theirs, alone)):
            for part in parts:
                part.zero_grad()
            model.loss(ids[:, :-1], ids[:, 1:]).backward()
            for part in parts:
                part.step()
    for (name, a), b in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(a, b, msg=name)


def test_fit_sets_the_rate_of_every_part_and_puts_it_back():
    model = model_of()
    optimizer = muon(model, lr=0.04, adamw_lr=0.002)
    batches = token_batches(torch.randint(V, (200,)), 2, C, shuffle=True)
    seen = []

    def loss(model, batch):
        seen.append(sorted({group["lr"] for group in optimizer.param_groups}))
        return model.loss(*batch)

    fit(model, batches, loss, optimizer=optimizer, schedule=lambda step: 1 / step, max_steps=2, progress=False)
    assert seen == [pytest.approx([0.002, 0.04]), pytest.approx([0.001, 0.02])]
    assert sorted({group["lr"] for group in optimizer.param_groups}) == [0.002, 0.04]


class KilledError(Exception):
    pass


def test_killed_and_resumed_gives_the_same_bits(tmp_path):
    ids = torch.randint(V, (300,), generator=torch.Generator().manual_seed(2))

    def run(path, kill_at=None):
        model = model_of(dropout=0.2)
        torch.manual_seed(7)

        def loss(model, batch):
            loss.steps += 1
            if loss.steps == kill_at:
                raise KilledError
            return model.loss(*batch)

        loss.steps = 0
        batches = token_batches(ids, 3, C, shuffle=True, generator=torch.Generator().manual_seed(3))
        options = {"optimizer": muon(model), "max_steps": 6, "checkpoint": path, "checkpoint_every": 2}
        history = fit(model, batches, loss, progress=False, **options)
        return model, history

    whole, history = run(None)
    with pytest.raises(KilledError):
        run(tmp_path / "state", kill_at=4)
    resumed, later = run(tmp_path / "state")
    assert later.resumed_from == 2
    assert later.loss == history.loss
    for (name, a), b in zip(whole.named_parameters(), resumed.parameters(), strict=True):
        assert torch.equal(a, b), name


def test_it_learns_faster_than_adamw_on_this_text():
    ids = torch.arange(400) % 7 + torch.arange(400) // 7 % 3
    lowest = {}
    for name, make in {"muon": muon, "adamw": lambda model: adamw(model, lr=3e-3)}.items():
        model = model_of()
        batches = token_batches(ids, 4, C, shuffle=True, generator=torch.Generator().manual_seed(4))
        history = fit(model, batches, lambda m, b: m.loss(*b), optimizer=make(model), max_steps=40, progress=False)
        lowest[name] = sum(history.loss[-5:])
    assert lowest["muon"] < lowest["adamw"]


class Shared(nn.Module):
    """Two linear layers with one weight."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 5), nn.Linear(5, 5)
        self.second.weight = self.first.weight

    def forward(self, x):
        return self.second(self.first(x))


def test_linear_layers_may_share_a_weight():
    model = Shared()
    optimizer = muon(model)
    assert [len(group["params"]) for group in optimizer.param_groups] == [1, 2]
    before = model.first.weight.detach().clone()
    model(torch.randn(3, 5)).sum().backward()
    optimizer.step()
    assert not torch.equal(model.second.weight, before)


def stepped(seed=0):
    """A model and its optimizer after two steps, so that there is state."""
    model = model_of(seed)
    optimizer = muon(model)
    for step in range(2):
        take_step(model, optimizer, step)
    return model, optimizer


def take_step(model, optimizer, step):
    ids = torch.randint(V, (2, C), generator=torch.Generator().manual_seed(step))
    optimizer.zero_grad()
    model.loss(ids[:, :-1], ids[:, 1:]).backward()
    optimizer.step()


def same_weights(one, other):
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def test_its_state_is_that_of_its_parts():
    model, optimizer = stepped()
    assert set(optimizer.state) == set(model.parameters())
    assert set(optimizer.state[model.embedding.weight]) == {"step", "exp_avg", "exp_avg_sq"}
    assert set(optimizer.state[model.layers[0].feed_forward.up.weight]) == {"momentum_buffer"}
    assert optimizer.defaults == {}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair))])
def test_a_copy_goes_on_as_the_original_and_apart_from_it(copied):
    model, optimizer = stepped()
    model2, optimizer2 = copied((model, optimizer))
    for group, other in zip(optimizer.param_groups, optimizer2.param_groups, strict=True):
        assert all(a is not b for a, b in zip(group["params"], other["params"], strict=True))
    take_step(model, optimizer, 2)
    assert not same_weights(model, model2)
    take_step(model2, optimizer2, 2)
    assert same_weights(model, model2)


def test_a_state_dict_is_torchs_and_is_taken_up_by_another():
    model, optimizer = stepped()
    saved = copy.deepcopy(optimizer.state_dict())
    assert set(saved) == {"state", "param_groups"}
    model2 = model_of()
    model2.load_state_dict(model.state_dict())
    optimizer2 = muon(model2, lr=9.0)
    optimizer2.load_state_dict(saved)
    assert [group["lr"] for group in optimizer2.param_groups] == [0.02, 3e-3, 3e-3]
    assert [group["lr"] for group in optimizer2.parts[0].param_groups] == [0.02]
    for step in (2, 3):
        take_step(model, optimizer, step)
        take_step(model2, optimizer2, step)
    assert same_weights(model, model2)
    with pytest.raises(ValueError, match="different number of parameter groups"):
        muon(nn.Sequential(nn.Linear(3, 3, bias=False))).load_state_dict(saved)


def test_hooks_are_called():
    model, optimizer = stepped()
    calls = []
    optimizer.register_step_pre_hook(lambda *_: calls.append("before"))
    optimizer.register_step_post_hook(lambda *_: calls.append("after"))
    optimizer.register_state_dict_pre_hook(lambda *_: calls.append("saving"))
    optimizer.register_state_dict_post_hook(lambda _, state: state | {"more": 1})
    optimizer.register_load_state_dict_post_hook(lambda *_: calls.append("loaded"))
    take_step(model, optimizer, 2)
    optimizer.load_state_dict(optimizer.state_dict())
    assert calls == ["before", "after", "saving", "loaded"]
    assert optimizer.state_dict()["more"] == 1


def test_a_new_group_goes_to_the_last_part():
    model, optimizer = stepped()
    new = nn.Parameter(torch.ones(3))
    optimizer.add_param_group({"params": new, "lr": 0.5, "weight_decay": 0.0})
    assert optimizer.param_groups[-1]["params"] == [new]
    assert isinstance(optimizer.parts[1], torch.optim.AdamW)
    new.grad = torch.ones(3)
    optimizer.step()
    torch.testing.assert_close(new.detach(), torch.full((3,), 0.5))  # Adam's first step is lr long
    with pytest.raises(ValueError, match="new parameters only"):
        optimizer.add_param_group({"params": [model.layers[0].feed_forward.up.weight]})


def test_a_closure_is_called_once_and_torchs_schedulers_work():
    model, optimizer = stepped()
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    calls = []

    def closure():
        calls.append(torch.is_grad_enabled())
        optimizer.zero_grad()
        loss = model.embedding.weight.square().sum()
        loss.backward()
        return loss.item()

    assert optimizer.step(closure) > 0.0
    assert calls == [True]
    scheduler.step()
    assert [group["lr"] for group in optimizer.param_groups] == pytest.approx([0.01, 1.5e-3, 1.5e-3])


def test_bad_input():
    with pytest.raises(ValueError, match="`model` must have linear layers besides a head, Embedding has none"):
        muon(nn.Embedding(5, 3))
    with pytest.raises(TypeError, match="`bfloat16`"):
        muon(nn.Sequential(nn.Linear(3, 2)), bfloat16="no")
    with pytest.raises(ValueError, match="at least one optimizer, got none"):
        CombinedOptimizer()
    layer = nn.Linear(3, 2)
    with pytest.raises(ValueError, match="must not share parameters"):
        CombinedOptimizer(torch.optim.SGD([layer.weight]), torch.optim.SGD(layer.parameters()))
    assert repr(muon(nn.Sequential(layer), bfloat16=True)) == "CombinedOptimizer(Muon, AdamW)"
    assert repr(muon(nn.Sequential(layer))) == "CombinedOptimizer(FullMuon, AdamW)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: adamw(m, weight_decay=-1.0), "`weight_decay` must be at least 0, got weight_decay=-1"),
        (lambda m: adamw(m, lr=float("nan")), "`lr` must be finite"),
        (lambda m: adamw(m, betas=(0.9, 1.0)), r"`betas\[1\]` must be at least 0 and less than 1"),
        (lambda m: adamw(nn.ReLU()), "`model` must have parameters to train, ReLU has none"),
        (lambda m: muon(m, momentum=1.0), "`momentum` must be at least 0 and less than 1, got momentum=1"),
        (lambda m: muon(m, adamw_lr=-1.0), "`adamw_lr` must be at least 0"),
    ],
)
def test_bad_settings(call, message):
    with pytest.raises(ValueError, match=message):
        call(nn.Sequential(nn.Linear(3, 2)))


def test_a_new_group_may_be_an_iterator_of_parameters_and_not_what_was_computed():
    _, optimizer = stepped()
    head = nn.Linear(3, 5)
    optimizer.add_param_group({"params": head.parameters()})
    assert optimizer.param_groups[-1]["params"] == list(head.parameters())
    with pytest.raises(ValueError, match="`param_group` must hold parameters, got a tensor that was computed"):
        optimizer.add_param_group({"params": [nn.Parameter(torch.ones(3)) * 2]})
