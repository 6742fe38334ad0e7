"""What a served sitemap, feed, or llms.txt lists other than the built one, in words."""

from __future__ import annotations

import pytest

from urlset.deployment.listings import changes_of, have_same_entries, listing_of
from urlset.model.deploy_check import ServedKind

FILE = "https://example.com/sitemap.xml"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(*entries: str, between: str = "\n", host: str = "https://example.com") -> bytes:
    """Return a sitemap with entries, given as paths, with a lastmod after a space."""
    urls = []
    for entry in entries:
        path, _, date = entry.partition(" ")
        lastmod = f"<lastmod>{date}</lastmod>" if date else ""
        urls.append(f"<url>{between}<loc>{host}{path}</loc>{lastmod}</url>")
    return f'<urlset xmlns="{NAMESPACE}">{between.join(urls)}</urlset>'.encode()


def feed(*paths: str) -> bytes:
    items = "".join(f"<item><link>https://example.com{path}</link></item>" for path in paths)
    return f'<rss version="2.0"><channel><title>News</title>{items}</channel></rss>'.encode()


def llms(*paths: str) -> bytes:
    return ("# Shop\n\n## Pages\n\n" + "".join(f"- [Page](https://example.com{path})\n" for path in paths)).encode()


ALL = ("/a", "/b", "/c", "/d", "/e")

CASES: dict[str, tuple[ServedKind, bytes, bytes, str]] = {
    "same": (ServedKind.SITEMAP, sitemap(*ALL), sitemap(*ALL, between="  "), ""),
    "missing": (ServedKind.SITEMAP, sitemap(*ALL), sitemap("/a", "/c", "/e"), "lacks 2 of 5 URLs: /b, /d"),
    "many missing": (
        ServedKind.SITEMAP, sitemap(*ALL), sitemap("/e"), "lacks 4 of 5 URLs, such as /a, /b, /c",
    ),
    "more": (ServedKind.SITEMAP, sitemap("/a"), sitemap("/a", "/b"), "lists 1 URL that the built one does not: /b"),
    "other host": (
        ServedKind.SITEMAP, sitemap("/a", "/b"), sitemap("/a", "/b", host="https://p42.pages.dev"),
        "all 2 URLs begin with https://p42.pages.dev instead of https://example.com",
    ),
    "dates": (
        ServedKind.SITEMAP, sitemap("/a 2026-01-02", "/b 2026-01-02"), sitemap("/a 2026-01-01", "/b"),
        "has another lastmod for 2 URLs, such as /a: 2026-01-01 instead of 2026-01-02",
    ),
    "missing and more": (
        ServedKind.SITEMAP, sitemap("/a", "/b"), sitemap("/b", "/c", "/d"),
        "lacks 1 of 2 URLs: /a; lists 2 URLs that the built one does not: /c, /d",
    ),
    "another site": (
        ServedKind.SITEMAP, sitemap("/a"), sitemap("/b", host="https://other.example"),
        "lacks 1 of 1 URL: /a; lists 1 URL that the built one does not: https://other.example/b",
    ),
    "feed": (ServedKind.FEED, feed("/new", "/old"), feed("/old"), "lacks 1 of 2 URLs: /new"),
    "llms.txt": (
        ServedKind.LLMS, llms("/a"), llms("/a", "/b"), "lists 1 URL that the built one does not: /b",
    ),
    "not a sitemap": (ServedKind.SITEMAP, sitemap("/a"), b"no", "lacks 1 of 1 URL: /a"),
    "nothing in both": (ServedKind.LLMS, b"text", b"other text", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_changes(case: str) -> None:
    kind, built, served, says = CASES[case]
    before, after = listing_of(kind, built), listing_of(kind, served)
    assert changes_of(before, after, FILE) == says
    assert have_same_entries(before, after) == (case == "same")


def test_the_last_url_of_a_file_that_was_cut_off_is_no_other_one() -> None:
    built = sitemap(*ALL)
    served = built[: built.index(b"/c<") + 1]
    before, after = (listing_of(ServedKind.SITEMAP, text) for text in (built, served))
    assert changes_of(before, after, FILE, is_cut_off=True) == "lacks 3 of 5 URLs: /c, /d, /e"


def test_entries_that_differ_in_anything_else_are_not_the_same() -> None:
    built = sitemap("/a").replace(b"</url>", b"<priority>0.5</priority></url>")
    before, after = (listing_of(ServedKind.SITEMAP, text) for text in (built, sitemap("/a")))
    assert not have_same_entries(before, after)
    assert changes_of(before, after, FILE) == ""
