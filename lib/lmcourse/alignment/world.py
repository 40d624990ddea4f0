"""The small world of `data.replies` as tensors: for experiments in which the true reward is known."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from lmcourse import checks, tensor_checks
from lmcourse.alignment.completions import Completions, generate_completions
from lmcourse.alignment.policies import check_language_model
from lmcourse.alignment.reward import Pairs, collate_pairs
from lmcourse.alignment.sft import Example, prompt_and_answer
from lmcourse.data import replies as world
from lmcourse.generation.language_model import LanguageModel
from lmcourse.tokenizers import Vocabulary

__all__ = ["ReplyWorld"]

MAX_NEW_TOKENS = 40  # of a reply; those of people have up to 30, including the stop token


class ReplyWorld:
    """Prompts, example replies, comparisons and judges, for models of `vocabulary`.

    Attributes:
        vocabulary: the words; `stop_id` is the id of the stop token.
        prompts: all 16, (16, 3).
    """

    def __init__(self) -> None:
        self.vocabulary = Vocabulary(world.reply_vocabulary())
        self.stop_id = self.vocabulary.index(world.STOP)
        self.prompts = torch.tensor([self.vocabulary.encode(prompt) for prompt in world.prompts()])

    def encode(self, reply: Sequence[str]) -> list[int]:
        """Return the ids of a reply, closed by the stop token."""
        checks.texts(reply=reply)
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
        checks.instance(Sequence, comparisons=comparisons)
        checks.not_empty(comparisons=comparisons)
        for comparison in comparisons:
            if not isinstance(comparison, tuple) or len(comparison) != 3:
                raise TypeError(f"`comparisons` must hold (prompt, chosen, rejected), got {comparison!r}.")
            for part in comparison:
                checks.texts(**{"comparisons[...]": part})
        prompts, chosen, rejected = zip(*comparisons, strict=True)
        return collate_pairs(
            [self.vocabulary.encode(prompt) for prompt in prompts],
            [self.encode(reply) for reply in chosen],
            [self.encode(reply) for reply in rejected],
        )

    def words(self, completions: Completions) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
        """Return (prompt, reply) as words, the reply without its stop token."""
        checks.instance(Completions, completions=completions)
        decode = self.vocabulary.decode
        both = zip(completions.prompts(), completions.tokens(stop_id=self.stop_id), strict=True)
        return [(tuple(decode(prompt)), tuple(decode(reply))) for prompt, reply in both]

    def judge(self, reward: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Completions], Tensor]:
        """Return a reward of words, such as `data.replies.flawed_reward`, as a reward of `Completions`."""
        checks.function(reward=reward)

        def rewards(completions: Completions) -> Tensor:
            each = [reward(*both) for both in self.words(completions)]
            return torch.tensor(each, device=completions.ids.device)

        return rewards

    def true_rewards(self, completions: Completions) -> Tensor:
        """Return the true rewards of the replies, (B,)."""
        return self.judge(world.true_reward)(completions)

    def ill_formed(self, completions: Completions) -> float:
        """Return the fraction of replies with a sentence that is not in the grammar."""
        checks.instance(Completions, completions=completions)
        checks.not_empty(completions=completions)
        return sum(world.read_reply(reply).errors > 0 for _, reply in self.words(completions)) / len(completions)

    def sample(self, model: LanguageModel[Any], n: int, *, generator: torch.Generator | None = None) -> Completions:
        """Return `n` replies to each of the 16 prompts: row 16 i + p is the i-th to prompt p, on the model's device."""
        checks.whole(n=n, at_least=1)
        check_language_model(model=model)
        device = next(parameter.device for module in model.modules() for parameter in module.parameters())
        prompts = self.prompts.repeat(n, 1).to(device)
        return generate_completions(model, prompts, MAX_NEW_TOKENS, stop_id=self.stop_id, generator=generator)

    def win_rate(self, rewards: Tensor, rival_rewards: Tensor) -> float:
        """Return how often a reply beats a rival's reply to the same prompt; a tie is half a win.

        Args:
            rewards: true rewards of replies of `sample`, (16 n,).
            rival_rewards: of the rival's, (16 m,). Each of n is compared with each of m.

        Raises:
            TypeError: rewards that are not floating point.
            ValueError: a number of rewards that is not a multiple of 16, or two devices.
        """
        tensor_checks.floating(rewards=rewards, rival_rewards=rival_rewards)
        tensor_checks.same_device(rewards=rewards, rival_rewards=rival_rewards)
        tensor_checks.has_values(rewards=rewards)
        for name, values in (("rewards", rewards), ("rival_rewards", rival_rewards)):
            if values.dim() != 1 or len(values) == 0 or len(values) % 16:
                raise ValueError(f"`{name}` must have shape (16 n,) with n at least 1, got {tuple(values.shape)}.")
        ours, theirs = rewards.view(-1, 1, 16), rival_rewards.view(1, -1, 16)
        return float(((ours > theirs).double() + 0.5 * (ours == theirs).double()).mean())
