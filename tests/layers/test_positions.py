"""Positions against their formulas."""

import cmath
import copy
import math
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from lmcourse.layers.positions import (
    ALiBi,
    LearnedPositionalEmbedding,
    RotaryPositionalEmbedding,
    SinusoidalPositions,
    alibi_slopes,
    sinusoidal_positions,
)

B, H, T, K = 2, 3, 7, 10


def draw(*shape, seed=0):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def test_sinusoidal_positions_are_the_papers_formula():
    table = sinusoidal_positions(T, K, dtype=torch.float64)
    for pos in range(T):
        for i in range(K // 2):
            angle = pos / 10000 ** (2 * i / K)
            assert table[pos, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-14)
            assert table[pos, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-14)
    assert sinusoidal_positions(T, K).dtype == torch.float32
    assert sinusoidal_positions(0, K).shape == (0, K)


def test_a_shift_is_a_rotation_of_every_pair():
    table, n = sinusoidal_positions(31, K, dtype=torch.float64), 4
    for i in range(K // 2):
        angle = n / 10000 ** (2 * i / K)
        turn = torch.tensor([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]).double()
        pair = table[:, 2 * i : 2 * i + 2]
        torch.testing.assert_close(pair[n:], pair[:-n] @ turn.T, rtol=0, atol=1e-7)


def test_the_module_adds_the_table_wherever_it_starts():
    module, x = SinusoidalPositions(K), draw(B, T, K)
    table = sinusoidal_positions(50, K, dtype=torch.float64)
    torch.testing.assert_close(module(x), x + table[:T], rtol=0, atol=1e-15)
    torch.testing.assert_close(module(x, 40), x + table[40 : 40 + T], rtol=0, atol=1e-15)
    torch.testing.assert_close(module(x.float(), 3), x.float() + table[3 : 3 + T].float())
    assert module.state_dict() == {}


def test_learned_positions():
    module, x = LearnedPositionalEmbedding(11, K, dtype=torch.float64), draw(B, T, K)
    torch.testing.assert_close(module(x, 4) - x, module.weight[4:11].expand(B, T, K))
    module(x, 4).sum().backward()
    assert (module.weight.grad[:4] == 0).all()
    assert (module.weight.grad[4:] == B).all()
    with pytest.raises(ValueError, match="max_length=11 learned positions, got T=7, offset=5"):
        module(x, 5)


@pytest.mark.parametrize("interleaved", [True, False], ids=["neighbours", "halves"])
def test_rotary_is_multiplication_by_a_unit_complex_number(interleaved):
    x, offset = draw(B, H, T, K), 13
    turned = RotaryPositionalEmbedding(K, base=100.0, interleaved=interleaved)(x, offset)
    for t in range(T):
        for i in range(K // 2):
            a, b = (2 * i, 2 * i + 1) if interleaved else (i, i + K // 2)
            factor = cmath.exp(1j * (offset + t) * 100.0 ** (-2 * i / K))
            want = complex(x[1, 2, t, a], x[1, 2, t, b]) * factor
            assert turned[1, 2, t, a].item() == pytest.approx(want.real, abs=1e-13)
            assert turned[1, 2, t, b].item() == pytest.approx(want.imag, abs=1e-13)


@pytest.mark.parametrize("interleaved", [True, False], ids=["neighbours", "halves"])
def test_scores_depend_on_the_distance_alone(interleaved):
    rotary = RotaryPositionalEmbedding(K, interleaved=interleaved)
    query, key = draw(B, H, T, K), draw(B, H, T, K, seed=1)
    near = rotary(query) @ rotary(key).transpose(-2, -1)
    far = rotary(query, 1000) @ rotary(key, 1000).transpose(-2, -1)
    torch.testing.assert_close(near, far, rtol=0, atol=1e-10)
    moved = rotary(query, 1) @ rotary(key).transpose(-2, -1)
    assert not torch.allclose(near, moved)
    torch.testing.assert_close(rotary(query).norm(dim=-1), query.norm(dim=-1))


def test_the_two_orders_are_a_permutation_of_each_other():
    x = draw(B, H, T, K)
    order = torch.cat([torch.arange(0, K, 2), torch.arange(1, K, 2)])
    torch.testing.assert_close(
        RotaryPositionalEmbedding(K, interleaved=True)(x)[..., order], RotaryPositionalEmbedding(K)(x[..., order])
    )
    assert not torch.allclose(RotaryPositionalEmbedding(K, interleaved=True)(x), RotaryPositionalEmbedding(K)(x))


def test_half_precision_does_not_round_the_angles():
    rotary, x = RotaryPositionalEmbedding(K), draw(1, 1, 3, K)
    wanted = rotary(x.bfloat16().double(), 4000)
    rotary.to(torch.bfloat16)
    got = rotary(x.bfloat16(), 4000)
    assert got.dtype == torch.bfloat16
    torch.testing.assert_close(got.double(), wanted, atol=0, rtol=2**-8)  # rounded once, at the end
    assert rotary.state_dict() == {}
    assert copy.deepcopy(rotary)(x).dtype == torch.float64


@pytest.mark.parametrize(
    "positions", [RotaryPositionalEmbedding(4), SinusoidalPositions(4)], ids=["rotary", "sinusoidal"]
)
def test_what_is_kept_from_inference_serves_in_learning(positions):
    x = torch.randn(2, 3, 4) if isinstance(positions, SinusoidalPositions) else torch.randn(2, 1, 3, 4)
    with torch.inference_mode():
        expected = positions(x)
    learned = positions(x.clone().requires_grad_())
    torch.testing.assert_close(learned.detach(), expected.clone())
    assert not positions._table.is_inference()
    learned.square().sum().backward()


def test_alibi_by_hand():
    # 4 heads: 2^-2, 2^-4, 2^-6, 2^-8; the third of 3 queries looks at keys 2, 1 and 0 tokens away
    assert alibi_slopes(4).tolist() == [0.25, 0.0625, 0.015625, 0.00390625]
    bias = ALiBi(4)(torch.zeros(1, 4, 3, K), torch.zeros(1, 1, 3, K))
    assert bias.shape == (4, 3, 3)
    assert bias[0, 2].tolist() == [-0.5, -0.25, 0.0]
    assert bias[1, 2].tolist() == [-0.125, -0.0625, 0.0]
    cached = ALiBi(4)(torch.zeros(1, 4, 1, K), torch.zeros(1, 1, 3, K))  # the newest token, two before it in a cache
    assert torch.equal(cached, bias[:, 2:])


@pytest.mark.parametrize("heads", [1, 2, 3, 7, 8, 12, 16, 25])
def test_the_slopes_are_those_of_the_authors(heads):
    def powers(n):  # for a power of two
        return [2.0 ** (-8 * (i + 1) / n) for i in range(n)]

    below = 2 ** int(math.log2(heads))
    wanted = powers(below) + powers(2 * below)[0::2][: heads - below]
    assert alibi_slopes(heads).tolist() == pytest.approx(wanted, rel=1e-6)


def test_alibi_with_positions_of_ones_own():
    positions = torch.tensor([[0, 0, 1, 5], [0, 1, 2, 3]])
    query, key = torch.zeros(2, 2, 2, K, dtype=torch.float64), torch.zeros(2, 2, 4, K, dtype=torch.float64)
    bias = ALiBi(2)(query, key, positions)
    assert bias.shape == (2, 2, 2, 4)
    assert bias.dtype == torch.float64
    assert bias[0, 0].tolist() == [[-1 / 16, -1 / 16, 0.0, -4 / 16], [-5 / 16, -5 / 16, -4 / 16, 0.0]]
    assert torch.equal(bias[1], ALiBi(2)(query, key))


@pytest.mark.parametrize("interleaved", [True, False], ids=["neighbours", "halves"])
def test_each_text_may_have_positions_of_its_own(interleaved):
    rotary, x = RotaryPositionalEmbedding(K, interleaved=interleaved), draw(B, H, T, K)
    positions = torch.stack([torch.arange(T) + 4, torch.tensor([0, 0, 1, 5, 2, 9, 30])])
    turned = rotary(x, positions)
    torch.testing.assert_close(turned[0], rotary(x[:1], 4)[0])
    for t, position in enumerate(positions[1].tolist()):
        torch.testing.assert_close(turned[1, :, t], rotary(x[1:, :, t : t + 1], position)[0, :, 0])
    by_func = torch.func.functional_call(rotary, {}, (x, positions))
    torch.testing.assert_close(by_func, turned)
    traced = torch.export.export(rotary, (x, positions)).module()(x, positions)  # no table is read there
    torch.testing.assert_close(traced, turned)


@pytest.mark.parametrize("kind", ["sinusoidal", "learned"])
def test_positions_that_are_added_may_be_each_texts_own(kind):
    make = {"sinusoidal": SinusoidalPositions, "learned": lambda width: LearnedPositionalEmbedding(31, width)}[kind]
    module, x = make(K).double(), draw(B, T, K)
    positions = torch.stack([torch.arange(T) + 4, torch.tensor([0, 0, 1, 5, 2, 9, 30])])
    added = module(x, positions)
    torch.testing.assert_close(added[:1], module(x[:1], 4))
    for t, position in enumerate(positions[1].tolist()):
        torch.testing.assert_close(added[1, t], module(x[1:, t : t + 1], position)[0, 0])
    torch.testing.assert_close(torch.export.export(module, (x, positions)).module()(x, positions), added)


@pytest.mark.parametrize("kind", ["rotary", "sinusoidal"])
def test_calls_with_other_dtypes_in_turn_do_not_make_the_table_longer(kind):
    module = RotaryPositionalEmbedding(K) if kind == "rotary" else SinusoidalPositions(K)
    x = draw(1, 1, 5, K) if kind == "rotary" else draw(1, 5, K)
    for _ in range(6):
        module(x.float())
        module(x)
    assert module._table.numel() <= 2 * 5 * K


@pytest.mark.parametrize("kind", ["rotary", "sinusoidal"])
def test_threads_with_other_lengths_and_dtypes_do_not_disturb_each_other(kind):
    module = RotaryPositionalEmbedding(K) if kind == "rotary" else SinusoidalPositions(K)
    inputs = [draw(1, 1, n, K, seed=n).to(dtype) for n in (3, 50, 7, 90) for dtype in (torch.float32, torch.float64)]
    inputs = inputs if kind == "rotary" else [x[0] for x in inputs]
    wanted = [copy.deepcopy(module)(x) for x in inputs]
    with ThreadPoolExecutor(8) as pool:
        for i, got in pool.map(lambda i: (i, module(inputs[i])), list(range(len(inputs))) * 50):
            assert torch.equal(got, wanted[i])


def test_bad_input():
    with pytest.raises(ValueError, match="`embed_dim` must be even, got embed_dim=7"):
        sinusoidal_positions(3, 7)
    with pytest.raises(ValueError, match="`length` must be at least 0, got length=-1"):
        sinusoidal_positions(-1, 4)
    with pytest.raises(ValueError, match="`head_dim` must be even, got head_dim=5"):
        RotaryPositionalEmbedding(5)
    with pytest.raises(ValueError, match="`base` must be at least 1, got base=0"):
        RotaryPositionalEmbedding(4, base=0.0)
    with pytest.raises(ValueError, match=r"with K=4, got \(1, 1, 2, 6\)"):
        RotaryPositionalEmbedding(4)(torch.zeros(1, 1, 2, 6))
    with pytest.raises(ValueError, match="`offset` must be at least 0, got offset=-1"):
        RotaryPositionalEmbedding(4)(torch.zeros(1, 1, 2, 4), -1)
    with pytest.raises(ValueError, match=r"\(B, T, 4\), got \(2, 3\)"):
        SinusoidalPositions(4)(torch.zeros(2, 3))
    with pytest.raises(ValueError, match="`offset` must be at least 0, got offset=-2"):
        LearnedPositionalEmbedding(4, 4)(torch.zeros(1, 2, 4), -2)
    with pytest.raises(ValueError, match="`max_length` must be at least 1, got max_length=0"):
        LearnedPositionalEmbedding(0, 4)


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_on_a_gpu(dtype):
    x, tolerance = draw(B, H, T, K), {torch.float32: 1e-5, torch.bfloat16: 3e-2}[dtype]
    for interleaved in (True, False):
        got = RotaryPositionalEmbedding(K, interleaved=interleaved).to("cuda", dtype)(x.to("cuda", dtype), 500)
        want = RotaryPositionalEmbedding(K, interleaved=interleaved)(x, 500)
        torch.testing.assert_close(got.cpu().double(), want, atol=tolerance, rtol=0)
