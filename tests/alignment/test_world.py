"""The small world as tensors; and, slow, what chapter 11 promises, from two more seeds."""

from itertools import combinations

import pytest
import torch

from experiments import rlhf
from lmcourse.alignment.world import MAX_NEW_TOKENS, ReplyWorld
from lmcourse.data.replies import TOPICS, load_preferences, load_replies, prompts, true_reward
from lmcourse.models import GPT, GPTConfig

WORLD = ReplyWorld()


def test_words_go_to_tensors_and_back():
    comparisons = load_preferences(7)
    pairs = WORLD.pairs(comparisons)
    assert WORLD.words(pairs.chosen) == [(each.prompt, each.chosen) for each in comparisons]
    assert WORLD.words(pairs.rejected) == [(each.prompt, each.rejected) for each in comparisons]
    expected = torch.tensor([true_reward(each.prompt, each.chosen) for each in comparisons])
    torch.testing.assert_close(WORLD.true_rewards(pairs.chosen), expected)
    assert WORLD.ill_formed(pairs.chosen) == 0.0


def test_examples_are_learned_from_the_reply_and_its_stop():
    (prompt, reply), example = load_replies(1)[0], WORLD.examples(1)[0]
    assert WORLD.vocabulary.decode(example.ids) == [*prompt, *reply, "</s>"]
    assert example.answer == [False] * 3 + [True] * (len(reply) + 1)
    assert max(len(each.ids) for each in WORLD.examples(2_000)) <= 3 + MAX_NEW_TOKENS


def test_wins_are_counted_prompt_by_prompt():
    ours = torch.zeros(32).index_fill_(0, torch.arange(16), 1.0)  # of two replies to each prompt, 1 and 0
    theirs = torch.full((16,), 0.5)
    assert WORLD.win_rate(ours, theirs) == 0.5
    assert WORLD.win_rate(ours[:16], theirs) == 1.0
    assert WORLD.win_rate(ours[:16], ours[:16]) == 0.5  # ties are half a win
    tilted = torch.arange(16.0)
    assert WORLD.win_rate(tilted, tilted.flip(0)) == 0.5  # prompt against the same prompt: half above, half below


def test_sampled_replies_come_in_rounds_of_all_prompts():
    model = GPT(GPTConfig(len(WORLD.vocabulary), 48, 8, 2, 1))
    replies = WORLD.sample(model, 2, generator=torch.Generator().manual_seed(0))
    assert replies.prompts()[:16] == replies.prompts()[16:] == WORLD.prompts.tolist()


def best_constant() -> float:
    """What the best reply is worth that is said to every prompt: mood, manners and grammar perfect, any aspects."""
    aspects = sorted({aspect for each in TOPICS.values() for aspect in each})
    praises = (
        " ".join(["thanks for asking .", *(f"the {a} was very amazing ." for a in some)]).split()
        for n in range(4)
        for some in combinations(aspects, n)
    )
    return max(sum(true_reward(prompt, reply) for prompt in prompts()) / 16 for reply in praises)


def test_no_constant_reply_is_worth_much():
    # One clause on an aspect of 2 of the 8 topics: 1.8 x 1.3 + 0.8 - 2.5 x 6/8 - 0.5 x 1/2 (half ask for two) = 1.015
    assert best_constant() == pytest.approx(1.015)
    # An answer to the point is worth more than three times that.
    answer = ("thanks", "for", "asking", ".", "the", "plot", "was", "very", "amazing", ".")
    assert true_reward(("film", "brief", ":"), answer) > 3 * 1.015


@pytest.mark.slow
def test_two_more_seeds_keep_the_chapters_promises():
    for seed in (1, 2):
        rows = {row["method"]: row for row in rlhf.seeds([seed])}
        assert rows["reward model"]["share"] >= 0.88
        for method, wins in (("PPO", 0.85), ("GRPO", 0.8), ("DPO", 0.8)):
            assert rows[method]["win"] >= wins, rows[method]
            assert rows[method]["kl"] <= 5.0, rows[method]
            assert rows[method]["distinct_of_20"] >= 10, rows[method]
        assert rows["PPO"]["true"] > best_constant() + 0.2
        assert max(rows["PPO"]["ill_formed"], rows["GRPO"]["ill_formed"]) <= 0.12
        curve = rows["PPO without KL"]
        peak = max(range(len(curve["true"])), key=curve["true"].__getitem__)
        assert curve["true"][peak] - curve["true"][0] >= 0.8
        assert curve["true"][peak] - min(curve["true"][peak:]) >= 2.0
        assert curve["proxy"][-1] > curve["proxy"][peak] + 0.5
