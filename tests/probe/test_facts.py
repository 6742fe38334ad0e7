"""What a row of `pages` says about the HTML: what stands in the wrong place, and where scripts lead."""

import pytest

from urlset.fetch.response import Response
from urlset.probe.facts import ProbeTarget, Row, row_of
from urlset.web.html_page import read_page

URL = "https://example.com/a"


def _row(html: str, **headers: str) -> Row:
    answer = Response(url=URL, final_url=URL, status=200, headers={"content-type": "text/html", **headers})
    return row_of(ProbeTarget(URL, {}, None), "GET", answer, read_page(html.encode()))


EARLY = (
    "<head><img src=p>\n<link rel=canonical href=/a><meta name=robots content='noindex, follow'>"
    "<link rel=alternate hreflang=de href=/de><link rel=alternate hreflang=fr href=/fr>"
)


def test_what_stands_behind_the_head() -> None:
    row = _row(EARLY)
    assert row["in_body"] == ["canonical: /a", "robots: noindex, follow", "hreflang: de, fr"]
    assert (row["head_end"], row["head_end_line"], row["body_noindex"]) == ("<img>", 1, "meta robots: noindex")
    assert (row.get("canonical"), row["noindex"]) == (None, None)


@pytest.mark.parametrize(
    ("html", "headers", "in_body"),
    [
        ("<link rel=canonical href=/a><p>a<link rel=canonical href=/b>", {}, None),
        ("<p>a<link rel=canonical href=/b>", {"link": "</a>; rel=canonical"}, None),
        ("<p>a<meta name=robots content='index,follow'>", {}, None),
        ("<p>a<meta name=robots content='all'>", {}, None),
        ("<p>a<meta name=robots content='max-snippet:-1'>", {}, ["robots: max-snippet:-1"]),
        ("<meta name=robots content=noindex><p>a<meta name=robots content=nofollow>", {}, None),
        ("<link rel=alternate hreflang=de href=/de><p>a<link rel=alternate hreflang=fr href=/fr>", {}, None),
    ],
)
def test_what_the_head_or_the_headers_have_is_not_missing(
    html: str, headers: dict[str, str], in_body: list[str] | None
) -> None:
    assert _row(html, **headers).get("in_body") == in_body


@pytest.mark.parametrize(
    ("html", "target"),
    [
        ("<script>location.replace('/b?c')</script>", "https://example.com/b?c"),
        ("<base href=/x/><script>location = 'b'</script>", "https://example.com/x/b"),
        ("<script>if (old) location = '/b'</script>", None),
    ],
)
def test_the_target_of_a_script(html: str, target: str | None) -> None:
    assert _row(html).get("script_url") == target


@pytest.mark.parametrize("to", ["HTTPS://EXAMPLE.com/a", "https://example.com:443/a", "/%61", "/a#top"])
def test_the_same_url_in_another_spelling_reloads_the_page(to: str) -> None:
    assert _row(f"<meta http-equiv=refresh content='0; url={to}'>").get("refresh_url") == URL
    assert _row(f"<script>location.replace('{to}')</script>").get("script_url") == URL


def test_a_spelling_of_the_page_is_another_url() -> None:
    assert _row("<meta http-equiv=refresh content='0; url=/a/'>").get("refresh_url") == f"{URL}/"


@pytest.mark.parametrize(
    ("html", "url", "links"),
    [
        ("<title>Shop</title><p>Text<a href=/b>b</a>", URL, 1),
        ("<title>Page not found</title><p>Text<a href=/b>b</a>", URL, 1),
        ("<a href=/b></a>", URL, 1),
        ("<title>Shop</title><p>Text<a href=/b>b</a>", "https://example.com/404.html", None),
        ("<title>Shop</title><p>Text<a href=/b>b</a>", None, None),
    ],
)
def test_visitors_follow_the_links_of_pages(html: str, url: str | None, links: int | None) -> None:
    answer = Response(url=URL, final_url=url or URL, status=200, headers={"content-type": "text/html"})
    assert row_of(ProbeTarget(URL, {}, None), "GET", answer, read_page(html.encode(), url=url)).get("links") == links
