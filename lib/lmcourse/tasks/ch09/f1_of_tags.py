import numpy as np

from lmcourse.exercises import Case, Task, border, case, hints, mistakes
from lmcourse.layers.losses import IGNORE_INDEX


def f1_of_tags(said, wanted):
    """Return the F1 score of tag 1, from 0 to 1.

    Args:
        said: the model's tags, a list of 0 and 1; it may be empty.
        wanted: the right tags, a list of 0, 1 and -100 of the same length.

    Returns:
        A float.

    >>> f1_of_tags([1, 1, 0, 0, 1], [1, 0, 1, 0, -100])
    0.5
    """
    known = [(s, w) for s, w in zip(said, wanted) if w != -100]
    hits = sum(s == 1 and w == 1 for s, w in known)
    said_names = sum(s == 1 for s, _ in known)
    names = sum(w == 1 for _, w in known)
    return 2 * hits / (said_names + names) if said_names + names else 0.0


def cases(seed: int) -> list[Case]:
    rng = np.random.default_rng(seed)

    def draw(label: str, n: int, rare: float, unknown: float) -> Case:
        wanted = (rng.uniform(size=n) < rare).astype(int)
        said = np.where(rng.uniform(size=n) < 0.3, 1 - wanted, wanted)
        wanted[rng.uniform(size=n) < unknown] = IGNORE_INDEX
        wanted[:4], said[:4] = [1, 1, 0, IGNORE_INDEX], [1, 0, 1, 1]
        return case(label, said.tolist(), wanted.tolist())

    return [
        case("the worked example", [1, 1, 0, 0, 1], [1, 0, 1, 0, IGNORE_INDEX]),
        draw("some tags", 53, 0.4, 0.2),
        draw("rare tags", 211, 0.1, 0.3),
        draw("more tags than not", 31, 0.8, 0.1),
        border("nothing is said to be a name, no hits", [0] * 7, [1, 0, 0, 1, 0, 0, 0]),
        border("no names and none said", [0] * 5, [0] * 5),
        border("all positions unknown", [1, 0, 1], [IGNORE_INDEX] * 3),
        border("an empty row", [], []),
        border("names said and names there, but no hit", [1, 0, 1, 0], [0, 1, 0, 1]),
        border("names said, and none there", [1, 1, 0], [0, 0, 0]),
        border("everything said to be a name", [1, 1, 1, 1], [1, 0, 0, IGNORE_INDEX]),
        border("one name, found", [1], [1]),
        border("one position, unknown", [1], [IGNORE_INDEX]),
        border("a hit where nothing else is known", [1, 0, 1], [1, IGNORE_INDEX, IGNORE_INDEX]),
    ]


SLIPS = mistakes("""
with_unknown: "the right tags, a list of 0, 1 and -100 of the same length"
    if w != -100 =>
  A position whose label is -100 was counted as no name. Nothing is known there: leave it out.
accuracy: "Return the F1 score of tag 1, from 0 to 1"
    2 * hits / (said_names + names) if said_names + names => sum(s == w for s, w in known) / len(known) if known
  This is the share of right tags, which is high for a model that never says name. F1 looks at the names.
precision: "Return the F1 score of tag 1, from 0 to 1"
    2 * hits / (said_names + names) if said_names + names else 0.0 => hits / said_names if said_names else 0.0
  This is the precision: right ones among those said. Names that were missed do not lower it.
plain_mean
    2 * hits / (said_names + names) if said_names + names else 0.0 =>
        (hits / max(1, said_names) + hits / max(1, names)) / 2
  This is the plain mean of precision and recall. F1 is the harmonic mean, 2PR / (P + R), low if one of the two is low.
other_class: "the model's tags, a list of 0 and 1"
    s == 1 and w == 1 => s == 0 and w == 0
    sum(s == 1 for => sum(s == 0 for
    sum(w == 1 for => sum(w == 0 for
  This is the F1 of the words that are no names. Count those with tag 1.
one_for_nothing: "it may be empty"
    else 0.0 => else 1.0
  With no names at all, said or wanted, the score is 0 here, by agreement.
not_twice: "A float"
    2 * hits => hits
  The factor 2 is missing: F1 is 2 hits / (said + names). With all tags right it is 1.
divided_by_zero: "it may be empty"
    if said_names + names else 0.0 =>
  Where nothing was said and nothing was to be found, this divides by 0. The statement sets F1 to 0 then.
macro
    2 * hits / (said_names + names) if said_names + names else 0.0 => (2 * hits / max(1, said_names + names) + 2 * sum(s
        == w == 0 for s, w in known) / max(1, 2 * len(known) - said_names - names)) / 2
  This is the mean of two F1 scores, of names and of other words. Only tag 1 is asked for.
""")
HINTS = hints("""
- Leave out the positions where wanted is -100. Then three counts: hits, said to be names, names.
- P = hits / said, R = hits / names; 2PR / (P + R) is 2 hits / (said + names), which is easier.
- return 2 * hits / (said_names + names) if said_names + names else 0.0
""")
task = Task(f1_of_tags, points=2, difficulty=2, minutes=15, cases=cases, slips=SLIPS, hints=HINTS)
