"""A slider over the temperature: the next token's distribution, drawn anew as it moves."""

import io
from collections.abc import Sequence
from typing import Any

import ipywidgets
import matplotlib.pyplot as plt
import torch
from torch import Tensor

from lmcourse.plots import gpt


def temperature_slider(logits: Tensor, tokens: Sequence[str], *, shown: int = 10) -> Any:
    """Return a widget: a slider for the temperature above a picture of the likeliest tokens' probabilities.

    Args:
        logits: of the next token, (V,).
        tokens: what each id stands for, V strings.
        shown: tokens in the picture, the likeliest ones.

    Raises:
        ValueError: sizes that do not fit.
    """
    if logits.dim() != 1 or len(tokens) != len(logits):
        raise ValueError(f"`logits` must be (V,) with V={len(tokens)} tokens, got {tuple(logits.shape)}.")
    best = logits.topk(min(shown, len(logits))).indices.tolist()

    def picture(temperature: float) -> bytes:
        probs = torch.softmax(logits / temperature, dim=0)[best].tolist()
        names = [tokens[number] for number in best]
        fig = gpt.distributions({f"temperature {temperature:.1f}": probs}, names, "The likeliest next tokens")
        buffer = io.BytesIO()
        fig.savefig(buffer, format="png", dpi=90, metadata={"Software": None})
        plt.close(fig)
        return buffer.getvalue()

    slider = ipywidgets.FloatSlider(value=1.0, min=0.1, max=2.5, step=0.1, description="temperature")
    image = ipywidgets.Image(value=picture(slider.value), format="png")

    def redraw(change: dict[str, Any]) -> None:
        image.value = picture(change["new"])

    slider.observe(redraw, names="value")
    return ipywidgets.VBox([slider, image])
