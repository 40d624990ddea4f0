"""Tasks of chapter 05, fourth part: does a layer know the order? Sinusoidal and rotary positions."""

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from lmcourse.exercises import Case, Slip, Task, case
from lmcourse.tasks.self_attention import CHAPTER, CLOSE, normal

Layer = Callable[[Tensor], Tensor]

# ------------------------------------------------------------------------------------------------ is_equivariant


def _weights(x: Tensor) -> Tensor:
    return x @ x.mT / x.shape[-1] ** 0.5


def _layers() -> dict[str, Layer]:
    """What the cases test, by name: cases hold plain values."""
    return {
        "attention": lambda x: _weights(x).softmax(dim=-1) @ x,
        "causal attention": lambda x: (
            _weights(x).masked_fill(~torch.ones(len(x), len(x), dtype=torch.bool).tril(), float("-inf")).softmax(-1) @ x
        ),
        "each word alone": torch.tanh,
        "the mean for everybody": lambda x: x.mean(dim=0).expand_as(x),
        "attention and rounding noise": lambda x: x.softmax(-1) + 1e-9 * torch.arange(len(x))[:, None],
        "attention with places": lambda x: x + 0.1 * torch.arange(len(x))[:, None],
        "sorted by the first feature": lambda x: x[x[:, 0].argsort()],
        "turned round": lambda x: x.flip(0),
    }


def _call_with_layer(answer: Callable, layer: str, x: Tensor, permutation: Tensor) -> object:
    return answer(_layers()[layer], x, permutation)


def _equivariant(layer: Layer, x: Tensor, permutation: Tensor) -> bool:
    return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)


def _equivariant_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    cycle = torch.tensor([1, 2, 3, 4, 0])
    swap = torch.tensor([1, 0, 2, 3, 4])
    first_stays = torch.tensor([0, 2, 3, 4, 1])

    def words() -> Tensor:
        return normal(rng, 5, 3)

    return [
        case("the worked example", "attention", torch.eye(5, dtype=torch.float64), cycle),
        case("causal attention", "causal attention", words(), cycle),
        case("each word alone, two words exchanged", "each word alone", words(), swap),
        case("each word alone, all moved on", "each word alone", words(), cycle),
        case("the same mean for everybody", "the mean for everybody", words(), cycle),
        case("a difference in the last digits, below any tolerance", "attention and rounding noise", words(), cycle),
        case("positions added, the first word stays", "attention with places", words(), first_stays),
        case("words sorted", "sorted by the first feature", words(), cycle),
        case("turned round", "turned round", words(), cycle),
        case("one word", "causal attention", normal(rng, 1, 3), torch.tensor([0])),
    ]


def _equivariant_by_difference(layer: Layer, x: Tensor, permutation: Tensor) -> bool:
    first_shuffled = layer(x.index_select(0, permutation))
    then_shuffled = layer(x).index_select(0, permutation)
    return bool((first_shuffled - then_shuffled).abs().max() < 1e-6)


def _equivariant_row_by_row(layer: Layer, x: Tensor, permutation: Tensor) -> bool:
    before, after = layer(x), layer(x[permutation])
    return all(bool(np.allclose(after[new], before[old], atol=1e-6)) for new, old in enumerate(permutation.tolist()))


def _close(left: Tensor, right: Tensor) -> bool:
    return torch.allclose(left, right, atol=1e-6)


def _compared(
    left: Callable[..., Tensor], right: Callable[..., Tensor], same: Callable[[Tensor, Tensor], bool] = _close
) -> Callable[..., bool]:
    return lambda layer, x, permutation: same(left(layer, x, permutation), right(layer, x, permutation))


def _of_shuffled(layer: Layer, x: Tensor, permutation: Tensor) -> Tensor:
    return layer(x[permutation])


def _shuffled_of(layer: Layer, x: Tensor, permutation: Tensor) -> Tensor:
    return layer(x)[permutation]


