"""No two modules import each other, not even by way of others or inside functions."""

import grimp
import networkx as nx
import pytest


def cycles(*packages: str) -> set[tuple[str, ...]]:
    """The groups of modules each of which can be reached from every other one by imports."""
    modules = grimp.build_graph(*packages, cache_dir=None)
    imports = nx.DiGraph()
    for module in modules.modules:
        imports.add_edges_from((module, other) for other in modules.find_modules_directly_imported_by(module))
    assert imports.number_of_edges() > len(packages)
    return {tuple(sorted(group)) for group in nx.strongly_connected_components(imports) if len(group) > 1}


def test_the_library_has_no_import_cycle():
    assert cycles("lmcourse") == set()


def test_what_stands_beside_the_library_has_no_import_cycle():
    assert cycles("experiments", "benchmarks", "tools", "examples") == set()


@pytest.mark.parametrize("where", ["import zoo.{}", "def late():\n    from zoo import {}"])
def test_a_cycle_is_found(tmp_path, monkeypatch, where):
    package = tmp_path / "zoo"
    package.mkdir()
    (package / "__init__.py").write_text("")
    for module, other in (("ant", "bee"), ("bee", "cat"), ("cat", "ant"), ("dog", "ant"), ("eel", "dog")):
        (package / f"{module}.py").write_text(where.format(other))
    monkeypatch.syspath_prepend(tmp_path)
    assert cycles("zoo") == {("zoo.ant", "zoo.bee", "zoo.cat")}
