"""An older tree beside this one: `python -m benchmarks.beside COMMIT gpt` prints old over new for every row.

The benchmark runs in a worktree of the commit and here, in turns, each with its own code; what follows its name is
handed on to it. A ratio above 1 says that this tree is faster. Where a row has a ratio to a peer, that is shown too:
the peer is the same in both trees, so its ratio is what to trust on a busy machine.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.rounds import Row, processor, write_record

ROOT = Path(__file__).parent.parent
RESULTS = ("value", "unit", "ratio", "limit", "best_s", "median_s", "mb_per_s", "times_ours", "ratio_to_ours")


def run(tree: Path, name: str, arguments: list[str], out: Path) -> list[Row]:
    """The rows that the benchmark of a tree writes, with the code of this tree."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tree), str(tree / "lib")])}
    command = [sys.executable, "-m", f"benchmarks.{name}", *arguments, "--out", str(out)]
    subprocess.run(command, cwd=tree, env=environment, check=True, stdout=subprocess.DEVNULL)
    rows: list[Row] = json.loads(out.read_text(encoding="utf-8"))["rows"]
    return [alike(row) for row in rows]


def alike(row: Row) -> Row:
    """A row whose time and ratio have the names of most benchmarks (bpe and ngram call them otherwise)."""
    ratio = row.get("ratio", row.get("times_ours", row.get("ratio_to_ours")))
    return row | {"value": row.get("value", row.get("best_s")), "unit": row.get("unit", "s"), "ratio": ratio}


def beside(old: list[list[Row]], new: list[list[Row]]) -> list[Row]:
    """A row for each that both trees have: the median over the turns of old over new, in time."""
    turns: dict[tuple[object, ...], list[tuple[Row, Row]]] = defaultdict(list)
    for before, now in zip(old, new, strict=True):
        by_key = {_key(row): row for row in before}
        for row in now:
            if (there := by_key.get(_key(row))) and there["value"] and row["value"]:
                turns[_key(row)].append((there, row))
    rows = []
    for pairs in turns.values():
        last = pairs[-1][1]
        is_rate = str(last["unit"]).endswith("/s")
        faster = statistics.median(b["value"] / a["value"] if is_rate else a["value"] / b["value"] for a, b in pairs)
        row = {name: value for name, value in last.items() if name not in RESULTS} | {"old_over_new": round(faster, 3)}
        if last.get("ratio") not in (None, 1.0):
            row |= {f"{tree}_ratio": statistics.median(pair[at]["ratio"] for pair in pairs) for at, tree in
                    enumerate(("old", "new"))}  # fmt: skip
        rows.append(row)
    return rows


def _key(row: Row) -> tuple[object, ...]:
    """What a row is about, without what was measured."""
    return tuple((k, v) for k, v in row.items() if k not in RESULTS and isinstance(v, str | int))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("name", help="the benchmark: gpt, bpe, ...")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--out", type=Path, help="write the table to this JSON file")
    arguments, others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        tree, git = Path(folder) / "tree", ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(tree), arguments.commit], check=True)
        try:
            found: dict[Path, list[list[Row]]] = {tree: [], ROOT: []}
            for turn in range(arguments.turns):
                for each in (tree, ROOT) if turn % 2 == 0 else (ROOT, tree):
                    found[each].append(run(each, arguments.name, others, Path(folder) / "rows.json"))
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    rows = beside(found[tree], found[ROOT])
    print(f"{arguments.commit} over this tree, {arguments.name}, on {processor()}")
    for row in rows:
        ratios = f"   beside the peer {row['old_ratio']:.2f} -> {row['new_ratio']:.2f}" if "old_ratio" in row else ""
        what = "  ".join(str(value) for key, value in row.items() if not key.endswith(("old_over_new", "_ratio")))
        print(f"{what:64}{row['old_over_new']:6.2f}{ratios}", flush=True)
    write_record(arguments.out, f"{arguments.name}-beside", rows, seed=None, commit=arguments.commit)


if __name__ == "__main__":
    main()
