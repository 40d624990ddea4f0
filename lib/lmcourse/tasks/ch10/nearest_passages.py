"""Exercise `nearest_passages`."""

from functools import partial

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, border, case


def nearest_passages(query, passages, k):
    """Return the places of the k most similar passages, best first.

    Args:
        query: (D,).
        passages: (N, D).
        k: 0 or more; if it is more than N, all come back.

    Returns:
        A list of int.

    >>> nearest_passages(torch.tensor([1.0, 0.2]), torch.tensor([[3.0, 0.0], [1.0, 1.0], [0.0, 9.0]]), 2)
    [0, 1]
    """
    lengths = (passages.norm(dim=1) * query.norm()).clamp(min=1e-12)
    cosines = passages @ query / lengths
    return cosines.argsort(descending=True, stable=True)[:k].tolist()


def cases(seed: int) -> list[Case]:
    generator = torch.Generator().manual_seed(seed)

    def draw(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=torch.float64)

    long = draw(7, 5)
    stretched = torch.cat([long, 23 * long[:1].flip(1)])
    alike = torch.tensor([[1.0, 1.0], [0.0, -1.0], [2.0, 2.0]], dtype=torch.float64)
    empty_one = torch.cat([torch.zeros(1, 3, dtype=torch.float64), draw(4, 3)])
    worked = torch.tensor([[3.0, 0.0], [1.0, 1.0], [0.0, 9.0]], dtype=torch.float64)
    return [
        case("the worked example", torch.tensor([1.0, 0.2], dtype=torch.float64), worked, 2),
        case("three of eleven", draw(7), draw(11, 7), 3),
        case("a long passage that points elsewhere", long[0] + 0.3 * draw(5), stretched, 2),
        case("all of them, in order", draw(3), draw(5, 3), 5),
        case("k beyond their number", draw(3), draw(2, 3), 11),
        border("one passage", draw(5), draw(1, 5), 1),
        border("two of equal cosine: the first one first", draw(2).abs(), alike, 2),
        border("a passage of no words, all zeros", draw(3), empty_one, 5),
        border("k is 0: none", draw(3), draw(5, 3), 0),
    ]  # fmt: skip


def _nearest_wrong(query: Tensor, passages: Tensor, k: int, *, how: str) -> list[int]:
    dots = passages @ query
    cosines = dots / (passages.norm(dim=1) * query.norm()).clamp(min=1e-12)
    scores = {"dot": dots, "distance": -(passages - query).norm(dim=1), "absolute": cosines.abs()}.get(how, cosines)
    order = scores.argsort(descending=how != "farthest", stable=True)[:k].tolist()
    if how == "in_reading_order":
        return sorted(order)
    if how == "worst_first":
        return order[::-1]
    if how == "one_more":
        return scores.argsort(descending=True, stable=True)[: k + 1].tolist()
    return order


def _nearest_by_sorting(query: Tensor, passages: Tensor, k: int) -> list[int]:
    unit = torch.nn.functional.normalize(query, dim=0)
    scores = [float(torch.nn.functional.normalize(row, dim=0) @ unit) for row in passages]
    return sorted(range(len(scores)), key=lambda n: -round(scores[n], 12))[:k]


def _nearest_by_numpy(query: Tensor, passages: Tensor, k: int) -> list[int]:
    q, P = query.numpy(), passages.numpy()
    sizes = np.linalg.norm(P, axis=1)
    sizes[sizes == 0] = 1
    scores = np.round(P @ q / sizes, 12)
    return [int(n) for n in np.argsort(-scores, kind="stable")[:k]]


task = Task(
    nearest_passages,
    points=2,
    difficulty=2,
    minutes=15,
    cases=cases,
    slips=(
        Slip(
            "dot",
            partial(_nearest_wrong, how="dot"),
            "The passages were ranked by the plain dot product, so long vectors win. Divide by their lengths: cosine.",
        ),
        Slip(
            "distance",
            partial(_nearest_wrong, how="distance"),
            "This ranks by distance, in which length plays a part too. Rank by the cosine of the angle.",
        ),
        Slip(
            "farthest",
            partial(_nearest_wrong, how="farthest"),
            "The least similar passages came first. The largest cosine is the most similar.",
        ),
        Slip(
            "in_reading_order",
            partial(_nearest_wrong, how="in_reading_order"),
            "The right passages, in the order in which they stand. Return the most similar first.",
        ),
        Slip(
            "worst_first",
            partial(_nearest_wrong, how="worst_first"),
            "The right passages, but the best one last. Return the most similar first.",
        ),
        Slip(
            "absolute",
            partial(_nearest_wrong, how="absolute"),
            "A cosine near -1 is the opposite of similar. Do not take the absolute value.",
        ),
        Slip(
            "one_more",
            partial(_nearest_wrong, how="one_more"),
            "One passage too many: return k of them (fewer if there are fewer).",
        ),
    ),
    alternatives=(_nearest_by_sorting, _nearest_by_numpy),
    hints=(
        "Which number says how alike two vectors are, whatever their lengths?",
        "cosines = passages @ query / (lengths of the passages * length of the query); clamp the lengths, for zeros.",
        "return cosines.argsort(descending=True, stable=True)[:k].tolist()",
    ),
)
