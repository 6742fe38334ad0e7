"""Keys that a site declares: where they are found, and what is wrong with their files, from end to end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from jsonschema import Draft202012Validator

from urlset.cli.main import main
from urlset.indexnow.declared import MAX_KEYS, keys_of_page, keys_of_robots
from urlset.indexnow.keys import KeyFileProblem
from urlset.model.discovery import KeyHint
from urlset.pipeline.discover import discover_all
from urlset.report.json_schema import schema as schema_of
from urlset.web.html_page import read_page
from urlset.web.robots_txt import Robots

from .conftest import KEY

QUICK = ("--no-cache", "--retries", "0")
SCHEMA = schema_of("discover")
SITEMAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{site}/a</loc></url></urlset>'


def serve(engine: Any, robots: str, home: str = "", **more: tuple[int, bytes]) -> None:
    """Publish a site with these declarations; `more` are further files by name."""
    engine.files["/robots.txt"] = (200, f"Sitemap: {engine.url}/sitemap.xml\n{robots}".encode(), {})
    engine.files["/sitemap.xml"] = (200, SITEMAP.format(site=engine.url).encode(), {})
    for path in ("/", "/a"):
        engine.files[path] = (
            200,
            f"<!doctype html><title>t</title>{home}<p>text".encode(),
            {"Content-Type": "text/html"},
        )
    for name, (status, body) in more.items():
        engine.files[f"/{name}.txt"] = (status, body, {})


def audited(engine: Any, store: Path) -> list[tuple[str, int | None, str | None]]:
    code = main(
        ["audit", engine.url, "--store", str(store), "--select", "INW", "--no-score", "--format", "none", *QUICK]
    )
    assert code in (0, 1)
    with duckdb.connect(str(store), read_only=True) as kept:
        return kept.execute("SELECT declared_by, line, problem FROM key_files ORDER BY ordinal").fetchall()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("robots", "home", "more", "expected"),
    [
        (f"IndexNow-Key: {KEY}", "", {}, [("robots", 2, None)]),
        ("IndexNow-Key: 0123456789abcdef", "", {}, [("robots", 2, "unavailable")]),
        (
            "IndexNow-Key: 0123456789abcdef",
            "",
            {"0123456789abcdef": (200, b"<!doctype html>")},
            [("robots", 2, "not-a-key")],
        ),
        ("IndexNow-Key: 0123456789abcdef", "", {"0123456789abcdef": (200, KEY.encode())}, [("robots", 2, "other-key")]),
        ("IndexNow-Key: short", "", {}, []),
        ("", f"<link rel=indexnow-key href=/{KEY}.txt>", {}, [("link", None, None)]),
        (
            "",
            "<meta name=indexnow-key-location content=/k.txt>",
            {"k": (200, b"a" * 8 + b"\r\n")},
            [("meta", None, None)],
        ),
        (
            "",
            "<link rel=indexnow-key href=/k.txt>",
            {"k": (200, b"\xef\xbb\xbf" + b"a" * 8)},
            [("link", None, "not-a-key")],
        ),
        ("", "<link rel=indexnow-key href=/k.txt>", {"k": (200, b"a" * 2000)}, [("link", None, "unavailable")]),
        ("", "<link rel=indexnow-key href='mailto:a'>", {}, [("link", None, "not-url")]),
        ("", "<link rel=indexnow-key href=http://other.example/k.txt>", {}, [("link", None, "other-host")]),
        (
            f"IndexNow-Key: {KEY}",
            "<link rel=indexnow-key href=/k.txt>",
            {"k": (200, b"a" * 8)},
            [("robots", 2, None), ("link", None, "other-key")],
        ),
    ],
)
def test_files_of_declared_keys(
    robots: str,
    home: str,
    more: dict[str, tuple[int, bytes]],
    expected: list[tuple[str, int | None, str | None]],
    engine: Any,
    tmp_path: Path,
) -> None:
    serve(engine, robots, home, **more)
    assert audited(engine, tmp_path / "a.duckdb") == expected


def test_a_redirected_file_is_not_followed_silently(engine: Any, tmp_path: Path) -> None:
    serve(engine, "IndexNow-Key: 0123456789abcdef")
    engine.files["/0123456789abcdef.txt"] = (301, b"", {"Location": f"/{KEY}.txt"})
    assert audited(engine, tmp_path / "a.duckdb") == [("robots", 2, "redirected")]


def test_a_file_that_robots_txt_blocks_is_not_requested(engine: Any, tmp_path: Path) -> None:
    serve(engine, f"User-agent: *\nDisallow: /*.txt$\n  IndexNow-Key: {KEY}")
    assert audited(engine, tmp_path / "a.duckdb") == [("robots", 4, None)]
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as kept:
        assert kept.execute("SELECT skipped, col FROM key_files").fetchall() == [("robots", 3)]


def test_a_site_without_a_key_is_asked_for_none(engine: Any, tmp_path: Path) -> None:
    serve(engine, "")
    assert audited(engine, tmp_path / "a.duckdb") == []


def test_findings_of_the_rules(engine: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve(engine, "IndexNow-Key: 0123456789abcdef", "<link rel=indexnow-key href=/k.txt>", k=(200, b"no key\x1b[2J"))
    arguments = ["--store", str(tmp_path / "a.duckdb"), "--select", "INW", "--no-pages", "--no-score", *QUICK]
    assert main(["audit", engine.url, *arguments, "--fail-on", "warning"]) == 1
    out = capsys.readouterr().out
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as kept:
        found = kept.execute("SELECT code, document, line FROM findings ORDER BY code").fetchall()
    assert found == [
        ("INW001", f"{engine.url}/0123456789abcdef.txt", None),
        ("INW002", f"{engine.url}/k.txt", None),
    ]
    assert f"{engine.url}/k.txt" in out
    assert "\x1b" not in out


def test_discover_shows_declarations(engine: Any, capsys: pytest.CaptureFixture[str]) -> None:
    serve(
        engine,
        f"IndexNow-Key: {KEY}",
        "<base href=/x/><link rel=indexnow-key href=k.txt><link rel=indexnow-key href='a:b'>",
    )
    assert main(["discover", engine.url, *QUICK]) == 0
    out = capsys.readouterr().out
    assert f"  IndexNow key file: {engine.url}/{KEY}.txt\n    declared by: robots.txt line 2\n" in out
    assert f"  IndexNow key file: {engine.url}/x/k.txt\n    declared by: link element on the home page\n" in out
    assert "  IndexNow key file: a:b (not an http or https URL)\n" in out
    assert main(["discover", engine.url, "--format", "json", *QUICK]) == 0
    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(printed)
    assert [one["declared_by"] for one in printed["origins"][0]["indexnow_keys"]] == ["robots", "link", "link"]


def test_declarations_are_bounded(engine: Any) -> None:
    serve(engine, "".join(f"IndexNow-Key: 0123456789-{number}\n" for number in range(30)))
    [found] = discover_all([engine.url])
    assert len(found.keys) == MAX_KEYS
    assert "robots.txt declares 30 IndexNow keys; the first 10 were taken" in found.notes


def test_hints() -> None:
    robots = Robots.parse(b"User-agent: *\nindexnow-key: abcd-1234 # ours\n")
    [hint] = keys_of_robots(robots, "https://example.com:8443/robots.txt")
    assert (hint.line, hint.key, hint.url) == (2, "abcd-1234", "https://example.com:8443/abcd-1234.txt")
    page = read_page(b"<link rel=indexnow-key href=''>")
    assert [hint.url for hint in keys_of_page(page, "https://example.com/")] == [None]
    assert isinstance(hint, KeyHint)


def test_every_problem_has_a_rule() -> None:
    from urlset.rules.registry import rule

    conditions = " ".join(str(getattr(rule(code), "where", "")) for code in ("INW001", "INW002"))
    assert all(f"'{problem.value}'" in conditions for problem in KeyFileProblem)
