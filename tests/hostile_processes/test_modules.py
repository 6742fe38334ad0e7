"""Modules in the current directory, such as that of a stranger's repository: no process of urlset imports them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
import yaml

import urlset
from urlset.monitor.schedules import timer
from urlset.options.monitoring import load_monitor
from urlset.processes import children
from urlset.processes.children import child_environment, module_command
from urlset.serve.processes import call_in_process

SOURCE = Path(urlset.__file__).parent
ROOT = Path(__file__).parents[2]

STARTS = {f"subprocess.{name}" for name in ("Popen", "run", "call", "check_call", "check_output")} | {
    "asyncio.create_subprocess_exec",
    "asyncio.create_subprocess_shell",
}


def sources(containing: str = "") -> Iterator[tuple[str, ast.Module]]:
    for path in SOURCE.rglob("*.py"):
        if containing in (text := path.read_text(encoding="utf-8")):
            yield path.relative_to(SOURCE).as_posix(), ast.parse(text)


@pytest.fixture(scope="module")
def importable() -> frozenset[str]:
    """Every name that urlset, or what it imports, could import."""
    theirs = set(packages_distributions()) - {"urlset", "__pycache__"}
    return frozenset(filter(str.isidentifier, {*sys.stdlib_module_names, *theirs}))


@pytest.fixture
def planted(importable: frozenset[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with a module of every name that could be imported."""
    for name in importable:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'RAN')!r}, 'a').write('{name} ')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    return tmp_path


def names_run(planted: Path) -> str:
    return (planted / "RAN").read_text() if (planted / "RAN").exists() else ""


def run(command: list[str], **more: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False, **more)


def test_the_attack_works_without_protection(planted: Path) -> None:
    assert not run([sys.executable, "-m", "json.tool", "--help"]).stdout
    assert names_run(planted)


MODULES = sorted(
    name.removesuffix(".py").replace("/", ".")
    for name, tree in sources("__main__")
    if any(isinstance(node, ast.If) and "__main__" in ast.unparse(node.test) for node in tree.body)
)


@pytest.mark.parametrize("module", MODULES)
def test_no_child_imports_from_the_current_directory(module: str, planted: Path) -> None:
    name = "urlset" if module == "__main__" else f"urlset.{module}"
    # Without input, it imports what it needs, and ends with an error.
    done = run(module_command(name), env=child_environment())
    assert b"ModuleNotFoundError" not in done.stderr
    assert names_run(planted) == ""


def test_a_function_in_a_process(planted: Path) -> None:
    assert call_in_process(os.path.basename, "a/b") == "b"
    assert names_run(planted) == ""


def test_the_command_as_a_module_imports_no_package_from_the_current_directory(planted: Path) -> None:
    """Python itself imports parts of its library first."""
    for name in sys.stdlib_module_names:
        (planted / f"{name}.py").unlink(missing_ok=True)
    (planted / "a.txt").write_text("https://example.com/\n")
    done = run([sys.executable, "-m", "urlset", "sql", "select count(*) from urls", "a.txt", "--no-config"])
    assert (done.returncode, names_run(planted)) == (0, ""), done.stderr


def test_the_command_keeps_other_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for first, expected in ((str(tmp_path), ["x"]), ("", ["x"]), ("/elsewhere", ["/elsewhere", "x"])):
        monkeypatch.setattr(sys, "path", [first, "x"])
        children.leave_out_current_directory()
        assert sys.path == expected
    # Not if urlset itself would be gone.
    monkeypatch.chdir(SOURCE.parent)
    monkeypatch.setattr(sys, "path", [str(SOURCE.parent), "x"])
    children.leave_out_current_directory()
    assert sys.path == [str(SOURCE.parent), "x"]


def test_every_process_is_started_with_an_environment() -> None:
    """And nothing but `children` says how Python is started."""
    for name, tree in sources("subprocess"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in STARTS:
                assert "env" in {keyword.arg for keyword in node.keywords}, f"{name}:{node.lineno}"
    assert {name for name, _ in sources("sys.executable")} == {"processes/children.py", "cluster/spark_session.py"}


def test_the_timer_of_monitor_leaves_it_out(planted: Path) -> None:
    (planted / "monitor.toml").write_text('[[site]]\nurl = "http://127.0.0.1:9/"\n')
    lines = list(timer(load_monitor(planted / "monitor.toml")))
    assert "Environment=PYTHONSAFEPATH=1" in lines


def test_the_action_runs_no_module_of_the_pull_request() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    scripts = [step["run"] for step in yaml.safe_load(text)["runs"]["steps"] if "run" in step]
    starts = [line for script in scripts for line in script.splitlines() if "python" in line and "#" not in line]
    assert len(starts) == 3
    assert all("python3 -I " in line or '/python" -I ' in line for line in starts), starts
