"""llms.txt: its form as cases, limits and any bytes, and a site from end to end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import ClassVar

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from tests.loopback import served

from urlset.cli.main import main
from urlset.report.json_schema import schema as schema_of
from urlset.web.llms_txt import ABOUT, MAX_LINKS, MAX_LLMS_BYTES, MAX_PROBLEMS, LlmsProblem, is_html, parse_llms

QUICK = ("--no-cache", "--retries", "0")
SCHEMA = schema_of("discover")
GOOD = (
    "# Title\n\n> A quote\n\nText\n\n## One\n- [A](https://example.com/a): notes\n* [B](/b)\n"
    "\n## Optional ##\n+ [C](c_(d))\n"
)

FORMS: list[tuple[str, str | bytes, list[str]]] = [
    ("all parts", GOOD, []),
    ("a byte order mark and CR LF", b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), []),
    ("only a title", "# Title\n", []),
    ("nothing", "", ["empty"]),
    ("blank lines", " \n\t\n", ["empty"]),
    ("text first", "Title\n# Title\n", ["no-title 1"]),
    ("a second-level heading first", "\n## One\n- [A](/a)\n", ["no-title 2"]),
    ("two titles", "# A\n# B\n", ["second-title 2"]),
    ("no space after the number sign", "#Title\n", ["no-title 1"]),
    ("an item without a link", "# A\n## B\n- [A](/a)\n- text\n", ["item-without-link 4"]),
    ("a link in angle brackets", "# A\n## B\n- [A](</a>)\n", []),
    ("a list before the first section", "# A\n- text\n", []),
    ("a section without links", "# A\n## B\ntext\n## C\n- [A](/a)\n", ["empty-section 2"]),
    ("a section of text alone", "# A\n## B\n- text\n- more\n## C\n- [A](/a)\n", ["empty-section 2"]),
    ("a code block", "# A\n## B\n- [A](/a)\n```\n# C\n- text\n```\n", []),
    ("another encoding", "# Caf\u00e9\n".encode("latin-1"), ["not-utf8"]),
]


@pytest.mark.parametrize(("about", "content", "faults"), FORMS, ids=[about for about, _, _ in FORMS])
def test_form(about: str, content: str | bytes, faults: list[str]) -> None:
    found = parse_llms(content.encode() if isinstance(content, str) else content)
    assert [f"{fault.problem} {fault.line or ''}".strip() for fault in found.faults] == faults, about


def test_content() -> None:
    found = parse_llms(GOOD.encode())
    assert (found.title, found.sections) == ("Title", ["One", "Optional"])
    assert [(link.line, link.section, link.text, link.target) for link in found.links] == [
        (8, "One", "A", "https://example.com/a"),
        (9, "One", "B", "/b"),
        (12, "Optional", "C", "c_(d)"),
    ]


DESTINATIONS = [
    (r"[A](/a\_b)", "/a_b"),
    (r"[A](/a\(b\)c)", "/a(b)c"),
    (r"[A](/a\)b)", "/a)b"),
    (r"[A](/a\b)", r"/a\b"),
    (r"[A](\</a\>)", "</a>"),
    (r"[A](</a b\>c>)", "/a b>c"),
    (r"[A](/a?x=1&amp;y=2&z=3)", "/a?x=1&y=2&z=3"),
    (r"[A](/a(b(c))d)", "/a(b(c))d"),
    (r'[A](/a "a title (b)")', "/a"),
    (r"[A]( /a )", "/a"),
    (r"[A \] b](/a)", "/a"),
    (r"[A](/a", None),
    (r"[A](/a(b)", None),
    (r"[A](/a\)", None),
]
"""Links, and their destinations: https://spec.commonmark.org/0.31.2/#link-destination."""


@pytest.mark.parametrize(("written", "target"), DESTINATIONS)
def test_destinations(written: str, target: str | None) -> None:
    found = parse_llms(f"# A\n## B\n- {written}\n".encode())
    assert [link.target for link in found.links] == ([] if target is None else [target])


def test_limits() -> None:
    found = parse_llms(b"# A\n## B\n" + b"- [A](/a)\n" * (MAX_LINKS + 5) + b"- x\n" * 500)
    assert len(found.links) == MAX_LINKS
    assert found.faults[0].problem is LlmsProblem.TOO_MANY_LINKS
    assert len(found.faults) == MAX_PROBLEMS
    found = parse_llms(b"# A\n" + "\u00e9".encode() * MAX_LLMS_BYTES)
    assert [fault.problem for fault in found.faults] == [LlmsProblem.TOO_LARGE]
    assert found.bytes == MAX_LLMS_BYTES


def test_every_problem_is_in_words_and_has_a_case() -> None:
    assert set(ABOUT) == set(LlmsProblem)
    seen = {fault.split()[0] for _, _, faults in FORMS for fault in faults} | {"too-large", "too-many-links"}
    assert seen == {problem.value for problem in LlmsProblem}
    assert {*SCHEMA["$defs"]["LlmsProblem"]["enum"]} == {problem.value for problem in LlmsProblem}


@given(st.binary(max_size=300) | st.text("#[]()<>-* \n`\\\\a", max_size=300).map(str.encode))
def test_any_bytes(content: bytes) -> None:
    found = parse_llms(content)
    lines = len(content) + 1
    assert all(1 <= link.line <= lines for link in found.links)
    assert all(fault.line is None or 1 <= fault.line <= lines for fault in found.faults)


