"""Replies as tensors: padding changes nothing, and log-probabilities and KL are those of whole replies."""

import itertools

import pytest
import torch

from lmcourse import kernels
from lmcourse.alignment import (
    Completions,
    collate,
    completion_log_probs,
    completion_logits,
    generate_completions,
    policy_metrics,
)
from lmcourse.alignment.completions import RecordingPolicy, completion_hidden_states
from lmcourse.models import GPT, GPTConfig
from tests.alignment.worlds import PROMPTS, STOP, V, policy_of

ROWS = [([4], [5, 6, 2]), ([3, 7, 1], [2]), ([9, 8], [6, 10, 3, 2])]


def test_layout_by_hand():
    replies = collate(*zip(*ROWS, strict=True), pad_id=0)
    assert replies.prompt_length == 3
    assert replies.ids.tolist() == [[0, 0, 4, 5, 6, 2, 0], [3, 7, 1, 2, 0, 0, 0], [0, 9, 8, 6, 10, 3, 2]]
    assert replies.attention_mask.int().tolist() == [
        [0, 0, 1, 1, 1, 1, 0],
        [1, 1, 1, 1, 0, 0, 0],
        [0, 1, 1, 1, 1, 1, 1],
    ]
    assert replies.tokens(stop_id=STOP) == [[5, 6], [], [6, 10, 3]]
    assert replies.prompts() == [[4], [3, 7, 1], [9, 8]]
    assert replies.lengths.tolist() == [3, 1, 4]
    cut = replies[torch.tensor([1, 0])]
    assert cut.ids.tolist() == [[3, 7, 1, 2, 0, 0], [0, 0, 4, 5, 6, 2]]
    assert replies[:0].completion_ids.shape == (0, 0)


def test_log_probs_of_a_padded_batch_are_those_of_each_reply_alone():
    policy = policy_of(double=True, context_length=9)
    together = completion_log_probs(policy, collate(*zip(*ROWS, strict=True)))
    for row, (prompt, reply) in enumerate(ROWS):
        log_probs = policy(torch.tensor([prompt + reply])).log_softmax(-1)[0]
        expected = sum(log_probs[len(prompt) + t - 1, token] for t, token in enumerate(reply))
        torch.testing.assert_close(together[row], expected)
    other = completion_log_probs(policy, collate(*zip(*ROWS, strict=True), pad_id=5))
    torch.testing.assert_close(together, other)


def test_drawn_replies_end_with_their_first_stop():
    replies = generate_completions(
        policy_of(), PROMPTS.repeat(40, 1), 5, stop_id=STOP, generator=torch.Generator().manual_seed(0)
    )
    assert {len(row) for row in replies.tokens()} == {1, 2, 3, 4, 5}
    for row in replies.tokens():
        assert STOP not in row[:-1]
        assert row[-1] == STOP or len(row) == replies.completion_ids.shape[1]


@pytest.mark.parametrize("samples", [1, 4])
@pytest.mark.parametrize("padded", [False, True])
def test_what_was_read_while_drawing_is_what_is_read_afterwards(padded, samples):
    policy, prompts = policy_of(double=True), PROMPTS.repeat(10, 1)
    keep = torch.ones_like(prompts, dtype=torch.bool)
    if padded:
        keep[::3, 0] = False
    generator = torch.Generator().manual_seed(0)
    drawing = RecordingPolicy(policy, samples=samples)
    replies = generate_completions(
        drawing, prompts, 5, stop_id=STOP, attention_mask=keep, samples=samples, generator=generator
    )
    assert len(replies) == len(prompts) * samples
    hidden, keep = drawing.hidden(), replies.completion_mask
    logits, expected = completion_logits(policy, replies)
    torch.testing.assert_close(hidden[keep], expected[keep])
    torch.testing.assert_close(drawing.logits()[keep], logits[keep])
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
def test_a_prompt_is_read_once_for_all_its_replies(padded, before, monkeypatch):
    """Three prompts of 4 tokens with two replies of up to 5 each: numbers and gradients are those of each alone."""
    policy, generator = policy_of(double=True, context_length=9), torch.Generator().manual_seed(0)
    prompts = torch.randint(3, V, (3, 4), generator=generator)
    keep = torch.ones_like(prompts, dtype=torch.bool)
    if padded:
        keep[1, :3] = False
    drawn = generate_completions(policy, prompts, 5, stop_id=STOP, attention_mask=keep, samples=2, generator=generator)
    alone = Completions(drawn.ids, drawn.attention_mask, 4)
    R = drawn.completion_ids.shape[1]
    assert drawn.samples == 2
    assert R == 5
    counts = tokens_read(monkeypatch)
    found, expected = (completion_hidden_states(policy, replies, before=before) for replies in (drawn, alone))
    width = R - before
    assert counts == [3 * 4, 6 * width, 6 * (4 + width)]
    keep = drawn.completion_mask
    torch.testing.assert_close(found[keep], expected[keep])
    wanted, parameters = torch.randn_like(found[keep]), [policy.embedding.weight, *policy.layers.parameters()]
    gradients = [torch.autograd.grad((hidden[keep] * wanted).sum(), parameters) for hidden in (found, expected)]
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
    replies = Completions(ids, torch.ones_like(ids, dtype=torch.bool), 4, samples=2)
    policy, counts = policy_of(context_length=9), tokens_read(monkeypatch)
    with kernels.plain():
        completion_logits(policy, replies)
    assert counts == [6 * 8]
    completion_logits(
        policy, Completions(ids[:, :5], replies.attention_mask[:, :5], 4, samples=2)
    )  # nothing is left of a reply
    assert counts[1:] == [6 * 4]
    short = torch.cat([ids[:, :1], draws], dim=1)  # a prompt of one token, replies of five
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


