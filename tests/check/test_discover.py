"""Discovery on the loopback network: where it looks, what counts, and what it says of the rest."""

from __future__ import annotations

import asyncio
import gzip
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import pytest
from tests.loopback import closed_port

import urlset
from urlset.errors import UsageError
from urlset.fetch.response import FetchError, Response
from urlset.model.discovery import Discovery, FoundBy
from urlset.options import DiscoverOptions
from urlset.pipeline.discover import discover_all
from urlset.sources.well_known import CHECKED, WELL_KNOWN
from urlset.stages.discover import discover
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from urlset.fetch.client import Client

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)


def found(site: Any, **options: Any) -> Discovery:
    [discovery] = discover_all([site.url], DiscoverOptions(**options))
    return discovery


def ways(site: Any, **options: Any) -> list[tuple[str, list[str]]]:
    return [
        (candidate.url.removeprefix(site.url), [find.way.value for find in candidate.finds])
        for candidate in found(site, **options).candidates
    ]


def test_the_order_is_robots_paths_link_header(site: Any) -> None:
    site.put("/", '<link rel="sitemap" href="/linked.xml">', Link='</headed.xml>; rel="sitemap"')
    site.put("/robots.txt", "Sitemap: {site}/named.xml\n")
    for path in ("/headed.xml", "/linked.xml", "/wp-sitemap.xml", "/sitemap.xml", "/named.xml"):
        site.put(path, SITEMAP)
    assert ways(site) == [
        ("/named.xml", ["robots"]),
        ("/sitemap.xml", ["well-known"]),
        ("/wp-sitemap.xml", ["well-known"]),
        ("/linked.xml", ["html-link"]),
        ("/headed.xml", ["http-header"]),
    ]


def test_what_is_found_twice_is_one_with_both_ways(site: Any) -> None:
    site.put("/", '<link rel="sitemap" href="/sitemap.xml">')
    site.put("/robots.txt", "Sitemap: {site}/sitemap.xml\nSitemap: {site}/sitemap.xml#again\n")
    site.put("/sitemap.xml", SITEMAP)
    [(path, all_ways)] = ways(site)
    assert (path, all_ways) == ("/sitemap.xml", ["robots", "robots", "well-known", "html-link"])
    assert site.asked.count("/sitemap.xml") == 1


def test_urls_that_redirect_to_one_are_one(site: Any) -> None:
    site.put("/sitemap.xml", "", 301, Location="/wp-sitemap.xml")
    site.put("/sitemap_index.xml", "", 302, Location="/wp-sitemap.xml")
    site.put("/wp-sitemap.xml", SITEMAP)
    [candidate] = found(site).candidates
    assert candidate.url == f"{site.url}/sitemap.xml"
    assert candidate.final_url == f"{site.url}/wp-sitemap.xml"
    assert [find.url for find in candidate.finds] == [
        None,
        f"{site.url}/sitemap_index.xml",
        f"{site.url}/wp-sitemap.xml",
    ]


def test_each_find_says_how_status_kind_and_size(site: Any) -> None:
    content = SITEMAP.encode()
    packed = gzip.compress(content)
    site.put("/robots.txt", "# first\nsite-map : {site}/a.xml.gz # second\n")
    site.put("/a.xml.gz", packed)
    [candidate] = found(site).candidates
    assert (candidate.found_by, candidate.line) == (FoundBy.ROBOTS, 2)
    assert (candidate.status, candidate.kind, candidate.entries) == (200, "urlset", 1)
    assert (candidate.bytes, candidate.wire_bytes) == (len(content), len(packed))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("<!doctype html><title>Not found</title>", "returned HTTP 200 with an HTML page"),
        ("<html><body>Sign in</body></html>", "returned HTTP 200 with an HTML page"),
        ('{"error": "not found"}', "returned HTTP 200 with JSON"),
        ("", "returned HTTP 200 with an empty response"),
        ("Sorry, there is nothing here.", "returned HTTP 200 with text without URLs"),
        ("User-agent: *\nDisallow: /\n", "returned HTTP 200 with a robots.txt"),
    ],
)
def test_a_soft_404_does_not_count(site: Any, content: str, why: str) -> None:
    site.otherwise = type(site.otherwise)(content.encode(), 200, {"Content-Type": "application/xml"})
    discovery = found(site)
    assert discovery.candidates == ()
    assert {candidate.why_not for candidate in discovery.tried} == {why}


