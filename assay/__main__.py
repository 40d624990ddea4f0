"""Prove exercises, or begin one.

python -m assay softmax                # all that proves it; what fails is said, on one screen
python -m assay softmax rotate --quick # without the nets that take longest: many seeds, sandbox
python -m assay 05                     # all exercises of a chapter
python -m assay --new ch05/my_name     # a module to fill in
"""

import argparse
import sys
import time
from pathlib import Path

import torch

from assay import exercises
from assay.nets import NETS
from lmcourse import tasks
from lmcourse.exercises.registry import find_task

SKELETON = Path(__file__).parent / "skeleton.txt"
LONG = ("seeds", "sandbox")
_SHOWN, _WIDTH = 3, 400  # failures of a net, characters of one


def prove(name: str, *, quick: bool = False) -> int:
    """Run the nets of one exercise; print what fails, and return how many nets that is."""
    task = find_task(name)
    failed = 0
    for net, run in NETS.items():
        if quick and net in LONG:
            continue
        begun = time.process_time()
        found = list(run(task))
        state = f"{len(found)} failure{'s' if len(found) > 1 else ''}" if found else "ok"
        print(f"{task.name} · {net:9} {state:12} {time.process_time() - begun:6.1f} s", flush=True)
        for line in found[:_SHOWN]:
            print(f"    {line if len(line) <= _WIDTH else line[:_WIDTH] + ' ...'}")
        if len(found) > _SHOWN:
            print(f"    and {len(found) - _SHOWN} more")
        failed += bool(found)
    return failed


def begin(place: str) -> str:
    """Write the module of a new exercise; return what is left to do.

    Raises:
        SystemExit: the place is not of the form ch05/my_name, or there is such an exercise.
    """
    chapter, _, name = place.partition("/")
    folder = Path(tasks.__path__[0]) / chapter
    if not name.isidentifier() or not folder.is_dir():
        sys.exit(f"`--new` must be a chapter's folder and a name, such as ch05/my_name, got {place!r}.")
    if name in exercises.names() or (folder / f"{name}.py").exists():
        sys.exit(f"`--new`: there is an exercise {name!r} already.")
    path = folder / f"{name}.py"
    path.write_text(SKELETON.read_text(encoding="utf-8").replace("NAME", name), encoding="utf-8")
    page = next(iter((Path(__file__).parents[1] / "texts" / "solutions").glob(f"{chapter[2:]}_*.md")))
    return (
        f"{path}: fill it in.\n{folder / '__init__.py'}: put {name!r} into ORDER.\n"
        f"{page}: say what the exercise is about, then\n\n    <!-- task: {name} -->\n\n"
        f"    ```{{code-cell}} ipython3\n    :task: {name}\n    ```\n\nThen: python -m assay {name}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m assay", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", help="exercises, or chapters such as 05")
    parser.add_argument("--quick", action="store_true", help=f"without {' and '.join(LONG)}")
    parser.add_argument("--new", metavar="chNN/NAME", help="write the module of a new exercise")
    options = parser.parse_args()
    if options.new:
        print(begin(options.new))
        return
    torch.set_num_threads(1)
    chosen: list[str] = []
    for name in options.names:
        chosen += exercises.names(name) if name[:1].isdigit() else [name]
    if not chosen:
        parser.error("name an exercise or a chapter")
    failed = sum(prove(name, quick=options.quick) for name in chosen)
    sys.exit(f"{failed} of the nets failed." if failed else 0)


if __name__ == "__main__":
    main()
