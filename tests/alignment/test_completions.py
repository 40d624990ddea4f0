"""Completions as tensors: padding changes nothing, and log-probabilities and KL are those of whole completions."""

import itertools

import pytest
import torch

from lmcourse import kernels
from lmcourse.alignment import (
    Completions,
    collate,
    completion_log_probs,
    generate_completions,
    policy_metrics,
)
from lmcourse.alignment.completions import RecordingPolicy, completion_hidden_states, completion_logits
from lmcourse.models import GPT, GPTConfig
from tests.alignment.worlds import PROMPTS, STOP, V, policy_of

ROWS = [([4], [5, 6, 2]), ([3, 7, 1], [2]), ([9, 8], [6, 10, 3, 2])]


def test_layout_by_hand():
    completions = collate(*zip(*ROWS, strict=True), pad_id=0)
    assert completions.prompt_length == 3
    assert completions.ids.tolist() == [[0, 0, 4, 5, 6, 2, 0], [3, 7, 1, 2, 0, 0, 0], [0, 9, 8, 6, 10, 3, 2]]
    assert completions.attention_mask.int().tolist() == [
        [0, 0, 1, 1, 1, 1, 0],
        [1, 1, 1, 1, 0, 0, 0],
        [0, 1, 1, 1, 1, 1, 1],
    ]
    assert completions.tokens(stop_id=STOP) == [[5, 6], [], [6, 10, 3]]
    assert completions.prompts() == [[4], [3, 7, 1], [9, 8]]
    assert completions.lengths.tolist() == [3, 1, 4]
    cut = completions[torch.tensor([1, 0])]
    assert cut.ids.tolist() == [[3, 7, 1, 2, 0, 0], [0, 0, 4, 5, 6, 2]]
    assert completions[:0].completion_ids.shape == (0, 0)


def test_log_probs_of_a_padded_batch_are_those_of_each_completion_alone():
    policy = policy_of(double=True, context_length=9)
    together = completion_log_probs(policy, collate(*zip(*ROWS, strict=True)))
    for row, (prompt, completion) in enumerate(ROWS):
        log_probs = policy(torch.tensor([prompt + completion])).log_softmax(-1)[0]
        expected = sum(log_probs[len(prompt) + t - 1, token] for t, token in enumerate(completion))
        torch.testing.assert_close(together[row], expected)
    other = completion_log_probs(policy, collate(*zip(*ROWS, strict=True), pad_id=5))
    torch.testing.assert_close(together, other)


def test_sampled_completions_end_with_their_first_stop():
    completions = generate_completions(
        policy_of(), PROMPTS.repeat(40, 1), 5, stop_id=STOP, generator=torch.Generator().manual_seed(0)
    )
    assert {len(row) for row in completions.tokens()} == {1, 2, 3, 4, 5}
    for row in completions.tokens():
        assert STOP not in row[:-1]
        assert row[-1] == STOP or len(row) == completions.completion_ids.shape[1]


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("padded", [False, True])
def test_what_was_recorded_while_sampling_is_what_is_computed_afterwards(padded, samples):
    policy, prompts = policy_of(double=True), PROMPTS.repeat(10, 1)
    mask = torch.ones_like(prompts, dtype=torch.bool)
    if padded:
        mask[::3, 0] = False
    generator = torch.Generator().manual_seed(0)
    recording = RecordingPolicy(policy, samples=samples)
    completions = generate_completions(
        recording, prompts, 5, stop_id=STOP, attention_mask=mask, samples=samples, generator=generator
    )
    assert len(completions) == len(prompts) * samples
    hidden, mask = recording.hidden(), completions.completion_mask
    logits, expected = completion_logits(policy, completions)
    torch.testing.assert_close(hidden[mask], expected[mask])
    torch.testing.assert_close(recording.logits()[mask], logits[mask])
    assert not hidden.requires_grad


