"""Make a small class to try `lmcourse grade` on: eight students, two assignments, the ways in which answers go wrong.

    python -m examples.make_class DIR        # DIR/submitted/STUDENT/ASSIGNMENT/
    lmcourse grade DIR/submitted --out DIR/marks --report

The notebooks are made from the exercises as they are now, so the class never goes stale. `EXPECTED` says what each
student must earn; the tests hold the marking to it.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from lmcourse.course import source_folder

RIGHT, EMPTY = "right", "empty"
START, NGRAMS = "00_start_here", "01_ngrams"

# Wrong answers as people write them; each agrees with a slip of its task, whose reason the learner is told.
OVERFLOWS = (
    "def softmax(scores, banned):\n"
    "    if len(set(banned)) == len(scores):\n"
    "        raise ValueError('no word is left')\n"
    "    exponentials = np.exp(scores)\n"
    "    exponentials[banned] = 0.0\n"
    "    return exponentials / exponentials.sum()\n"
)
DOT_PRODUCT = "def cosine_similarity(x, y):\n    return x @ y.T\n"
NATS = (
    "def perplexity(probs):\n"
    "    if not probs or not all(0 <= p <= 1 for p in probs):\n"
    "        raise ValueError('these are no probabilities')\n"
    "    return math.inf if 0 in probs else -sum(math.log(p) for p in probs) / len(probs)\n"
)
HELPER_OUTSIDE = "def softmax(scores, banned):\n    return my_softmax(scores, banned)\n"
ENDLESS = "def lookup_rows(ids, table):\n    while True:\n        pass\n"
FROM_THE_LIBRARY = (
    "def bits_per_byte(log_probs, text):\n"
    "    from lmcourse.training import bits_per_byte as theirs\n\n"
    "    return theirs(-sum(log_probs), len(text.encode()))\n"
)

#: student -> assignment -> what fills the answer cells: all right, none, or all right but for these.
CLASS: dict[str, dict[str, Any]] = {
    "ada": {START: RIGHT, NGRAMS: RIGHT},
    "ben": {START: {"softmax": OVERFLOWS}, NGRAMS: {"perplexity": NATS}},
    "chidi": {START: {"softmax": OVERFLOWS, "cosine_similarity": DOT_PRODUCT}, NGRAMS: EMPTY},
    "dana": {START: EMPTY},
    "emil": {START: {"lookup_rows": ENDLESS}, NGRAMS: RIGHT},
    "farah": {START: {"softmax": HELPER_OUTSIDE}, NGRAMS: {"bits_per_byte": FROM_THE_LIBRARY}},
    "gita": {START: "{ this is no notebook"},
    "Zoë": {START: RIGHT, NGRAMS: RIGHT},
}

#: (student, assignment) -> points, and the status of the submission.
EXPECTED = {
    ("ada", START): (24, "marked"),
    ("ben", START): (23.5, "marked"),  # all but the border cases of one answer
    ("chidi", START): (21.5, "marked"),
    ("dana", START): (0, "marked"),
    ("emil", START): (22, "look"),
    ("farah", START): (22, "marked"),
    ("gita", START): (0, "ungradable"),
    ("Zoë", START): (24, "marked"),
    ("ada", NGRAMS): (45, "marked"),
    ("ben", NGRAMS): (43, "marked"),
    ("chidi", NGRAMS): (0, "marked"),
    ("dana", NGRAMS): (0, "absent"),
    ("emil", NGRAMS): (45, "marked"),
    ("farah", NGRAMS): (43, "marked"),
    ("gita", NGRAMS): (0, "absent"),
    ("Zoë", NGRAMS): (45, "marked"),
}
HANDED_IN = "2026-11-20 10:00:00 UTC"
LATE = {"chidi": "2026-11-21 01:30:00 UTC"}


def make_class(folder: Path) -> Path:
    """Write the class's submissions into a folder; return the one for `lmcourse grade`."""
    submitted = folder / "submitted"
    for student, work in CLASS.items():
        for assignment, content in work.items():
            home = submitted / student / assignment
            home.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) and content.startswith("{") else filled_in(assignment, content)
            (home / f"{assignment}.ipynb").write_text(text, encoding="utf-8")
            (home / "timestamp.txt").write_text(LATE.get(student, HANDED_IN), encoding="utf-8")
    return submitted


def filled_in(assignment: str, content: str | dict[str, str]) -> str:
    """An exercise, filled in."""
    exercise, solution = (
        json.loads((source_folder() / part / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8"))
        for part in ("exercises", "solutions")
    )
    right = {cell["id"]: cell["source"] for cell in solution["cells"] if cell["id"].endswith("-answer")}
    wrong = {f"{task}-answer": code for task, code in content.items()} if isinstance(content, dict) else {}
    for cell in exercise["cells"]:
        if content != EMPTY and cell["id"] in right:
            cell["source"] = wrong.get(cell["id"], right[cell["id"]])
    if HELPER_OUTSIDE in wrong.values():
        helper = (
            "def my_softmax(scores, banned):\n"
            "    e = np.where(np.isin(np.arange(len(scores)), banned), -np.inf, scores)\n"
            "    e = np.exp(e - e.max())\n"
            "    return e / e.sum()\n"
        )
        cell = {"cell_type": "code", "id": "a-cell-of-my-own", "metadata": {}, "outputs": [], "execution_count": None}
        exercise["cells"].insert(1, cell | {"source": helper})
    return json.dumps(exercise, indent=1, ensure_ascii=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    submitted = make_class(parser.parse_args().folder)
    print(f"lmcourse grade {submitted} --out {submitted.parent / 'marks'} --report")


if __name__ == "__main__":
    main()
