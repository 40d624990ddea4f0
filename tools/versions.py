"""Which packages are installed in another version than a lock says.

    python -m tools.versions constraints.txt

Prints a table; that versions differ fails nothing.
"""

import sys
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def locked(path: Path) -> dict[str, list[Requirement]]:
    """Name -> the lines of a constraints file about it: one for each case of its markers."""
    found: dict[str, list[Requirement]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


def main() -> None:
    lines = locked(Path(sys.argv[1]))
    installed = {canonicalize_name(each.name): each.version for each in distributions()}
    for name, version in sorted(installed.items()):
        here = [each for each in lines.get(name, ()) if each.marker is None or each.marker.evaluate()]
        if not any(each.specifier.contains(version, prereleases=True) for each in here):
            print(f"| {name} | {here[0].specifier if here else 'not in the lock'} | {version} |")


if __name__ == "__main__":
    main()
