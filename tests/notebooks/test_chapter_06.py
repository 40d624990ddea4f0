"""What chapter 06 builds by hand is what the library has: the page's visible definitions, run alone, beside it."""

import pytest
import torch
import torch.nn.functional as F

from lmcourse.layers import DecoderLayer, EncoderLayer, sinusoidal_positions
from lmcourse.layers.masks import padding_mask
from lmcourse.models import Transformer, TransformerConfig
from tests.notebooks.by_hand import defined

B, S, T, HEADS, WIDTH = 2, 7, 5, 3, 24


@pytest.fixture(scope="module")
def page():
    """What the page defines where a reader sees it; nothing is trained."""
    blocks = "FeedForward", "Block", "DecoderBlock", "TinyTransformer", "Stack"
    functions = "layer_norm", "positions", "embed", "translation_loss", "translate", "start_large", "start_lossless"
    return defined("06_transformer", *blocks, *functions)


@pytest.fixture
def sides():
    generator = torch.Generator().manual_seed(1)
    source, target = (torch.randn(B, n, WIDTH, generator=generator) for n in (S, T))
    return source, target, padding_mask(torch.tensor([7, 4]))[:, None, None, :]


def given_weights_of(ours, theirs):
    ours.load_state_dict(theirs.state_dict())
    return ours


def test_the_block_is_the_encoder_layer(page, sides):
    source, _, keep = sides
    layer = EncoderLayer(WIDTH, HEADS, 4 * WIDTH, norm="pre")
    block = given_weights_of(page["Block"](WIDTH, HEADS), layer)
    torch.testing.assert_close(block(source, keep), layer(source, keep))
    torch.testing.assert_close(block(source, causal=True), layer(source, causal=True))


def test_the_decoder_block_is_the_decoder_layer(page, sides):
    source, target, keep = sides
    layer = DecoderLayer(WIDTH, HEADS, 4 * WIDTH, norm="pre")
    block = given_weights_of(page["DecoderBlock"](WIDTH, HEADS), layer)
    torch.testing.assert_close(block(target, source, keep), layer(target, source, None, keep))
    order = torch.randperm(S, generator=torch.Generator().manual_seed(2))  # the memory may lie in any order
    torch.testing.assert_close(block(target, source[:, order], keep[..., order]), block(target, source, keep))


def test_layer_norm_is_torchs(page, sides):
    torch.testing.assert_close(page["layer_norm"](sides[0]), F.layer_norm(sides[0], (WIDTH,)))


def test_feed_forward_is_the_librarys_and_one_matrix_without_its_relu(page, sides):
    source, _, _ = sides
    theirs = EncoderLayer(WIDTH, HEADS, 4 * WIDTH).feed_forward
    ours = given_weights_of(page["FeedForward"](WIDTH, 4 * WIDTH), theirs)
    torch.testing.assert_close(ours(source), theirs(source))
    alone = torch.cat([ours(source[:, t : t + 1]) for t in range(S)], dim=1)
    torch.testing.assert_close(alone, ours(source))


def test_positions_are_the_librarys(page):
    torch.testing.assert_close(page["positions"](48, 32), sinusoidal_positions(48, 32), atol=1e-5, rtol=0)


def test_the_model_and_its_loss_are_the_librarys(page):
    theirs = Transformer(TransformerConfig(50, 60, embed_dim=WIDTH, num_heads=HEADS)).eval()
    ours = given_weights_of(page["TinyTransformer"](50, 60, WIDTH, HEADS, 2), theirs)
    source = torch.tensor([[7, 8, 9, 10, 11], [12, 13, 14, 0, 0]])
    target = torch.tensor([[1, 20, 21, 22, 2], [1, 23, 24, 2, 0]])
    torch.testing.assert_close(ours(source, target[:, :-1]), theirs(source, target[:, :-1]), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(page["translation_loss"](ours, source, target), theirs.loss(source, target))


@pytest.mark.parametrize("rotated", [False, True])
def test_stacks_that_start_lossless_keep_every_input_apart(page, rotated):
    x = torch.randn(50, 16, generator=torch.Generator().manual_seed(3))
    stream = x
    for block in page["start_lossless"](page["Stack"](16, skip=False), rotated).blocks:
        with torch.no_grad():
            block.up.weight[32:], block.down.weight[:, 32:], block.down.bias[:] = 0, 0, 0  # what is random beside it
        stream = block(stream)
    torch.testing.assert_close(stream @ stream.T, x @ x.T, atol=1e-4, rtol=1e-4)
    assert torch.allclose(stream, x, atol=1e-4) is not rotated


def test_large_weights_are_as_large_as_he_draws_them(page):
    large = page["start_large"](page["Stack"](16, skip=False))
    assert large.blocks[0].up.weight.std().item() == pytest.approx((2 / 16) ** 0.5, rel=0.1)
    assert large.blocks[0].down.weight.std().item() == pytest.approx((1 / 64) ** 0.5, rel=0.1)


def test_the_decoder_writes_what_it_finds_likeliest_until_it_stops(page):
    class Counter(torch.nn.Module):
        """After n tokens the likeliest is 5 - n, so that </s>, 2, is the third that is written."""

        def forward(self, source, target):
            return F.one_hot(torch.full(target.shape, 5 - target.shape[1]), 9).float()

    written = page["translate"](Counter(), torch.zeros(3, 4, dtype=torch.long))
    assert written.tolist() == [[1, 4, 3, 2]] * 3
