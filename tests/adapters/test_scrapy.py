"""The spider, run by Scrapy: on good sitemaps it makes the requests of Scrapy's own, on broken ones more."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import importlib
import logging
import random
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from lxml import etree
from scrapy import spiders
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.http import Request, Response, TextResponse, XmlResponse
from tests.corpus import real_sites

from urlset.adapters import scrapy as ours
from urlset.errors import MissingExtraError

NAMESPACES = (
    'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)
BASE = "https://example.com"
QUIET = {
    # Without a reactor, which cannot be started twice in one process.
    "TWISTED_REACTOR_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
}


def urlset_of(*entries: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {NAMESPACES}>{"".join(entries)}</urlset>'


def index_of(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex {NAMESPACES}>{entries}</sitemapindex>'


def url(loc: str, more: str = "") -> str:
    return f"<url><loc>{loc}</loc>{more}</url>"


class Recorder:
    """What every spider here does: it notes which callback got which page."""

    name = "recorder"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.called: list[tuple[str, str]] = []

    def parse(self, response: Response) -> None:
        self.called.append(("parse", response.url))

    def parse_product(self, response: Response) -> None:
        self.called.append(("parse_product", response.url))


class Theirs(Recorder, spiders.SitemapSpider):
    pass


class Ours(Recorder, ours.SitemapSpider):
    pass


FAULTS = (ValueError, OSError, StopIteration, etree.LxmlError)
"""What Scrapy's own spider raises on broken sitemaps."""


class Crawl(NamedTuple):
    """What came of a crawl: which callback got which page, and the stats."""

    called: list[tuple[str, str]]
    stats: dict[str, Any]


def crawl(base: type[Recorder], *urls: str, settings: dict[str, Any] | None = None, **attributes: Any) -> Crawl:
    spider = type("Spider", (base,), {"sitemap_urls": urls, **attributes})

    async def run() -> Crawl:
        runner = AsyncCrawlerRunner({**QUIET, **(settings or {})})
        crawler = runner.create_crawler(spider)
        await runner.crawl(crawler)
        assert crawler.spider is not None
        assert crawler.stats is not None
        return Crawl(crawler.spider.called, crawler.stats.get_stats())  # type: ignore[attr-defined]

    return asyncio.run(run())


def listed(base: type[Recorder], body: bytes | str, response: type[Response] = XmlResponse, **attributes: Any) -> Any:
    """The URLs requested for one sitemap, in order, without any network; up to the error that Scrapy ends with."""
    spider: Any = type("Spider", (base,), {"_max_size": 0, "_warn_size": 0, **attributes})()
    address = f"{BASE}/sitemap" if response is TextResponse else f"{BASE}/sitemap.xml"
    content = body.encode() if isinstance(body, str) else body
    urls: list[str] = []
    with contextlib.suppress(*(FAULTS if base is Theirs else ())):
        requests = spider._parse_sitemap(response(address, body=content, request=Request(address)))
        urls.extend(request.url for request in requests)
    return urls


@pytest.fixture
def shop(site: Any) -> Any:
    """A good site: robots.txt, a nested index, products, articles, alternates, gzip."""
    site.otherwise.headers = {"Content-Type": "text/html"}
    site.otherwise.status = 200
    xml = {"Content_Type": "application/xml"}
    site.put("/robots.txt", "User-agent: *\nDisallow: /private/\nSitemap: {site}/index.xml\nsitemap: /more.xml\n")
    site.put("/index.xml", index_of("{site}/products.xml", "{site}/nested.xml", "{site}/old/archive.xml"), **xml)
    site.put("/nested.xml", index_of("{site}/articles.xml.gz"), **xml)
    link = '<xhtml:link rel="alternate" hreflang="de" href="{site}/de/product/1"/>'
    image = "<image:image><image:loc>{site}/1.png</image:loc></image:image>"
    site.put(
        "/products.xml",
        urlset_of(
            url("{site}/product/1", f"<lastmod>2024-05-01</lastmod>{link}{image}"),
            url("{site}/product/2?a=1&amp;b=2", "<lastmod>2003-05-01</lastmod>"),
            url("{site}/about", "<lastmod>2025-01-01</lastmod><priority>0.8</priority>"),
        ),
        **xml,
    )
    articles = urlset_of(url("{site}/article/1", "<lastmod>2024-01-01</lastmod>"))
    site.put("/articles.xml.gz", gzip.compress(articles.replace("{site}", site.url).encode()))
    site.put("/old/archive.xml", urlset_of(url("{site}/article/0", "<lastmod>2001-01-01</lastmod>")), **xml)
    site.put("/more.xml", urlset_of(url("{site}/contact", "<lastmod>2024-01-01</lastmod>")), **xml)
    return site


