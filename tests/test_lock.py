"""constraints.txt holds a version of everything that pyproject.toml asks for, on every Python and system."""

import tomllib

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.form import ROOT
from tools.versions import locked

SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "darwin": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "win32": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_lock_holds_all_that_is_asked_for(python, system):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    environment = (
        default_environment() | SYSTEMS[system] | {"python_version": python, "python_full_version": python + ".9"}
    )
    lines = locked(ROOT / "constraints.txt")

    def holds(requirement: Requirement) -> bool:
        if requirement.name == "lmcourse" or (requirement.marker and not requirement.marker.evaluate(environment)):
            return True
        return any(
            (line.marker is None or line.marker.evaluate(environment))
            and requirement.specifier.contains(next(iter(line.specifier)).version, prereleases=True)
            for line in lines.get(canonicalize_name(requirement.name), ())
        )

    missing = [line for line in asked if not holds(Requirement(line))]
    assert not missing, f"run `make lock`: constraints.txt lacks {', '.join(missing)}"