@pytest.mark.parametrize("piece", [b"[", b"](", b"- [a](", b"(", b"\\", b"- [a](((", b"# ", b"```\n", b"- [](()"])
def test_repeated_pieces_take_linear_time(piece: bytes) -> None:
    parse_llms(b"# A\n## B\n- [a](" + piece * (MAX_LLMS_BYTES // len(piece)))


@pytest.mark.parametrize(
    ("content", "verdict"), [(b" \n<!DOCTYPE HTML>", True), (b"<html lang=en>", True), (b"# <html>", False)]
)
def test_html(content: bytes, verdict: bool) -> None:
    assert is_html(content) is verdict


class Site(BaseHTTPRequestHandler):
    """A site with an llms.txt and a sitemap that lists /a."""

    llms: ClassVar[bytes] = b""
    status: ClassVar[int] = 200
    robots: ClassVar[str] = ""
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        host = f"http://{self.headers['Host']}"
        self.asked.append(self.path)
        status, kind, body = 200, "text/html", b"<title>t</title><p>text"
        if self.path == "/robots.txt":
            kind, body = "text/plain", f"User-agent: *\n{self.robots}\nSitemap: {host}/sitemap.xml\n".encode()
        elif self.path == "/sitemap.xml":
            urls = f"<url><loc>{host}/a</loc></url>"
            kind = "application/xml"
            body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()
        elif self.path == "/llms.txt":
            status, kind, body = self.status, "text/plain", self.llms
        elif self.path not in ("/", "/a", "/b", "/c.md", "/secret"):
            status = 404
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Site, "asked", [])
    with served(Site) as origin:
        yield origin


LINKS = """\
# Title
## Pages
- [A](/a#part)
- [B](/b)
- [Markdown](/c.md)
- [Gone](/gone)
- [Mail](mailto:a@example.com)
- [Secret](/secret)
- [Private](http://127.0.0.2:1/)
"""


def audited(site: str, store: Path, *more: str) -> list[tuple[str, bool, str | None, int | None]]:
    arguments = ["--store", str(store), "--select", "LLM", "--no-score", "--format", "none", *more, *QUICK]
    assert main(["audit", site, *arguments]) in (0, 1)
    with duckdb.connect(str(store), read_only=True) as kept:
        return kept.execute("SELECT written, is_listed, skipped, status FROM llms_links ORDER BY ordinal").fetchall()


def test_links_of_an_audited_site(site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Site, "llms", LINKS.encode())
    monkeypatch.setattr(Site, "robots", "Disallow: /secret")
    assert audited(site, tmp_path / "a.duckdb") == [
        ("/a#part", True, None, 200),
        ("/b", False, None, 200),
        ("/c.md", False, None, 200),
        ("/gone", False, None, 404),
        ("mailto:a@example.com", False, None, None),
        ("/secret", False, "robots", None),
        ("http://127.0.0.2:1/", False, "private", None),
    ]
    assert "/secret" not in Site.asked
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as kept:
        found = kept.execute("SELECT code, document, line, value FROM findings ORDER BY code, example").fetchall()
    llms = f"{site}/llms.txt"
    assert found == [
        ("LLM002", llms, 6, "/gone"),
        ("LLM002", llms, 7, "mailto:a@example.com"),
        ("LLM003", llms, 4, "/b"),
    ]
    assert main(["report", str(tmp_path / "a.duckdb"), "-o", str(tmp_path / "a.html")]) == 0
    assert llms in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_form_of_an_audited_site(
    site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Site, "llms", b"\x1b[2JTitle\n::error::x\n")
    arguments = ["--store", str(tmp_path / "a.duckdb"), "--select", "LLM", "--no-score", "--fail-on", "info", *QUICK]
    assert main(["audit", site, *arguments]) == 1
    out = capsys.readouterr().out
    assert "LLM001" in out
    assert f"{site}/llms.txt" in out
    assert "/robots.txt" not in out
    assert "\x1b" not in out


@pytest.mark.long("slow cases")
@pytest.mark.parametrize(
    ("llms", "status", "robots", "more"),
    [
        (b"<!doctype html><title>Not found", 200, "", ()),
        (LINKS.encode(), 404, "", ()),
        (LINKS.encode(), 200, "Disallow: /llms.txt", ()),
        (LINKS.encode(), 200, "", ("--no-pages", "--select", "LLM,LOC")),
    ],
)
def test_nothing_to_check(
    llms: bytes,
    status: int,
    robots: str,
    more: tuple[str, ...],
    site: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in (("llms", llms), ("status", status), ("robots", robots)):
        monkeypatch.setattr(Site, name, value)
    assert audited(site, tmp_path / "a.duckdb", *more) == []
    assert ("/llms.txt" in Site.asked) == (not robots and not more)


def test_discover(site: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(Site, "llms", LINKS.encode() + b"- \x1b[2J\n" * 5)
    assert main(["discover", site, *QUICK]) == 0
    out = capsys.readouterr().out
    assert f"  llms.txt: {site}/llms.txt (a convention; no search engine promises to read it)\n" in out
    assert "    Title: 1 section, 7 links\n" in out
    assert "and 2 more problems; use -v to list them" in out
    assert "\x1b" not in out
    assert "/gone" not in Site.asked
    assert main(["discover", site, "--format", "json", *QUICK]) == 0
    printed = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMA).validate(printed)
    assert len(printed["origins"][0]["llms_txt"]["problems"]) == 5


def test_check_and_validate_do_not_request_it(site: str) -> None:
    main(["check", site, *QUICK])
    main(["validate", site, "--discover", *QUICK])
    assert "/llms.txt" not in Site.asked
