"""Muon and AdamW as one: what each gets, that each steps as it would alone, and that a training resumes."""

import copy

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


def test_the_parts_step_as_they_would_alone():
    ours, theirs = model_of(), model_of()
    optimizer = muon(ours, lr=0.03, adamw_lr=0.005, weight_decay=0.1)
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


def test_bad_input():
    with pytest.raises(ValueError, match="`model` must have linear layers besides a head, Embedding has none"):
        muon(nn.Embedding(5, 3))
    with pytest.raises(ValueError, match="at least one, got none"):
        CombinedOptimizer()
    layer = nn.Linear(3, 2)
    with pytest.raises(ValueError, match="share no parameter"):
        CombinedOptimizer(torch.optim.SGD([layer.weight]), torch.optim.SGD(layer.parameters()))
    two = muon(nn.Sequential(layer))
    with pytest.raises(ValueError, match="must be of 2 optimizers"):
        two.load_state_dict({"parts": []})
    with pytest.raises(ValueError, match="`closure` must be None"):
        two.step(lambda: 0.0)
    before = copy.deepcopy(two.state_dict())
    assert len(before["parts"]) == 2
    assert repr(two) == "CombinedOptimizer(Muon, AdamW)"
