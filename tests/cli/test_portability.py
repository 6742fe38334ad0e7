"""Commands work without POSIX modules, with Windows paths, and with CRLF, as far as Linux can show.

That no code uses a POSIX function is checked by `mypy --platform win32`, which `make check` runs.
"""

from __future__ import annotations

import json
import ntpath
import re
import runpy
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import Any, Self

import pytest
from tests.cli.test_imports import NEEDED, SITEMAP, folder, run

from urlset.cli.outputs import destinations
from urlset.repair.output_paths import _name_of
from urlset.report import locate
from urlset.sources.bare_hosts import url_of
from urlset.sources.targets import Source, SourceKind
from urlset.stages import baseline, ruleset

__all__ = ["folder"]

ROOT = Path(__file__).parents[2]

POSIX = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
"""Modules that Python on Windows does not have (https://docs.python.org/3/library/unix.html)."""

WITHOUT_POSIX = f"""
import shlex, sys
# These use POSIX modules on Linux, and others on Windows.
import asyncio, filelock, getpass, shutil, subprocess
for name in {POSIX}:
    sys.modules[name] = None
from urlset.cli.main import main
for line in sys.argv[1:]:
    print(f"\\n== {{line}}", file=sys.stderr)
    code = main(shlex.split(line))
    print("code", code, file=sys.stderr)
"""

SITE = ["discover {site}", "check {site}", "validate {site}/sitemap.xml", "audit {site} --store runs.duckdb"]


def failures(lines: list[str], folder: Path) -> list[str]:
    """Run command lines in one process without POSIX modules; return what did not work."""
    done = run(WITHOUT_POSIX, folder, *lines)
    _, *parts = done.stderr.split("\n== ")
    assert [part.partition("\n")[0] for part in parts] == lines, done.stderr
    return [part for part in parts if not re.search(r"^code [01]$", part, re.M) or "Error" in part]


@pytest.mark.long("slow cases")
def test_no_command_needs_posix(folder: Path) -> None:
    assert failures(list(NEEDED), folder) == []


@pytest.mark.long("slow cases")
def test_no_command_on_a_site_needs_posix(folder: Path) -> None:
    serving = runpy.run_path(str(ROOT / "examples" / "serve_site.py"))["serving"]
    with serving() as site:
        assert failures([line.format(site=site) for line in SITE], folder) == []


@pytest.mark.parametrize(
    "target",
    [
        r"C:\site\sitemap.xml",
        "C:/site/sitemap.xml",
        r"c:sitemap.xml",
        r"..\sitemap.xml",
        r"\\server\share\a.xml",
        r"example.com\sitemap.xml",
        r"C:\example.com",
        "D:",
    ],
)
def test_a_windows_path_is_a_file_rather_than_a_url(target: str) -> None:
    assert url_of(target) is None


NAME = r"C:\site\sitemap.xml"


