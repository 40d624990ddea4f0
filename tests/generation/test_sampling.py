"""Sampling from a model: many draws, the cache, several samples, stopping, streaming, errors."""

import pytest
import torch

from lmcourse.generation import generate, sampling_distribution, stream
from lmcourse.models.gpt import GPT, GPTConfig

V = 11


@pytest.fixture(scope="module")
def model() -> GPT:
    torch.manual_seed(0)
    model = GPT(GPTConfig(V, 40, 12, 2, 2))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    return model


@pytest.mark.parametrize(
    "how", [{}, {"temperature": 0.6}, {"temperature": 1.7, "top_k": 4}, {"top_p": 0.8}, {"top_k": 6, "top_p": 0.7}]
)
def test_draws_follow_the_distribution(model, how):
    n = 8_000
    prompt = torch.tensor([[3, 1, 4]]).expand(n, 3)
    drawn = generate(model, prompt, 1, generator=torch.Generator().manual_seed(7), **how)[:, 3]
    expected = n * sampling_distribution(model(prompt[:1])[0, -1], **how)
    counts = torch.bincount(drawn, minlength=V)
    possible = expected > 0
    assert (counts[~possible] == 0).all()
    chi_squared = ((counts - expected)[possible] ** 2 / expected[possible]).sum().item()
    assert chi_squared < 30  # the 99.9 % point for 10 degrees of freedom is 29.6


