"""No two files of the Rust core import each other, directly or through others; a module and its children may."""

from __future__ import annotations

import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[1] / "core/src"
USE = re.compile(r"\buse\s+([^;]+);")
PATH = re.compile(r"\b(?:crate|self|super)(?:::\w+)+")
Module = tuple[str, ...]


def module_of(file: Path, root: Path) -> Module:
    parts = file.relative_to(root).with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib") else parts


def expanded(tree: str) -> Iterator[list[str]]:
    """Every path that `a::{b, c::{d, e}}` stands for."""
    head, brace, rest = tree.partition("{")
    path = [part.strip() for part in head.split(" as ")[0].split("::") if part.strip()]
    if not brace:
        yield path
        return
    for item in re.findall(r"(?:[^,{}]|\{(?:[^{}]|\{[^{}]*\})*\})+", rest.rpartition("}")[0]):
        yield from (path + below for below in expanded(item.strip()) if below)


def target(module: Module, path: list[str], modules: set[Module]) -> Module | None:
    """The module that a path leads to from another one; None if it leads out of the crate."""
    base = module
    if path[0] == "crate":
        base, path = (), path[1:]
    elif path[0] in ("self", "super"):
        while path and path[0] in ("self", "super"):
            base = base[:-1] if path[0] == "super" else base
            path = path[1:]
    elif (*base, path[0]) not in modules:
        return None
    for length in range(len(path), -1, -1):
        if (found := (*base, *path[:length])) in modules:
            return found
    return None


def imports(root: Path) -> dict[Module, set[Module]]:
    """What each module imports of modules that are neither above nor below it. Tests are left out."""
    files = {module_of(file, root): file for file in root.rglob("*.rs") if "tests" not in file.relative_to(root).parts}
    files = {module: file for module, file in files.items() if module[-1:] != ("tests",)}
    found: dict[Module, set[Module]] = {}
    for module, file in files.items():
        text = re.sub(r"//[^\n]*", "", file.read_text().split("#[cfg(test)]\nmod tests {")[0])
        paths = [path for tree in USE.findall(text) for path in expanded(" ".join(tree.split()))]
        paths += [path.split("::") for path in PATH.findall(USE.sub("", text))]
        targets = {target(module, path, set(files)) for path in paths}
        found[module] = {
            other
            for other in targets
            if other is not None and other != module[: len(other)] and module != other[: len(module)]
        }
    return found


def test_no_files_of_the_core_import_each_other_in_a_circle() -> None:
    found = imports(SOURCES)
    # That the scan sees imports at all: paths with a list, and paths in code.
    assert ("read", "columns") in found["read", "rows"]
    assert ("write", "file") in found["write", "part"]
    assert sum(map(len, found.values())) > 300
    TopologicalSorter(found).prepare()


def test_a_circle_is_seen(tmp_path: Path) -> None:
    (tmp_path / "lib.rs").write_text("mod a;\nmod b;\nuse a::A;\n")
    (tmp_path / "a.rs").write_text("use std::{io, mem};\nuse super::{\n    b::{B as C, D},\n};\npub struct A;\n")
    (tmp_path / "b.rs").write_text("fn f() -> crate::a::A { todo!() }\n")
    found = imports(tmp_path)
    assert found == {(): set(), ("a",): {("b",)}, ("b",): {("a",)}}
    with pytest.raises(CycleError):
        TopologicalSorter(found).prepare()
