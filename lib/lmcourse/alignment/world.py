"""The small world of `data.replies` as tensors: for experiments in which the true reward is known."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from lmcourse.alignment.completions import Completions, generate_completions
from lmcourse.alignment.reward import Pairs, collate_pairs
from lmcourse.alignment.sft import Example, prompt_and_answer
from lmcourse.data import replies as world
from lmcourse.tokenizers import Vocabulary

ROOM = 40  # tokens of a reply at most; people's have up to 30 with the stop token


class ReplyWorld:
    """Prompts, example replies, comparisons and judges, for models of `vocabulary`.

    Attributes:
        vocabulary: of the words; `stop_id` is the number of its stop token.
        prompts: all 16, (16, 3).
    """

    def __init__(self) -> None:
        self.vocabulary = Vocabulary(world.reply_vocabulary())
        self.stop_id = self.vocabulary.index(world.STOP)
        self.prompts = torch.tensor([self.vocabulary.encode(prompt) for prompt in world.prompts()])

    def encode(self, reply: Sequence[str]) -> list[int]:
        """Return the ids of a reply, closed by the stop token."""
        return [*self.vocabulary.encode(reply), self.stop_id]

    def examples(self, n: int, *, split: str = "train") -> list[Example]:
        """Return `n` replies as people write them, for `SFTTrainer`."""
        encode = self.vocabulary.encode
        return [
            prompt_and_answer(encode(prompt), self.encode(reply))
            for prompt, reply in world.load_replies(n, split=split)
        ]

    def pairs(self, comparisons: Sequence[tuple[Sequence[str], Sequence[str], Sequence[str]]]) -> Pairs:
        """Return (prompt, chosen, rejected) triples, such as `data.replies.load_preferences` gives, as tensors."""
        prompts, chosen, rejected = zip(*comparisons, strict=True)
        return collate_pairs(
            [self.vocabulary.encode(prompt) for prompt in prompts],
            [self.encode(reply) for reply in chosen],
            [self.encode(reply) for reply in rejected],
        )

    def words(self, replies: Completions) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return (prompt, reply) as words, the reply without its stop token."""
        decode = self.vocabulary.decode
        both = zip(replies.prompts(), replies.tokens(stop_id=self.stop_id), strict=True)
        return [(tuple(decode(prompt)), tuple(decode(reply))) for prompt, reply in both]

    def judge(self, reward: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Completions], Tensor]:
        """Return a reward of words, such as `data.replies.flawed_reward`, as a reward of `Completions`."""
        return lambda replies: torch.tensor([reward(prompt, reply) for prompt, reply in self.words(replies)])

    def true_rewards(self, replies: Completions) -> Tensor:
        """Return how good the replies really are, (B,)."""
        return self.judge(world.true_reward)(replies)

    def ill_formed(self, replies: Completions) -> float:
        """Return the share of replies with a sentence that the grammar does not know."""
        return sum(world.read_reply(reply).errors > 0 for _, reply in self.words(replies)) / len(replies)

    def draw(self, model: Any, n: int, *, generator: torch.Generator | None = None) -> Completions:
        """Return `n` replies to each of the 16 prompts: row 16 i + p is the i-th to prompt p."""
        prompts = self.prompts.repeat(n, 1)
        return generate_completions(model, prompts, ROOM, stop_id=self.stop_id, generator=generator)

    def wins(self, rewards: Tensor, rivals: Tensor) -> float:
        """Return how often a reply beats a rival's to the same prompt; a tie is half a win.

        Args:
            rewards: true rewards of replies of `draw`, (16 n,).
            rivals: of the rival's, (16 m,). Each of n meets each of m.
        """
        ours, theirs = rewards.view(-1, 1, 16), rivals.view(1, -1, 16)
        return float(((ours > theirs).double() + 0.5 * (ours == theirs).double()).mean())