def tokens_read(monkeypatch):
    """The number of tokens in each pass through a GPT, as they come."""
    counts, embed = [], GPT._embed
    monkeypatch.setattr(
        GPT, "_embed", lambda self, ids, *rest: (counts.append(ids.numel()), embed(self, ids, *rest))[1]
    )
    return counts


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("padded", [False, True])
def test_a_prompt_is_read_once_for_all_its_completions(padded, before, monkeypatch):
    """Three prompts of 4 tokens with two completions of up to 5 each: numbers and gradients are those of each alone."""
    policy, generator = policy_of(double=True, context_length=9), torch.Generator().manual_seed(0)
    prompts = torch.randint(3, V, (3, 4), generator=generator)
    mask = torch.ones_like(prompts, dtype=torch.bool)
    if padded:
        mask[1, :3] = False
    sampled = generate_completions(
        policy, prompts, 5, stop_id=STOP, attention_mask=mask, samples=2, generator=generator
    )
    alone = Completions(sampled.ids, sampled.attention_mask, 4)
    R = sampled.completion_ids.shape[1]
    assert sampled.samples == 2
    assert R == 5
    counts = tokens_read(monkeypatch)
    found, expected = (completion_hidden_states(policy, completions, before=before) for completions in (sampled, alone))
    width = R - before
    assert counts == [3 * 4, 6 * width, 6 * (4 + width)]
    mask = sampled.completion_mask
    torch.testing.assert_close(found[mask], expected[mask])
    wanted, parameters = torch.randn_like(found[mask]), [policy.embedding.weight, *policy.layers.parameters()]
    gradients = [torch.autograd.grad((hidden[mask] * wanted).sum(), parameters) for hidden in (found, expected)]
    for ours, right in zip(*gradients, strict=True):
        torch.testing.assert_close(ours, right)


class OwnReading(GPT):
    def hidden(self, ids, **options):
        return 2.0 * super().hidden(ids, **options)


def test_what_a_user_put_on_a_model_acts_on_prefix_and_continuation():
    prompts, draws = torch.randint(3, V, (3, 4)), torch.randint(3, V, (6, 5))
    ids = torch.cat([prompts.repeat_interleave(2, 0), draws], dim=1)
    completions = Completions(ids, torch.ones_like(ids, dtype=torch.bool), 4, samples=2)
    policy, forward, backward = policy_of(context_length=9), [], []
    D = policy.config.embed_dim
    layer = policy.layers[0]
    hooks = [
        layer.register_forward_hook(lambda *called: forward.append(called[2].shape)),
        layer.register_full_backward_hook(lambda *called: backward.append(called[2][0].shape)),
    ]
    completion_logits(policy, completions)[0].sum().backward()
    assert forward == [(3, 4, D), (6, 4, D)]
    assert sorted(backward) == [(3, 4, D), (6, 4, D)]
    for hook in hooks:
        hook.remove()
    own = OwnReading(policy.config)
    own.load_state_dict(policy.state_dict())
    torch.testing.assert_close(completion_logits(own, completions)[1], 2.0 * completion_logits(policy, completions)[1])


def test_where_sharing_saves_little_whole_texts_are_read(monkeypatch):
    prompts, draws = torch.randint(3, V, (3, 4)), torch.randint(3, V, (6, 5))
    ids = torch.cat([prompts.repeat_interleave(2, 0), draws], dim=1)
    completions = Completions(ids, torch.ones_like(ids, dtype=torch.bool), 4, samples=2)
    policy, counts = policy_of(context_length=9), tokens_read(monkeypatch)
    with kernels.plain():
        completion_logits(policy, completions)
    assert counts == [6 * 8]
    completion_logits(
        policy, Completions(ids[:, :5], completions.attention_mask[:, :5], 4, samples=2)
    )  # nothing is left of a completion
    assert counts[1:] == [6 * 4]
    short = torch.cat([ids[:, :1], draws], dim=1)  # a prompt of one token, completions of five
    completion_logits(policy, Completions(short, torch.ones_like(short, dtype=torch.bool), 1, samples=2))
    assert counts[2:] == [3, 6 * 4]
    long = policy_of(context_length=40)
    draws = torch.randint(3, V, (6, 30))
    short = torch.cat([ids[:, :1], draws], dim=1)
    completion_logits(long, Completions(short, torch.ones_like(short, dtype=torch.bool), 1, samples=2))
    assert counts[4:] == [6 * 30]


def group(prompts):
    """Prompts with one token behind each."""
    ids = torch.tensor([[*prompt, 7] for prompt in prompts])
    return ids, torch.ones_like(ids, dtype=torch.bool)


def test_completions_to_one_prompt_stay_together_or_are_no_group():
    prompts = torch.arange(3)[:, None].repeat_interleave(4, 0)
    ids = torch.cat([prompts, torch.randint(3, V, (12, 2))], dim=1)
    completions = Completions(ids, torch.ones_like(ids, dtype=torch.bool), 1, samples=4)
    for rows, samples in [
        (torch.tensor([7, 6, 4, 5]), 4),
        (torch.tensor([8, 9, 10, 11, 3, 2, 1, 0]), 4),
        (slice(4, None), 4),
        (torch.arange(12) < 8, 4),
        (torch.tensor([0, 1, 2, 4]), 1),
        (torch.tensor([0, 1, 2]), 1),
        (torch.tensor([0, 4, 1, 5, 2, 6, 3, 7]), 1),
        (slice(2, 10), 1),
    ]:
        assert completions[rows].samples == samples, rows
        assert completions[rows].ids.tolist() == ids[rows].tolist()
    assert completions.to("cpu").samples == 4
    assert completions[:0].ids.shape == (0, 1)


