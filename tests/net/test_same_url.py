"""Which URLs are the same: equal hashes in the core, compared with a normalizer that shares no code with it."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlset import _core

PORTS = {"http": 80, "https": 443}
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

SAME = [
    ("https://example.com", "https://example.com/"),
    ("https://example.com?a=b", "https://example.com/?a=b"),
    ("http://example.com", "HTTP://EXAMPLE.com:80/"),
    ("https://example.com/", "https://example.com:/"),
    ("https://example.com/", "https://example.com:0443/"),
    ("https://example.com/", "https://ex%61mple.com/"),
    ("https://example.com/%d8%a7", "https://example.com/%D8%A7"),
    ("https://example.com/%D8%A7", "https://example.com/ا"),
    ("https://example.com/?q=%c3%a9", "https://example.com/?q=é"),
    ("https://example.com/~me", "https://example.com/%7eme"),
    ("https://example.com/a-b", "https://example.com/%61%2Db"),
    ("https://example.com/a", "https://example.com/b/../%2e/a"),
    ("https://example.com/a b", "https://example.com/a%20b"),
    ("https://example.com/100%", "https://example.com/100%25"),
    ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ("https://bücher.example/", "https://B%C3%9CCHER.example"),
    ("http://[::1]:80/a", "http://[0:0::1]/a"),
]

DIFFERENT = [
    ("http://example.com/a", "https://example.com/a"),
    ("http://example.com/a", "http://www.example.com/a"),
    ("http://example.com/a", "http://example.com/A"),
    ("http://example.com/a", "http://example.com/a/"),
    ("http://example.com/a", "http://example.com/a.html"),
    ("http://example.com/a", "http://example.com//a"),
    ("http://example.com/a", "http://example.com:8080/a"),
    ("http://example.com/a", "http://example.com/a?b"),
    ("http://example.com/?a=b&c=d", "http://example.com/?c=d&a=b"),
    ("http://example.com/a%2Fb", "http://example.com/a/b"),
    ("http://example.com/a+b", "http://example.com/a%20b"),
    ("http://example.com/a+b", "http://example.com/a%2Bb"),
    ("http://example.com/%E9", "http://example.com/é"),
    ("http://example.com/é", "http://example.com/e\u0301"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same(one: str, other: str) -> None:
    assert _core.normal_url(one) == _core.normal_url(other)
    assert _core.url_hash(one) == _core.url_hash(other)
    assert _core.page_key(one) == _core.page_key(other)
    assert _core.page_hash(one) == _core.page_hash(other) == _core.url_hash(one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different(one: str, other: str) -> None:
    assert _core.url_hash(one) != _core.url_hash(other)
    assert _core.page_hash(one) != _core.page_hash(other)


def test_a_page_is_a_url_without_fragment_and_user() -> None:
    assert _core.url_hash("https://example.com/a#b") != _core.url_hash("https://example.com/a")
    assert _core.page_hash("https://me:x@example.com/%61#b") == _core.page_hash("https://example.com/a")
    assert _core.page_key("mailto:me@example.com") == "mailto:me@example.com"


def normalized(url: str) -> str:
    """Return one spelling for all URLs that RFC 3986, 6.2.2 and 6.2.3, and RFC 3987, 3.1, call the same."""
    parts = urlsplit(url)
    host = unquote_to_bytes(parts.hostname or "").decode().encode("idna").decode().lower()
    port = "" if parts.port in (None, PORTS[parts.scheme]) else f":{parts.port}"
    path = without_dots(escaped(parts.path) or "/")
    return f"{parts.scheme}://{host}{port}{path}" + (f"?{escaped(parts.query)}" if "?" in url else "")


def without_dots(path: str) -> str:
    """The steps of RFC 3986, 5.2.4."""
    output = ""
    while path:
        if path.startswith("/./") or path == "/.":
            path = "/" + path[3:]
        elif path.startswith("/../") or path == "/..":
            path, output = "/" + path[4:], output.rpartition("/")[0]
        else:
            segment = re.match("/?[^/]*", path)
            assert segment is not None
            path, output = path[segment.end() :], output + segment[0]
    return output


def escaped(part: str) -> str:
    def respelled(found: re.Match[str]) -> str:
        character = chr(int(found[1], 16))
        return character if character in UNRESERVED else found[0].upper()

    return re.sub("%([0-9A-Fa-f]{2})", respelled, quote(part, safe="!$&'()*+,;=:@/?%[]~"))


HOSTS = st.sampled_from(
    ["example.com", "Example.COM", "%65xample.com", "bücher.example", "xn--bcher-kva.example", "B%c3%bccher.example"]
)
PIECES = st.sampled_from(("/", "/./", "/../", ".", "%2e", "a", "A", "%61", "%41", "é", "%C3%A9", "%c3%a9", "%E9")) | (
    st.sampled_from(("+", "%2b", "%2B", "%2F", "%2f", "~", "%7E", ";", "%20", "b.html"))
)
URLS = st.builds(
    lambda scheme, host, port, path, query: f"{scheme}://{host}{port}{path and '/'}{''.join(path)}{query}",
    st.sampled_from(["https", "HTTPS", "http"]),
    HOSTS,
    st.sampled_from(["", "", ":443", ":80", ":8443", ":"]),
    st.lists(PIECES, max_size=4).map("".join),
    st.sampled_from(["", "", "", "?", "?a=%7e", "?a=~", "?a=é", "?A=%c3%A9"]),
)


@given(st.lists(URLS, min_size=2, max_size=60))
def test_equal_hashes_are_equal_urls(urls: list[str]) -> None:
    """Both ways: same form, same hash; other form, other hash."""
    for url in urls:
        assert _core.normal_url(url) == normalized(url), url
        assert _core.url_hash(url) == _core.url_hash(normalized(url))
    assert len({_core.url_hash(url) for url in urls}) == len({normalized(url) for url in urls})


@given(st.lists(st.one_of(URLS, st.text(max_size=30), URLS.map(lambda url: f"{url}#%7e")), max_size=40))
def test_the_reader_hashes_as_the_function(urls: list[str]) -> None:
    """One URL after the other, as a document has them, so that the site of the URL before is remembered."""
    urls = [re.sub(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff&<>\"]", "", url) for url in urls]
    link = '<xhtml:link rel="alternate" hreflang="en" href="{}"/>'
    entries = "".join(f"<url><loc>{url}</loc>{link.format(url)}</url>" for url in ["https://example.com", *urls])
    document = (
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
        f"{entries}</urlset>"
    )
    for batch in _core.Reader(document.encode(), document_id=0):
        rows = batch["urls"]
        for loc, value in zip(rows.column("loc"), rows.column("loc_hash"), strict=True):
            assert value == (None if loc is None else _core.url_hash(loc)), loc
        rows = batch["alternates"]
        for href, value in zip(rows.column("href"), rows.column("href_hash"), strict=True):
            assert value == (None if href is None else _core.url_hash(href)), href