def recent(self: Any, entries: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The filter of Scrapy's documentation; indexes have no dates here."""
    for entry in entries:
        if "lastmod" not in entry or datetime.strptime(entry["lastmod"], "%Y-%m-%d").year >= 2005:  # noqa: DTZ007
            yield entry


def without_articles(self: Any, entries: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    return [{"loc": entry["loc"].replace("/about", "/imprint")} for entry in entries if "articles" not in entry["loc"]]


@pytest.mark.long("slow cases")
@pytest.mark.parametrize(
    ("attributes", "pages"),
    [
        pytest.param({}, 6, id="all"),
        pytest.param({"sitemap_rules": [("/product/", "parse_product")]}, 2, id="rules"),
        pytest.param(
            {"sitemap_rules": [(re.compile(r"/product/\d$"), "parse_product"), ("/product/", "parse")]}, 2, id="order"
        ),
        pytest.param({"sitemap_follow": ["/products", "/nested"]}, 4, id="follow"),
        pytest.param({"sitemap_alternate_links": True}, 7, id="alternates"),
        pytest.param({"sitemap_filter": recent}, 4, id="filter"),
        pytest.param({"sitemap_filter": without_articles}, 5, id="changed"),
        pytest.param({"custom_settings": {"ROBOTSTXT_OBEY": True}}, 6, id="obey"),
    ],
)
def test_a_good_site_gives_the_same_requests(shop: Any, attributes: dict[str, Any], pages: int) -> None:
    answers = []
    for base in (Theirs, Ours):
        shop.asked.clear()
        result = crawl(base, f"{shop.url}/robots.txt", **attributes)
        answers.append((sorted(result.called), sorted(shop.asked)))
    assert answers[0] == answers[1]
    assert len(answers[0][0]) == pages


def test_entries_are_the_dictionaries_of_scrapy(shop: Any) -> None:
    body = shop.pages["/products.xml"].content
    seen: dict[type[Recorder], list[Any]] = {}
    for base in (Theirs, Ours):
        kept = seen.setdefault(base, [])

        def watching(self: Any, entries: Iterable[dict[str, Any]], kept: list[Any] = kept) -> Iterator[dict[str, Any]]:
            for entry in entries:
                kept.append(entry)
                yield entry

        listed(base, body, sitemap_filter=watching)
    assert seen[Theirs] == seen[Ours]
    first: Any = seen[Ours][0]
    assert issubclass(type(first), dict)
    assert first["image"] == ""
    assert first.record.images[0].loc == f"{shop.url}/1.png"
    assert first.record.lastmod_at.isoformat() == "2024-05-01T00:00:00+00:00"


def test_start_may_be_your_own(shop: Any) -> None:
    async def start(self: Any) -> AsyncIterator[Any]:
        yield Request(f"{shop.url}/more.xml", self._parse_sitemap)
        yield Request(f"{shop.url}/own")

    assert sorted(crawl(Ours, start=start).called) == [
        ("parse", f"{shop.url}/contact"),
        ("parse", f"{shop.url}/own"),
    ]


A, B, C = (f"{BASE}/{name}" for name in "abc")
MANY = [f"{BASE}/a/{number * 7919}" for number in range(500)]
BROKEN: dict[str, tuple[bytes | str, type[Response]]] = {
    "bare ampersand": (urlset_of(url(f"{A}?x=1&y=2"), url(B)), XmlResponse),
    "escapes after a fault": (urlset_of(url(f"{C}?x=1&y"), url(f"{A}?x=1&amp;y=2")), XmlResponse),
    "html entity": (urlset_of(url(A, "<x>&nbsp;</x>"), url(B)), XmlResponse),
    "relative": (urlset_of(url(A), url("/b"), url("c")), XmlResponse),
    "nothing of a URL": (urlset_of(url("http://["), url(B)), XmlResponse),
    "text before": ("oops\n" + urlset_of(url(A), url(B)), XmlResponse),
    "space before": ("\n  " + urlset_of(url(A), url(B)), XmlResponse),
    "no end": (urlset_of(url(A), url(B)).removesuffix("</urlset>"), XmlResponse),
    "an entry cut": (urlset_of(url(A), url(B)).removesuffix("</url></urlset>"), XmlResponse),
    "a tag not closed": (urlset_of(f"<url><loc>{A}</loc><lastmod>2024</url>", url(B)), XmlResponse),
    "an entry not closed": (urlset_of(f"<url><loc>{A}</loc>", url(B)), XmlResponse),
    "control character": (urlset_of(url(A, "<x>\x00\x08</x>"), url(B)), XmlResponse),
    "wrong bytes": (urlset_of(url(A, "<x>ü</x>"), url(B)).encode("latin-1"), XmlResponse),
    "wrong declaration": (urlset_of(url(A), url(B)).replace("UTF-8", "UTF-16"), XmlResponse),
    "declaration in the middle": (urlset_of(url(A), '<?xml version="1.0"?>', url(B)), XmlResponse),
    "prefix not declared": (urlset_of(url(A, "<foo:bar>1</foo:bar>"), url(B)), XmlResponse),
    "attribute twice": (urlset_of('<url a="1" a="2">' + url(A).removeprefix("<url>"), url(B)), XmlResponse),
    "two documents": (urlset_of(url(A)) + urlset_of(url(B)), XmlResponse),
    "comment not closed": (urlset_of(url(A), "<!-- ", url(B)), XmlResponse),
    "no namespace": (f"<urlset>{url(A)}</urlset>", XmlResponse),
    "wrong namespace": (f'<urlset xmlns="https://example.com/">{url(A)}</urlset>', XmlResponse),
    "prefix": (f'<s:urlset xmlns:s="x">{url(A).replace("<", "<s:").replace("<s:/", "</s:")}</s:urlset>', XmlResponse),
    "case": (f"<UrlSet><URL><Loc>{A}</LOC></URL></UrlSet>", XmlResponse),
    "wrapped entries": (urlset_of(f"<group>{url(A)}</group>", url(B)), XmlResponse),
    "several URLs": (urlset_of(f"<url><loc>{A}</loc><loc>{B}</loc></url>"), XmlResponse),
    "no URL": (urlset_of("<url><lastmod>2024-01-01</lastmod></url>", "<url><loc/></url>", url(B)), XmlResponse),
    "entities declared": ('<!DOCTYPE a [<!ENTITY e "e">]>' + f"<urlset>{url(A, '<x>&e;</x>')}</urlset>", XmlResponse),
    "text": (f"{A}\n{B}\n", XmlResponse),
    "rss": (f"<rss><channel><item><link>{A}</link></item></channel></rss>", XmlResponse),
    "atom": (f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="{A}"/></entry></feed>', XmlResponse),
    "called HTML": (urlset_of(url(A)), TextResponse),
    "gzip in gzip": (gzip.compress(gzip.compress(urlset_of(url(A)).encode())), Response),
    "gzip called XML": (gzip.compress(urlset_of(url(A)).encode()), XmlResponse),
    "gzip and more": (gzip.compress(urlset_of(url(A)).encode()) + b"more", Response),
    "gzip cut": (gzip.compress(urlset_of(*map(url, MANY)).encode())[:-50], Response),
    "index": (index_of(A, "/b"), XmlResponse),
    "index with an ampersand": (index_of(f"{A}?x&y", B), XmlResponse),
    "pages in an index": (index_of(A).replace("</sitemapindex>", url(B) + "</sitemapindex>"), XmlResponse),
    "sitemaps in a urlset": (urlset_of(url(A), f"<sitemap><loc>{B}</loc></sitemap>"), XmlResponse),
    "empty": (b"", XmlResponse),
    "html": ("<html><body><a href='/a'>a</a></body></html>", XmlResponse),
}
"""Sitemaps as sites publish them, and the responses they come in."""

MEANT = {A, B, C, f"{A}?x=1&y=2", f"{C}?x=1&y", f"{A}?x&y", *MANY}
"""The URLs that those sitemaps mean."""


@pytest.mark.parametrize("fault", BROKEN)
def test_broken_sitemaps_give_more_and_never_fewer(fault: str) -> None:
    theirs, found = (set(listed(base, *BROKEN[fault])) for base in (Theirs, Ours))
    assert theirs & MEANT <= found <= MEANT
    assert bool(found) is (fault not in ("empty", "html"))


def test_what_more_there_is() -> None:
    more = {fault: [listed(base, *BROKEN[fault]) for base in (Theirs, Ours)] for fault in BROKEN}
    # Scrapy drops a bare ampersand with the word that follows, and after any fault every escape.
    assert more["bare ampersand"] == [[f"{A}?x=1=2", B], [f"{A}?x=1&y=2", B]]
    assert more["escapes after a fault"] == [[f"{C}?x=1", f"{A}?x=1y=2"], [f"{C}?x=1&y", f"{A}?x=1&y=2"]]
    assert more["relative"] == [[A], [A, B, C]]
    assert more["nothing of a URL"] == [[], [B]]
    for fault in ("text", "rss", "atom", "case", "gzip in gzip", "gzip called XML", "called HTML", "text before"):
        assert more[fault][0] == []
        assert more[fault][1][0] == A
    # Half a URL is not requested.
    assert (set(more["gzip cut"][0]) - MEANT, set(more["gzip cut"][1]) - MEANT) == ({f"{A}/3"}, set())


@pytest.mark.long("slow cases")
@pytest.mark.skipif(real_sites.IS_ABSENT, reason=real_sites.ABSENT)
def test_real_sitemaps_give_more_and_never_fewer() -> None:
    files = real_sites.files()
    if not files:
        pytest.skip(real_sites.ABSENT)
    more = 0
    for name, body in files.items():
        theirs, found = ({*listed(base, body, sitemap_alternate_links=True)} for base in (Theirs, Ours))
        # A bare ampersand in a URL, which Scrapy drops.
        assert theirs <= found or name.endswith("1-29+1-29.github.io/sitemap.xml"), name
        assert len(theirs) <= len(found), name
        more += len(found - theirs)
    assert more > 1_000


def test_misplaced_entries_become_what_they_are(site: Any) -> None:
    site.put("/index.xml", index_of("{site}/a.xml").replace("</sitemapindex>", url("{site}/p") + url("{site}/b.xml")))
    site.put(
        "/a.xml",
        urlset_of(url("{site}/1"), "<sitemap><loc>{site}/c.xml</loc></sitemap><sitemap><loc>{site}/q</loc></sitemap>"),
    )
    for name in "bc":
        site.put(f"/{name}.xml", urlset_of(url("{site}/" + name)))
    for name in "pqbc1":
        site.put(f"/{name}", "<html><body>page</body></html>", Content_Type="text/html")
    found = {one.removeprefix(site.url) for _, one in crawl(Ours, f"{site.url}/index.xml").called}
    assert found == {"/p", "/q", "/b", "/c", "/1"}
    theirs = {one.removeprefix(site.url) for _, one in crawl(Theirs, f"{site.url}/index.xml").called}
    assert theirs - {"/c.xml"} < found


def test_what_was_repaired_and_left_out_is_logged_and_counted(site: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="recorder")
    entries = [url("{site}/a?x&y"), url("{site}/b"), "<url><lastmod>2024</lastmod></url>", url("http://[")]
    site.put("/sitemap.xml", urlset_of(*entries).removesuffix("</urlset>"))
    site.put("/page", "<html></html>")
    stats = crawl(Ours, f"{site.url}/sitemap.xml", f"{site.url}/page").stats
    own = {name.removeprefix("urlset/"): count for name, count in stats.items() if name.startswith("urlset/")}
    assert own == {
        "documents": 2,
        "documents/urlset": 1,
        "documents/html": 1,
        "not_sitemaps": 1,
        "entries": 4,
        "entries_without_url": 1,
        "urls_invalid": 1,
        "incomplete": 1,
        "anomalies": 3,
        "anomalies/bare-ampersand": 1,
        "anomalies/loc-missing": 1,
        "anomalies/truncated": 1,
    }
    logged = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "recorder"]
    assert sorted(logged) == [
        (
            "INFO",
            f"{site.url}/sitemap.xml: 4 entries; repaired or left out: "
            "bare-ampersand (1), loc-missing (1), truncated (1)",
        ),
        ("INFO", "http://[: left out: Invalid IPv6 URL"),
        ("WARNING", f"{site.url}/page: ignored: not a sitemap but html"),
        ("WARNING", f"{site.url}/sitemap.xml: read in part, 4 entries: damaged, or larger than the limit"),
    ]


def test_an_index_loop_ends(site: Any) -> None:
    site.put("/a.xml", index_of("{site}/b.xml", "{site}/a.xml", "{site}/a.xml#x"))
    site.put("/b.xml", index_of("{site}/a.xml", "{site}/c.xml", "{site}/c.xml"))
    site.put("/c.xml", urlset_of(url("{site}/page")))
    site.put("/page", "x", Content_Type="text/html")
    result = crawl(Ours, f"{site.url}/a.xml", settings={"DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter"})
    assert site.asked == ["/a.xml", "/b.xml", "/c.xml", "/page"]
    assert result.called == [("parse", f"{site.url}/page")]
    assert result.stats["urlset/not_followed/repeated"] == 4


def test_redirects_to_one_sitemap_are_read_once(site: Any) -> None:
    site.put("/index.xml", index_of("{site}/1.xml", "{site}/2.xml", "{site}/index.xml?again"))
    site.put("/1.xml", "", 301, Location="/real.xml")
    site.put("/2.xml", "", 302, Location="/real.xml")
    site.put("/index.xml?again", "", 302, Location="/index.xml")
    site.put("/real.xml", urlset_of(url("{site}/page")))
    site.put("/page", "x", Content_Type="text/html")
    result = crawl(Ours, f"{site.url}/index.xml", settings={"DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter"})
    assert result.called == [("parse", f"{site.url}/page")]
    assert result.stats["urlset/not_followed/repeated"] == 2


def test_nesting_without_end_is_limited(site: Any) -> None:
    for number in range(20):
        site.put(f"/{number}.xml", index_of(f"{{site}}/{number + 1}.xml"))
    site.put("/robots.txt", "Sitemap: {site}/0.xml")
    result = crawl(Ours, f"{site.url}/robots.txt")
    assert site.asked == ["/robots.txt", *(f"/{number}.xml" for number in range(6))]
    assert result.stats["urlset/not_followed/depth-limit"] == 1
    site.asked.clear()
    crawl(Ours, f"{site.url}/0.xml", sitemap_max_depth=2)
    assert site.asked == ["/0.xml", "/1.xml", "/2.xml"]


def test_robots_files_without_end_are_limited(site: Any) -> None:
    for number in range(20):
        site.put(f"/{number}/robots.txt", f"Sitemap: {{site}}/{number + 1}/robots.txt")
    crawl(Ours, f"{site.url}/0/robots.txt")
    assert len(site.asked) == 7


def test_ten_thousand_children() -> None:
    body = index_of(*(f"{BASE}/{number}.xml" for number in range(10_000)))
    assert len(listed(Ours, body)) == len(listed(Theirs, body)) == 10_000
    assert len(listed(Ours, body, sitemap_max_documents=100)) == 99


@pytest.mark.long("slow cases")
def test_a_huge_body_is_read_up_to_the_limit(site: Any) -> None:
    entries = urlset_of(*(url(f"{{site}}/{number}") for number in range(5_000)))
    site.put("/bomb.xml.gz", gzip.compress(entries.replace("{site}", site.url).encode() + b" " * 50_000_000))
    address = f"{site.url}/bomb.xml.gz"
    never: dict[str, Any] = {"sitemap_rules": [("/1$", "parse")]}
    for limits in ({"sitemap_max_bytes": 20_000}, {"custom_settings": {"DOWNLOAD_MAXSIZE": 100_000}}):
        result = crawl(Ours, address, **limits, **never)
        assert 0 < result.stats["urlset/entries"] < 5_000
        assert result.stats["urlset/incomplete"] == 1
    assert "urlset/incomplete" in crawl(Ours, address, sitemap_max_bytes=1_000_000, **never).stats
    # Scrapy reads nothing of it.
    assert crawl(Theirs, address, custom_settings={"DOWNLOAD_MAXSIZE": 100_000}, **never).called == []


@pytest.mark.long("slow cases")
def test_gzip_in_any_wrapping(site: Any) -> None:
    paths = ("/{}/sitemap.xml", "/{}/sitemap.xml.gz", "/{}/sitemap", "/{}/sitemap.php?type=xml")
    kinds = (None, "application/xml", "text/html", "application/octet-stream")
    wrappings = list(product(paths, kinds, (None, "gzip"), (0, 1, 2)))
    urls = []
    for number, (path, kind, encoding, times) in enumerate(wrappings):
        body = urlset_of(url(f"{site.url}/page/{number}")).encode()
        for _ in range(times + (encoding is not None)):
            body = gzip.compress(body)
        headers = {"Content_Encoding": encoding, "Content_Type": kind}
        site.put(path.format(number), body, **{name: value for name, value in headers.items() if value is not None})
        urls.append(site.url + path.format(number))
    site.otherwise.status = 200
    found = {int(one.rpartition("/")[2]) for _, one in crawl(Ours, *urls).called}
    assert [wrapping for number, wrapping in enumerate(wrappings) if number not in found] == []


def test_a_robots_txt_with_faults(site: Any) -> None:
    site.put("/page", "x", Content_Type="text/html")
    site.put("/a.xml", urlset_of(url("{site}/page")))
    site.put("/robots.txt", "\ufeffSITEMAP : /a.xml # ours\r\nSitemap:\nSitemap: http://[\n\x00")
    result = crawl(Ours, f"{site.url}/robots.txt")
    assert result.called == [("parse", f"{site.url}/page")]
    assert result.stats["urlset/urls_invalid"] == 1
    site.put("/robots.txt", "Sitemap: {site}/a.xml\n" + "# x\n" * 200_000)
    assert crawl(Ours, f"{site.url}/robots.txt").stats["urlset/incomplete"] == 1


def test_any_bytes_are_read_without_an_error() -> None:
    chance = random.Random(7)
    pieces = [
        *(f"<{name}>" for name in ("url", "/url", "loc", "/loc", "sitemap", "/sitemap", "/urlset")),
        "&",
        "<",
        "\x00",
    ]
    pieces += [
        "http://[",
        "//",
        "::",
        "\u202e",
        "]]>",
        "<!--",
        "\ud800",
        "http://a b/",
        "https://\u2100/",
        "javascript:x",
    ]
    start = urlset_of(url(A), url(B))
    for _ in range(300):
        text = start
        for _ in range(chance.randint(1, 8)):
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice(pieces) + text[place:]
        listed(Ours, text.encode("utf-8", "surrogatepass"), sitemap_alternate_links=True)


def test_a_spider_file_runs_under_scrapys_own_command(site: Any, tmp_path: Path) -> None:
    site.put("/sitemap.xml", urlset_of(url("{site}/a?x&y")))
    site.put("/a?x&y", "<title>A</title>", Content_Type="text/html")
    (tmp_path / "shop.py").write_text(
        "from urlset.adapters.scrapy import SitemapSpider\n\n\n"
        "class Shop(SitemapSpider):\n"
        '    name = "shop"\n'
        f'    sitemap_urls = ["{site.url}/sitemap.xml"]\n\n'
        "    def parse(self, response):\n"
        '        yield {"title": response.css("title::text").get()}\n'
    )
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "runspider",
        "shop.py",
        "-O",
        "items.json",
        "-s",
        "TELNETCONSOLE_ENABLED=0",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "items.json").read_text() == '[\n{"title": "A"}\n]'
    assert "/sitemap.xml: 1 entry; repaired or left out: bare-ampersand (1)" in done.stderr
    assert "'urlset/anomalies/bare-ampersand': 1" in done.stderr


def test_without_scrapy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scrapy", None)
    monkeypatch.delitem(sys.modules, "urlset.adapters.scrapy")
    with pytest.raises(MissingExtraError, match=r"pip install 'urlset\[scrapy\]'"):
        importlib.import_module("urlset.adapters.scrapy")
