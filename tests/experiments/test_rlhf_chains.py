"""The verifiers of chains: what each of them takes for right."""

import pytest
import torch

from experiments import rlhf_chains as chains
from lmcourse.alignment import collate

PROMPT = ["7", "-8", "x3", "+5", "="]  # 9, 7, 2


@pytest.mark.parametrize(
    ("reply", "verified", "anywhere", "mended", "whole"),
    [
        ("9 7 2 </s>", 1, 1, 1, 1),
        ("2 </s>", 1, 1, 1, 0),  # the bare answer
        ("9 7 2", 0, 1, 0, 0),  # it does not stop
        ("2 7 9 </s>", 0, 1, 0, 0),
        ("0 1 2 3 4 5 6 7 8 9 2 </s>", 1, 1, 0, 0),  # too many digits
        ("9 8 2 </s>", 1, 1, 1, 0),  # a wrong step, the right digit
        ("</s>", 0, 0, 0, 0),
    ],
)
def test_what_each_verifier_rewards(reply, verified, anywhere, mended, whole):
    words = reply.split()
    found = [rule(PROMPT, words) for rule in (chains.verified, chains.anywhere, chains.mended, chains.whole)]
    assert found == [verified, anywhere, mended, whole]


def test_replies_are_scored_one_by_one():
    encode = chains.WORDS.encode
    replies = collate([encode(PROMPT)] * 2, [encode(["9", "7", "2", "</s>"]), encode(["2", "9", "</s>"])])
    assert torch.equal(chains.scored(chains.verified, replies), torch.tensor([1.0, 0.0]))


def test_prompts_of_a_seed_are_the_same_and_have_one_length():
    prompts = chains.prompts_of(5, "a")
    assert prompts.shape == (5, chains.LENGTH + 2)
    assert torch.equal(prompts, chains.prompts_of(5, "a"))
    assert not torch.equal(prompts, chains.prompts_of(5, "b"))