is_equivariant = Task(
    name="is_equivariant",
    chapter=CHAPTER,
    points=2,
    difficulty=2,
    minutes=12,
    cases=_equivariant_cases,
    reference=_equivariant,
    call=_call_with_layer,
    slips=(
        Slip(
            "invariance",
            _compared(_of_shuffled, lambda layer, x, permutation: layer(x)),
            "This asks whether shuffling changes nothing at all, which is called invariance. Equivariance: the outputs "
            "are shuffled too, in the same way.",
        ),
        Slip(
            "inverse",
            _compared(_of_shuffled, lambda layer, x, permutation: layer(x)[permutation.argsort()]),
            "The outputs are shuffled backwards. Row i of x[permutation] is row permutation[i] of x, and the outputs "
            "must move in the same way: layer(x)[permutation].",
        ),
        Slip(
            "exact",
            _compared(_of_shuffled, _shuffled_of, torch.equal),
            "The numbers are compared exactly. Sums taken in another order differ in their last digits; allow a "
            "difference of 1e-6.",
        ),
        Slip(
            "sums",
            _compared(lambda *given: _of_shuffled(*given).sum(0), lambda *given: _shuffled_of(*given).sum(0)),
            "Only the sums over the words are compared. A layer that exchanges the words passes that test; compare "
            "word by word.",
        ),
        Slip(
            "first_word",
            _compared(lambda *given: _of_shuffled(*given)[0], lambda *given: _shuffled_of(*given)[0]),
            "Only the first word is compared, and it may have stayed where it was. Compare all of them.",
        ),
        Slip(
            "yes",
            lambda layer, x, permutation: True,
            "This says yes to every layer. A layer with a causal mask or with positions is not equivariant.",
        ),
    ),
    alternatives=(_equivariant_by_difference, _equivariant_row_by_row),
    hints=(
        "There are two ways to go: shuffle and apply the layer, or apply it and shuffle. When do they end in the same "
        "place?",
        "x[permutation] shuffles the rows of x. Compare whole tensors, with a tolerance.",
        "return torch.allclose(layer(x[permutation]), layer(x)[permutation], atol=1e-6)",
    ),
)


# ------------------------------------------------------------------------------------------------- sinusoidal_table


def _sinusoidal(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim % 2:
        raise ValueError(f"`embed_dim` must be even, got {embed_dim}.")
    rates = base ** (-torch.arange(0, embed_dim, 2, dtype=torch.float64) / embed_dim)
    angles = torch.arange(length, dtype=torch.float64)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, embed_dim)


def _sinusoidal_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", 3, 4),
        case("eleven places, fourteen dimensions", 11, 14),
        case("many places", int(rng.integers(50, 99)), 6),
        case("another base", 7, 10, float(rng.uniform(50, 500))),
        case("one place, which is place 0", 1, 6),
        case("no places", 0, 4),
        case("one pair of dimensions", 5, 2),
        case("an odd width, of which no pairs can be made", 3, 5),
    ]


