"""What `logs` returns: the logs that were read, and the crawlers in the store."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from urlset.errors import ExitCode, Unreadable, exit_code_for
from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from urlset.model.crawl_report import CrawlReport
    from urlset.web.agents import KnownAgent

LogCompression = Literal["none", "gzip", "zstd"]

NOTABLE_SHARE = 0.01
"""Share of unreadable lines above which a log gets a warning."""

MAX_UNREADABLE = 0.5
"""Share of unreadable lines above which nothing of a log counts."""


class Verdict(StrEnum):
    """What the address of a client says about the crawler that it claims to be."""

    VERIFIED = "verified"
    """It is an address of the operator."""
    IMPOSTOR = "impostor"
    """It is not."""
    UNVERIFIED = "unverified"
    """It is not known: there are no list and no lookup, or the log does not have the address of the client."""


@dataclass(frozen=True, slots=True)
class AddressList:
    """A file with addresses of crawlers.

    Attributes:
        name: Name of the file.
        made_at: When the operator created it; None if it does not say.
        prefixes: Number of its prefixes.
        is_used: Whether a known crawler uses it.
    """

    name: str
    made_at: datetime | None
    prefixes: int
    is_used: bool = True


@dataclass(frozen=True, slots=True)
class LogRead:
    """What was read of a log. All numbers are of this run only.

    Attributes:
        name: Its path or URL.
        format: Its format, a `LogFormat`; None if it has no lines.
        compression: Its compression.
        start: Where reading began in the decompressed content, in bytes; above 0 if the part before was read earlier.
        lines: Number of lines read, without comments and empty lines.
        unreadable: Number of lines that do not follow the format.
        cut: Number of lines longer than 64 KiB, which were cut.
        people: Number of requests that are not of known crawlers. They are not stored.
        agentless: Number of requests without a user agent, if no address list recognizes crawlers by their address.
        unnamed: Number of requests of `people` whose user agent is empty or `-`.
        early: Number of requests before `since`.
        elsewhere: Number of requests of crawlers for other sites.
        hostless: Number of requests of crawlers that name no host, or an invalid one.
        pathless: Number of requests of crawlers that have no path.
        schemeless: Number of stored requests whose scheme was assumed to be https.
        hits: Number of stored requests of crawlers.
        statusless: Number of these requests without a status code.
        clientless: Number of these requests for which the log has no client.
        addressless: Number of these requests whose client is not an IP address, such as a host name or `unknown`.
        private: Number of these requests whose client has an address of a private network, as proxies have.
        forwarded: Number of these requests with several addresses, of which the first public one counts.
        first_at: The earliest time, of crawlers and people, from `since` on; None if no line has a time.
        last_at: The latest time, of crawlers and people; None if no line has a time.
        torn_bytes: Size of a last line without a line break, which was not read.
        damage: Why the content ends early, as a phrase; None if it does not.
    """

    name: str
    format: str | None
    compression: LogCompression
    start: int = 0
    lines: int = 0
    unreadable: int = 0
    cut: int = 0
    people: int = 0
    agentless: int = 0
    unnamed: int = 0
    early: int = 0
    elsewhere: int = 0
    hostless: int = 0
    pathless: int = 0
    schemeless: int = 0
    hits: int = 0
    statusless: int = 0
    clientless: int = 0
    addressless: int = 0
    private: int = 0
    forwarded: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    torn_bytes: int = 0
    damage: str | None = None

    @property
    def unreadable_share(self) -> float:
        """Share of the lines that do not follow the format."""
        return self.unreadable / self.lines if self.lines else 0.0


STATUS_CLASSES = (2, 3, 4, 5)
"""Classes of status codes, by their first digits."""


@dataclass(frozen=True, slots=True)
class CrawlerHits:
    """The requests of one crawler with one verdict.

    Attributes:
        agent: The crawler.
        verdict: What the address of the client says about the crawler.
        urls: Number of URLs that it requested.
        hits: Number of requests.
        statuses: Number of requests by status code, each at least 1.
        sitemap_hits: Number of requests for sitemaps and robots.txt.
        first_at: The first request.
        last_at: The last request.
    """

    agent: KnownAgent
    verdict: Verdict
    urls: int
    hits: int
    statuses: Mapping[int, int]
    sitemap_hits: int
    first_at: datetime
    last_at: datetime

    @property
    def by_class(self) -> tuple[int, ...]:
        """Number of requests by class of their status codes, in the order of `STATUS_CLASSES`."""
        return tuple(
            sum(hits for status, hits in self.statuses.items() if status // 100 == of) for of in STATUS_CLASSES
        )


@dataclass(frozen=True, slots=True)
class SitemapFetches:
    """The requests of crawlers for one sitemap or robots.txt.

    Attributes:
        document: URL of the sitemap or robots.txt.
        agent: Product token of the crawler.
        verdict: What the address of the client says about the crawler.
        hits: Number of requests.
        last_at: The last request.
        last_status: Status code of the last response; None if no response came.
    """

    document: str
    agent: str
    verdict: Verdict
    hits: int
    last_at: datetime
    last_status: int | None


@with_short_repr
@dataclass(frozen=True, slots=True)
class LogsResult:
    """Result of `logs`.

    Attributes:
        logs: What was read now.
        unreadable: Logs that could not be read, or of which more than half of the lines are unreadable.
        skipped: Files in directories that are not access logs in a known format.
        crawlers: The crawlers in the store, those with the most requests first; one item per verdict.
        sitemaps: The sitemaps and robots.txt files that crawlers requested most, by crawler.
        sitemaps_total: Number of rows that `sitemaps` would have without its limit.
        lists: The lists of addresses: the files in `--ranges`.
        is_checked: Whether addresses were compared with lists or looked up in DNS.
        unasked: Number of addresses that were not looked up because there were too many.
        first_at: The earliest time in all logs in the store; None if the store has no requests.
        last_at: The latest time in all logs in the store; None if the store has no requests.
        store: The store; None if it would be empty.
        crawl: The logs in the store, compared with its last finished run; None if they were not.
        uncompared: Why they were not compared, as a phrase; None if they were.
        assumed_site: The site of logs without host names, if it was taken from the runs in the store; None otherwise.
    """

    logs: tuple[LogRead, ...]
    unreadable: tuple[Unreadable, ...]
    skipped: tuple[str, ...]
    crawlers: tuple[CrawlerHits, ...]
    sitemaps: tuple[SitemapFetches, ...]
    sitemaps_total: int
    lists: tuple[AddressList, ...]
    is_checked: bool
    unasked: int
    first_at: datetime | None
    last_at: datetime | None
    store: Path | None
    crawl: CrawlReport | None = None
    uncompared: str | None = None
    assumed_site: str | None = None

    @property
    def exit_code(self) -> ExitCode:
        return exit_code_for(target.reason for target in self.unreadable)
