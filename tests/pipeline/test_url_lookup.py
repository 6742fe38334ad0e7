"""Findings across documents name the URLs of their examples, held or read again."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import urlset
from urlset.model.finding import Finding
from urlset.model.report import Report
from urlset.stages import url_lookup

OPEN = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def sitemap(*locs: str) -> bytes:
    return (OPEN + "".join(f"\n<url><loc>{loc}</loc></url>" for loc in locs) + "</urlset>").encode()


FIRST = sitemap(*(f"https://example.com/{number}" for number in range(3_000)))
SECOND = sitemap("https://example.com/new", "https://example.com/2999", "https://example.com/7")


def named(report: Report) -> list[tuple[str, str | None, str | None]]:
    [finding] = [finding for finding in report.findings if finding.rule.code == "DUP003"]
    assert finding.count == 2
    return [(example.message, example.url, example.value) for example in finding.examples]


WANTED = [
    ("also listed on line 3001 of {}", "https://example.com/2999"),
    ("also listed on line 9 of {}", "https://example.com/7"),
]


@pytest.mark.parametrize("room", [url_lookup.MAX_BUFFERED_BYTES, 0], ids=["held", "read again"])
def test_urls_of_files(tmp_path: Path, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_lookup, "MAX_BUFFERED_BYTES", room)
    (tmp_path / "a.xml").write_bytes(FIRST)
    (tmp_path / "b.xml").write_bytes(SECOND)
    first = str(tmp_path / "a.xml")
    assert named(urlset.validate(tmp_path)) == [(message.format(first), url, first) for message, url in WANTED]


@pytest.mark.parametrize("room", [url_lookup.MAX_BUFFERED_BYTES, 0], ids=["held", "read again"])
def test_urls_of_bytes(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(url_lookup, "MAX_BUFFERED_BYTES", room)
    assert [url for _, url, _ in named(urlset.validate([FIRST, SECOND]))] == [url for _, url in WANTED]


def test_urls_of_what_cannot_be_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [url for _, url, _ in named(urlset.validate([FIRST, io.BytesIO(SECOND)]))] == [url for _, url in WANTED]
    monkeypatch.setattr(url_lookup, "MAX_BUFFERED_BYTES", 0)
    assert [url for _, url, _ in named(urlset.validate([FIRST, io.BytesIO(SECOND)]))] == [None, None]


def test_a_file_that_changed_meanwhile_gives_no_wrong_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "b.xml"
    path.write_bytes(SECOND)

    named_before = url_lookup.UrlLookup.add_urls

    def changed(self: url_lookup.UrlLookup, findings: list[Finding]) -> list[Finding]:
        path.write_bytes(sitemap("https://example.com/newest", "https://example.com/new", "https://example.com/2999"))
        return named_before(self, findings)

    monkeypatch.setattr(url_lookup, "MAX_BUFFERED_BYTES", 0)
    monkeypatch.setattr(url_lookup.UrlLookup, "add_urls", changed)
    assert [url for _, url, _ in named(urlset.validate([FIRST, str(path)]))] == [None, None]
