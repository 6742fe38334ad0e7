"""`build --check --links`: the links of built directories, without network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from urlset.cli.main import main
from urlset.errors import ExitCode
from urlset.report.json_schema import schema as schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE = "https://example.com/"


def page(*links: str, head: str = "", text: str = "Some text of the page.") -> str:
    anchors = "".join(link if link.startswith("<") else f'<a href="{link}">link</a>' for link in links)
    main = f"<main id=part>{text}{anchors}</main>"
    return f"<!doctype html><html><head><title>A page</title>{head}</head><body>{main}</body></html>"


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


GOOD = {
    "index.html": page(
        "/a.html", "b/", "/sitemap.xml", "/files/list.pdf", "https://other.example/x", "mailto:me@x.org"
    ),
    "a.html": page("/", "/b/index.html", "#top", "?sort=price", "/b"),
    "b/index.html": page("../a.html", "https://example.com/a.html#part"),
    "404.html": page("/"),
    "files/list.pdf": "%PDF",
}


def check(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main([
        "build", str(folder), "--base-url", BASE, "-o", str(folder), "--check", "--links", "--no-config",
        "--format", "json", *more,
    ])  # fmt: skip
    values = json.loads(capsys.readouterr().out)
    Draft202012Validator(schema_of("build")).validate(values)
    return code, values


def found(values: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (finding["code"], example["value"])
        for finding in values["links"]["report"]["findings"]
        for example in finding["examples"]
    }


def published(folder: Path, *more: str) -> None:
    """Publishes, so that --check only fails for links."""
    assert main(["build", str(folder), "--base-url", BASE, "-o", str(folder), "--no-config", *more]) == 0


def test_a_site_without_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "public", GOOD)
    # On the first build, the link to the sitemap leads to a file that does not exist yet.
    code, values = check(folder, capsys)
    assert (code, found(values)) == (ExitCode.FINDINGS, set())
    published(folder)
    code, values = check(folder, capsys)
    assert (code, found(values), values["problems"]) == (ExitCode.CLEAN, set(), [])
    assert values["links"]["counts"]["basis"] == "crawl"
    assert values["links"]["counts"]["pages"] >= 3


NOFOLLOW = '<a rel="nofollow" href="/c.html">c</a>'
ROBOTS = "User-agent: *\nDisallow: /secret/\n"
FAULTS = [
    ({"a.html": page("/", "/gone.html", "/b/index.html")}, "LNK005", f"{BASE}gone.html"),
    ({"a.html": page("/", "/files/missing.pdf", "/b/")}, "LNK005", f"{BASE}files/missing.pdf"),
    ({"a.html": page("/", "/b/", "/files/")}, "LNK005", f"{BASE}files/"),
    ({"orphan.html": page("/")}, "LNK002", f"{BASE}orphan.html"),
    ({"c.html": page("/"), "a.html": page("/", "/b/", NOFOLLOW)}, "LNK004", f"{BASE}c.html"),
    (
        {"c.html": page("/", head='<meta name="robots" content="noindex">'), "a.html": page("/", "/b/", "/c.html")},
        "LNK007",
        f"{BASE}c.html",
    ),
    ({"a.html": page("/", "/b/", "/secret/x.html"), "robots.txt": ROBOTS}, "LNK008", f"{BASE}secret/x.html"),
    ({"a.html": page("/", "/b/", "http://example.com/a.html")}, "LNK010", "http://example.com/a.html"),
    ({"a.html": page("/", "/b/", "/../../etc/passwd")}, "LNK005", f"{BASE}etc/passwd"),
]  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("files", "code", "url"), FAULTS, ids=[f"{one[1]}-{number}" for number, one in enumerate(FAULTS)]
)
def test_each_fault_is_found_once_and_nothing_else(
    tmp_path: Path, files: dict[str, str], code: str, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "public", GOOD | files)
    published(folder)
    status, values = check(folder, capsys)
    assert found(values) == {(code, url)}
    [finding] = values["links"]["report"]["findings"]
    assert finding["count"] == 1
    assert status == (ExitCode.CLEAN if finding["severity"] == "info" else ExitCode.FINDINGS)
    assert finding["document"] == f"{folder}/sitemap.xml"


def test_a_page_that_is_excluded_from_the_sitemap_but_linked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    canonical = f'<link rel="canonical" href="{BASE}old/c.html">'
    write(
        tmp_path / "public", GOOD | {"old/c.html": page("/", head=canonical), "a.html": page("/", "/b/", "/old/c.html")}
    )
    (tmp_path / "urlset.toml").write_text(
        f'[build]\nbase-url = "{BASE}"\nout = "public"\n[[build.source]]\nhtml = "public"\nexclude = ["old/"]\n'
    )
    arguments = ["build", "--config", str(tmp_path / "urlset.toml"), "--format", "json"]
    assert main([*arguments]) == ExitCode.CLEAN
    capsys.readouterr()
    assert main([*arguments, "--check", "--links"]) == ExitCode.FINDINGS
    values = json.loads(capsys.readouterr().out)
    assert found(values) == {("LNK003", f"{BASE}old/c.html")}
    assert values["problems"] == ["links: 1 warning"]


def test_urls_of_other_sources_are_not_guessed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "public", GOOD | {"a.html": page("/", "/b/", "/shop/1"), "orphan.html": page()})
    (tmp_path / "urls.txt").write_text(f"{BASE}shop/1\n{BASE}shop/2\n")
    arguments = [
        "build", str(folder), str(tmp_path / "urls.txt"), "--base-url", BASE, "-o", str(folder), "--no-config",
    ]  # fmt: skip
    assert main(arguments) == ExitCode.CLEAN
    capsys.readouterr()
    # What a list knows has no file here: neither broken, nor a reason to call another page an orphan.
    assert main([*arguments, "--check", "--links", "--format", "json"]) == ExitCode.CLEAN
    values = json.loads(capsys.readouterr().out)
    assert (found(values), values["links"]["unread"], values["links"]["counts"]["basis"]) == (set(), 2, None)
    assert main([*arguments, "--check", "--links"]) == ExitCode.CLEAN
    text = capsys.readouterr().out
    assert "2 listed URLs have no readable file in a directory: links unknown" in text
    assert "cannot tell which pages no page links to" in text


def test_text_says_that_the_file_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path / "public", GOOD | {"a.html": page("/", "/b/", "/gone.html")})
    arguments = ["build", str(folder), "--base-url", BASE, "-o", str(folder), "--no-config", "--check", "--links"]
    assert main(arguments) == ExitCode.FINDINGS
    text = capsys.readouterr().out
    assert f"{BASE}a.html links to {BASE}gone.html, which has no file" in text
    assert "problem: links: 1 warning" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}", "--links"], "--links needs --check"),
        (["{folder}/urls.txt", "--links", "--check"], "--links needs a directory of HTML among the sources"),
    ],
)
def test_usage(tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"index.html": page(), "urls.txt": BASE})
    filled = [one.replace("{folder}", str(tmp_path)) for one in arguments]
    out = ["--base-url", BASE, "-o", str(tmp_path / "out"), "--no-config"]
    (tmp_path / "out").mkdir()
    assert main(["build", *filled, *out]) == ExitCode.USAGE
    assert message in capsys.readouterr().err
