"""A tiny policy and a tiny task for the trainers: the more often a completion holds the token 3, the better."""

import torch

from lmcourse.alignment import Completions
from lmcourse.models import GPT, GPTConfig

V, STOP, MAX_NEW_TOKENS, LIKED = 11, 2, 5, 3
PROMPTS = torch.tensor([[4, 1], [5, 1], [7, 1]])


def policy_of(seed: int = 0, *, double: bool = False, context_length: int = 7, noise: float = 0.1) -> GPT:
    torch.manual_seed(seed)
    model = GPT(GPTConfig(V, context_length, 12, 3, 1))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(noise * torch.randn_like(parameter))
    return (model.double() if double else model).eval()


def liked_tokens(completions: Completions) -> torch.Tensor:
    """How often each completion holds the liked token."""
    return ((completions.completion_ids == LIKED) & completions.completion_mask).sum(1).float()


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}


def same(model: torch.nn.Module, before: dict[str, torch.Tensor]) -> bool:
    """Bit for bit."""
    return all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