def test_a_redirect_to_the_home_page_does_not_count(site: Any) -> None:
    site.put("/", "<html>Home</html>")
    site.put("/sitemap.xml", "", 302, Location="/")
    discovery = found(site)
    assert discovery.candidates == ()
    assert discovery.tried[0].final_url == f"{site.url}/"


def test_every_path_is_tried_and_listed(site: Any) -> None:
    discovery = found(site)
    assert [candidate.url for candidate in discovery.tried] == [site.url + known.path for known in WELL_KNOWN]
    assert {candidate.why_not for candidate in discovery.tried} == {"returned HTTP 404 Not Found"}
    assert discovery.robots is not None
    assert discovery.robots.reason == "returned HTTP 404 Not Found"


def test_an_overloaded_server_is_not_asked_for_every_path(site: Any) -> None:
    site.put("/robots.txt", "", 429)
    site.put("/sitemap.xml", SITEMAP)
    discovery = found(site, retries=0)
    assert len(discovery.candidates) == 1
    assert set(site.asked) == {"/robots.txt", "/", *(known.path for known in CHECKED)}
    assert "overloaded" in discovery.notes[0]


def test_a_server_that_says_only_that_it_is_overloaded_is_soon_let_alone(site: Any) -> None:
    site.otherwise = site.otherwise.__class__(b"", 503)
    discovery = found(site, retries=0)
    assert site.asked == ["/robots.txt", "/", "/sitemap.xml"]
    assert [one.why_not for one in discovery.tried] == [
        "returned HTTP 503 Service Unavailable", *["not requested: the server is overloaded"] * (len(CHECKED) - 1),
    ]  # fmt: skip


def test_paths_of_the_user_come_first(site: Any) -> None:
    site.put("/mine.xml", SITEMAP)
    site.put("/sitemap.xml", SITEMAP)
    assert [path for path, _ in ways(site, paths=("mine.xml",))] == ["/mine.xml", "/sitemap.xml"]


def test_a_page_below_the_root_is_the_home_page(site: Any) -> None:
    site.put("/shop/", '<link rel="sitemap" href="map.xml">')
    site.put("/shop/map.xml", SITEMAP)
    site.put("/shop/sitemap.xml", SITEMAP)
    site.put("/robots.txt", "Sitemap: {site}/named.xml")
    site.put("/named.xml", SITEMAP)
    [discovery] = discover_all([f"{site.url}/shop/"])
    assert [candidate.url.removeprefix(site.url) for candidate in discovery.candidates] == [
        "/named.xml",
        "/shop/sitemap.xml",
        "/shop/map.xml",
    ]
    assert set(site.asked) >= {f"/shop{known.path}" for known in CHECKED}
    assert "in /shop/ were also requested" in discovery.notes[0]
    assert "/" not in site.asked


def test_relative_sitemap_lines_are_resolved_and_reported(site: Any) -> None:
    site.put("/robots.txt", "Sitemap: /deep/map.xml\nSitemap: ftp://example.com/s.xml\n")
    site.put("/deep/map.xml", SITEMAP)
    discovery = found(site)
    [candidate] = discovery.candidates
    assert candidate.finds[0].written == "/deep/map.xml"
    assert any("line 1: /deep/map.xml must be an absolute URL" in note for note in discovery.notes)
    assert [(one.url, one.why_not) for one in discovery.tried if one.line == 2] == [
        ("ftp://example.com/s.xml", "not an http or https URL")
    ]


