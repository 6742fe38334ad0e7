"""Modules: two share a name only if a newcomer sees why, and none import each other in a circle."""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import urlset

PACKAGE = Path(urlset.__file__).parent
LAYERS = ("cli", "pipeline", "stages", "model", "options", "report", "store")
"""Folders in which a module has the name of the command or subject that it serves."""
SUBJECTS = {
    "cache.py": "fetch has the HTTP cache, cli shows it",
    "clock.py": "coverage measures how long pages wait",
    "external_links.py": "links selects what stages request",
    "media.py": "probe requests what store selects",
    "policy.py": "clients compares the policy of a site",
    "redirects.py": "comparison checks a redirect map",
    "reported.py": "coverage reads what engines reported",
    "signing.py": "fetch signs requests",
    "stable.py": "build has the stable layout",
}
"""Modules of a capability that have the name of their result in `model`, or of the command that shows it."""


def test_modules_share_a_name_only_for_one_subject() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        folder = path.parent.relative_to(PACKAGE).as_posix()
        # Renderers of a capability, and the same engine on Spark.
        if path.name != "__init__.py" and not path.name.startswith("render") and folder != "engine/spark":
            places[path.name].append(folder)
    shared = {
        name: [folder for folder in folders if folder not in LAYERS]
        for name, folders in places.items()
        if len(folders) > 1
    }
    beside = {name: folders for name, folders in shared.items() if folders}
    assert {name for name, folders in beside.items() if len(folders) == 1} == beside.keys() == SUBJECTS.keys(), beside


def test_few_modules_are_in_no_room() -> None:
    assert len(list(PACKAGE.glob("*.py"))) <= 10


STATEMENTS = (ast.stmt, ast.excepthandler, ast.match_case)
"""Where an import can be."""


def imports_at_run_time(tree: ast.AST, modules: set[str]) -> set[str]:
    """Return the modules that code imports, at its top or in a function, except for type checkers."""
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        match waiting.pop():
            case ast.Import(names=names):
                found |= {alias.name for alias in names}
            case ast.ImportFrom(module=str(module), names=names):
                submodules = {f"{module}.{alias.name}" for alias in names}
                found |= submodules if submodules <= modules else {module, *submodules}
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=others):
                waiting += others
            case node:
                waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, STATEMENTS))
    return found & modules


def import_graph(package: Path) -> dict[str, set[str]]:
    files = {
        ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in package.rglob("*.py")
    }
    trees = {name: ast.parse(path.read_bytes()) for name, path in files.items()}
    return {name: imports_at_run_time(tree, files.keys() - {name}) for name, tree in trees.items()}


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = import_graph(PACKAGE)
    assert sum(map(len, graph.values())) > 3_000
    TopologicalSorter(graph).prepare()


def test_a_circle_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "some"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("from some import b")
    (package / "b.py").write_text("if TYPE_CHECKING:\n    from some import a\nelse:\n    import c")
    assert import_graph(package) == {"some": set(), "some.a": {"some.b"}, "some.b": set()}
    (package / "b.py").write_text("def late():\n    from some.a import name")
    with pytest.raises(CycleError):
        TopologicalSorter(import_graph(package)).prepare()
