"""The project holds to its own word: light imports, the public names, pinned tools, examples, generated pages."""

from __future__ import annotations

import gzip
import importlib.metadata
import re
import runpy
import subprocess
import sys
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest

import urlset

ROOT = Path(__file__).parent.parent
HEAVY = ("aiohttp", "duckdb", "lxml", "numpy", "pandas", "polars", "pyarrow", "pyspark", "sqlglot")


def modules_loaded_by(code: str) -> set[str]:
    """Names of all top-level modules that a fresh interpreter has loaded after running `code`."""
    code += "\nimport sys; print('\\n'.join(sorted({name.partition('.')[0] for name in sys.modules})))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import urlset", id="import"),
        pytest.param("import urlset.cli.main", id="cli"),
        pytest.param(
            "import contextlib, io, sys; from urlset.cli.main import run\n"
            "sys.argv = ['urlset', '--help']\n"
            "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): run()",
            id="help",
        ),
    ],
)
def test_heavy_libraries_stay_out(code: str) -> None:
    assert not modules_loaded_by(code) & set(HEAVY)


def test_public_names_exist_and_are_documented() -> None:
    assert {"read", "scan", "validate"} <= set(urlset.__all__)
    for name in urlset.__all__:
        value = getattr(urlset, name)
        if callable(value):
            assert value.__doc__, f"{name} has no docstring"
    assert set(urlset.__all__) <= set(dir(urlset))


def test_package_is_typed_and_licensed() -> None:
    assert (Path(urlset.__file__).parent / "py.typed").exists()
    assert importlib.metadata.metadata("urlset")["License-Expression"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    crate = tomllib.loads((ROOT / "core" / "Cargo.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == crate["package"]["version"] == importlib.metadata.version("urlset")


@pytest.mark.parametrize("name", ["dev", "bench"])
def test_every_tool_is_pinned(name: str) -> None:
    lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert [line for line in pins if not re.match(r"^[a-z0-9.-]+==[^ ;]+( ; .+)?$", line)] == []


def test_the_dependencies_of_the_package_are_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    wanted = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    names = [re.split(r"[<>=!~\[ ]", requirement)[0] for requirement in wanted]
    assert [name for name in names if not re.search(rf"^{re.escape(name)}==", pins, re.MULTILINE)] == []


def inflate(data: bytes) -> bytes:
    """All that can be inflated of a gzip stream, whole or cut off."""
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data)


def test_made_examples_are_what_their_script_makes() -> None:
    made: dict[str, Any] = runpy.run_path(str(ROOT / "examples" / "make_examples.py"))["examples"]()
    assert made
    for name, data in made.items():
        found = (ROOT / "examples" / name).read_bytes()
        if name == "broken/truncated.xml.gz":
            with pytest.raises(EOFError):
                gzip.decompress(found)
        elif name.endswith(".gz"):
            # The bytes of a deflate stream depend on the zlib at hand, what they inflate to does not.
            assert inflate(found) == inflate(data)
        else:
            assert found == data


def test_every_example_is_listed() -> None:
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    files = {path.relative_to(ROOT / "examples") for path in (ROOT / "examples").glob("*/*") if path.is_file()}
    assert files
    unlisted = [str(path) for path in files if f"({path})" not in listed and f"({path.parent}/)" not in listed]
    assert unlisted == []


def test_the_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^ {4}make ([a-z-]+)", readme, re.MULTILINE))
    assert {"demo", "test"} <= targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
    named = re.findall(r"(examples/[\w./-]+)", readme)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
