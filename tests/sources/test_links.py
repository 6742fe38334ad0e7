"""Links to sitemaps in the header `Link` and in HTML."""

from __future__ import annotations

import pytest

from urlset.errors import UsageError
from urlset.sources.sitemap_links import MAX_LINKS, Link, links_of_header, sitemap_links
from urlset.sources.well_known import CHECKED, WELL_KNOWN, paths_of
from urlset.web.html_page import charset_of, read_page

BASE = "https://example.com/shop/"


def links_of_page(content: bytes, content_type: str | None, base: str) -> list[Link]:
    return sitemap_links(read_page(content, charset=charset_of(content_type)), base)


@pytest.mark.parametrize(
    ("value", "urls"),
    [
        ('</sitemap.xml>; rel="sitemap"', ["https://example.com/sitemap.xml"]),
        ("<s.xml>;rel=sitemap", ["https://example.com/shop/s.xml"]),
        ('<a>; rel="next", <b> ; rel = "x SITEMAP" ; title="a, <b>; rel=sitemap"', ["https://example.com/shop/b"]),
        ('</a,b>; rel=sitemap, , </c>; rel="sitemap"', ["https://example.com/a,b", "https://example.com/c"]),
        ("</a>; rel=next; rel=sitemap", []),
        ('</a>; rel="sit\\emap"', ["https://example.com/a"]),
        ('</a>; rel=sitemap; anchor="/other"', []),
        ("</a>; rel=sitemap, </a>; rel=sitemap", ["https://example.com/a"]),
        ("nonsense </a>; rel=sitemap", []),
        ("<mailto:a@b.example>; rel=sitemap", [None]),
        ("<http://[>; rel=sitemap", [None]),
        ("", []),
        (" " * 50_000 + "x", []),
        ("<a>" + "; " * 20_000, []),
    ],
    ids=range(14),
)
def test_header(value: str, urls: list[str | None]) -> None:
    assert [link.url for link in links_of_header(value, BASE)] == urls


@pytest.mark.parametrize(
    ("page", "urls"),
    [
        ('<link rel="sitemap" type="application/xml" href="/sitemap.xml">', ["https://example.com/sitemap.xml"]),
        ("<LINK REL=Sitemap HREF=s.xml>", ["https://example.com/shop/s.xml"]),
        ('<link rel="alternate sitemap" href=" //cdn.example/\ns.xml ">', ["https://cdn.example/s.xml"]),
        ('<base href="/b/"><link rel=sitemap href=s.xml>', ["https://example.com/b/s.xml"]),
        ("<body><p><link rel=sitemap href=/late.xml>", ["https://example.com/late.xml"]),
        ("<!-- <link rel=sitemap href=/a> --><script>'<link rel=sitemap href=/b>'</script>", []),
        ("<template><link rel=sitemap href=/a></template>", []),
        ("<link rel=sitemap><link rel=sitemap href><link rel=sitemaps href=/a><a rel=sitemap href=/b>", []),
        ("<link rel=sitemap href=javascript:x><link rel=sitemap href='http://['>", [None, None]),
        ("<link rel=sitemap href=/a><link rel=sitemap href=/a>", ["https://example.com/a"]),
        ("", []),
    ],
)
def test_page(page: str, urls: list[str | None]) -> None:
    assert [link.url for link in links_of_page(page.encode(), "text/html; charset=utf-8", BASE)] == urls


@pytest.mark.parametrize(
    ("encoding", "content_type"),
    [("utf-8", None), ("utf-16", None), ("utf-16-le", "text/html; charset=UTF-16LE"),
     ("latin-1", 'text/html;charset="iso-8859-1"'),
     ("utf-8", "text/html; charset=nobody-knows"), ("utf-8-sig", "text/html")],
)  # fmt: skip
def test_page_in_many_encodings(encoding: str, content_type: str | None) -> None:
    page = '<meta charset=utf-8><link rel=sitemap href="/caf\u00e9.xml">'.encode(encoding)
    assert [link.url for link in links_of_page(page, content_type, BASE)] == ["https://example.com/caf\u00e9.xml"]


def test_a_page_of_nothing_but_links_is_bounded() -> None:
    page = "".join(f"<link rel=sitemap href=/{number}>" for number in range(1_000)).encode()
    assert len(links_of_page(page, None, BASE)) == MAX_LINKS


def test_the_well_known_paths() -> None:
    paths = [known.path for known in WELL_KNOWN]
    assert [known.path for known in CHECKED] == paths[:4]
    assert "/wp-sitemap.xml" in paths
    assert len(set(paths)) == len(paths)
    assert all(path.startswith("/") for path in paths)
    assert all(known.source for known in WELL_KNOWN)
    reaches = [known.reach for known in WELL_KNOWN if known.reach is not None]
    assert reaches == sorted(reaches)


def test_paths_of_the_user() -> None:
    assert paths_of(("feeds/a.xml", "/b.xml", " /b.xml ")) == ("/feeds/a.xml", "/b.xml")
    for bad in ("", " ", "https://example.com/a", "//example.com/a"):
        with pytest.raises(UsageError, match="is not a path"):
            paths_of((bad,))
