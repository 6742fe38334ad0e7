"""The files by which others run urlset in CI: valid YAML, options that exist, and a script that does what it says."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pip
import pytest
import yaml
from packaging.requirements import Requirement
from tests.hosting.folders import page, write
from tests.hosting.test_audit import BASE, small_site

import release
import urlset
from urlset.cli.main import app, main
from urlset.cli.outputs import destinations
from urlset.options import FailOn
from urlset.report.formats import Form
from urlset.rules.registry import rule_templates

ROOT = Path(__file__).parent.parent
ACTION = ROOT / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
WORKFLOW = ROOT / "examples" / "ci" / "github-workflow.yml"
PULL_REQUEST = ROOT / "examples" / "ci" / "github-pull-request.yml"
DEPLOY = ROOT / "examples" / "ci" / "github-deploy.yml"
COMMENT = ROOT / "examples" / "ci" / "github-comment.yml"
GITLAB = ROOT / "examples" / "ci" / "gitlab-ci.yml"
PRE_COMMIT = ROOT / "examples" / "ci" / "pre-commit-config.yaml"
HOW_TO = ROOT / "docs" / "how-to" / "ci.md"


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


VALUES: dict[str, set[str]] = {
    "--format": {form.value for form in Form},
    "--fail-on": {severity.value for severity in FailOn},
}


def options_of(name: str) -> set[str]:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    return {name for option in command.params for name in option.opts}


def check(arguments: list[str], command: str = "validate") -> None:
    """Options exist, and their values are values they take; the names of variables stand for any."""
    options = options_of(command)
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


def step_of_action(name: str) -> Any:
    (step,) = [step for step in load(ACTION)["runs"]["steps"] if step["name"] == name]
    return step


def test_the_action_is_composite_and_runs_no_input_as_text() -> None:
    action = load(ACTION)
    assert action["runs"]["using"] == "composite"
    steps = action["runs"]["steps"]
    assert [("uses" in step) != (step.get("shell") == "bash") for step in steps] == [True] * len(steps)
    assert [step["name"] for step in steps if "${{" in step.get("run", "")] == []
    used = set(re.findall(r"inputs\.([\w-]+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(action["inputs"])
    arguments = _words(step_of_action("Run urlset")["run"])
    ours = {word for word in arguments if word.startswith("--")}
    assert ours >= {"--format", "--fail-on", "--select", "--ignore", "--output", "--base-url", "--host", "--new-only"}
    check([word for word in arguments if word not in ("--base-url", "--host", "--new-only")])
    assert ours - {"--format", "--output", "--baseline"} <= options_of("diff")
    assert ours - {"--new-only"} <= options_of("audit")


def test_the_page_on_ci_has_all_inputs_of_the_action() -> None:
    page = HOW_TO.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (?:`(.*)`)? ?\| (.*) \|$", page.partition("These are all inputs.")[2], re.M)
    inputs = {name: (str(given["default"]), given["description"]) for name, given in load(ACTION)["inputs"].items()}
    assert {name: (default, what) for name, default, what in rows[: len(inputs)]} == inputs


def test_the_page_on_ci_names_the_rules_that_find_more_with_time() -> None:
    (sentence,) = re.findall(r"with the current time: (.*?) report what", HOW_TO.read_text(encoding="utf-8"), re.S)
    ages = {
        rule.code
        for rule in rule_templates()
        if re.search(r"< *\$now", getattr(rule, "where", "") or getattr(rule, "query", ""))
    }
    assert set(re.findall(r"[A-Z]{3}\d{3}", sentence)) == ages


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
    upload = step_of_action("Upload findings to code scanning")
    assert upload["if"].startswith("always() && inputs.sarif != ''")
    assert upload["with"]["sarif_file"] == "${{ inputs.sarif }}"


def test_the_comment_is_written_after_new_findings_too_and_needs_no_installation() -> None:
    names = ["Keep the comment as an artifact", "Comment on the pull request"]
    assert [step_of_action(name)["if"].startswith("always() && ") for name in names] == [True, True]
    kept, found = step_of_action(names[0])["with"], step_of_action("Get the comment of the earlier workflow")["with"]
    assert kept["name"] == found["name"]
    assert kept["path"] == "${{ runner.temp }}/urlset-comment.md"
    # The artifact is untrusted: in a directory of its own, it cannot replace the event or what is installed.
    assert found["path"] == "${{ runner.temp }}/urlset-artifact"
    assert '"$RUNNER_TEMP/urlset-artifact/urlset-comment.md"' in step_of_action(names[1])["run"]
    for step in load(ACTION)["runs"]["steps"]:
        installs = "urlset" in step.get("run", "") and "comment.py" not in step["run"]
        assert not installs or "inputs.command != 'comment'" in step["if"]


def _words(script: str) -> list[str]:
    """The words of the arrays of arguments in a script of bash."""
    return [word for array in re.findall(r"arguments\+?=\(([^)]*)\)", script) for word in shlex.split(array)]


@pytest.mark.parametrize(
    ("path", "job", "permissions"),
    [
        (WORKFLOW, "validate", {"contents": "read", "security-events": "write"}),
        (PULL_REQUEST, "urls", {"contents": "read", "pull-requests": "write"}),
        (COMMENT, "comment", {"actions": "read", "pull-requests": "write"}),
        (DEPLOY, "deploy", {"contents": "read"}),
    ],
)
def test_the_example_workflows_use_inputs_that_exist(path: Path, job: str, permissions: dict[str, str]) -> None:
    workflow = load(path)
    steps = workflow["jobs"][job]["steps"]
    *_, step = [step for step in steps if step.get("uses", "").startswith("OWNER/urlset@")]
    inputs = load(ACTION)["inputs"]
    assert set(step["with"]) <= set(inputs)
    assert {name for name, given in inputs.items() if given.get("required")} <= set(step["with"])
    assert workflow["permissions"] == permissions
    assert step["with"].get("sarif", "a.sarif").endswith(".sarif")


def test_the_workflow_for_forks_runs_nothing_of_the_pull_request() -> None:
    workflow = load(COMMENT)
    # PyYAML reads the key `on` as true.
    assert workflow[True]["workflow_run"]["workflows"] == [load(PULL_REQUEST)["name"]]
    assert [set(step) for step in workflow["jobs"]["comment"]["steps"]] == [{"uses", "with"}]
    assert "pull_request_target" not in COMMENT.read_text(encoding="utf-8") + PULL_REQUEST.read_text(encoding="utf-8")


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
    commands = re.findall(r"^ +urlset (validate|diff) (.+)$", HOW_TO.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) >= 3
    for command, arguments in commands:
        if command == "validate":
            check(shlex.split(arguments, comments=True))
        else:
            assert {word for word in shlex.split(arguments) if word[:2] == "--"} <= options_of(command)


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


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a `python3` that copies a ready environment for `-m venv`, which takes long to install pip."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder / "ready", symlinks=True)
    (packages,) = (folder / "ready").glob("lib/python*/site-packages")
    shutil.copytree(Path(pip.__file__).parent, packages / "pip")
    program = folder / "python3"
    program.write_text(
        f'#!/bin/sh -e\n[ "$1 $2 $3 $#" = "-I -m venv 4" ]\nexec cp -R {shlex.quote(str(folder))}/ready "$4"\n'
    )
    program.chmod(0o755)
    return folder


def install_action(folder: Path, python: Path, install: str = "") -> subprocess.CompletedProcess[str]:
    """Run the installation of the action as a runner does, with packages from a folder."""
    step = step_of_action("Install urlset")
    assert step["env"] == {"INSTALL": "${{ inputs.install }}", "PYTHONSAFEPATH": "1"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    environment |= {"RUNNER_TEMP": str(folder), "INSTALL": install, "PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1"}
    environment["PYTHONSAFEPATH"] = step["env"]["PYTHONSAFEPATH"]
    environment |= {"PIP_FIND_LINKS": str(folder), "PATH": f"{python}:{os.environ['PATH']}"}
    environment |= {"GITHUB_ACTION_PATH": str(folder / "action")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.long("the action for GitHub")
@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
def test_the_action_builds_its_own_revision_once(tmp_path: Path, python: Path) -> None:
    """With a build backend in the folder that copies a wheel, since the real one compiles for minutes."""
    a_wheel(tmp_path)
    source = tmp_path / "action"
    source.mkdir()
    (source / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n')
    (source / "b.py").write_text(
        "import pathlib, shutil\n\n\ndef build_wheel(directory, *_):\n"
        "    (wheel,) = pathlib.Path(__file__).parent.parent.glob('*.whl')\n"
        "    shutil.copy(wheel, directory)\n    return wheel.name\n"
    )
    done = install_action(tmp_path, python)
    assert done.returncode == 0, done.stderr
    assert subprocess.check_output([tmp_path / "urlset" / "bin" / "urlset"], text=True) == "installed\n"
    # The next job restores the wheel from the cache.
    (source / "b.py").unlink()
    shutil.rmtree(tmp_path / "urlset")
    done = install_action(tmp_path, python)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "urlset" / "bin" / "urlset").is_file()


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
def test_the_cached_wheel_is_that_of_the_revision(tmp_path: Path) -> None:
    keys = []
    for text in ("1", "1", "2"):
        for name in ("core/src/lib.rs", "src/urlset/a.py", "scripts/backend.py", "pyproject.toml"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        output = tmp_path / "output"
        output.write_text("")
        environment = os.environ | {"GITHUB_ACTION_PATH": str(tmp_path), "GITHUB_OUTPUT": str(output)}
        script = step_of_action("Identify the revision of this action")["run"]
        subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], env=environment, check=True)
        keys.append(output.read_text())
    assert keys[0] == keys[1] != keys[2]
    assert re.fullmatch(r"key=[0-9a-f]{64}\n", keys[0])


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.long("the action for GitHub")
@pytest.mark.parametrize("install", ["{folder}/{wheel}", "urlset @ file://{folder}/{wheel}", "urlset==0.1.0"])
def test_the_action_installs_urlset_below_the_folder_of_the_runner(install: str, tmp_path: Path, python: Path) -> None:
    a_wheel(tmp_path)
    done = install_action(tmp_path, python, install.format(folder=tmp_path, wheel=WHEEL))
    assert done.returncode == 0, done.stderr
    assert subprocess.check_output([tmp_path / "urlset" / "bin" / "urlset"], text=True) == "installed\n"


@pytest.mark.long("the action for GitHub")
@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
def test_the_action_builds_no_package_of_an_index_from_source(tmp_path: Path, python: Path) -> None:
    with tarfile.open(tmp_path / "urlset-0.1.0.tar.gz", "w:gz"):
        pass
    done = install_action(tmp_path, python, "urlset==0.1.0")
    assert done.returncode == 1
    assert "No matching distribution found for urlset==0.1.0" in done.stderr


THIS_CHECKOUT = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m urlset "$@"\n'


def run_action(
    folder: Path, inputs: dict[str, str], script: str = THIS_CHECKOUT, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run urlset in the action as a runner does, with a script in place of an installed wheel."""
    program = folder / "runner" / "urlset" / "bin" / "urlset"
    program.parent.mkdir(parents=True)
    program.write_text(script)
    program.chmod(0o755)
    action = load(ACTION)
    step = step_of_action("Run urlset")
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
        **more,
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
def test_the_action_counts_nothing_that_is_in_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sitemap.xml").write_bytes((ROOT / "examples" / "faulty" / "sitemap.xml").read_bytes())
    assert main(["validate", "sitemap.xml", "--baseline", "known.json", "--write-baseline", "--no-config"]) == 0
    done = run_action(tmp_path, {"targets": "sitemap.xml", "baseline": "known.json"})
    assert done.returncode == 0, done.stdout + done.stderr


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
        ({"command": "audit; touch owned", "targets": "x"}, "must be validate, audit, check, diff, deploy, or comment"),
        ({"command": "check", "targets": "x", "sarif": "a.sarif"}, "inputs of the commands validate and audit"),
        ({"command": "check", "targets": "x", "select": "PGE"}, "not inputs of the command check"),
        ({"command": "diff", "targets": "x", "outputs": "a.csv"}, "inputs of the commands validate and audit"),
        (
            {"command": "diff", "targets": "x", "baseline": "b.json"},
            "baseline is an input of the commands validate and",
        ),
        ({"command": "diff", "targets": "x"}, "needs the inputs before and targets"),
        ({"command": "diff", "targets": "x\ny", "before": "z"}, "needs the inputs before and targets"),
        ({"command": "validate", "targets": "x", "before": "z"}, "is an input of the command diff"),
        ({"command": "validate", "targets": "x", "host": "netlify"}, "inputs of the commands audit and diff"),
        ({"command": "validate"}, "targets is empty"),
        ({"command": "audit", "targets": "x", "key-file": "k.txt"}, "inputs of the command deploy"),
        ({"command": "deploy", "targets": "dist"}, "needs the inputs targets, a directory, and url"),
        (
            {"command": "deploy", "targets": "dist", "url": "https://a.test", "key-file": "k.txt"},
            "needs the input store",
        ),
    ],
)
def test_the_action_refuses_what_it_cannot_do(inputs: dict[str, str], words: str, tmp_path: Path) -> None:
    done = run_action(tmp_path, inputs)
    assert done.returncode == 2
    assert done.stdout.startswith("::error::")
    assert words in done.stdout
    assert not (tmp_path / "owned").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.sampled(2)
