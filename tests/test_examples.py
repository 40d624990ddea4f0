"""Every code block of README, docs and the site is run, or said not to be, and why."""

import re
import shlex
from pathlib import Path

import click
import pytest
import torch
from click.testing import CliRunner

from lmcourse.cli import main
from lmcourse.models import GPT, GPTConfig

ROOT = Path(__file__).parent.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "site").rglob("*.md")]
BLOCKS = {
    (page.relative_to(ROOT).as_posix(), code.strip().splitlines()[0]): (language, code)
    for page in PAGES
    for language, code in re.findall(
        r"^ *```(\S*)[^\n]*\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    if language not in ("", "{toctree}")  # "": a drawing
}

#: Blocks that are not run, by file and how they begin, and why.
NOT_RUN = {
    ("README.md", "git clone"): "sets a machine up",
    ("README.md", "py -3.12 tools"): "sets Windows up",
    ("CONTRIBUTING.md", "make test"): "is the tests",
    ("docs/releasing.md", ".venv/bin/python -m tools.release"): "builds what is published",
    ("docs/releasing.md", "python -m venv /tmp/try"): "installs from the network",
    ("docs/scale.md", "torchrun --nnodes 2"): "needs two machines",
    ("docs/scale.md", "#!/bin/bash"): "needs Slurm",
    ("docs/scale.md", "apiVersion: kubeflow.org/v1"): "needs Kubernetes",
    ("docs/site.md", ":slideshow:"): "is an option of a cell",
    ("docs/writing-exercises.md", ":task:"): "is an option of a cell",
    ("docs/writing-pages.md", "lmcourse:"): "is the head of a page; the tests of pages read theirs",
    ("site/index.md", "git clone"): "sets a machine up",
    ("site/library.md", "pip install"): "installs from the network",
}
RUN = {
    (page, line): content
    for (page, line), content in BLOCKS.items()
    if not any(page == file and line.startswith(begins) for file, begins in NOT_RUN)
}
SHORT = ((r"max_steps=\d+", "max_steps=2"), (r"\[:500_000\]", "[:20_000]"))  # the same code, for a shorter time


def test_what_is_not_run_is_in_the_documents():
    for file, begins in NOT_RUN:
        assert any(page == file and line.startswith(begins) for page, line in BLOCKS), (file, begins)
    assert {language for language, _ in RUN.values()} == {"python", "sh"}, "nothing else can be run: say so in NOT_RUN"


@pytest.mark.parametrize("block", [block for block, (language, _) in RUN.items() if language == "python"])
def test_a_block_of_python_runs(block, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = RUN[block][1]
    for long, short in SHORT:
        code = re.sub(long, short, code)
    ids = torch.zeros(2, 5, dtype=torch.long)
    given = {"model": GPT(GPTConfig(7, 5, embed_dim=4, num_heads=2, num_layers=1))}
    exec(compile(code, block[0], "exec"), given | {"batches_of_this_process": lambda step: (ids, ids)})


@pytest.mark.parametrize("block", [block for block, (language, _) in RUN.items() if language == "sh"])
def test_a_block_of_commands_runs(block, tmp_path, monkeypatch):
    """One after the other, as a reader types them; a config is made short before it is used."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "TEXT").write_text("To be, or not to be: that is the question.\n" * 200)
    for line in RUN[block][1].splitlines():
        command, *words = shlex.split(line, comments=True)
        if command == "torchrun":  # tests/training/test_launching.py starts several processes
            assert words[-2:] == ["lmcourse.train", "config.toml"]
            continue
        assert command == "lmcourse"
        words, out = (words[:-2], words[-1]) if ">" in words else (words, None)
        words = [word.removesuffix("...") for word in words]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{line}: {result.output}"
        if out:
            short = re.sub(r"(max_steps|warmup) = \d+", r"\1 = 2", result.stdout).replace("warmup = 2", "warmup = 1")
            Path(out).write_text(re.sub(r"(embed_dim|context_length) = \d+", r"\1 = 8", short))


def test_every_command_of_lmcourse_in_the_documents_exists():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for line in re.findall(r"(?:^ *|`|/bin/)lmcourse ([^`\n#|>&]+)", text, re.MULTILINE):
            command, words = main, line.split()
            while isinstance(command, click.Group) and words and re.fullmatch(r"[a-z][a-z-]*", words[0]):
                assert words[0] in command.commands, f"{page.name}: lmcourse {line}"
                command, *words = command.commands[words[0]], *words[1:]
            options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
            unknown = {re.split(r"[=,.)\]]", word)[0] for word in words if word.startswith("--")} - options
            assert not unknown, f"{page.name}: lmcourse {line}"