def test_with_and_without_cache_and_streamed(model):
    prompt = torch.tensor([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    how = {"temperature": 1.3, "top_k": 7}
    texts = [
        generate(model, prompt, 20, use_cache=cached, generator=torch.Generator().manual_seed(2), **how)
        for cached in (True, False)
    ]
    assert texts[0].tolist() == texts[1].tolist()
    pieces = list(stream(model, prompt, 20, generator=torch.Generator().manual_seed(2), **how))
    assert torch.stack(pieces, dim=1).tolist() == texts[0][:, 5:].tolist()


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("cached", [False, True])
def test_several_texts_for_a_prompt_are_those_of_the_prompt_repeated(model, padded, cached):
    prompts, read = torch.tensor([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]]), []
    keep = torch.tensor([[True] * 5, [not padded] * 2 + [True] * 3])
    rows = torch.tensor([0, 0, 0, 1, 1, 1])

    def write(prompts, keep, **more):
        draws = torch.Generator().manual_seed(2)
        return generate(model, prompts, 20, attention_mask=keep, use_cache=cached, generator=draws, **more)

    hook = model.register_forward_pre_hook(lambda _, args: read.append(len(args[0])))
    try:
        texts = write(prompts, keep, samples=3)
    finally:
        hook.remove()
    assert texts.tolist() == write(prompts[rows], keep[rows]).tolist()
    assert len({tuple(text) for text in texts.tolist()}) == 6
    assert read == [2 if cached else 6, *[6] * 19]  # with the cache a prompt is read once
    assert generate(model, prompts, 0, samples=3).tolist() == prompts[rows].tolist()


@pytest.mark.parametrize("length", [3, 20], ids=["few tokens", "matrices laid out anew"])
@pytest.mark.parametrize("kind", [{}, {"positions": "rotary", "qk_norm": True}], ids=["GPT-2", "rotary"])
def test_under_autocast_the_cache_has_its_dtype(kind, length):
    torch.manual_seed(1)
    model = GPT(GPTConfig(V, 40, 12, 2, 2, **kind))
    with torch.no_grad():
        model.head.weight.mul_(50.0)  # far from ties: rounding decides nothing
    prompt = torch.tensor([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert model.new_cache(2, 9).layers[0].keys.dtype == torch.bfloat16
        written = [generate(model, prompt, length, temperature=0.0, use_cache=cached) for cached in (True, False)]
    assert model.new_cache(2, 9).layers[0].keys.dtype == torch.float32
    assert written[0].tolist() == written[1].tolist()


def test_a_row_that_has_stopped_stays_so(model):
    prompt = torch.arange(8)[:, None].expand(8, 2)
    text = generate(model, prompt, 30, stop_ids=(2, 6), generator=torch.Generator().manual_seed(0))
    free = generate(model, prompt, 30, generator=torch.Generator().manual_seed(0))
    stopped_at = []
    for row, other in zip(text[:, 2:].tolist(), free[:, 2:].tolist(), strict=True):
        first = next((i for i, token in enumerate(row) if token in (2, 6)), len(row))
        stopped_at.append(first)
        assert set(row[first:]) <= {row[first] if first < len(row) else -1}
        assert row[:first] == other[:first]
    assert max(stopped_at) + 1 == text.shape[1] - 2 or text.shape[1] == 32  # it ends when all have stopped
    assert min(stopped_at) < max(stopped_at)


def test_the_model_is_left_as_it_was(model):
    model.train()
    generate(model, torch.tensor([[1]]), 3)
    assert model.training
    assert generate(model, torch.tensor([[1, 2]]), 0).tolist() == [[1, 2]]
    steps = stream(model, torch.tensor([[1]]), 5)
    next(steps)
    steps.close()
    assert model.training


PROMPT = torch.tensor([[1, 2, 3]])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"ids": PROMPT[:, :0]}, ValueError, "prompts of at least one token"),
        ({"ids": PROMPT[0]}, ValueError, r"`ids` must have shape \(B, T\)"),
        ({"ids": PROMPT.float()}, TypeError, "`ids` must be a tensor of whole numbers"),
        ({"ids": [[1, 2, 3]]}, TypeError, "`ids` must be a tensor of whole numbers, got list"),
        ({"ids": PROMPT + V}, ValueError, "`ids` must be in 0"),
        ({"samples": 0}, ValueError, "`samples` must be at least 1, got samples=0"),
        ({"samples": 1.0}, TypeError, "`samples` must be a whole number"),
        ({"max_new_tokens": -1}, ValueError, "`max_new_tokens` must be at least 0, got max_new_tokens=-1"),
        ({"max_new_tokens": 2.5}, TypeError, "`max_new_tokens` must be a whole number"),
        ({"stop_ids": 5}, TypeError, "`stop_ids` must be a collection of whole numbers, got stop_ids=5"),
        ({"stop_ids": [2.5]}, TypeError, r"`stop_ids\[...\]` must be a whole number"),
        ({"stop_ids": [V]}, ValueError, r"`stop_ids\[...\]` must be less than 11"),
        ({"stop_ids": [-1]}, ValueError, r"`stop_ids\[...\]` must be at least 0"),
        ({"use_cache": 1}, TypeError, "`use_cache` must be of type bool"),
        ({"generator": 7}, TypeError, "`generator` must be of type Generator"),
        ({"config": 0.7}, TypeError, "`config` must be of type SamplingConfig, got float"),
        ({"model": torch.nn.Linear(2, 3)}, TypeError, "`model` must be a language model.*got Linear"),
        ({"max_new_tokens": 39}, ValueError, "context_length=40.* got 41"),
        ({"attention_mask": torch.tensor([[True, True, False]])}, ValueError, "padding, False, on the left"),
        ({"attention_mask": torch.tensor([[True, False, True]])}, ValueError, "padding, False, on the left"),
        (
            {"attention_mask": torch.ones(1, 2, dtype=torch.bool)},
            ValueError,
            "`ids`, `attention_mask` must have the same shape",
        ),
        ({"attention_mask": torch.ones(1, 3)}, TypeError, "`attention_mask` must be a bool tensor"),
    ],
)
def test_bad_input(model, arguments, error, message):
    with pytest.raises(error, match=message):
        generate(**({"model": model, "ids": PROMPT, "max_new_tokens": 4} | arguments))


def test_with_and_without_a_cache_as_many_tokens_are_written(model):
    written = [generate(model, PROMPT, 38, temperature=0.0, use_cache=cached) for cached in (True, False)]
    assert written[0].shape == (1, 41)
    assert written[0].tolist() == written[1].tolist()
    for cached in (True, False):
        with pytest.raises(ValueError, match="got 41"):
            generate(model, PROMPT, 39, use_cache=cached)


def test_many_tokens_are_the_same_as_few_at_a_time(model):
    ids = torch.randint(V, (2, 4))
    long = generate(model, ids, 16 + 3, temperature=0.0)
    steps = ids
    for _ in range(16 + 3):
        steps = generate(model, steps, 1, temperature=0.0)
    assert long.tolist() == steps.tolist()
    assert all(parameter.requires_grad for parameter in model.parameters())
