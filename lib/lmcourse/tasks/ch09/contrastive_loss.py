import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.exercises.seeds import drawn
from lmcourse.tasks.ch05.shared import leaf
from lmcourse.tasks.ch09.shared import CLOSE


def contrastive_loss(questions, texts, topics, temperature):
    """Return the mean loss in nats of finding the text that belongs to each question, among those of the batch.

    Text i belongs to question i. Text j is a wrong answer to question i only if it has another topic: a text of the
    same topic may be right, too, and takes no part in the softmax of question i.

    Args:
        questions: a tensor of shape (N, D), N at least 1; rows of any length but 0.
        texts: a tensor of shape (N, D), likewise.
        topics: a tensor of N whole numbers: the topic of question i and of text i.
        temperature: a number above 0, by which the cosines are divided.

    Returns:
        A tensor without dimensions, through which the gradient flows.

    >>> questions = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    >>> texts = torch.tensor([[3.0, 0.0], [0.0, 1.0]])
    >>> round(contrastive_loss(questions, texts, torch.tensor([0, 1]), 1.0).item(), 4)
    0.3133
    >>> contrastive_loss(questions, texts, torch.tensor([7, 7]), 1.0).item()
    0.0
    """
    cosines = F.normalize(questions, dim=-1) @ F.normalize(texts, dim=-1).T  # (N, N)
    own = torch.eye(len(topics), dtype=torch.bool)
    same_topic = topics[:, None] == topics
    scores = (cosines / temperature).masked_fill(same_topic & ~own, -torch.inf)
    return F.cross_entropy(scores, torch.arange(len(topics)))


@drawn(3)
def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def batch(N: int, D: int, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
        def rows() -> Tensor:
            made = rng.normal(size=(N, D)) * rng.uniform(0.3, 3.0, size=(N, 1))
            return torch.from_numpy(made).to(dtype).requires_grad_()

        return rows(), rows()

    def draw(label: str, N: int, D: int, n_topics: int, temperature: float, dtype: torch.dtype = torch.float64) -> Case:
        topics = torch.from_numpy(rng.integers(0, n_topics, N))
        topics[:2] = torch.tensor([0, n_topics - 1])
        return case(label, *batch(N, D, dtype), topics, temperature)

    worked = leaf([[1.0, 0.0], [0.0, 2.0]]), leaf([[3.0, 0.0], [0.0, 1.0]])
    spread, near = leaf([[1.0, 0.2], [0.1, -1.0], [-0.7, 0.4]]), leaf([[0.9, 0.1], [-0.3, -0.8], [0.5, 0.5]])
    opposite = leaf([[1.0, 0.0], [0.0, 1.0]]), leaf([[-2.0, 0.0], [0.0, -1.0]])
    return [
        case("the worked example", *worked, torch.tensor([0, 1]), 1.0),
        draw("eleven pairs of five topics", 11, 7, 5, 0.5),
        draw("seven pairs of two topics", 7, 3, 2, 0.2),
        draw("thirteen pairs, nearly all of different topics", 13, 5, 97, 1.0),
        draw("float32", 5, 11, 3, 0.3, torch.float32),
        case("topics that are not in a row", spread, near, torch.tensor([-1, 10**12, -1]), 0.5),
        border("all pairs of one topic", *batch(5, 3), torch.tensor([3, 3, 3, 3, 3]), 0.1),
        border("a very low temperature, no overflow", *batch(5, 3), torch.tensor([0, 1, 1, 2, 3]), 1e-4),
        border("a high temperature", *batch(5, 3), torch.tensor([0, 1, 1, 2, 3]), 50.0),
        border("topics beyond the digits of a float", spread, near, torch.tensor([2**53, 2**53 + 1, 2**53]), 0.5),
        border("one topic, right texts of cosine -1 and a temperature near 0", *opposite, torch.tensor([5, 5]), 1e-12),
    ]


SLIPS = mistakes("""
all_are_wrong: "Text j is a wrong answer to question i only if it has another topic: a text of the same topic"
    .masked_fill(same_topic & ~own, -torch.inf) =>
  Texts of the question's own topic were counted as wrong answers. They may be right, too: leave them out of the softmax
  of that question.
zero_score: "Text j is a wrong answer to question i only if it has another topic: a text of the same topic"
    -torch.inf => 0.0
  The texts to be left out got the score 0, and exp(0) = 1 still counts. Minus infinity takes them out of the softmax.
dot_product: "a tensor of shape (N, D), N at least 1"
    F.normalize(questions, dim=-1) @ F.normalize(texts, dim=-1).T => questions @ texts.T
  The dot product was taken, so long vectors get large scores. Divide by both lengths: the cosine is asked for.
multiplied: "a number above 0, by which the cosines are divided"
    cosines / temperature => cosines * temperature
  The cosines were multiplied by the temperature. Divide: a low temperature makes the differences larger.
texts_ask: "Return the mean loss in nats of finding the text that belongs to each question, among those of"
    F.cross_entropy(scores, => F.cross_entropy(scores.T,
  Here each text looks for its question. Row i of the scores belongs to question i: each question looks for its text.
both_ways: "A tensor without dimensions, through which the gradient flows"
    return F.cross_entropy(scores, torch.arange(len(topics))) => right = torch.arange(len(topics))
    |    return (F.cross_entropy(scores, right) + F.cross_entropy(scores.T, right)) / 2
  The mean over both directions was returned. Only the questions look for their texts here.
sum: "Return the mean loss in nats of finding the text that belongs to each question, among those of"
    torch.arange(len(topics))) => torch.arange(len(topics)), reduction="sum")
  The losses of the questions were added up. Return their mean.
overflow
    F.cross_entropy(scores, torch.arange(len(topics)) => -(scores.exp().diagonal() / scores.exp().sum(1)).log().mean(
  exp of a large score overflows. Use log_softmax or cross_entropy, which subtract the maximum first.
columns_normalised
    -1) @ F.normalize(texts, dim=-1 => 0) @ F.normalize(texts, dim=0
  The columns were brought to length 1. A vector is a row: normalise along the last dimension.
""")
HINTS = hints("""
- With rows of length 1 all cosines are one matrix product, (N, N). The right text of question i stands on the diagonal.
- topics[:, None] == topics says which texts share the topic of a question. All of these but the one on the diagonal get
  the score -inf.
- scores = cosines / temperature, with -inf where the topic is the same and i != j; then F.cross_entropy(scores,
  torch.arange(N)).
""")
task = Task(contrastive_loss, points=4, difficulty=3, minutes=25, cases=cases, compare=CLOSE, slips=SLIPS, hints=HINTS)
