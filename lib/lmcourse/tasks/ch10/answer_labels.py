import torch

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.tasks.ch05.shared import marks
from lmcourse.tasks.ch10.shared import draw_ids, draw_marks


def answer_labels(ids, answer):
    """Return the labels of the T - 1 predictions.

    Args:
        ids: the tokens of conversations, (B, T), T at least 2.
        answer: (B, T) bool, True at the tokens of answers.

    Returns:
        (B, T - 1): at t the token t + 1 where that is part of an answer, -100 elsewhere;
        of the element type of ids.

    >>> answer = torch.tensor([[False, False, True, True]])
    >>> answer_labels(torch.tensor([[5, 6, 7, 8]]), answer).tolist()
    [[-100, 7, 8]]
    """
    return ids[:, 1:].masked_fill(~answer[:, 1:], -100)


def cases(seed: int) -> list[Case]:
    prompt_then_answer = torch.arange(7).repeat(3, 1) >= torch.tensor([[2], [3], [5]])
    return [
        case("the worked example", torch.tensor([[5, 6, 7, 8]]), marks("0011")),
        case("three conversations of seven tokens", draw_ids(seed, 3, 7), prompt_then_answer),
        case("several answers a row", draw_ids(seed + 1, 2, 11), draw_marks(seed, 2, 11)),
        case("all of it is learned", draw_ids(seed + 2, 2, 5), torch.ones(2, 5, dtype=torch.bool)),
        border("nothing is learned: all masked", draw_ids(seed + 3, 3, 5), torch.zeros(3, 5, dtype=torch.bool)),
        border("two tokens, one prediction", draw_ids(seed + 4, 5, 2), marks("01").repeat(5, 1)),
        border("id 0 in an answer counts", torch.zeros(2, 3, dtype=torch.long), draw_marks(seed + 5, 2, 3)),
        border("the first token marked: nothing predicts it", draw_ids(seed + 6, 1, 5), torch.arange(5)[None] < 2),
        case(
            "marks in a fixed order, which differ from row to row",
            torch.tensor([[5, 6, 7, 8, 9], [1, 2, 3, 4, 0]]),
            marks("01011 11001"),
        ),
        border("ids in int32", draw_ids(seed + 8, 2, 5).int(), draw_marks(seed + 8, 2, 5)),
        border("tensors whose rows do not lie in a row", draw_ids(seed + 7, 7, 3).T, draw_marks(seed + 7, 7, 3).T),
    ]


SLIPS = mistakes("""
not_shifted: "at t the token t + 1 where that is part of an answer"
    ids[:, 1:] => ids
    answer[:, 1:] => answer
  The labels are not shifted: the logits at position t are about token t + 1, so there are T - 1 labels, from the second
  token on.
mask_not_shifted: "(B, T) bool, True at the tokens of answers"
    answer[:, 1:] => answer[:, :-1]
  The tokens were shifted and the marks were not. What counts is whether the token that is predicted is part of an
  answer.
present
    ids[:, 1:] => ids[:, :-1]
    answer[:, 1:] => answer[:, :-1]
  Each position is asked for the token that it has just read. Take ids[:, 1:], not ids[:, :-1].
first_left_out
    ~answer[:, 1:] => ~(answer[:, 1:] & answer[:, :-1])
  The first token of each answer was left out. It is predicted from the prompt, and has to be learned, too.
one_too_many: "Return the labels of the T - 1 predictions"
    ids[:, 1:].masked_fill(~answer[:, 1:], -100) =>
        torch.cat([ids[:, 1:].masked_fill(~answer[:, 1:], -100), torch.full_like(ids[:, :1], -100)], dim=1)
  There are T labels here. The last token has no next one: T - 1 labels are asked for.
answer_and_after
    ~answer[:, 1:] => ~(answer[:, 1:] | answer[:, :-1])
  The token after an answer is learned, too. Only tokens that are marked are.
no_token_zero
    ~answer[:, 1:] => ~answer[:, 1:] | (ids[:, 1:] == 0)
  Token 0 was left out. It is a token like any other: what counts is its mark.
from_the_first_answer_on
    ~answer[:, 1:] => ~(answer.cumsum(dim=1) > 0)[:, 1:]
  Everything after the first answer token is learned. Another prompt may follow: look at the mark of each token.
marks_of_any_row
    ~answer[:, 1:] => ~answer.any(dim=0, keepdim=True)[:, 1:]
  A position counts here where any row has an answer. Each row has marks of its own.
""")
HINTS = hints("""
- How many predictions does a row of T tokens hold, and about which tokens are they?
- Both ids and marks lose their first column. Where the mark is False the label is -100.
- return ids[:, 1:].masked_fill(~answer[:, 1:], -100)
""")
task = Task(answer_labels, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
