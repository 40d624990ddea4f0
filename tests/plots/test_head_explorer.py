"""The map of heads that can be clicked: it holds what it is given, fetches nothing, refuses what does not fit."""

import json
import re

import numpy as np
import pytest

from lmcourse.plots.head_explorer import head_explorer


def test_the_explorer_holds_every_weight_and_fetches_nothing(shown):
    maps = np.zeros((2, 3, 2, 2))
    maps[..., 0, 0], maps[1, 2, 1] = 1.0, (0.25, 0.75)
    head_explorer(
        maps,
        ["</script>", "b"],
        {"first": np.zeros((2, 3)), "other": np.ones((2, 3))},
        "finding",
        alt="Two maps of two layers and three heads, one white and one dark.",
        chosen=(1, 2),
    )
    page, still = shown
    source = (
        re.search(r'srcdoc="(.*)">Run this cell to see the map of heads.</iframe>', page.html, re.DOTALL)[1]
        .replace("&quot;", '"')
        .replace("&amp;", "&")
    )
    given = json.loads(re.search(r"const d = (\{.*\}), T = ", source)[1])
    assert given["tokens"] == ["</script>", "b"]
    assert source.count("</script>") == 1
    weights = [given["letters"].index(letter) / 63 for letter in given["weights"]]
    np.testing.assert_allclose(np.reshape(weights, maps.shape), maps, atol=0.5 / 63)
    assert "default-src 'none'" in source
    assert "://" not in source
    assert still.png


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"maps": np.zeros((2, 3, 2, 4))}, r"`maps` must be \(layers, H, 2, 2\)"),
        ({"scores": {"first": np.zeros((3, 2))}}, r"`scores` must be \(2, 3\) for each name, got \(3, 2\) for 'first'"),
        ({"chosen": (2, 0)}, "`chosen` must be a layer below 2 and a head below 3"),
    ],
)
def test_the_explorer_refuses_what_does_not_fit(changed, message):
    given = {"maps": np.zeros((2, 3, 2, 2)), "scores": {"first": np.zeros((2, 3))}, "chosen": (0, 0)} | changed
    with pytest.raises(ValueError, match=message):
        head_explorer(tokens=["a", "b"], title="finding", alt="Two layers and three heads, all white.", **given)