def test_temperature_divides_the_logits():
    policy, completions = policy_of(double=True), collate([[4, 1]], [[5, 2]])
    whole, _ = completion_logits(policy, completions)
    half, _ = completion_logits(policy, completions, temperature=0.5)
    torch.testing.assert_close(half, 2 * whole)


def test_kl_of_completions_is_the_sum_over_all_completions():
    """All completions of at most two tokens, weighted by their probability: the mean of the sums is the KL."""
    torch.manual_seed(0)
    policy, reference = (GPT(GPTConfig(4, 6, 8, 2, 1)).double().eval() for _ in range(2))
    with torch.no_grad():
        for parameter in (*policy.parameters(), *reference.parameters()):
            parameter.add_(0.5 * torch.randn_like(parameter))
    stop = 0
    every = [[stop], *([a, b] for a, b in itertools.product(range(1, 4), range(4)))]  # cut after two tokens
    completions = collate([[1, 3]] * len(every), every)
    with torch.no_grad():
        log_p, log_q = completion_log_probs(policy, completions), completion_log_probs(reference, completions)
    assert log_p.exp().sum().item() == pytest.approx(1.0)
    exact = float((log_p.exp() * (log_p - log_q)).sum())
    assert exact > 0.1
    found = sum(
        float(log_p[row].exp()) * policy_metrics(policy, reference, completions[row : row + 1])["kl"]
        for row in range(len(every))
    )
    assert found == pytest.approx(exact)


def test_metrics_of_a_policy_beside_itself():
    completions = collate(*zip(*ROWS, strict=True))
    found = policy_metrics(policy_of(context_length=9), policy_of(context_length=9), completions)
    assert found["kl"] == pytest.approx(0.0, abs=1e-6)
    assert 0.0 < found["entropy"] <= torch.tensor(float(V)).log() + 1e-6
    assert found["length"] == pytest.approx(8 / 3)


SOME = collate(*zip(*ROWS, strict=True))


def test_completions_can_be_indexed_and_iterated():
    each = list(SOME)
    assert [len(completion) for completion in each] == [1, 1, 1]
    assert [completion.tokens() for completion in each] == [[[5, 6, 2]], [[2]], [[6, 10, 3, 2]]]
    assert [completion.prompts() for completion in each] == [[[4]], [[3, 7, 1]], [[9, 8]]]
    assert SOME[1].ids.tolist() == SOME[-2].ids.tolist() == [[3, 7, 1, 2]]
    assert SOME[[2, 1]].tokens() == [[6, 10, 3, 2], [2]]
    for row in (3, -4):
        with pytest.raises(IndexError, match=f"there are 3 completions, got index {row}"):
            SOME[row]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: collate([], []), "`prompts` must hold at least one row, got none"),
        (lambda: collate([[1]], [[1], [2]]), "equally many"),
        (lambda: collate([[1], [1]], [[2], []]), "in each row, got none at index 1"),
        (lambda: collate([[]], [[2]]), "`prompts` must have at least one token id in each row"),
        (
            lambda: Completions(*group([[4], [4], [4]]), 1, samples=2),
            "got samples=2 for 3 rows",
        ),
        (
            lambda: Completions(*group([[4], [5]]), 1, samples=2),
            "got samples=2 for 2 rows",
        ),
        (lambda: Completions(*group([[4]]), 1, samples=0), "`samples` must be at least 1, got samples=0"),
        (
            lambda: Completions(*group([[4]]), 0),
            "at least 1 and at most 2, got prompt_length=0",
        ),
        (
            lambda: Completions(*group([[4]]), 3),
            "at least 1 and at most 2, got prompt_length=3",
        ),
        (lambda: Completions(group([[4]])[0], group([[4, 4]])[1], 1), r"same shape, got ids \(1, 2\), attention_mask"),
        (lambda: completion_logits(policy_of(), SOME, temperature=0.0), "`temperature` must be more than 0"),
        (lambda: policy_metrics(policy_of(), policy_of(), SOME[:0]), "`completions` must not be empty"),
        (
            lambda: generate_completions(policy_of(), PROMPTS, 0, stop_id=STOP),
            "`max_new_tokens` must be at least 1, got max_new_tokens=0",
        ),
        (lambda: generate_completions(policy_of(), PROMPTS, 7, stop_id=STOP), "context_length=7"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_completions_know_their_number():
    assert len(collate(*zip(*ROWS, strict=True))) == 3
    assert isinstance(collate(*zip(*ROWS, strict=True)).to("cpu"), Completions)
