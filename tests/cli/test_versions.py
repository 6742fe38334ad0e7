"""`urlset --version --verbose`: one aligned line for each part; `--version` alone stays short and fast."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from urlset.cli.main import main
from urlset.errors import ExitCode

ROOT = Path(__file__).parents[2]


def versions(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, str]:
    """The lines of the output, by what is before the column of the versions."""
    assert main(arguments) == ExitCode.CLEAN
    lines = capsys.readouterr().out.splitlines()
    [column] = {found.end() for line in lines if (found := re.match(r".+?\s{2,}", line)) is not None}
    return {line[:column].rstrip(): line[column:] for line in lines}


@pytest.mark.parametrize(
    "arguments", [("--version", "-v"), ("--version", "--verbose"), ("-v", "--version"), ("--verbose", "--version")]
)
def test_every_part_has_an_aligned_line(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    found = versions(capsys, *arguments)
    assert list(found)[:6] == ["urlset", "Python", "platform", "core", "DuckDB", "libxml2"]
    assert found["urlset"] == metadata.version("urlset")
    assert found["Python"].startswith(f"3.{sys.version_info.minor}.")
    assert re.search(r"\(cp311-abi3-\w+\)$", found["core"])
    assert found["DuckDB"].partition(" ")[0] == found["duckdb"] == metadata.version("duckdb")
    assert re.fullmatch(r"\d+\.\d+\.\d+", found["libxml2"])
    assert all(found.values())


def test_every_dependency_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    found = versions(capsys, "--version", "-v")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = [re.split(r"[<>=!~\[ ;]", each)[0] for each in project["dependencies"]]
    assert set(names) <= found.keys()
    for extra in metadata.metadata("urlset").get_all("Provides-Extra") or []:
        packages = [re.split(r"[<>=!~\[ ;]", each)[0] for each in project["optional-dependencies"][extra]]
        assert {f"{package} [{extra}]" for package in packages} <= found.keys()


class Package:
    """An installed urlset."""

    version = "7.8.9"
    requires = (
        "absent-one>=1,<2",
        "absent-two>=1 ; python_full_version < '3.14'",
        'absent-three>=3; python_version < "3.14" and extra == "more"',
        "absent-four ; extra == 'more'",
    )

    def read_text(self, name: str) -> str:
        return {"WHEEL": "Wheel-Version: 1.0\nTag: cp311-abi3-musllinux_1_2_x86_64\n"}[name]


def test_what_is_not_installed_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("urlset.cli.versions.distribution", lambda _: Package())
    monkeypatch.delitem(sys.modules, "urlset.schema.load", raising=False)
    monkeypatch.setitem(sys.modules, "lxml", None)
    found = versions(capsys, "--version", "-v")
    assert found.pop("core").endswith(" (cp311-abi3-musllinux_1_2_x86_64)")
    assert {name: what for name, what in found.items() if name.startswith(("absent", "urlset", "libxml2"))} == {
        "urlset": "7.8.9",
        "libxml2": "not installed",
        "absent-one": "not installed",
        "absent-two": "not installed (required if python_full_version < '3.14')",
        "absent-three [more]": 'not installed (required if python_version < "3.14")',
        "absent-four [more]": "not installed",
    }


def test_a_library_that_cannot_be_loaded_ends_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "_duckdb", None)
    assert versions(capsys, "--version", "-v")["DuckDB"].startswith("cannot be loaded: ")


def test_the_short_version_imports_no_library() -> None:
    script = """
import sys
from urlset.cli.main import main
main(["--version"])
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"urlset {metadata.version('urlset')}\n"
    assert not {"_duckdb", "duckdb", "lxml", "msgspec", "urlset.cli.versions"} & set(done.stderr.split())


def test_verbose_without_version_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-v", "rules"]) == ExitCode.USAGE
    assert "-v before a command requires --version" in capsys.readouterr().err
