"""Three sizes of model on 1 to 1,024 GPUs: the fastest layout that fits, its speed and its memory, by arithmetic.

`python -m lmcourse.training.scaling_layouts H100` prints the table of docs/scale.md.
"""

import sys
from dataclasses import dataclass

from lmcourse import checks
from lmcourse.training.scaling import DEVICES, Cost, Layout, TransformerSize, best_layout

#: GPT-2 XL (Radford et al., 2019), LLaMA 7 B (Touvron et al., 2023), Llama 2 70 B (Touvron et al., 2023, the second)
SIZES = {
    "1.5 B": TransformerSize(48, 1_600, 25, 50_257),
    "7 B": TransformerSize(32, 4_096, 32, 32_000, 11_008, gated=True, tied=False),
    "70 B": TransformerSize(80, 8_192, 64, 32_000, 28_672, gated=True, kv_heads=8, tied=False),
}
COUNTS = (1, 8, 64, 256, 1_024)
BATCH_SIZE, LENGTH = 1_024, 4_096  # 4.2 million tokens in a step


@dataclass(frozen=True)
class Row:
    """A model on some GPUs.

    Attributes:
        name: of the model, a key of `SIZES`.
        devices: how many GPUs.
        layout, cost: of `best_layout`; None where no layout fits into their memory.
    """

    name: str
    devices: int
    layout: Layout | None
    cost: Cost | None

    @property
    def divided(self) -> str:
        """How the model is divided, in words."""
        if self.layout is None:
            return "does not fit"
        ways = {"tensor": self.layout.tensor, "pipeline": self.layout.pipeline}
        words = [f"{name} {number}" for name, number in ways.items() if number > 1]
        if self.layout.data > 1:
            words.append(f"data {self.layout.data:,}{', sharded' if self.layout.sharded else ''}")
        if self.layout.recompute == "full":
            words.append("activations computed again")
        return ", ".join(words) or "whole"


def layout_rows(device: str) -> list[Row]:
    """Return a row for each of `SIZES` on each of `COUNTS` devices, at the same batch.

    Args:
        device: its name in `scaling.DEVICES`.

    Raises:
        ValueError: an unknown device.
    """
    checks.one_of(DEVICES, device=device)
    rows = []
    for name, size in SIZES.items():
        for devices in COUNTS:
            found = best_layout(size, DEVICES[device], devices, batch_size=BATCH_SIZE, length=LENGTH)
            rows.append(Row(name, devices, *(found or (None, None))))
    return rows


def layout_table(device: str) -> str:
    """Return `layout_rows` as a table in Markdown; the speed of all GPUs together, to three digits."""
    lines = [
        f"| model | {device} | divided | tokens a second | share of the peak | memory on each |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for row in layout_rows(device):
        line = f"| {row.name} | {row.devices:,} | {row.divided} |"
        if row.cost is None:
            lines.append(f"{line} | | |")
            continue
        speed = float(f"{row.cost.tokens_per_s:.3g}")
        lines.append(
            f"{line} {speed:,.0f} | {100 * row.cost.share_of_peak:.0f} % | {row.cost.memory_bytes / 1e9:.0f} GB |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(layout_table(sys.argv[1] if len(sys.argv) > 1 else "H100"))
