import torch
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch05.shared import double
from lmcourse.tasks.ch13.shared import CLOSE


def accept_draft(draft, draft_probs, target_probs, uniforms):
    """Return how much of a draft is kept, and the distribution of the token after it.

    Args:
        draft: k tokens, a list; k may be 0.
        draft_probs: what the small model thought at each of them, (k, V): token i was drawn from row i.
        target_probs: what the large model thinks at each of them, and after the last, (k + 1, V).
        uniforms: k numbers between 0 and 1, a list: token i is kept if uniforms[i] is below
            target_probs[i, token] / draft_probs[i, token]. The first that is not kept ends the draft.

    Returns:
        How many tokens are kept, an int, and a distribution (V,): after a rejection the positive part of target minus
        draft, normalised; if all are kept, the large model's own.

    >>> draft_probs = torch.tensor([[0.5, 0.5]])
    >>> target_probs = torch.tensor([[0.2, 0.8], [0.1, 0.9]])
    >>> accept_draft([0], draft_probs, target_probs, [0.3])
    (1, tensor([0.1000, 0.9000]))
    >>> accept_draft([0], draft_probs, target_probs, [0.5])
    (0, tensor([0., 1.]))
    """
    for i, token in enumerate(draft):
        if uniforms[i] * draft_probs[i, token] >= target_probs[i, token]:
            rest = (target_probs[i] - draft_probs[i]).clamp(min=0)
            return i, rest / rest.sum()
    return len(draft), target_probs[len(draft)]


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def some(k: int, V: int, uniforms: list[float]) -> tuple[list[int], Tensor, Tensor, list[float]]:
        draft_probs, target_probs = (
            torch.randn(n, V, generator=generator, dtype=torch.float64).softmax(-1) for n in (k, k + 1)
        )
        draft = torch.randint(V, (k,), generator=generator).tolist()
        return draft, draft_probs, target_probs, uniforms

    q, p, half = double([[0.5, 0.5]]), double([[0.2, 0.8], [0.1, 0.9]]), double([[0.25, 0.75], [0.5, 0.5]])
    less = double([[0.25, 0.75], [0.1, 0.9]])
    three_q = double([[0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.1, 0.8, 0.1]])
    three_p = double([[0.6, 0.3, 0.1], [0.1, 0.6, 0.3], [0.4, 0.5, 0.1], [0.3, 0.3, 0.4]])
    likelier = double([[0.1, 0.2, 0.7]] * 2), double([[0.1, 0.2, 0.7], [0.9, 0.05, 0.05], [0.2, 0.3, 0.5]])
    return [
        case("the worked example", [0], q, p, [0.3]),
        case("three tokens, the second rejected and the third good", [0, 2, 0], three_q, three_p, [0.9, 0.6, 0.1]),
        border("no draft: the large model's own distribution", *some(0, 5, [])),
        border("uniforms of 0: kept wherever there is a chance", *some(3, 5, [0.0, 0.0, 0.0])),
        border("uniforms of almost 1", *some(5, 7, [0.999] * 5)),
        border("equal distributions: always kept", [1, 0], p, torch.cat([p, q]), [0.999, 0.999]),
        border("a ratio of exactly the uniform: rejected, for it is not below", [0], q, half, [0.5]),
        *(
            case(f"a draft of {k} among {V} tokens", *some(k, V, [0.31 * (i + 1) % 1 for i in range(k)]))
            for k, V in ((2, 3), (4, 11), (6, 5))
        ),
        border("one token of the vocabulary is far likelier to the large model", [2, 2], *likelier, [0.5, 0.5]),
        border("a uniform that is below the ratio by very little", [0], q, less, [0.5 - 1e-10]),
    ]


SLIPS = mistakes("""
ratio_turned: "k numbers between 0 and 1, a list: token i is kept if uniforms[i] is below target_probs[i,"
    draft_probs[i, token] >= target_probs => target_probs[i, token] >= draft_probs
  The ratio is upside down. A token that the large model finds likelier than the small one is always kept.
target_alone: "what the small model thought at each of them, (k, V): token i was drawn from row i"
    uniforms[i] * draft_probs[i, token] >= => uniforms[i] >=
  The uniform number was compared with the large model's probability alone. Compare it with the ratio of the two: the
  token has passed the small model's draw already.
greedy: "what the large model thinks at each of them, and after the last, (k + 1, V)"
    uniforms[i] * draft_probs[i, token] >= target_probs[i, token] => token != int(target_probs[i].argmax())
  A token was kept if it is the large model's likeliest. That is the greedy rule of the page; here the uniform numbers
  decide.
own_distribution_after_rejection: "How many tokens are kept, an int, and a distribution (V,): after a rejection the"
    return i, rest / rest.sum() => return i, target_probs[i]
  After a rejection the token was drawn from the large model's distribution. The kept tokens have used up a part of it:
  what is left is the positive part of target minus draft.
not_normalised: "How many tokens are kept, an int, and a distribution (V,): after a rejection the positive part"
    rest / rest.sum() => rest
  What is left was not divided by its sum, so it is no distribution.
negative_parts: "How many tokens are kept, an int, and a distribution (V,): after a rejection the positive part"
    .clamp(min=0) => .abs()
  The absolute value of the difference was taken. Where the draft had more than the target nothing is left: 0.
other_way_round
    target_probs[i] - draft_probs[i] => draft_probs[i] - target_probs[i]
  Draft minus target was taken. What is left is where the large model wants more: target minus draft.
no_free_token: "k may be 0"
    target_probs[len(draft)] => target_probs[len(draft) - 1]
  With the whole draft kept, the next token comes after its end: the last row, k, of target_probs.
equal_is_kept: "k numbers between 0 and 1, a list: token i is kept if uniforms[i] is below target_probs[i,"
    >= target_probs => > target_probs
  A uniform number that equals the ratio is not below it: the token is rejected.
goes_on: "The first that is not kept ends the draft"
    return i => below = [uniforms[j] * draft_probs[j, t] < target_probs[j, t] for j, t in enumerate(draft)]
    |            return int(sum(below))
  Tokens after a rejected one were counted. They were drafted for another text: the first rejection ends the draft.
softmax_of_the_rest
    rest / rest.sum() => rest.softmax(dim=-1)
  What is left was put through a softmax. It consists of probabilities already: divide by their sum.
""")
HINTS = hints("""
- Go through the draft token by token. What happens at the first that is not kept, and what if there is none?
- Kept if uniforms[i] * draft_probs[i, token] < target_probs[i, token]; at a rejection the rest is (target -
  draft).clamp(min=0), normalised.
- for i, token in enumerate(draft): if uniforms[i] * draft_probs[i, token] >= target_probs[i, token]: rest =
  (target_probs[i] - draft_probs[i]).clamp(min=0); return i, rest / rest.sum(). After the loop: return len(draft),
  target_probs[len(draft)]
""")
task = Task(accept_draft, points=4, difficulty=4, minutes=30, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
