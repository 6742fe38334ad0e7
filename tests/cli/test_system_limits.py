"""What the system refuses (streams, memory, folders) and files without sense end a command with 2 or 3 and one line."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from tests.hostile_urls.hostile_site import ROOT

from urlset.cli.commands import NAMES
from urlset.cli.main import main

NOBODY = "http://127.0.0.1:1"
ARGUMENTS: dict[str, list[str]] = {
    "inspect": ["{folder}/sitemap.xml"],
    "validate": ["{folder}/sitemap.xml"],
    "discover": [NOBODY],
    "check": [NOBODY],
    "audit": ["{folder}/sitemap.xml", "--no-pages", "--store", "{folder}/more.duckdb"],
    "fix": ["{folder}/sitemap.xml", "--dry-run"],
    "diff": ["{folder}/sitemap.xml", "{folder}/other.xml"],
    "notify": ["{folder}/other.xml", "{folder}/sitemap.xml", "--dry-run", "--all", "--store", "{folder}/sent.duckdb"],
    "logs": ["{folder}/access.log", "--site", "https://example.com", "--store", "{folder}/logs.duckdb"],
    "deploy-check": ["--help"],
    "pages": ["{folder}/store.duckdb"],
    "history": ["{folder}/store.duckdb"],
    "lastmod": ["{folder}/store.duckdb"],
    "report": ["{folder}/store.duckdb", "-o", "-"],
    "coverage": ["--store", "{folder}/store.duckdb"],
    "build": ["{folder}/urls.txt", "--base-url", "https://example.com/", "-o", "{folder}/out", "--dry-run"],
    "sql": ["select * from urls", "{folder}/sitemap.xml"],
    "robots": ["{folder}/robots.txt"],
    "rules": [],
    "explain": ["LOC003"],
    "config": [],
    "cache": ["info"],
    "help": ["network"],
    "ignore": ["LOC003", "--reason", "r", "--until", "2999-01-01", "--baseline", "{folder}/known.json"],
    "monitor": ["{folder}/monitor.toml", "--print-timer"],
    "metrics": ["--help"],
    "prune": ["{folder}/store.duckdb", "--keep", "9"],
    "key": ["--help"],
    "skill": [],
    # Without it, these serve until they are stopped.
    "mcp": ["--help"],
    "serve": ["--help"],
}
"""Of every command a call that prints something."""

WITH_CONFIG = [
    name
    for name in NAMES
    if name
    not in (
        "deploy-check",
        "pages",
        "history",
        "report",
        "explain",
        "rules",
        "skill",
        "mcp",
        "key",
        "help",
        "monitor",
        "metrics",
        "prune",
        "serve",
    )
]
ZERO = Path("/dev/zero")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    for name, pages in (("sitemap", 3), ("other", 2)):
        urls = "".join(f"<url><loc>https://example.com/{page}</loc></url>" for page in range(pages))
        (folder / f"{name}.xml").write_text(f"<urlset {ROOT}>{urls}</urlset>", "utf-8")
    (folder / "urls.txt").write_text("https://example.com/a\n")
    (folder / "monitor.toml").write_text('store = "monitor.duckdb"\n[[site]]\nurl = "http://127.0.0.1:9"\n')
    request = '192.0.2.1 - - [10/Nov/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 1 "-" "Googlebot/2.1"'
    (folder / "access.log").write_text(f"{request}\n")
    (folder / "robots.txt").write_text("User-agent: *\nDisallow: /a\n")
    store = str(folder / "store.duckdb")
    assert main(["audit", str(folder / "sitemap.xml"), "--no-pages", "--store", store, "--format", "none"]) in (0, 1)
    with duckdb.connect(store) as connection:
        connection.execute(
            "INSERT INTO pages (run_id, document_id, ordinal, url) VALUES (1, 0, 0, 'https://a.example')"
        )
    return folder


def arguments(command: str, folder: Path) -> list[str]:
    return [command, *(one.replace("{folder}", str(folder)) for one in ARGUMENTS[command])]


def started(
    given: Sequence[str], before: Callable[[], object] | None = None, cwd: Path | None = None
) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "urlset", *given],
        preexec_fn=before, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
        timeout=120, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def _close_others() -> None:
    os.close(0)
    os.close(2)


def is_one_line(text: str) -> bool:
    return text.count("\n") == 1 and text.startswith("urlset: ") and "Traceback" not in text


def test_every_command_is_walked() -> None:
    assert set(ARGUMENTS) == set(NAMES)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", NAMES)
def test_closed_streams(command: str, files: Path, cli: Callable[..., Any]) -> None:
    given = arguments(command, files)
    usual, _, err = cli(*given)
    assert usual in (0, 1, 3), err
    code, _, err = started(given, lambda: os.close(1))
    last = err.splitlines()[-1] if err else ""
    assert (code, last) == (3, "urlset: output cannot be written: bad file descriptor")
    assert "Traceback" not in err
    assert started(given, _close_others)[0] == usual


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("command", "more"), [*((name, ()) for name in NAMES), ("validate", ("--help",)), ("sql", ("--help",))]
)
def test_a_closed_pipe(command: str, more: tuple[str, ...], files: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "urlset", *arguments(command, files), *more],
            stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(write)
    assert b"Traceback" not in done.stderr
    assert b"Broken pipe" not in done.stderr
    # What was found still counts where the command knows it by then.
    assert done.returncode in ((0,) if more else (0, 1, 3 if command in ("check", "discover") else 0))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", NAMES)
def test_a_working_directory_that_was_deleted(command: str, files: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()

    def delete() -> None:
        gone.rmdir()

    code, _, err = started(arguments(command, files), delete, gone)
    assert code in (0, 1, 2, 3), err
    assert "Traceback" not in err
    if code == 2 or (code == 3 and command not in ("check", "discover")):
        assert err == "urlset: the working directory no longer exists; change to another one\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("command", ["inspect", "validate", "sql", "audit", "check", "build"])
@pytest.mark.parametrize("megabytes", [300, 1000, 1300])
def test_little_address_space(command: str, megabytes: int, files: Path) -> None:
    most = megabytes * 1024 * 1024
    code, _, err = started(arguments(command, files), lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    assert code in (0, 1, 3), err
    assert "Traceback" not in err
    if code == 3 and command != "check":
        assert is_one_line(err), err
        assert err.startswith("urlset: not enough memory")
    assert megabytes > 1280 or code == 3


DEEP_TOML = "a = " + "[" * 5000 + "]" * 5000
DIGITS = "9" * 100_000
CONFIGS = {
    "deep": ("not valid TOML: nested too deeply", DEEP_TOML),
    "deep keys": ("", "[" + ".".join(["a"] * 5000) + "]\n"),
    "inline": ("not valid TOML", "a = " + "{a=" * 5000 + "1" + "}" * 5000),
    "digits": ("not valid TOML", f"timeout = {DIGITS}"),
    "digits that are allowed": ("", f"timeout = {DIGITS[:4000]}"),
    "large integer": ("", f"max-document-bytes = {'9' * 30}"),
    "infinite": ("", "timeout = inf"),
    "not a number": ("", "timeout = nan"),
    "binary": ("not valid TOML", "\0\1\2"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("command", WITH_CONFIG)
def test_configuration_files(
    command: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "it.toml"
    given = arguments(command, files)
    for name, (said, text) in CONFIGS.items():
        config.write_text(text, "utf-8")
        code = main([*given, "--config", str(config)])
        err = capsys.readouterr().err
        if command in ("config", "cache") and not said:
            assert code in (0, 2), f"{name}: {err}"
            continue
        assert code == 2, f"{name}: {err}"
        assert is_one_line(err), f"{name}: {err}"
        assert said in err
        assert len(err) < 1000


@pytest.mark.sampled(3)
@pytest.mark.skipif(not ZERO.exists(), reason="needs a device without an end")
@pytest.mark.parametrize(
    "given",
    [
        *(pytest.param([name, "--config", str(ZERO)], id=name) for name in WITH_CONFIG),
        pytest.param(["validate", "--baseline", str(ZERO)], id="baseline"),
        pytest.param(["validate", "--ca-bundle", str(ZERO), "http://127.0.0.1:1/a.xml"], id="certificates"),
        pytest.param(["check", "--from", str(ZERO)], id="origins"),
        pytest.param(["audit", "--inventory", str(ZERO)], id="inventory"),
        pytest.param(["build", "--robots", str(ZERO)], id="robots.txt of a build"),
        pytest.param(["inspect", str(ZERO)], id="sitemap"),
        pytest.param(["fix", str(ZERO), "--dry-run", "--max-document-bytes", "1000000"], id="sitemap to fix"),
        pytest.param(["fix", str(ZERO), "-o", "fixed.xml", "--max-document-bytes", "1000000"], id="sitemap to copy"),
        pytest.param(["robots", str(ZERO)], id="robots.txt"),
        pytest.param(["diff", str(ZERO), str(ZERO)], id="sides"),
        pytest.param(["history", str(ZERO)], id="store"),
    ],
)
def test_a_file_without_an_end(given: list[str], files: Path) -> None:
    most = 4 * 1024**3
    command, *more = given
    whole = [*arguments(command, files), *more] if more[0].startswith("--") else given
    code, _, err = started(whole, lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    assert code in ((2, 3) if "--" in more[0] else (0, 1, 2, 3)), err
    assert "Traceback" not in err
    assert "memory" not in err


def spelled(option: str, number: str) -> list[str]:
    """How a command line gives a number: to an option, or to a key."""
    return [*option.split(" ")[:-1], option.split(" ")[-1] + number] if option.endswith("=") else [option, number]


@pytest.mark.parametrize(
    "given",
    [
        ["inspect", "--set max-total-bytes="], ["inspect", "--concurrency"], ["inspect", "--retries"],
        ["inspect", "--max-depth"], ["inspect", "--max-documents"],
        ["validate", "--max-examples"], ["validate", "--max-warnings"],
        ["diff", "--ask-removed"], ["diff", "--max-examples"], ["sql", "--rows"], ["history", "--keep"],
        ["report", "--run"], ["audit", "--max-pages"], ["audit", "--set audit.max-page-bytes="],
    ],
)  # fmt: skip
def test_integers_of_the_command_line(given: list[str], files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in (2**53 + 1, 10**30, 10**4000):
        assert main([*arguments(given[0], files), *spelled(given[1], str(number))]) == 2
        err = capsys.readouterr().err
        assert "must be at most 9,007,199,254,740,992" in err
        assert "Traceback" not in err
    assert main([*arguments(given[0], files), *spelled(given[1], "9" * 5000)]) == 2


BASELINES = {
    "deep": "[" * 100_000 + "]" * 100_000,
    "deep entries": '{"version": 1, "entries": ' + '{"a":' * 50_000 + "1" + "}" * 50_000 + "}",
    "digits": f'{{"version": 1, "entries": [{{"code": "LOC001", "document": "a", "count": {DIGITS}}}]}}',
    "digits that are allowed": f'{{"version": {DIGITS[:4000]}, "entries": []}}',
    "not UTF-8": '{"version": 1, "entries": ["\udcff"]}',
}


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("command", ["validate", "audit"])
def test_baselines(command: str, name: str, files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    baseline = tmp_path / "baseline.json"
    baseline.write_bytes(BASELINES[name].encode("utf-8", "surrogateescape"))
    code = main([*arguments(command, files), "--baseline", str(baseline)])
    err = capsys.readouterr().err
    assert code == 2, err
    assert is_one_line(err), err
    assert len(err) < 1000


@pytest.mark.parametrize(
    "command",
    [["inspect"], ["validate"], ["fix", "--dry-run"], ["sql", "select loc from urls"]],
    ids=lambda command: command[0],
)
def test_a_named_pipe_is_read_once(tmp_path: Path, command: list[str]) -> None:
    pipe = tmp_path / "pipe.xml"
    os.mkfifo(pipe)
    declared = '<?xml version="1.0" encoding="UTF-8"?>'
    content = f"{declared}\n<urlset {ROOT}><url><loc>https://example.com/a</loc></url></urlset>"
    writer = subprocess.Popen(["/bin/sh", "-c", 'printf %s "$1" > "$0"', str(pipe), content])
    try:
        result = subprocess.run(
            [sys.executable, "-m", "urlset", *command, str(pipe)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        writer.kill()
        writer.wait()
    assert result.returncode == 0, result.stdout + result.stderr
    output = result.stdout + result.stderr
    assert "example.com/a" in output or re.search(r"\b1\b", output)
