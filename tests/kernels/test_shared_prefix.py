"""Texts that begin alike: read together they give what each gives alone, and only where that saves work."""

import pytest
import torch

from lmcourse.kernels.shared_prefix import hidden_from_prefix_on
from lmcourse.models import GPT, GPTConfig

V, C, D = 13, 29, 12


def model_of(seed=0):
    torch.manual_seed(seed)
    model = GPT(GPTConfig(V, C, D, 3, 2)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


def texts(groups, samples, prefix, rest):
    prefixes = torch.randint(V, (groups, prefix)).repeat_interleave(samples, 0)
    return torch.cat([prefixes, torch.randint(V, (groups * samples, rest))], dim=1)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(("samples", "prefix", "rest"), [(5, 7, 3), (2, 3, 11), (1, 7, 3), (5, 7, 0), (2, 2, 23)])
def test_it_is_what_each_text_gives_alone_and_so_are_the_gradients(padded, samples, prefix, rest):
    model, ids = model_of(), texts(3, samples, prefix, rest)
    mask = None
    if padded:
        mask = torch.ones_like(ids, dtype=torch.bool)
        mask[:samples, 0] = False
    found = hidden_from_prefix_on(model, ids, prefix, samples=samples, attention_mask=mask)
    expected = model.hidden(ids, attention_mask=mask)[:, prefix - 1 :]
    torch.testing.assert_close(found, expected)
    parameters, weight = list(model.layers.parameters()), torch.randn_like(expected)
    ours, theirs = (torch.autograd.grad((hidden * weight).sum(), parameters) for hidden in (found, expected))
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)


@pytest.mark.parametrize(
    ("samples", "prefix", "rest", "together"),
    [
        (5, 7, 3, True),  # 50 tokens apart, 22 together
        (2, 4, 16, True),  # 40 and 36: exactly a tenth is saved
        (2, 4, 17, False),  # 42 and 38: less
        (1, 7, 3, False),  # nothing to share
        (5, 7, 0, False),  # nothing behind the prefix
    ],
)
def test_it_reads_together_where_a_tenth_of_the_tokens_is_saved(samples, prefix, rest, together, monkeypatch):
    model, calls = model_of(), []
    shared = model.hidden_with_shared_prefix
    monkeypatch.setattr(model, "hidden_with_shared_prefix", lambda *a, **o: (calls.append(1), shared(*a, **o))[1])
    hidden_from_prefix_on(model, texts(3, samples, prefix, rest), prefix, samples=samples)
    assert bool(calls) == together
