"""Generated pictures: whole shapes, evenly drawn, which no single pixel gives away."""

import pytest
import torch

from lmcourse.data.shapes import SHAPES, draw_shapes


def test_a_seed_fixes_the_pictures_and_another_changes_them():
    (one, labels), (same, _), (other, _) = draw_shapes(12, seed=3), draw_shapes(12, seed=3), draw_shapes(12, seed=4)
    assert one.shape == (12, 16, 16)
    assert torch.equal(one, same)
    assert not torch.equal(one, other)
    assert torch.bincount(labels).tolist() == [3, 3, 3, 3]


def test_without_noise_each_shape_is_what_it_is_called():
    images, labels = draw_shapes(200, noise=0.0)
    assert set(images.unique().tolist()) == {0.0, 1.0}
    edges = torch.cat([images[:, 0], images[:, -1], images[:, :, 0], images[:, :, -1]], dim=1)
    for number, name in enumerate(SHAPES):
        some = images[labels == number]
        assert some.flatten(1).sum(1).min() > 8, name
    assert edges.mean() < 0.1, "the shapes lie within the picture"
    discs, squares, rings, crosses = (images[labels == number] for number in range(4))
    rows, columns = (squares.amax(dim=axis).sum(dim=1) for axis in (2, 1))
    assert torch.equal(rows * columns, squares.flatten(1).sum(1)), "a square fills the rectangle around it"
    assert rings.flatten(1).sum(1).mean() < 0.8 * discs.flatten(1).sum(1).mean()
    assert crosses.flatten(1).sum(1).mean() < discs.flatten(1).sum(1).mean()


def test_no_pixel_alone_tells_the_shape():
    images, labels = draw_shapes(2_000)
    dark = (images > 0.5).float()
    for number in range(4):
        assert float(dark[labels == number].mean(0).max()) < 0.95


@pytest.mark.parametrize(
    ("given", "message"),
    [({"n": 0}, "`n` must"), ({"n": 3, "size": 11}, "`size` must"), ({"n": 3, "noise": -0.1}, "`noise` must")],
)
def test_bad_sizes_are_refused_by_name(given, message):
    with pytest.raises(ValueError, match=message):
        draw_shapes(**given)