@pytest.mark.parametrize(("inputs", "code"), [({}, 0), ({"fail-on": "warning"}, 0), ({"new-only": "false"}, 1)])
def test_the_action_fails_on_new_findings_only(inputs: dict[str, str], code: int, tmp_path: Path) -> None:
    """Most URLs were removed, which is an alarm, and what was wrong before is still wrong."""
    listed = ["/", "/a/", "/b/", "/gone/"]
    write(tmp_path / "base", small_site(*listed) | {"b/index.html": page(f"{BASE}/b/")})
    write(tmp_path / "dist", small_site("/", "/gone/"))
    given = {"command": "diff", "before": "base", "targets": "dist", "select": "PGE"}
    done = run_action(tmp_path, given | inputs)
    assert done.returncode == code, done.stdout + done.stderr
    comment = (tmp_path / "runner" / "urlset-comment.md").read_text(encoding="utf-8")
    assert comment.startswith("**urlset:** 2 URLs removed")
    assert (tmp_path / "summary.md").read_text(encoding="utf-8") == comment == done.stdout


CALLS = """#!/bin/sh
echo "$@" >> calls
case "$1" in audit) touch "$3" ;; esac
[ "$1" != "$FAILS" ]
"""
CHECKED = "deploy-check --format github --wait 120"
SUMMARY = "--output markdown:{folder}/summary.md -- dist https://a.test/"
AUDITED = "audit --store s.duckdb --base-url https://a.test/ --fail-on never -- dist"
DEPLOYMENTS = {
    "the first one, of which search engines know nothing": ("", "", [f"{CHECKED} {SUMMARY}", AUDITED]),
    "the next one": (
        "s.duckdb",
        "",
        [f"{CHECKED} --store s.duckdb {SUMMARY}", AUDITED, "notify --from s.duckdb --key-file dist/KEY.txt"],
    ),
    "one that is not served": ("s.duckdb", "deploy-check", [f"{CHECKED} --store s.duckdb {SUMMARY}"]),
}


@pytest.mark.skipif(sys.platform == "win32", reason="the action runs on Linux and macOS")
@pytest.mark.parametrize("name", DEPLOYMENTS)
def test_the_action_checks_a_deployment_and_then_notifies(name: str, tmp_path: Path) -> None:
    store, fails, calls = DEPLOYMENTS[name]
    if store:
        (tmp_path / store).touch()
    inputs = {"command": "deploy", "targets": "dist", "url": "https://a.test/", "store": "s.duckdb"}
    done = run_action(tmp_path, inputs | {"key-file": "dist/KEY.txt"}, CALLS, FAILS=fails)
    assert done.returncode == bool(fails), done.stdout + done.stderr
    called = (tmp_path / "calls").read_text(encoding="utf-8").splitlines()
    assert called == [call.format(folder=tmp_path) for call in calls]
    for call in called:
        command, *words = call.split()
        assert {word for word in words if word.startswith("--") and word != "--"} <= options_of(command)