def _sinusoidal_in_loops(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim % 2 == 1:
        raise ValueError("odd")
    table = torch.zeros(length, embed_dim, dtype=torch.float64)
    for place in range(length):
        for pair in range(embed_dim // 2):
            angle = place / base ** (2 * pair / embed_dim)
            table[place, 2 * pair], table[place, 2 * pair + 1] = np.sin(angle), np.cos(angle)
    return table


def _sinusoidal_by_slices(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    if embed_dim != embed_dim // 2 * 2:
        raise ValueError("odd")
    table = torch.empty(length, embed_dim, dtype=torch.float64)
    exponents = torch.linspace(0, 1, embed_dim // 2 + 1, dtype=torch.float64)[:-1]
    turned = torch.outer(torch.arange(length, dtype=torch.float64), 1 / base**exponents)
    table[:, ::2], table[:, 1::2] = torch.sin(turned), torch.cos(turned)
    return table


def _sinusoidal_wrongly(
    *, start: int = 0, step: int = 2, order: str = "sc", joined: bool = False, slow: bool = True
) -> Callable[..., Tensor]:
    def answer(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
        if embed_dim % 2:
            raise ValueError("odd")
        exponents = torch.arange(embed_dim // 2, dtype=torch.float64) * step / embed_dim
        rates = base ** (-exponents if slow else exponents)
        angles = (torch.arange(length, dtype=torch.float64)[:, None] + start) * rates
        parts = [angles.sin() if kind == "s" else angles.cos() for kind in order]
        return torch.cat(parts, -1) if joined else torch.stack(parts, -1).reshape(length, embed_dim)

    return answer


def _odd_cut(length: int, embed_dim: int, base: float = 10000.0) -> Tensor:
    return _sinusoidal(length, embed_dim + embed_dim % 2, base)[:, :embed_dim]


sinusoidal_table = Task(
    name="sinusoidal_table",
    chapter=CHAPTER,
    points=2,
    difficulty=3,
    minutes=15,
    cases=_sinusoidal_cases,
    reference=_sinusoidal,
    compare=CLOSE,
    slips=(
        Slip(
            "halves",
            _sinusoidal_wrongly(joined=True),
            "All sines come first, then all cosines. In the paper they alternate: sine at even columns, cosine at odd.",
        ),
        Slip(
            "cosine_first",
            _sinusoidal_wrongly(order="cs"),
            "Sine and cosine are exchanged: even columns hold the sine.",
        ),
        Slip(
            "from_one",
            _sinusoidal_wrongly(start=1),
            "The places are counted from 1. Place 0 has sine 0 and cosine 1.",
        ),
        Slip(
            "exponent_halved",
            _sinusoidal_wrongly(step=1),
            "The exponent is i / D instead of 2i / D, so the slowest pair is far too fast. The pairs share the "
            "exponents from 0 to nearly 1.",
        ),
        Slip(
            "ever_faster",
            _sinusoidal_wrongly(slow=False),
            "The angles are multiplied by the power of the base, so that later pairs turn faster. Divide: they turn "
            "slower.",
        ),
        Slip(
            "only_sines",
            _sinusoidal_wrongly(order="ss"),
            "Both columns of a pair hold the sine. With the cosine beside it a pair is a point on a circle, and a "
            "shift is a rotation.",
        ),
        Slip(
            "odd_width",
            _odd_cut,
            "An odd width leaves the last pair without its cosine, unnoticed. Raise ValueError.",
        ),
    ),
    alternatives=(_sinusoidal_in_loops, _sinusoidal_by_slices),
    hints=(
        "One angle for each place and each pair of columns. How large is the angle of place 1 in the first pair, and "
        "in the last?",
        "rates = base ** (-torch.arange(0, embed_dim, 2) / embed_dim); the angles are places times rates, "
        "(length, embed_dim / 2).",
        "torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, embed_dim), in float64.",
    ),
)


# ----------------------------------------------------------------------------------------------------------- rotate


def _rotate(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
    if x.shape[-1] % 2:
        raise ValueError(f"the width of `x` must be even, got {x.shape[-1]}.")
    T, K = x.shape
    rates = base ** (-torch.arange(0, K, 2, dtype=x.dtype) / K)
    angles = (start + torch.arange(T, dtype=x.dtype))[:, None] * rates  # (T, K / 2)
    a, b = x[:, 0::2], x[:, 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).reshape(T, K)


def _rotate_cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)
    return [
        case("the worked example", torch.tensor([[1.0, 0.0], [1.0, 0.0]]).double()),
        case("seven places, ten dimensions", normal(rng, 7, 10)),
        case("places that begin later", normal(rng, 5, 6), int(rng.integers(3, 40))),
        case("another base", normal(rng, 7, 6), 2, float(rng.uniform(20, 200))),
        case("one pair of dimensions", normal(rng, 11, 2), 3),
        case("one place, which is place 0", normal(rng, 1, 6)),
        case("no places", normal(rng, 0, 4)),
        case("float32", normal(rng, 5, 6, dtype=torch.float32), 2),
        case("an odd width, of which no pairs can be made", normal(rng, 3, 5)),
    ]


def _rotate_by_complex_numbers(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
    T, K = x.shape
    if K & 1:
        raise ValueError("odd")
    pairs = torch.view_as_complex(x.reshape(T, K // 2, 2).contiguous())
    places = torch.arange(start, start + T, dtype=x.dtype)
    angles = torch.outer(places, 1 / base ** (torch.arange(K // 2, dtype=x.dtype) * 2 / K))
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).reshape(T, K)


def _rotate_by_matrices(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
    if x.size(1) % 2 != 0:
        raise ValueError("odd")
    out = torch.zeros_like(x)
    for t in range(x.size(0)):
        for i in range(x.size(1) // 2):
            angle = (start + t) / base ** (2 * i / x.size(1))
            matrix = torch.tensor([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], dtype=x.dtype)
            out[t, 2 * i : 2 * i + 2] = matrix @ x[t, 2 * i : 2 * i + 2]
    return out


def _rotate_wrongly(
    *, halves: bool = False, sign: float = 1.0, first: int = 0, step: int = 2, mirror: bool = False, added: bool = False
) -> Callable[..., Tensor]:
    def answer(x: Tensor, start: int = 0, base: float = 10000.0) -> Tensor:
        if x.shape[-1] % 2:
            raise ValueError("odd")
        T, K = x.shape
        rates = base ** (-torch.arange(K // 2, dtype=x.dtype) * step / K)
        angles = sign * (start + first + torch.arange(T, dtype=x.dtype))[:, None] * rates
        a, b = x.chunk(2, dim=-1) if halves else (x[:, 0::2], x[:, 1::2])
        cos, sin = angles.cos(), angles.sin()
        if added:
            return x + torch.stack([sin, cos], -1).reshape(T, K)
        turned = [a * cos - b * sin, a * sin - b * cos if mirror else a * sin + b * cos]
        return torch.cat(turned, -1) if halves else torch.stack(turned, -1).reshape(T, K)

    return answer


rotate = Task(
    name="rotate",
    chapter=CHAPTER,
    points=3,
    difficulty=4,
    minutes=20,
    cases=_rotate_cases,
    reference=_rotate,
    compare=CLOSE,
    slips=(
        Slip(
            "halves",
            _rotate_wrongly(halves=True),
            "Pairs were made of the two halves of the width. That is the other of the two orders in use; here "
            "neighbours form a pair: columns 0 and 1, 2 and 3. Weights trained with one order are useless with the "
            "other.",
        ),
        Slip(
            "backwards",
            _rotate_wrongly(sign=-1.0),
            "The pairs turn clockwise. (a, b) becomes (a cos - b sin, a sin + b cos).",
        ),
        Slip(
            "start_ignored",
            lambda x, start=0, base=10000.0: _rotate(x, 0, base),
            "The first row is always place 0 here. With earlier words in a cache it is place `start`.",
        ),
        Slip(
            "from_one",
            _rotate_wrongly(first=1),
            "The places are counted from 1. Place 0 is not turned at all.",
        ),
        Slip(
            "exponent_halved",
            _rotate_wrongly(step=1),
            "The exponent is i / K instead of 2i / K, so the later pairs turn too fast.",
        ),
        Slip(
            "mirrored",
            _rotate_wrongly(mirror=True),
            "A sign is wrong: (a cos - b sin, a sin - b cos) is a mirror, no rotation. The second number is "
            "a sin + b cos.",
        ),
        Slip(
            "added",
            _rotate_wrongly(added=True),
            "The positions were added, as sinusoidal ones are. Rotary positions turn the vector and leave its length.",
        ),
    ),
    alternatives=(_rotate_by_complex_numbers, _rotate_by_matrices),
    hints=(
        "Take one pair (a, b) of neighbouring columns as a point of the plane, and turn it by place times rate.",
        "The rates are those of the sinusoidal table. x[:, 0::2] are all the a, x[:, 1::2] all the b.",
        "torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).reshape(T, K) puts the turned pairs back in "
        "place.",
    ),
)