def test_a_robots_txt_with_many_lines_is_bounded(site: Any) -> None:
    site.put("/robots.txt", "".join(f"Sitemap: {{site}}/{number}.xml\n" for number in range(30)))
    discovery = found(site, max_candidates=10)
    assert len([path for path in site.asked if path.endswith(".xml")]) == 10
    left = [one for one in discovery.tried if one.status is None]
    assert len([one for one in left if one.line is not None]) == 20
    assert {urlsplit(one.url).path for one in left if one.line is None} <= {each.path for each in WELL_KNOWN}
    assert len({one.why_not for one in left}) == 1
    assert left[0].why_not == "not requested: the limit of 10 URLs was reached"


def test_a_site_that_cannot_be_reached_is_a_value() -> None:
    with closed_port() as port:
        discovery = urlset.discover(f"127.0.0.1:{port}")
    assert discovery.unreachable is not None
    assert "refused" in discovery.unreachable.lower()
    assert (discovery.candidates, discovery.tried) == ((), ())


class OneScheme:
    """A client for which a site answers over one scheme alone, and fails as told over the other."""

    def __init__(self, scheme: str, error_kind: FetchError) -> None:
        self.scheme = scheme
        self.error_kind = error_kind

    async def get(self, url: str, **_: object) -> Response:
        if not url.startswith(f"{self.scheme}://"):
            return Response(url=url, final_url=url, error_kind=self.error_kind, reason="no way in")
        if url.endswith("example.com/sitemap.xml"):
            return Response(url=url, final_url=url, status=200, content=SITEMAP.encode())
        return Response(url=url, final_url=url, status=404, reason="returned HTTP 404 Not Found")


@pytest.mark.parametrize(
    ("written", "error_kind", "origin"),
    [
        ("example.com", FetchError.REFUSED, "http://example.com"),
        ("example.com", FetchError.CONNECT_TIMEOUT, "http://example.com"),
        # A bad certificate is no reason to go without one, and what the user wrote is what is meant.
        ("example.com", FetchError.TLS, None),
        ("https://example.com", FetchError.REFUSED, None),
    ],
)
def test_without_a_scheme_http_is_asked_where_there_is_no_https(
    written: str, error_kind: FetchError, origin: str | None
) -> None:
    discovery = asyncio.run(discover(written, cast("Client", OneScheme("http", error_kind))))
    if origin is None:
        assert (discovery.origin, discovery.unreachable) == ("https://example.com", "no way in")
    else:
        assert [candidate.url for candidate in discovery.candidates] == [f"{origin}/sitemap.xml"]
        assert discovery.notes == ("https://example.com: no way in; http://example.com was searched instead",)


def test_a_home_page_that_fails_does_no_harm(site: Any) -> None:
    site.put("/", b"\x00\xff" * 100, 500)
    site.put("/sitemap.xml", SITEMAP)
    discovery = found(site)
    assert len(discovery.candidates) == 1
    assert discovery.home is not None
    assert discovery.home.status == 500


def test_several_sites_in_their_order(site: Any) -> None:
    site.put("/sitemap.xml", SITEMAP)
    other = site.url.replace("127.0.0.1", "localhost")
    seen: list[ProgressEvent] = []
    discoveries = discover_all([other, site.url, other], None, seen.append)
    assert [one.origin for one in discoveries] == [other, site.url, other]
    assert [(told.done, told.known) for told in seen] == [(1, 3), (2, 3), (3, 3)]


def test_a_bad_origin_is_said_before_anything_is_asked_for(site: Any) -> None:
    with pytest.raises(UsageError, match="no host"):
        discover_all([site.url, "http://"])
    with pytest.raises(UsageError, match="is not a path"):
        discover_all([site.url], DiscoverOptions(paths=("https://example.com/",)))
    assert site.asked == []
