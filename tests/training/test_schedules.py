"""Schedules at points worked by hand."""

import pytest

from lmcourse.training.schedules import cosine_schedule, linear_schedule, noam_schedule


def test_noam_by_hand():
    # d = 64, warm-up 100: d^-1/2 = 0.125, 100^-3/2 = 0.001
    assert noam_schedule(1, 64, 100) == pytest.approx(0.125 * 0.001)
    assert noam_schedule(50, 64, 100) == pytest.approx(0.125 * 0.05)
    assert noam_schedule(100, 64, 100) == pytest.approx(0.125 * 0.1)  # the peak, (64 * 100)^-1/2
    assert noam_schedule(400, 64, 100) == pytest.approx(0.125 * 0.05)  # falls with the root
    values = [noam_schedule(step, 64, 100) for step in range(1, 300)]
    assert max(values) == values[99]


def test_cosine_by_hand():
    values = [cosine_schedule(step, max_steps=110, warmup=10, final=0.2) for step in (1, 5, 10, 60, 110, 500)]
    assert values == pytest.approx([0.1, 0.5, 1.0, 0.6, 0.2, 0.2])
    # a quarter of the way: (1 + cos(pi / 4)) / 2 = 0.853553
    assert cosine_schedule(25, max_steps=100) == pytest.approx(0.853553, abs=1e-6)


def test_linear_by_hand():
    values = [linear_schedule(step, max_steps=110, warmup=10) for step in (1, 5, 10, 60, 110, 500)]
    assert values == pytest.approx([0.1, 0.5, 1.0, 0.5, 0.0, 0.0])
    assert linear_schedule(55, max_steps=100, warmup=10, final=0.4) == pytest.approx(0.7)


@pytest.mark.parametrize("schedule", [cosine_schedule, linear_schedule])
@pytest.mark.parametrize(
    ("step", "options", "message"),
    [
        (0, {"max_steps": 5}, "`step` must be at least 1, got step=0"),
        (1, {"max_steps": 0}, "`max_steps` must be at least 1, got max_steps=0"),
        (1, {"max_steps": 5, "warmup": 5}, "`warmup` must be less than `max_steps`, got warmup=5, max_steps=5"),
        (1, {"max_steps": 5, "final": 1.5}, "`final` must be at least 0 and at most 1, got final=1.5"),
        (1, {"max_steps": 5, "warmup": -1}, "`warmup` must be at least 0, got warmup=-1"),
    ],
)
def test_bad_arguments(schedule, step, options, message):
    with pytest.raises(ValueError, match=message):
        schedule(step, **options)


def test_noam_bad_arguments():
    for arguments, name in (((0, 8, 8), "step"), ((1, 0, 8), "embed_dim"), ((1, 8, 0), "warmup")):
        with pytest.raises(ValueError, match=f"`{name}`"):
            noam_schedule(*arguments)