@pytest.fixture
def windows_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with files whose names look like Windows paths, which Linux allows."""
    (tmp_path / NAME).write_text(SITEMAP)
    (tmp_path / r"C:\pages").mkdir()
    (tmp_path / r"C:\pages" / "index.html").write_text("<title>a</title><p>b</p>")
    (tmp_path / r"C:\list.txt").write_text("https://a.example/one\n")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code", "written"),
    [
        (["validate", NAME, "--output", r"C:\report.sarif"], 0, r"C:\report.sarif"),
        (["validate", NAME, "--output", r"junit:C:\report.xml"], 0, r"C:\report.xml"),
        (["validate", NAME, "--write-baseline", "--baseline", r"C:\known.json"], 0, r"C:\known.json"),
        (["inspect", NAME], 0, None),
        (["fix", NAME, "--output", r"C:\fixed.xml"], 0, r"C:\fixed.xml"),
        (["build", r"C:\pages", "--base-url", "https://a.example", "--out", r"C:\out"], 0, r"C:\out/sitemap.xml"),
        (["build", r"html:C:\pages", "--base-url", "https://a.example", "--out", r"C:\out"], 0, r"C:\out/sitemap.xml"),
        (["build", r"C:\list.txt", "--base-url", "https://a.example", "--out", r"C:\out"], 0, r"C:\out/sitemap.xml"),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else None,
)
def test_names_with_drives_and_backslashes(
    arguments: list[str],
    code: int,
    written: str | None,
    windows_names: Path,
    cli: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(windows_names)
    done = cli(*arguments)
    assert done.code == code, done.text
    assert written is None or (windows_names / written).is_file()


class WindowsPath(PureWindowsPath):
    """A Windows path with a working directory."""

    @classmethod
    def cwd(cls) -> Self:
        return cls(r"C:\site")


@pytest.mark.parametrize(
    ("document", "path", "uri"),
    [
        (r"maps\a b.xml", "maps/a b.xml", ("maps/a%20b.xml", True)),
        (r"C:\site\maps\a.xml", "maps/a.xml", ("maps/a.xml", True)),
        (r"c:\SITE\a.xml", "a.xml", ("a.xml", True)),
        (r"C:\other\a.xml", "C:/other/a.xml", ("file:///C:/other/a.xml", False)),
        (r"D:\a#1.xml", "D:/a#1.xml", ("file:///D:/a%231.xml", False)),
    ],
)
def test_reports_name_windows_paths_with_slashes(
    document: str, path: str, uri: tuple[str, bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locate, "Path", WindowsPath)
    monkeypatch.setattr(locate, "os", SimpleNamespace(path=ntpath))
    assert locate.relative_path(document) == path
    assert locate.artifact_uri(document) == uri


@pytest.mark.parametrize(
    ("document", "glob"),
    [(r"C:\site\archive\a.xml", "archive/*"), (r"D:\maps\a.xml", "D:/maps/*"), (r"C:\site\archive\a.xml", "a.xml")],
)
def test_globs_of_documents_match_windows_paths(document: str, glob: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ruleset, "Path", WindowsPath)
    monkeypatch.setattr(ruleset, "relpath", ntpath.relpath)
    assert ruleset._ignored_in(document, {glob: ("MOD",)}, WindowsPath.cwd()) == ("MOD",)  # type: ignore[arg-type]


def test_a_baseline_names_windows_paths_with_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Resolved(WindowsPath):
        def resolve(self) -> Self:
            return self

    monkeypatch.setattr(baseline, "Path", Resolved)
    monkeypatch.setattr(baseline, "relpath", ntpath.relpath)
    documents = [r"C:\site\maps\a.xml", r"D:\a.xml", "https://a.example/a.xml"]
    name = baseline.names_from(Resolved(r"C:\site\known.json"), documents.__getitem__)  # type: ignore[arg-type]
    assert [name(0), name(1), name(2)] == ["maps/a.xml", "D:/a.xml", "https://a.example/a.xml"]


@pytest.mark.parametrize("last", ["C:a.xml", "C%3Aa.xml", "a.xml:stream", "..%5Ca.xml", "C:%5Ca.xml", ".."])
def test_a_url_does_not_choose_where_its_fixed_copy_is_written(last: str) -> None:
    url = f"https://a.example/{last}"
    assert _name_of(Source(SourceKind.URL, url, url)) == Path("sitemap.xml")


def test_outputs_keep_drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [(str(each.path), each.form) for each in destinations([r"C:\a.json", r"csv:D:\b.txt"])] == [
        (r"C:\a.json", "json"),
        (r"D:\b.txt", "csv"),
    ]


LINES = {
    "sitemap.xml": SITEMAP.replace("><", ">\n<").replace("</loc>", "?a=&lt;</loc>"),
    "sitemap.txt": "https://a.example/one\nhttps://a.example/two\n",
    "robots.txt": "User-agent: *\nDisallow: /x\nAllow: /x/y\n\nSitemap: https://a.example/sitemap.xml\n",
    "list.csv": "loc,lastmod\nhttps://a.example/one,2026-01-02\nhttps://a.example/two,2026-01-03\n",
    "list.txt": "https://a.example/one\nhttps://a.example/two\n",
    "list.jsonl": '{"loc": "https://a.example/one"}\n{"loc": "https://a.example/two"}\n',
    "urlset.toml": 'ignore = ["HNT"]\n\n[severity]\nLOC001 = "info"\n',
    "known.json": json.dumps({"version": 1, "entries": []}, indent=1),
    "pages/index.html": '<html lang="en">\n<title>a</title>\n<meta\n  name="robots" content="noindex">\n</html>\n',
    "pages/about.html": '<title>b</title>\n<link rel="canonical"\n  href="/about.html">\n<p>b</p>\n',
    "pages/robots.txt": "User-agent: *\nDisallow: /x\n",
}
"""Text files that urlset reads, with LF."""

OUT = ["--base-url", "https://a.example", "--out", "-"]
READERS = [
    ["validate", "sitemap.xml", "--format", "csv", "--baseline", "known.json", "--fail-on", "never"],
    ["validate", "sitemap.txt", "--format", "csv", "--fail-on", "never"],
    ["sql", "SELECT loc FROM urls", "sitemap.xml", "--format", "csv"],
    ["robots", "robots.txt", "/x", "/x/y", "/z"],
    ["build", "list.csv", *OUT],
    ["build", "list.txt", *OUT],
    ["build", "list.jsonl", *OUT],
    ["build", "pages", *OUT],
    ["config"],
]


@pytest.mark.parametrize("arguments", READERS, ids=lambda arguments: " ".join(arguments[:2]))
def test_crlf_reads_like_lf(
    arguments: list[str], tmp_path: Path, cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    outputs = []
    for name, end in (("unix", b"\n"), ("crlf", b"\r\n")):
        for file, text in LINES.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode().replace(b"\n", end))
        (tmp_path / name / ".git").mkdir()
        monkeypatch.chdir(tmp_path / name)
        done = cli(*arguments)
        assert done.code in (0, 1), done.err
        shown = re.sub(r"\d+ bytes", "N bytes", done.out).replace(f"{name}/", "")
        outputs.append((done.code, shown))
    assert outputs[0] == outputs[1]
    assert outputs[0][1]
