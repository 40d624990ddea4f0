"""The library's core needs its own few packages only; what needs more says which extra brings it."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from lmcourse import cli
from lmcourse.extras import needs

ROOT = Path(__file__).parent.parent
LIBRARY = ROOT / "lib" / "lmcourse"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w-]+", requirement)[0].lower() for requirement in requirements}


CORE = names(PROJECT["dependencies"])
EXTRAS = {extra: names(wanted) - {"lmcourse"} for extra, wanted in PROJECT["optional-dependencies"].items()}

# Put before a script: of top-level packages only the standard library's, the core's and what those need can be found.
BARE = """
import importlib.metadata, re, sys

def needed(names):
    found, todo = set(), list(names)
    while todo:
        name = todo.pop().lower().replace("_", "-")
        try:
            wanted = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        if name not in found:
            found.add(name)
            todo += [re.match(r"[\\w.-]+", text)[0] for text in wanted if "extra ==" not in text]
    return found

brought = needed({core!r})
allowed = {{"lmcourse", *sys.stdlib_module_names}} | {{
    module
    for module, names in importlib.metadata.packages_distributions().items()
    if any(name.lower().replace("_", "-") in brought for name in names)
}}

class Guard:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        package = name.partition(".")[0]
        if package in allowed or package.startswith("_"):
            return self.finder.find_spec(name, path, target)
        return None

sys.meta_path[:] = map(Guard, sys.meta_path)
"""


def in_a_bare_process(code: str, tmp_path: Path, **environment: str) -> str:
    """Run code where only the core can be imported, and return what it printed."""
    script = tmp_path / "bare.py"
    script.write_text(BARE.format(core=sorted(CORE)) + code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(LIBRARY.parent), "LMCOURSE_CACHE": str(tmp_path / "none")} | environment,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_bare_process_lacks_the_extras(tmp_path):
    """The other tests prove nothing if what they block can be imported."""
    packages = ("requests", "IPython", "matplotlib", "jupyterlab", "babel", "gguf", "nbgrader", "pytest", "torch")
    code = f"from importlib.util import find_spec\nprint([name for name in {packages} if find_spec(name)])"
    assert in_a_bare_process(code, tmp_path) == "['torch']\n"


def test_the_core_is_imported_without_the_extras(tmp_path):
    rooms = ("layers", "kernels", "models", "generation", "training", "tokenizers", "alignment")
    files = [path for room in rooms for path in (LIBRARY / room).rglob("*.py")]
    modules = [".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts) for path in files]
    modules += ["lmcourse.data", "lmcourse.exercises", "lmcourse.doctor", "lmcourse.cli", "lmcourse.tasks"]
    assert len(modules) > 40
    in_a_bare_process("\n".join(f"import {module.removesuffix('.__init__')}" for module in modules), tmp_path)


def test_a_model_is_trained_and_used_without_the_extras(tmp_path):
    said = in_a_bare_process((ROOT / "tests" / "tiny_gpt.py").read_text(encoding="utf-8"), tmp_path)
    assert said.startswith("loss 5.")


NEEDS = {
    "lab": (
        "import lmcourse.plots",
        "from lmcourse.data import number_words; number_words(34, 'de')",
        "from lmcourse.data import load_pairs; load_pairs('dates', split='test')",
        "from lmcourse.data import fetch; fetch('ratings')",
        "from lmcourse.training.metrics import bleu; bleu(['a'], ['a'])",
        "from lmcourse.training.metrics import chrf; chrf(['a'], ['a'])",
        "from lmcourse.alignment.labels import LabelFile, label_widget; label_widget([], LabelFile('x.json'))",
        "from lmcourse.models import GPT; GPT.from_pretrained('x.gguf')",
        "from lmcourse import cli; cli.main(['check', 'x.ipynb'], standalone_mode=False)",
        "from lmcourse import cli; cli.main(['lab', 'course'], standalone_mode=False)",
    ),
    "teach": ("from lmcourse import cli; cli.main(['grade', 'x', '--out', 'y'], standalone_mode=False)",),
}


def test_what_needs_an_extra_names_it(tmp_path):
    calls = [(extra, call) for extra, those in NEEDS.items() for call in those]
    code = f"""
import os
os.chdir({str(tmp_path)!r})
open("x.gguf", "w").close()
for number, call in enumerate({[call for _, call in calls]!r}):
    try:
        exec(call)
    except Exception as error:
        print(f"#{{number}} {{error}}")
"""
    said = in_a_bare_process(code, tmp_path)
    for number, (extra, call) in enumerate(calls):
        message = said.partition(f"#{number} ")[2].partition("\n#")[0]
        assert "needs the package" in message, (call, message)
        assert f'pip install "lmcourse[{extra}]"' in message, (call, message)


def test_an_offline_text_falls_back_without_the_extras(tmp_path):
    code = "from lmcourse import data\nprint(data.text_source('shakespeare'))"
    said = in_a_bare_process(code, tmp_path).splitlines()
    assert 'pip install "lmcourse[lab]"' in said[0]
    assert said[-1] == "python-docs"


def test_the_command_prints_one_line_when_an_extra_is_missing(monkeypatch):
    monkeypatch.setattr(cli.jupyterlab, "find_spec", lambda _: None)
    result = CliRunner().invoke(cli.main, ["lab"])
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: opening the course needs the package jupyterlab, which is not installed. "
        'Run: pip install "lmcourse[lab]"'
    )


def test_a_mistake_of_ours_is_not_taken_for_a_missing_extra():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'lmcourse\.nothing'"), needs("lab", "this"):
        import lmcourse.nothing  # noqa: F401


def test_every_package_that_the_library_imports_is_declared():
    """The other way round, too: what the core declares is imported."""
    imported = (
        {
            module.partition(".")[0]
            for path in LIBRARY.rglob("*.py")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for module in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
        }
        - set(sys.stdlib_module_names)
        - {"lmcourse", ""}
    )
    packages = {"IPython": "ipython", "PIL": "pillow", "arro3": "arro3-io", "pypi_simple": "pypi-simple"}
    wanted = {packages.get(module, module) for module in imported}
    declared = CORE.union(EXTRAS["lab"], EXTRAS["teach"], EXTRAS["hub"])
    brought_along = {"ipython", "psutil", "sqlalchemy", "traitlets"}  # by ipykernel and by nbgrader
    assert wanted - declared - brought_along == set()
    assert CORE - wanted == set()


def test_development_installs_all_extras():
    assert "lmcourse[lab,teach,hub,site]" in PROJECT["optional-dependencies"]["dev"]
