"""The files by which others run urlset in CI: valid YAML, options that exist, and a script that does what it says."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from packaging.requirements import Requirement

import release
import urlset
from urlset.cli.main import app
from urlset.cli.outputs import destinations
from urlset.options import FailOn
from urlset.report.formats import Form

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
    "--format": {form.value for form in Form},
    "--fail-on": {severity.value for severity in FailOn},
}


def options_of_validate() -> set[str]:
    command = app.get_command(click.Context(app), "validate")
    assert command is not None
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


def test_the_example_of_pre_commit_is_the_hook_with_urlset_as_its_dependency() -> None:
    (hook,) = load(PRE_COMMIT)["repos"][0]["hooks"]
    (published,) = load(HOOKS)
    shared = ("id", "name", "entry", "language", "files", "require_serial")
    assert {name: hook[name] for name in shared} == {name: published[name] for name in shared}
    assert hook["additional_dependencies"] == [release.requirement(urlset.__version__)]
    check(hook["args"])


def test_the_action_is_composite_and_runs_no_input_as_text() -> None:
    action = load(ACTION)
    assert action["runs"]["using"] == "composite"
    assert [step.get("shell", "bash") for step in action["runs"]["steps"]] == ["bash"] * 3
    assert [step["name"] for step in action["runs"]["steps"] if "${{" in step.get("run", "")] == []
    used = set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    arguments = _words(action["runs"]["steps"][1]["run"])
    assert {"--format", "--fail-on", "--select", "--ignore", "--output"} == {a for a in arguments if a[:2] == "--"}
    check(arguments)


def test_every_file_installs_the_present_version_from_where_it_is() -> None:
    wanted = release.requirement(urlset.__version__)
    parsed = Requirement(wanted)
    assert bool(parsed.url) is not release.ON_INDEX
    for path in release.REQUIRING:
        text = (ROOT / path).read_text(encoding="utf-8")
        assert wanted in text, path
        if not release.ON_INDEX:
            assert "urlset==" not in text, path


def test_the_gitlab_job_installs_what_the_other_files_do() -> None:
    (line,) = load(GITLAB)["sitemaps"]["before_script"]
    assert shlex.split(line)[-1] == release.requirement(urlset.__version__)


def test_the_extras_are_all_described() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    described = re.findall(r"^\| `(\w+)` \|", (HOW_TO.parent / "install.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert set(extras) <= set(described)


def test_the_action_uploads_sarif_after_findings_too() -> None:
    upload = load(ACTION)["runs"]["steps"][2]
    assert upload["if"].startswith("always() && inputs.sarif != ''")
    assert upload["with"]["sarif_file"] == "${{ inputs.sarif }}"


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
    assert step["with"]["sarif"].endswith(".sarif")


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


WHEEL = "urlset-0.1.0-py3-none-any.whl"


def a_wheel(folder: Path, name: str = WHEEL) -> None:
    """Write a wheel whose command prints a line."""
    info = "urlset-0.1.0.dist-info"
    with zipfile.ZipFile(folder / name, "w") as archive:
        archive.writestr("sample.py", "def run():\n    print('installed')\n")
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: urlset\nVersion: 0.1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/entry_points.txt", "[console_scripts]\nurlset = sample:run\n")
        archive.writestr(f"{info}/RECORD", "")


def install_action(folder: Path, install: str) -> subprocess.CompletedProcess[str]:
    """Run the first step of the action as a runner does, with packages from a folder."""
    step = load(ACTION)["runs"]["steps"][0]
    assert step["env"] == {"INSTALL": "${{ inputs.install }}"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    environment |= {"RUNNER_TEMP": str(folder), "INSTALL": install, "PIP_NO_INDEX": "1"}
    environment |= {"GITHUB_ACTION_PATH": str(folder / WHEEL)}
    environment |= {"PIP_FIND_LINKS": str(folder), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.sampled(2)
@pytest.mark.parametrize("install", ["", "{folder}/{wheel}", "urlset @ file://{folder}/{wheel}", "urlset==0.1.0"])
def test_the_action_installs_urlset_below_the_folder_of_the_runner(install: str, tmp_path: Path) -> None:
    a_wheel(tmp_path)
    done = install_action(tmp_path, install.format(folder=tmp_path, wheel=WHEEL))
    assert done.returncode == 0, done.stderr
    assert subprocess.check_output([tmp_path / "urlset" / "bin" / "urlset"], text=True) == "installed\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
def test_the_action_builds_no_package_of_an_index_from_source(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "urlset-0.1.0.tar.gz", "w:gz"):
        pass
    done = install_action(tmp_path, "urlset==0.1.0")
    assert done.returncode == 1
    assert "No matching distribution found for urlset==0.1.0" in done.stderr


def run_action(folder: Path, inputs: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run the second step of the action as a runner does, with this checkout in place of an installed wheel."""
    program = folder / "runner" / "urlset" / "bin" / "urlset"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urlset "$@"\n')
    program.chmod(0o755)
    action = load(ACTION)
    step = action["runs"]["steps"][1]
    variables = {
        variable: inputs.pop(expression[len("${{ inputs.") : -len(" }}")], None)
        for variable, expression in step["env"].items()
    }
    assert not inputs, "inputs that the action does not have"
    defaults = {
        variable: action["inputs"][expression[len("${{ inputs.") : -len(" }}")]].get("default", "")
        for variable, expression in step["env"].items()
    }
    environment = {
        **os.environ,
        "RUNNER_TEMP": str(folder / "runner"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        **{name: value if value is not None else defaults[name] for name, value in variables.items()},
    }
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fail_on", "configured", "code"),
    [("error", "never", 1), ("never", "error", 0), ("", "error", 1), ("", "never", 0)],
)
def test_the_script_of_the_action(fail_on: str, configured: str, code: int, tmp_path: Path) -> None:
    sitemap = tmp_path / "a sitemap $(touch owned).xml"
    sitemap.write_bytes((ROOT / "examples" / "faulty" / "sitemap.xml").read_bytes())
    (tmp_path / "urlset.toml").write_text(f'fail-on = "{configured}"\n')
    inputs = {
        "targets": f"{sitemap.name}\n\n",
        "fail-on": fail_on,
        "ignore": "HNT",
        "sarif": "urlset.sarif",
        "outputs": "junit:urlset.xml\n",
    }
    done = run_action(tmp_path, inputs)
    assert done.returncode == code, done.stderr
    assert done.stdout.startswith("::error file=a sitemap $(touch owned).xml,title=")
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"runner", sitemap.name, "urlset.toml", "summary.md", "urlset.sarif", "urlset.xml"}
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").startswith("**urlset:**")


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
def test_the_action_scores_a_site(tmp_path: Path) -> None:
    serving = runpy.run_path(str(ROOT / "examples" / "serve_site.py"))["serving"]
    with serving() as site:
        done = run_action(tmp_path, {"command": "check", "targets": site})
    assert done.returncode == 0, done.stderr
    assert site in done.stdout
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"command": "audit; touch owned", "targets": "x"}, "must be validate or check"),
        ({"command": "check", "targets": "x", "sarif": "a.sarif"}, "inputs of the command validate"),
    ],
)
def test_the_action_refuses_what_it_cannot_do(inputs: dict[str, str], words: str, tmp_path: Path) -> None:
    done = run_action(tmp_path, inputs)
    assert done.returncode == 2
    assert done.stdout.startswith("::error::")
    assert words in done.stdout
    assert not (tmp_path / "owned").exists()
