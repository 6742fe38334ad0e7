"""A year of a site whose truth is known, and what a store could see of it.

The site is simulated without regard to how urlset measures. Pages are written and edited, a crawler comes after a time
that depends on the section, the index takes in most of what was crawled, and impressions follow. One section moves to
another address. What is seen has gaps: audits once a week, three weeks without logs, and half of the monthly reports.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from urlset import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from urlset.store.file import Store

SITE = "https://example.com"
SITEMAP = f"{SITE}/sitemap.xml"
START = datetime(2025, 11, 3, tzinfo=UTC)
DAYS = 364
AUDITS = (*(7 * week + 0.25 for week in range(52)), 363.5)
REPORTS = (30, 120, 180, 240, 300, 360)
"""Half of the monthly reports."""
LOST = range(150, 171)
"""Days whose logs are lost."""
MOVE = 240.5
DEINDEXED = 20
MEAN_CRAWL = {"blog": 3.0, "docs": 6.0, "help": 12.0, "shop": 20.0, "store": 4.0}
"""Mean days from a text to its crawl."""


@dataclass
class Page:
    """The truth on one page, in days since the start of the year, which can be before or after it."""

    url: str
    section: str
    published: float
    removed: float = float("inf")
    changes: list[float] = field(default_factory=list)
    crawls: list[float] = field(default_factory=list)
    indexed: float | None = None
    dropped: float | None = None
    impressions: list[int] = field(default_factory=list)

    @property
    def page_hash(self) -> int:
        return _core.page_hash(self.url)

    def is_listed(self, at: float) -> bool:
        return self.published <= at < self.removed

    def version(self, at: float) -> int:
        return bisect_right(self.changes, at)

    def is_indexed(self, at: float) -> bool:
        return self.indexed is not None and self.indexed <= at and (self.dropped is None or at < self.dropped)

    def texts(self) -> Iterator[float]:
        """Yield when a new text went online in the year."""
        yield from (at for at in (self.published, *self.changes) if 0 < at < DAYS)

    def crawl_after(self, at: float) -> float | None:
        place = bisect_left(self.crawls, at)
        return self.crawls[place] if place < len(self.crawls) else None


class Year:
    """A simulated year.

    Args:
        pages: Number of pages at the end of the year.
    """

    def __init__(self, pages: int, seed: int = 71) -> None:
        self.chance = Random(seed)
        self.pages: list[Page] = []
        for number in range(pages):
            section = ("blog", "docs", "help", "shop")[number % 4]
            published = -30.0 if number % 10 < 6 else self.chance.uniform(8, 340)
            if section == "shop" and published > MOVE:
                section = "store"
            page = self._page(f"{SITE}/{section}/{number}", section, published)
            self.pages.append(page)
            if section == "shop":
                page.removed = MOVE
                self.pages.append(self._page(f"{SITE}/store/{number}", "store", MOVE))
        candidates = [
            page
            for page in self.pages
            if page.published < 0 and page.removed > DAYS and page.indexed is not None and page.indexed < 0
        ]
        self.deindexed = self.chance.sample(candidates, DEINDEXED)
        for page in self.deindexed:
            at = page.dropped = self.chance.uniform(150, 330)
            page.impressions = [day for day in page.impressions if day < at]

    def _page(self, url: str, section: str, published: float) -> Page:
        chance = self.chance
        changes = sorted(chance.uniform(max(published, 0) + 10, 350) for _ in range(chance.choice((0, 0, 1, 2))))
        page = Page(url, section, published, changes=changes)
        if chance.random() < 0.3:
            return page
        crawls = [at + chance.expovariate(1 / MEAN_CRAWL[section]) for at in (published, *changes)]
        at = published
        while at < DAYS + 200:
            at += chance.expovariate(1 / 80)
            crawls.append(at)
        page.crawls = sorted(crawls)
        if chance.random() < 0.85:
            page.indexed = page.crawls[0] + chance.gammavariate(2, 2.5)
            first = page.indexed + chance.expovariate(1 / 8)
            share = 0.4 if chance.random() < 0.7 else 0.01
            page.impressions = [
                day for day in range(int(first), DAYS) if day == int(first) or (day > first and chance.random() < share)
            ]
        return page

    # What is seen.

    def record(self, store: Store, since: int = 0, until: int = DAYS) -> None:
        """Write the audits, reports, and impressions of some days into a store; `until` is left out."""
        for number, at in enumerate(AUDITS, start=1):
            if since <= at < until:
                self._audit(store, number, at)
        for day in REPORTS:
            if since <= day < until:
                self._report(store, day)
        self._impressions(store, range(since, until))

    def _audit(self, store: Store, run_id: int, at: float) -> None:
        listed = [page for page in self.pages if page.is_listed(at)]
        start = moment(at)
        _insert(
            store,
            "runs",
            run_id=[run_id],
            started_at=[start],
            finished_at=[start + timedelta(minutes=20)],
            targets=[[SITEMAP]],
            settings=["{}"],
            version=[_core.__version__],
            documents=[1],
            urls=[len(listed)],
            pages=[len(listed)],
            text_version=[_core.TEXT_VERSION],
        )
        _insert(
            store,
            "documents",
            run_id=[run_id],
            document_id=[0],
            url=[SITEMAP],
            final_url=[SITEMAP],
            kind=["urlset"],
            complete=[True],
        )
        order = [*range(len(listed))]
        same = {"run_id": [run_id] * len(listed), "document_id": [0] * len(listed), "ordinal": order}
        urls = [page.url for page in listed]
        _insert(store, "urls", **same, loc=urls, loc_hash=[_core.url_hash(url) for url in urls])
        _insert(
            store,
            "pages",
            **same,
            url=urls,
            loc_hash=[_core.url_hash(url) for url in urls],
            page_hash=[page.page_hash for page in listed],
            fetched_at=[start + timedelta(minutes=10)] * len(listed),
            status=[200] * len(listed),
            content_hash=[hash((page.url, page.version(at))) >> 1 for page in listed],
            lastmod_at=[
                moment(max((each for each in page.changes if each <= at), default=page.published)) for page in listed
            ],
            is_indexable=[True] * len(listed),
        )

    def _report(self, store: Store, day: int) -> None:
        known = [page for page in self.pages if page.published <= day]
        crawls = [[at for at in page.crawls if at < day] for page in known]
        states = [page.is_indexed(day) for page in known]
        _insert(
            store,
            "index_states",
            url=[page.url for page in known],
            page_hash=[page.page_hash for page in known],
            engine=["google"] * len(known),
            source=["search-console"] * len(known),
            state=["indexed" if is_indexed else "not-indexed" for is_indexed in states],
            reason=[None if is_indexed else "crawled-not-indexed" for is_indexed in states],
            last_crawled=[moment(some[-1]) if some else None for some in crawls],
            at=[moment(day)] * len(known),
        )

    def _impressions(self, store: Store, days: range) -> None:
        rows = [(page, day) for page in self.pages for day in page.impressions if day in days]
        same = {"property": ["sc-domain:example.com"], "search_type": ["web"]}
        _insert(
            store,
            "search_analytics",
            **{name: values * len(rows) for name, values in same.items()},
            url=[page.url for page, _ in rows],
            page_hash=[page.page_hash for page, _ in rows],
            day=[moment(day) for _, day in rows],
            impressions=[3] * len(rows),
            clicks=[0] * len(rows),
        )
        _insert(
            store,
            "search_analytics_days",
            **{name: values * len(days) for name, values in same.items()},
            day=[moment(day) for day in days],
            is_provisional=[day >= DAYS - 2 for day in days],
            is_cut=[False] * len(days),
        )

    def write_log(self, path: Path) -> None:
        """Write the access log of the year: the crawler, one that only says so, and people."""
        lines: list[tuple[float, str]] = []
        for page in self.pages:
            lines += [(at, _line(at, page.url, "66.249.66.1")) for at in page.crawls if 0 <= at < DAYS]
            if self.chance.random() < 0.05:
                at = self.chance.uniform(0, DAYS)
                lines.append((at, _line(at, page.url, "203.0.113.9")))
        for day in range(DAYS):
            lines.append((day + 0.4, _line(day + 0.4, SITEMAP, "66.249.66.1")))
            lines.append((day + 0.6, _line(day + 0.6, f"{SITE}/", "203.0.113.8", "Mozilla/5.0 (X11; Linux x86_64)")))
        path.write_text("".join(line for at, line in sorted(lines) if int(at) not in LOST))

    # What is true.

    def crawl_waits(self, section: str = "") -> list[float]:
        """Return the days from each text of the year to its crawl, infinite for pages that are never crawled."""
        return sorted(
            (crawl - at if (crawl := page.crawl_after(at)) is not None else float("inf"))
            for page in self._last_listed(section)
            for at in page.texts()
        )

    def index_waits(self) -> list[float]:
        """Return the days from the first crawl of each new page to the index, infinite for those that stay out."""
        return sorted(
            float("inf") if page.indexed is None else page.indexed - page.crawls[0]
            for page in self._last_listed()
            if page.published > 0 and page.crawls and page.crawls[0] < DAYS
        )

    def impression_waits(self) -> list[float]:
        """Return the days from the index to the first impression of each page that got into the index in the year."""
        return sorted(
            page.impressions[0] - page.indexed if page.impressions else float("inf")
            for page in self._last_listed()
            if page.indexed is not None and 0 < page.indexed < DAYS
        )

    def _last_listed(self, section: str = "") -> Iterable[Page]:
        return (page for page in self.pages if page.is_listed(AUDITS[-1]) and section in ("", page.section))


def moment(day: float) -> datetime:
    return START + timedelta(days=day)


def _line(at: float, url: str, address: str, agent: str = "Mozilla/5.0 (compatible; Googlebot/2.1)") -> str:
    when = f"{moment(at):%d/%b/%Y:%H:%M:%S +0000}"
    return f'{address} - - [{when}] "GET {url.removeprefix(SITE)} HTTP/1.1" 200 512 "-" "{agent}"\n'


def _insert(store: Store, table: str, **columns: Sequence[object]) -> None:
    plain = {
        name: [each.replace(tzinfo=None) if isinstance(each, datetime) else each for each in values]
        for name, values in columns.items()
    }
    chosen = ", ".join(f'unnest(${number}) AS "{name}"' for number, name in enumerate(plain, start=1))
    store.connection.execute(f"INSERT INTO {table} BY NAME SELECT {chosen}", list(plain.values()))
