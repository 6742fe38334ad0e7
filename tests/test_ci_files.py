"""The files by which others run urlset in CI: valid YAML, options that exist, and a script that does what it says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from urlset.cli.judging import FORMATS
from urlset.cli.main import app
from urlset.cli.outputs import destinations
from urlset.config import FailOn

ROOT = Path(__file__).parent.parent
ACTION = ROOT / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
WORKFLOW = ROOT / "examples" / "ci" / "github-workflow.yml"
GITLAB = ROOT / "examples" / "ci" / "gitlab-ci.yml"
PRE_COMMIT = ROOT / "examples" / "ci" / "pre-commit-config.yaml"
HOW_TO = ROOT / "docs" / "how-to" / "ci.md"


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


VALUES: dict[str, set[str]] = {
    "--format": set(FORMATS),
    "--fail-on": {severity.value for severity in FailOn},
}


def options_of_validate() -> set[str]:
    group = typer.main.get_command(app)
    command = group.commands["validate"]  # type: ignore[attr-defined]
    return {name for option in command.params for name in option.opts}


def check(arguments: list[str]) -> None:
    """Options exist, and their values are values they take; the names of variables stand for any."""
    options = options_of_validate()
    for name, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if name.startswith("--") and name != "--":
            assert name in options
            assert value in VALUES.get(name, {value}) or value.startswith("$")


def test_the_hook() -> None:
    (hook,) = load(HOOKS)
    program, command, *arguments = shlex.split(hook["entry"])
    assert (program, command, hook["language"]) == ("urlset", "validate", "python")
    check(arguments)
    wanted = re.compile(hook["files"])
    for name in ("sitemap.xml", "public/sitemap_index.xml.gz", "a/news-sitemap-1.xml", "sitemap.txt"):
        assert wanted.search(name)
    for name in ("sitemap.py", "docs/sitemap/index.xml", "sitemap.xml.bak", "feed.json"):
        assert not wanted.search(name)


def test_the_example_of_pre_commit_names_the_hook() -> None:
    (hook,) = load(PRE_COMMIT)["repos"][0]["hooks"]
    assert hook["id"] in {hook["id"] for hook in load(HOOKS)}
    check(hook["args"])


def test_the_action_is_composite_and_runs_no_input_as_text() -> None:
    action = load(ACTION)
    assert action["runs"]["using"] == "composite"
    assert all(step["shell"] == "bash" for step in action["runs"]["steps"])
    assert [step["name"] for step in action["runs"]["steps"] if "${{" in step["run"]] == []
    used = set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    arguments = _words(action["runs"]["steps"][-1]["run"])
    assert {"--format", "--fail-on", "--select", "--ignore", "--output"} == {a for a in arguments if a[:2] == "--"}
    check(arguments)


def _words(script: str) -> list[str]:
    """The words of the arrays of arguments in a script of bash."""
    return [word for array in re.findall(r"arguments\+?=\(([^)]*)\)", script) for word in shlex.split(array)]


def test_the_example_workflow_uses_inputs_that_exist() -> None:
    workflow = load(WORKFLOW)
    (step,) = [step for step in workflow["jobs"]["validate"]["steps"] if step["uses"].startswith("OWNER/urlset@")]
    inputs = load(ACTION)["inputs"]
    assert set(step["with"]) <= set(inputs)
    assert {name for name, given in inputs.items() if given.get("required")} <= set(step["with"])
    assert workflow["permissions"]["security-events"] == "write"
    upload = workflow["jobs"]["validate"]["steps"][-1]
    assert upload["with"]["sarif_file"] == step["with"]["outputs"]


def test_the_example_of_gitlab_writes_what_it_uploads() -> None:
    job = load(GITLAB)["sitemaps"]
    (script,) = job["script"]
    _, command, *arguments = shlex.split(script)
    assert command == "validate"
    check(arguments)
    outputs = [value for name, value in pairwise(arguments) if name == "--output"]
    reports = job["artifacts"]["reports"]
    written = {each.form: str(each.path) for each in destinations(outputs)}
    assert written == {"gitlab": reports["codequality"], "junit": reports["junit"]}


def test_commands_of_the_how_to_have_options_that_exist() -> None:
    commands = re.findall(r"^ +urlset (validate .+)$", HOW_TO.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        check(shlex.split(command, comments=True)[1:])


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.parametrize(
    ("fail_on", "configured", "code"),
    [("error", "never", 1), ("never", "error", 0), ("", "error", 1), ("", "never", 0)],
)
def test_the_script_of_the_action(fail_on: str, configured: str, code: int, tmp_path: Path) -> None:
    program = tmp_path / "runner" / "urlset" / "bin" / "urlset"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urlset "$@"\n')
    program.chmod(0o755)
    sitemap = tmp_path / "a sitemap $(touch owned).xml"
    sitemap.write_bytes((ROOT / "examples" / "faulty" / "sitemap.xml").read_bytes())
    (tmp_path / "urlset.toml").write_text(f'fail-on = "{configured}"\n')
    step = load(ACTION)["runs"]["steps"][1]
    environment = {
        **os.environ,
        "RUNNER_TEMP": str(tmp_path / "runner"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "TARGETS": f"{sitemap.name}\n\n",
        "FORMAT": "github",
        "FAIL_ON": fail_on,
        "SELECT": "",
        "IGNORE": "HNT",
        "OUTPUTS": "urlset.sarif\njunit:urlset.xml\n",
        "SUMMARY": "true",
    }
    assert set(step["env"]) <= set(environment)
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith("::error file=a sitemap $(touch owned).xml,title=")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"runner", sitemap.name, "urlset.toml", "summary.md", "urlset.sarif", "urlset.xml"}
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("**urlset:**")
