"""A ship's log in short modern sentences, from a seeded grammar: a style to tune a model of Shakespeare to."""

import random
import re

from lmcourse import checks
from lmcourse.data.text import SPLITS

__all__ = ["load_log", "log_entry", "read_entry"]

_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_SEAS = ("calm", "smooth", "moderate", "rough", "very rough", "choppy")
_SKIES = ("clear", "half clouded", "overcast", "foggy", "hazy", "raining since dawn")
_SIGHTS = (
    "two whales", "a school of dolphins", "a container ship", "a lighthouse", "a fishing boat", "an iceberg",
    "an oil platform", "a helicopter of the coast guard", "a buoy adrift", "many gulls",
)  # fmt: skip
_REPAIRS = (
    "radar repaired", "bilge pump replaced", "engine oil changed", "batteries charged", "solar panel cleaned",
    "mainsail mended", "fuel filter replaced", "radio tested", "lifeboat inspected", "rudder greased",
)  # fmt: skip
_MEALS = ("rice and beans", "pancakes", "spaghetti", "tinned soup", "fried potatoes", "tuna salad", "porridge", "pizza")
_CREW = ("All well.", "One seasick.", "Crew tired.", "Good mood on board.", "Cook has a cold.", "All asleep by nine.")


def log_entry(day: int, rng: random.Random) -> str:
    """Return one day of the log, three to six short sentences and an empty line.

    Raises:
        TypeError: `day` is not a whole number, or `rng` no `random.Random`.
        ValueError: `day` is below 1.
    """
    checks.whole(day=day, at_least=1)
    checks.instance(random.Random, rng=rng)
    lines = [
        f"Wind {rng.choice(_WINDS)}, {rng.randint(2, 38)} knots. Sea {rng.choice(_SEAS)}. Sky {rng.choice(_SKIES)}.",
        f"Position {rng.randint(30, 59)}.{rng.randint(0, 9)} north, {rng.randint(1, 40)}.{rng.randint(0, 9)} west. "
        f"{rng.randint(40, 210)} miles since yesterday.",
    ]
    if rng.random() < 0.6:
        lines.append(f"Sighted {rng.choice(_SIGHTS)} at {rng.randint(5, 22)}:{rng.randint(10, 59)}.")
    if rng.random() < 0.6:
        lines.append(f"{rng.choice(_REPAIRS).capitalize()}.")
    lines.append(f"Dinner: {rng.choice(_MEALS)}. {rng.choice(_CREW)}")
    return f"Day {day}.\n" + "\n".join(lines) + "\n\n"


def load_log(days: int = 600, *, split: str = "train") -> str:
    """Return a log of `days` days, the same at every call.

    Args:
        days: at least 1.
        split: "train", "valid" or "test": sampled independently.

    Raises:
        TypeError: `days` is not a whole number.
        ValueError: no such split, or `days` below 1.
    """
    checks.one_of(SPLITS, split=split)
    checks.whole(days=days, at_least=1)
    rng = random.Random(f"log {split}")
    return "".join(log_entry(day, rng) for day in range(1, days + 1))


def read_entry(entry: str) -> dict[str, int | str | None]:
    """Return five facts of an entry of `log_entry`: day, wind, knots, sea, and what was sighted (or None).

    Raises:
        TypeError: `entry` is no str.
        ValueError: it is no entry of the log.
    """
    checks.instance(str, entry=entry)
    found = re.match(r"Day (\d+)\.\nWind ([a-z-]+), (\d+) knots\. Sea ([a-z ]+)\.", entry)
    if found is None:
        raise ValueError(f"`entry` must be one of the log, got {entry[:40]!r}.")
    day, wind, knots, sea = found.groups()
    sighted = re.search(r"^Sighted (.+) at ", entry, re.MULTILINE)
    return {"day": int(day), "wind": wind, "knots": int(knots), "sea": sea, "sighted": sighted[1] if sighted else None}
