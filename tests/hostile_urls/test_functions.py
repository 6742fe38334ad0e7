"""Functions on strangers' URLs are total: whatever the URL, they give a value or the one error that they document."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.hostile_urls.urls import ANY, AS_THEY_COME, carried
from tests.tiers import examples

import urlset
from urlset import _core
from urlset.comparison.removed_urls import _removed_url
from urlset.errors import UsageError
from urlset.fetch.request_url import address_of, redirect_address
from urlset.fetch.response import Response
from urlset.model.comparison import RemovedUrlStatus
from urlset.net import urlparts
from urlset.net.origin import origin_of, origin_url
from urlset.net.trust import Trust
from urlset.net.urlparts import published_at
from urlset.options import FollowingOptions, InspectOptions
from urlset.pipeline.robots import robots_url
from urlset.probe.facts import ProbeTarget, row_of
from urlset.repair.output_paths import _name_of
from urlset.sources import Source, SourceKind, is_url
from urlset.sources.frontier import Frontier, ListedDocument
from urlset.sources.sitemap_links import absolute_url, links_of_header, sitemap_links
from urlset.sources.user_origin import parse_origin
from urlset.stages.follow import Follower, robots_of
from urlset.stages.named import site_of
from urlset.tables import PAGES
from urlset.text.masking import mask_url
from urlset.text.safe import json_text, one_line, safe, shorten
from urlset.web.html_page import read_page
from urlset.web.robots_txt import Robots

HOME = "http://example.com/a/b"
ROBOTS = Robots.parse(b"User-agent: *\nDisallow: /x", "http://example.com/robots.txt")


def _source(url: str) -> Source:
    return Source(SourceKind.URL, url, url)


def frontier(url: str) -> None:
    one = Frontier([_source(HOME)], FollowingOptions())
    one.add_listed(0, HOME, [ListedDocument(0, url)])
    one.add(_source(url))
    one.add_listed(
        0,
        url,
        [ListedDocument(0, "child.xml"), ListedDocument(1, "http://example.com/child.xml"), ListedDocument(2, url)],
    )
    one.advance()
    one.record_arrival(1, url)


def follower(url: str) -> None:
    """An index that lists the URL, through the reader, as `--expand --discover` takes it."""
    if carried(url) is None:
        return
    text = url.replace("&", "&amp;").replace("<", "&lt;")
    document = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{text}</loc></sitemap>'
    batches = _core.Reader(document.encode() + b"</sitemapindex>")
    children = [batch["children"] for batch in batches if "children" in batch]
    one = Follower([_source(HOME)], InspectOptions(discover=True, expand=True))
    one.take(0, {"bytes": 1, "final_url": HOME}, children)
    one.next_level()
    assert not one.failures
    rows = [one.frontier.source(number).name for number in range(1, one.frontier.document_count)]
    assert all(is_url(name) for name in rows)


def robots(url: str) -> None:
    one = Robots.parse(b"User-agent: *\nDisallow: /x\nSitemap: " + url.encode("utf-8", "surrogatepass"), url)
    assert one.tables(0)["robots_files"].num_rows == 1
    for which in (one, ROBOTS):
        which.covers(url)
        which.verdict("Googlebot", url)
    str(one.sitemaps)
    robots_of(url)


def page(url: str) -> None:
    header = f"<{url}>; rel=canonical, <{url}>; rel=alternate; hreflang=de"
    written = url.encode("utf-8", "surrogatepass")
    html = b"".join(
        start + written + b"'>"
        for start in (
            b"<base href='", b"<link rel=canonical href='", b"<link rel=alternate hreflang=de href='",
            b"<meta http-equiv=refresh content='0; url=",
        )
    )  # fmt: skip
    answer = Response(url=HOME, final_url=HOME, status=200, headers={"link": urlparts.without_surrogates(header)})
    row = row_of(ProbeTarget(carried(url) or HOME, {}, None), "GET", answer, read_page(html))
    # What is no text was made by us.
    columns = [(column.name, column.type) for column in PAGES.columns if column.type.startswith("text")]
    _core.Table.from_rows(columns, [row])


def answer(url: str) -> None:
    one = Response(url=url, final_url=url, status=200)
    assert one.as_fetched().facts["final_url"] == url
    one.robots(url)


def outcome(url: str) -> None:
    assert (
        _removed_url({"url": url, "status": 301, "hops": [url], "final_url": url}, set()).outcome
        is RemovedUrlStatus.REDIRECTED
    )


def show(url: str) -> None:
    for text in (safe(url), one_line(url), json_text({"url": url}), mask_url(url)):
        shorten(text, 80)
    safe(url).encode("utf-8")
    one_line(url).encode("utf-8")
    json_text(url).encode("utf-8")


def split(url: str) -> None:
    parts = urlparts.split_url(url)
    for value in (urlparts.host_of(url), urlparts.site_of(url), parts.hostname):
        str(value)
    urlparts.without_surrogates(url).encode("utf-8")
    urlparts.join_url(HOME, url)
    urlparts.join_url(url, "x")
    urlparts.join_url(url, url)


FUNCTIONS: dict[str, Callable[[str], object]] = {
    "parse_origin": lambda url: (parse_origin(url).home, parse_origin(url).folder),
    "site_named": site_of,
    "origin_of": origin_of,
    "Trust.of": lambda url: Trust.of([url]),
    "address_of": lambda url: address_of(url).wire,
    "redirected": lambda url: redirect_address(address_of(HOME), url),
    "answer": answer,
    "page_key": _core.page_key,
    "origin_url": origin_url,
    "frontier": frontier,
    "follower": follower,
    "joined": lambda url: (absolute_url(HOME, url), absolute_url(url, url), absolute_url(url, "x")),
    "links_of_header": lambda url: links_of_header(f"<{url}>; rel=sitemap", url),
    "sitemap_links": lambda url: sitemap_links(
        read_page(f"<base href='{url}'><link rel=sitemap href='{url}'>".encode("utf-8", "surrogatepass"), charset=None),
        url,
    ),
    "robots": robots,
    "robots_url": robots_url,
    "page": page,
    "outcome": outcome,
    "published_at": published_at,
    "name_of": lambda url: _name_of(_source(url)),
    "show": show,
    "split": split,
    "url_hash": lambda url: carried(url) and _core.url_hash(url),
}

DOCUMENTED: dict[str, type[Exception]] = {
    "parse_origin": UsageError, "robots": UsageError, "address_of": ValueError, "redirected": ValueError,
}  # fmt: skip


def check(name: str, url: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            FUNCTIONS[name](url)
    except Exception as error:
        # Of ValueError no subclass: those are what the standard library and its encoders make of it.
        if type(error) is not DOCUMENTED.get(name):
            raise AssertionError(f"{name} of {url[:100]!r}: {type(error).__name__}: {error}") from error


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_total(name: str) -> None:
    for url in AS_THEY_COME.values():
        check(name, url)


@settings(max_examples=examples(400))
@given(ANY)
def test_every_function_is_total_on_what_is_put_together(url: str) -> None:
    for name in FUNCTIONS:
        check(name, url)


@pytest.mark.parametrize("url", ["http://[::1]:8080/a", "http://user@[::1]/", "http://[2001:DB8::5]/"])
def test_the_host_of_an_address_is_the_same_in_every_table(url: str) -> None:
    document = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{url}</loc></url></urlset>'
    [host] = [host for batch in _core.Reader(document.encode()) for host in batch["urls"].column("host")]
    assert host.startswith("[")
    assert Response(url=url, final_url=url).as_fetched().facts["host"] == host
    assert Robots.parse(b"", url).tables(0)["robots_files"].to_dicts()[0]["host"] == host
    assert published_at(url)["host"] == host


CALLED_WITH_CARE = {
    "net/urlparts.py": "the total functions themselves",
    "net/origin.py": "raises ValueError, as it documents, which `origin_of` makes None of",
    "fetch/request_url.py": "raises ValueError, as it documents, which the client makes an answer of",
    "build/sources/postgres.py": "the address of the user's own database",
}
"""Where `urllib.parse` may be called for splitting and joining, and why."""


def test_urls_are_split_by_total_functions_alone() -> None:
    package = Path(urlset.__file__).parent
    calling = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "urllib.parse":
                names = {alias.name for alias in node.names}
                if names & {"urlsplit", "urljoin", "urlparse", "urldefrag"}:
                    calling.add(path.relative_to(package).as_posix())
    assert calling == set(CALLED_WITH_CARE)