def test_replies_to_one_prompt_stay_together_or_are_no_group():
    prompts = torch.arange(3)[:, None].repeat_interleave(4, 0)
    ids = torch.cat([prompts, torch.randint(3, V, (12, 2))], dim=1)
    replies = Completions(ids, torch.ones_like(ids, dtype=torch.bool), 1, samples=4)
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
        assert replies[rows].samples == samples, rows
        assert replies[rows].ids.tolist() == ids[rows].tolist()
    assert replies.to("cpu").samples == 4
    assert replies[:0].ids.shape == (0, 1)


def test_temperature_divides_the_logits():
    policy, replies = policy_of(double=True), collate([[4, 1]], [[5, 2]])
    whole, _ = completion_logits(policy, replies)
    half, _ = completion_logits(policy, replies, temperature=0.5)
    torch.testing.assert_close(half, 2 * whole)


def test_kl_of_replies_is_the_sum_over_all_replies():
    """All replies of at most two tokens, weighed by their probability: the mean of the sums is the KL."""
    torch.manual_seed(0)
    policy, reference = (GPT(GPTConfig(4, 6, 8, 2, 1)).double().eval() for _ in range(2))
    with torch.no_grad():
        for parameter in (*policy.parameters(), *reference.parameters()):
            parameter.add_(0.5 * torch.randn_like(parameter))
    stop = 0
    every = [[stop], *([a, b] for a, b in itertools.product(range(1, 4), range(4)))]  # cut after two tokens
    replies = collate([[1, 3]] * len(every), every)
    with torch.no_grad():
        log_p, log_q = completion_log_probs(policy, replies), completion_log_probs(reference, replies)
    assert log_p.exp().sum().item() == pytest.approx(1.0)
    exact = float((log_p.exp() * (log_p - log_q)).sum())
    assert exact > 0.1
    found = sum(
        float(log_p[row].exp()) * policy_metrics(policy, reference, replies[row : row + 1])["kl"]
        for row in range(len(every))
    )
    assert found == pytest.approx(exact)


def test_metrics_of_a_policy_beside_itself():
    replies = collate(*zip(*ROWS, strict=True))
    found = policy_metrics(policy_of(context_length=9), policy_of(context_length=9), replies)
    assert found["kl"] == pytest.approx(0.0, abs=1e-6)
    assert 0.0 < found["entropy"] <= torch.tensor(float(V)).log() + 1e-6
    assert found["length"] == pytest.approx(8 / 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: collate([], []), "at least one, got 0 and 0"),
        (lambda: collate([[1]], [[1], [2]]), "as many"),
        (lambda: collate([[1], [1]], [[2], []]), "its stop token\\), got none in 1"),
        (lambda: collate([[]], [[2]]), "`prompts` must have at least one token"),
        (lambda: Completions(*group([[4], [4], [4]]), 1, samples=2), "to one and the same prompt, got 2 of 3 rows"),
        (lambda: Completions(*group([[4], [5]]), 1, samples=2), "to one and the same prompt, got 2 of 2 rows"),
        (
            lambda: generate_completions(policy_of(), PROMPTS, 0, stop_id=STOP),
            "must leave room for a completion, at least 1, got 0",
        ),
        (lambda: generate_completions(policy_of(), PROMPTS, 6, stop_id=STOP), "context_length=7"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_replies_know_their_number():
    assert len(collate(*zip(*ROWS, strict=True))) == 3
    assert isinstance(collate(*zip(*ROWS, strict=True)).to("cpu"), Completions)
