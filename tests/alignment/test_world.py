"""The small world as tensors; and, slow, what chapter 11 promises, from two more seeds."""

import pytest
import torch

from experiments import rlhf
from lmcourse.alignment.world import ROOM, ReplyWorld
from lmcourse.data.replies import load_preferences, load_replies, true_reward
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
    assert max(len(each.ids) for each in WORLD.examples(2_000)) <= 3 + ROOM


def test_wins_are_counted_prompt_by_prompt():
    ours = torch.zeros(32).index_fill_(0, torch.arange(16), 1.0)  # of two replies to each prompt, 1 and 0
    theirs = torch.full((16,), 0.5)
    assert WORLD.wins(ours, theirs) == 0.5
    assert WORLD.wins(ours[:16], theirs) == 1.0
    assert WORLD.wins(ours[:16], ours[:16]) == 0.5  # ties are half a win
    tilted = torch.arange(16.0)
    assert WORLD.wins(tilted, tilted.flip(0)) == 0.5  # prompt against the same prompt: half above, half below


def test_drawn_replies_come_in_rounds_of_all_prompts():
    model = GPT(GPTConfig(len(WORLD.vocabulary), 48, 8, 2, 1))
    drawn = WORLD.draw(model, 2, generator=torch.Generator().manual_seed(0))
    assert drawn.prompts()[:16] == drawn.prompts()[16:] == WORLD.prompts.tolist()


@pytest.mark.slow
def test_two_more_seeds_keep_the_chapters_promises():
    for seed in (1, 2):
        rows = {row["method"]: row for row in rlhf.seeds([seed])}
        assert rows["reward model"]["share"] >= 0.88
        for method, wins in (("PPO", 0.85), ("GRPO", 0.8), ("DPO", 0.8)):
            assert rows[method]["win"] >= wins, rows[method]
            assert rows[method]["kl"] <= 5.0, rows[method]
            assert rows[method]["distinct_of_20"] >= 10, rows[method]
        assert max(rows["PPO"]["ill_formed"], rows["GRPO"]["ill_formed"]) <= 0.12
        curve = rows["PPO without KL"]
        peak = max(range(len(curve["true"])), key=curve["true"].__getitem__)
        assert curve["true"][peak] - curve["true"][0] >= 0.8
        assert curve["true"][peak] - curve["true"][-1] >= 2.0
        assert curve["proxy"][-1] > curve["proxy"][peak] + 0.5
