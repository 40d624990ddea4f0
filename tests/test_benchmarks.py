"""Benchmarks: contestants take turns, ratios are taken within a round, a record tells how to make it again."""

import json
import re
from pathlib import Path

import pytest

from benchmarks import beside, rounds

ROOT = Path(__file__).parent.parent
RECORDS = sorted(path for folder in ("recorded", "checkpoints") for path in (ROOT / "chapters" / folder).glob("*.json"))


def test_each_round_begins_with_the_next_one_and_the_first_rounds_warm_up():
    calls, ticks = [], iter(range(100))
    contestants = {name: (lambda name=name: calls.append(name)) for name in "abc"}
    seconds = rounds.take_turns(contestants, 2, warm_up=1, clock=lambda: float(next(ticks)))
    assert "".join(calls) == "abcbcacab"
    assert seconds == {"a": [1.0, 1.0], "b": [1.0, 1.0], "c": [1.0, 1.0]}


def test_a_slow_round_is_slow_for_both_and_leaves_the_ratio():
    assert rounds.median_ratio([2.0, 200.0, 4.0], [1.0, 100.0, 2.0]) == 2.0
    with pytest.raises(ValueError, match="zip"):
        rounds.median_ratio([1.0], [1.0, 2.0])


def test_the_limit_stands_by_the_last_contestant(capsys):
    table = rounds.Table()
    table.add("step", 1, {"peer": [1.0, 1.0], "lmcourse": [0.5, 0.5]}, 0.9, case="plain")
    assert [(row["who"], row["value"], row["ratio"], row["limit"]) for row in table.rows] == [
        ("peer", 1000.0, 1.0, None),
        ("lmcourse", 500.0, 0.5, 0.9),
    ]
    assert "at most 0.9" in capsys.readouterr().out


def test_two_trees_are_compared_row_by_row_and_turn_by_turn():
    def turn(rate, seconds, ratio, threads=1):
        same = {"threads": threads, "who": "lmcourse"}
        return [
            {"what": "train", **same, "value": rate, "unit": "tokens/s", "ratio": ratio, "limit": 1.3},
            {"what": "write", **same, "value": seconds, "unit": "s"},
        ]

    rows = beside.beside(
        [turn(100.0, 4.0, 1.9), turn(50.0, 8.0, 1.8), turn(1.0, 1.0, 1.7)],
        [turn(50.0, 2.0, 1.0), turn(25.0, 4.0, 1.1), turn(1.0, 1.0, 1.2)],
    )
    assert rows == [
        {"what": "train", "threads": 1, "who": "lmcourse", "old_over_new": 0.5, "old_ratio": 1.8, "new_ratio": 1.1},
        {"what": "write", "threads": 1, "who": "lmcourse", "old_over_new": 2.0},
    ]
    assert beside.beside([turn(1.0, 1.0, 1.0)], [turn(1.0, 1.0, 1.0, threads=2)]) == []


def test_rows_that_name_their_times_otherwise_are_compared_too():
    bpe = {"what": "encode", "who": "tiktoken", "best_s": 2.0, "median_s": 2.5, "mb_per_s": 1.0, "times_ours": 0.8}
    ngram = {"what": "score", "who": "kenlm module", "value": 3.0, "unit": "us", "ratio_to_ours": 0.5}
    old = [beside.alike(row) for row in (bpe, ngram, {"what": "the cache holds 3 words", "who": "lmcourse"})]
    new = [beside.alike(row) for row in (bpe | {"best_s": 1.0, "times_ours": 1.1}, ngram | {"ratio_to_ours": 0.25})]
    assert beside.beside([old], [new]) == [
        {"what": "encode", "who": "tiktoken", "old_over_new": 2.0, "old_ratio": 0.8, "new_ratio": 1.1},
        {"what": "score", "who": "kenlm module", "old_over_new": 1.0, "old_ratio": 0.5, "new_ratio": 0.25},
    ]


@pytest.mark.parametrize("out", [["--out", "x.json"], ["--out=x.json"]])
def test_the_file_a_record_goes_to_is_no_part_of_its_command(tmp_path, monkeypatch, out):
    monkeypatch.setattr("sys.argv", ["/somewhere/benchmarks/thing.py", "--rounds", "3", *out, "--deep"])
    rounds.write_record(tmp_path / "new" / "thing.json", "thing", [{"value": 1}], seed=7, threads=2)
    record = json.loads((tmp_path / "new" / "thing.json").read_text())
    assert record["command"] == "python -m benchmarks.thing --rounds 3 --deep"
    assert (record["name"], record["seed"], record["threads"], record["rows"]) == ("thing", 7, 2, [{"value": 1}])
    rounds.write_record(None, "thing", [], seed=7)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_names_the_command_that_makes_it(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    command = record.get("command", record.get("extra", {}).get("command"))
    if command is None:
        assert path.name.endswith(".bpe.json"), "only a tokenizer beside a checkpoint has no command of its own"
        return
    found = re.fullmatch(r"python -m (benchmarks|experiments)\.(\w+)( [\w-]+)*", command)
    assert found, command
    assert "--out" not in command
    assert (ROOT / found[1] / f"{found[2]}.py").exists(), command


BENCHMARKS = [path for path in RECORDS if " benchmarks." in path.read_text(encoding="utf-8")[:200]]


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmarks_record_calls_the_contestants_as_its_program_does(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    program = record["command"].split()[2].replace(".", "/") + ".py"
    source = (ROOT / program).read_text(encoding="utf-8")
    names = {row[key] for row in record["rows"] for key in ("who", "layer") if key in row}
    assert [name for name in sorted(names) if name not in source] == []
