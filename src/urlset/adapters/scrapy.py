"""Scrapy: a `SitemapSpider` that reads sitemaps with urlset's reader.

It has the attributes and methods of `scrapy.spiders.SitemapSpider`. In a spider, change

    from scrapy.spiders import SitemapSpider

to

    from urlset.adapters.scrapy import SitemapSpider

`docs/how-to/from-scrapy.md` lists the differences.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset import _core
from urlset.errors import requiring_extra
from urlset.model.entry import Child, Url, entries_of
from urlset.net.urlparts import join_url, split_url
from urlset.options.following import FollowingOptions
from urlset.options.reading import DEFAULT_MAX_DOCUMENT_BYTES
from urlset.sources.frontier import CutKind
from urlset.tables import SITEMAP_KINDS
from urlset.text.masking import mask_url
from urlset.web.robots_txt import Robots

with requiring_extra("scrapy", "urlset.adapters.scrapy requires"):
    from scrapy import spiders
    from scrapy.http import Request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from scrapy.http import Response

    from urlset._core import Table
    from urlset.model.entry import Entry

Batches: TypeAlias = "Sequence[Mapping[str, Table]]"

DEPTH = "urlset_sitemap_depth"
"""Key of `Request.meta`: how many sitemap indexes are above a sitemap."""

MISPLACED = "urlset_misplaced"
"""Key of `Request.meta`: the entry is a `<url>` in an index or a `<sitemap>` elsewhere, so it may be a page."""


class SitemapEntry(dict[str, object]):
    """One entry as `sitemap_filter` receives it: the same dictionary as Scrapy's, and the typed entry.

    The keys are `loc`, and those of `lastmod`, `changefreq`, `priority`, and `alternate` that the entry has, with the
    values as written. A relative `loc` is resolved. `image`, `video`, and `news` are empty strings where the entry has
    such a record, as in Scrapy.

    Attributes:
        record: The entry with parsed dates and all records: a `urlset.Url` or `urlset.Child`.
    """

    def __init__(self, record: Entry, base: str) -> None:
        super().__init__(loc=_absolute(record.loc or "", base))
        self.record = record
        if record.lastmod is not None:
            self["lastmod"] = record.lastmod
        if isinstance(record, Child):
            return
        if record.changefreq is not None:
            self["changefreq"] = record.changefreq
        if record.priority is not None:
            self["priority"] = record.priority
        if alternates := [link.href for link in record.alternates if link.href]:
            self["alternate"] = alternates
        # Scrapy has the text of these elements, which hold nothing but other elements.
        for name, records in (("image", record.images), ("video", record.videos), ("news", record.news)):
            if records:
                self[name] = ""


class SitemapSpider(spiders.SitemapSpider):
    """Crawl a site from its sitemaps, as `scrapy.spiders.SitemapSpider` does, whatever state the sitemaps are in.

    `sitemap_urls`, `sitemap_rules`, `sitemap_follow`, `sitemap_alternate_links`, and `sitemap_filter` work as in
    Scrapy. What is repaired or left out is logged, and counted in the stats under `urlset/`.

    Attributes:
        sitemap_max_depth: Maximum index nesting to follow.
        sitemap_max_documents: Maximum number of sitemaps to request.
        sitemap_max_bytes: Maximum bytes to read from a sitemap, after decompression; Scrapy's `DOWNLOAD_MAXSIZE`
            applies if it is lower.
    """

    sitemap_max_depth: int = FollowingOptions().max_depth
    sitemap_max_documents: int = FollowingOptions().max_documents
    sitemap_max_bytes: int = DEFAULT_MAX_DOCUMENT_BYTES

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self._seen_keys: set[str] = set()
        self._read: set[str] = set()

    def _parse_sitemap(self, response: Response) -> Iterator[Request]:
        """Yield the requests for what a sitemap, a sitemap index, or a robots.txt lists."""
        meta = _meta(response)
        if self._is_repeated(response, meta):
            self._count(f"not_followed/{CutKind.REPEATED}")
            return
        reader = _core.Reader(response.body, url=response.url, max_inflated=self._max_bytes(meta), hash=False)
        batches = list(reader)
        facts = reader.facts()
        kind = str(facts["kind"])
        if split_url(response.url).path.endswith("/robots.txt"):
            kind = "robots"
        self._count("documents")
        self._count(f"documents/{kind}")
        if kind == "robots":
            yield from self._from_robots(response, meta)
        elif kind in SITEMAP_KINDS:
            self._report(response.url, facts, batches)
            yield from self._from_sitemap(
                response.url, batches, meta.get(DEPTH, 0) + 1, is_index=kind == "sitemapindex"
            )
        else:
            yield from self._misplaced_page(response, meta, kind)

    def _is_repeated(self, response: Response, meta: Mapping[str, Any]) -> bool:
        """Return whether a request that this spider made was redirected to a sitemap that is already read."""
        key = _core.page_key(response.url)
        is_repeated = DEPTH in meta and key in self._read
        self._read.add(key)
        self._seen_keys.update(_core.page_key(url) for url in (response.url, *meta.get("redirect_urls", ())))
        return is_repeated

    def _from_robots(self, response: Response, meta: Mapping[str, Any]) -> Iterator[Request]:
        robots = Robots.parse(response.body, response.url)
        if unread := robots.facts["bytes_unread"]:
            self._count("incomplete")
            self.logger.warning(
                "%s: read in part: the last %s bytes are ignored", mask_url(response.url), f"{unread:,}"
            )
        urls = [line.url for line in robots.sitemaps]
        # What a robots.txt lists is at the top, unless something else lists the robots.txt.
        yield from self._sitemaps(urls, response.url, meta.get(DEPTH, -1) + 1)

    def _from_sitemap(self, base: str, batches: Batches, depth: int, *, is_index: bool) -> Iterator[Request]:
        pages = self._urls(batches, "urls", base)
        children = self._urls(batches, "children", base)
        if is_index:
            yield from self._sitemaps(filter(self._is_followed, children), base, depth)
            yield from self._misplaced_entries(pages, base, depth)
        else:
            yield from self._pages(pages)
            yield from self._misplaced_entries(children, base, depth)

    def _misplaced_page(self, response: Response, meta: Mapping[str, object], kind: str) -> Iterator[Request]:
        """Yield the request for a page that is listed as if it were a sitemap, if it may be one."""
        if meta.get(MISPLACED):
            yield from self._pages([response.url], dont_filter=True)
            return
        self._count("not_sitemaps")
        self.logger.warning("%s: ignored: not a sitemap but %s", mask_url(response.url), kind)

    def _report(self, url: str, facts: Mapping[str, Any], batches: Batches) -> None:
        """Log and count what was repaired or left out of a sitemap."""
        entries = f"{facts['entries']:,} {'entry' if facts['entries'] == 1 else 'entries'}"
        self._count("entries", facts["entries"])
        anomalies: Counter[str] = Counter()
        for table in (tables["anomalies"] for tables in batches if "anomalies" in tables):
            for kind, count in zip(table.column("kind"), table.column("count"), strict=True):
                anomalies[kind] += count
        self._count("anomalies", anomalies.total())
        for kind, count in anomalies.items():
            self._count(f"anomalies/{kind}", count)
        if anomalies:
            listed = ", ".join(f"{kind} ({count:,})" for kind, count in anomalies.most_common())
            self.logger.info("%s: %s; repaired or left out: %s", mask_url(url), entries, listed)
        if not facts["complete"]:
            self._count("incomplete")
            self.logger.warning("%s: read in part, %s: damaged, or larger than the limit", mask_url(url), entries)

    def _urls(self, batches: Batches, name: str, base: str) -> Iterator[str]:
        """Yield the URLs of the entries of one table that `sitemap_filter` lets through."""
        if not any(name in tables for tables in batches):
            return
        for entry in self.sitemap_filter(self._entries(batches, name, base)):
            alternates = entry.get("alternate") if self.sitemap_alternate_links else None
            for url in (entry["loc"], *(alternates or ())):
                if url:
                    yield _absolute(url, base)

    def _entries(self, batches: Batches, name: str, base: str) -> Iterator[SitemapEntry]:
        other = "children" if name == "urls" else "urls"
        for tables in batches:
            for record in entries_of({each: table for each, table in tables.items() if each != other}):
                if record.loc or (isinstance(record, Url) and record.alternates):
                    yield SitemapEntry(record, base)
                else:
                    self._count("entries_without_url")

    def _is_followed(self, url: str) -> bool:
        return any(pattern.search(url) for pattern in self._follow)

    def _pages(self, urls: Iterable[str], *, dont_filter: bool = False) -> Iterator[Request]:
        """Yield a request for each URL that a rule matches; the first such rule decides."""
        for url in urls:
            for pattern, callback in self._cbs:
                if pattern.search(url):
                    yield from self._request(url, callback=callback, dont_filter=dont_filter)
                    break

    def _sitemaps(self, urls: Iterable[str], base: str, depth: int, **meta: object) -> Iterator[Request]:
        """Yield a request for each sitemap that is not known yet, within the limits."""
        cuts: Counter[CutKind] = Counter()
        for url in urls:
            key = _core.page_key(url)
            if key in self._seen_keys:
                cuts[CutKind.REPEATED] += 1
            elif depth > self.sitemap_max_depth:
                cuts[CutKind.DEPTH] += 1
            elif len(self._seen_keys) >= self.sitemap_max_documents:
                cuts[CutKind.DOCUMENTS] += 1
            else:
                self._seen_keys.add(key)
                yield from self._request(url, callback=self._parse_sitemap, meta={DEPTH: depth, **meta})
        for kind, count in cuts.items():
            self._count(f"not_followed/{kind}", count)
        if cuts:
            listed = ", ".join(f"{kind} ({count:,})" for kind, count in cuts.items())
            self.logger.info("%s: sitemaps not followed: %s", mask_url(base), listed)

    def _misplaced_entries(self, urls: Iterable[str], base: str, depth: int) -> Iterator[Request]:
        """Yield requests for entries of the wrong element, each of which may be a sitemap or a page."""
        for url in urls:
            if self._is_followed(url):
                yield from self._sitemaps([url], base, depth, **{MISPLACED: True})
            else:
                yield from self._pages([url])

    def _request(self, url: str, **arguments: Any) -> Iterator[Request]:
        try:
            request = Request(url, **arguments)
        except ValueError as error:
            self._count("urls_invalid")
            self.logger.info("%s: left out: %s", mask_url(url), error)
        else:
            yield request

    def _max_bytes(self, meta: Mapping[str, Any]) -> int:
        """Return the limit on the bytes of a sitemap: Scrapy's limit on a response if that is lower."""
        settings = getattr(self, "settings", None)
        limit = settings.getint("DOWNLOAD_MAXSIZE") if settings is not None else 0
        limit = int(meta.get("download_maxsize", getattr(self, "download_maxsize", limit)))
        return min(limit or self.sitemap_max_bytes, self.sitemap_max_bytes)

    def _count(self, name: str, count: int = 1) -> None:
        crawler = getattr(self, "crawler", None)
        if count and crawler is not None and crawler.stats is not None:
            crawler.stats.inc_value(f"urlset/{name}", count)


def _meta(response: Response) -> Mapping[str, Any]:
    """Return the `meta` of a response; empty for a response that was made by hand."""
    return response.request.meta if response.request is not None else {}


def _absolute(url: str, base: str) -> str:
    return url if not url or split_url(url).scheme else join_url(base, url)
