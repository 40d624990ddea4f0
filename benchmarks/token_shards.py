"""Text of growing size to tokens on disk, and a training that reads them: peak memory, which should not grow.

`python -m benchmarks.token_shards --out chapters/recorded/token-shards.json`. The text is Shakespeare's, its paragraphs
shuffled again and again. Each part runs in a process of its own; "memory" is the most that it held at any time, and
"memory of its own" leaves out the pages of files that are mapped, which the system may take back.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch

from benchmarks.rounds import Row, options, write_record
from lmcourse import data
from lmcourse.pretraining import pretrain, read_config, tokenize

SEED, VOCABULARY, STEPS = 0, 2_048, 200
MEGABYTES = (15, 30, 60, 120)
CONFIG = f"""
[model]
context_length = 64
embed_dim = 64
num_heads = 4
num_layers = 2
[data]
tokens = "tokens"
[training]
out = "run"
max_steps = {STEPS}
batch_size = 16
validation_tokens = 20000
validate_every = {STEPS}
"""


def write_text(path: Path, megabytes: int) -> None:
    paragraphs = data.load_text("shakespeare", split="train").split("\n\n")
    chance, left = random.Random(SEED), megabytes * 1_000_000
    with path.open("w", encoding="utf-8") as out:
        while left > 0:
            chance.shuffle(paragraphs)
            for paragraph in paragraphs:
                out.write(paragraph + "\n\n")
                left -= len(paragraph.encode()) + 2
                if left <= 0:
                    break


def memory() -> tuple[int, int]:
    """Return the most memory that this process has held, and what it holds now without mapped files, in bytes."""
    status = Path("/proc/self/status").read_text()
    kilobytes = dict(re.findall(r"(\w+):\s+(\d+) kB", status))
    most, own = int(kilobytes["VmHWM"]), int(kilobytes["RssAnon"])
    return most * 1024, own * 1024


def part(what: str, folder: Path) -> None:
    """Tokenize or train, and print what it took."""
    torch.set_num_threads(1)
    began = time.process_time()
    if what == "tokenize":
        done = tokenize([folder / "text.txt"], folder / "tokens", VOCABULARY)["train"]
    else:
        (folder / "config.toml").write_text(CONFIG)
        done = len(pretrain(read_config(folder / "config.toml"), progress=False)["history"])
    print(done, *memory(), time.process_time() - began)


def main() -> None:
    parser = options(__doc__, rounds=1)
    parser.add_argument("--part", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--megabytes", type=int, nargs="+", default=MEGABYTES)
    arguments = parser.parse_args()
    if arguments.part:
        part(arguments.part[0], Path(arguments.part[1]))
        return
    rows: list[Row] = []
    for megabytes in arguments.megabytes:
        with tempfile.TemporaryDirectory() as folder:
            write_text(Path(folder) / "text.txt", megabytes)
            for what in ("tokenize", "train"):
                done = subprocess.run([sys.executable, "-m", "benchmarks.token_shards", "--part", what, folder],
                                      check=True, capture_output=True, text=True)  # fmt: skip
                number, most, own, seconds = done.stdout.splitlines()[-1].split()
                for name, value in (("memory", most), ("memory of its own", own)):
                    rows.append({"what": f"{what}, {name}", "who": "lmcourse", "megabytes": megabytes,
                                 "value": round(int(value) / 1e6), "unit": "MB"})  # fmt: skip
                rows.append({"what": what, "who": "lmcourse", "megabytes": megabytes, "value": round(float(seconds), 1),
                             "unit": "s", "tokens" if what == "tokenize" else "steps": int(number)})  # fmt: skip
                print(*(f"{row['what']}, {megabytes} MB: {row['value']} {row['unit']}" for row in rows[-3:]), sep="\n",
                      flush=True)  # fmt: skip
    write_record(arguments.out, "token-shards", rows, seed=SEED)


if __name__ == "__main__":
    main()
