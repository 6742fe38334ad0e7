"""What `logs` returns: the logs that were read, and the crawlers in the store."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from msgspec import Struct, field

from urlset.errors import ExitCode, Unreadable, exit_code_for
from urlset.model.crawl_report import CrawlReport
from urlset.model.fields import Flat, NonNegativeInt, OneOf, PositiveInt, about
from urlset.model.result import with_short_repr
from urlset.options.reading_logs import LOG_FORMATS, LogFormat
from urlset.web.agents import KnownAgent

LogFormatName: TypeAlias = Annotated[str, OneOf(lambda: (*LOG_FORMATS, LogFormat.CUSTOM.value))]

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


class AddressList(Struct, frozen=True):
    """A file with addresses of crawlers."""

    name: Annotated[str, about("Name of the file.")]
    made_at: Annotated[datetime | None, about("When the operator created it; None if it does not say.")]
    prefixes: Annotated[NonNegativeInt, about("Number of its prefixes.")]
    is_used: Annotated[bool, about("Whether a known crawler uses it.")] = True


class LogRead(Struct, frozen=True):
    """What was read of a log. All numbers are of this run only."""

    name: Annotated[str, about("Its path or URL.")]
    format: Annotated[LogFormatName | None, about("Its format, a `LogFormat`; None if it has no lines.")]
    compression: Annotated[LogCompression, about("Its compression.")]
    start: Annotated[
        NonNegativeInt,
        about(
            "Where reading began in the decompressed content, in bytes; above 0 if the part before was read earlier."
        ),
    ] = 0
    lines: Annotated[NonNegativeInt, about("Number of lines read, without comments and empty lines.")] = 0
    unreadable: Annotated[NonNegativeInt, about("Number of lines that do not follow the format.")] = 0
    cut: Annotated[NonNegativeInt, about("Number of lines longer than 64 KiB, which were cut.")] = 0
    people: Annotated[
        NonNegativeInt, about("Number of requests that are not of known crawlers. They are not stored.")
    ] = 0
    agentless: Annotated[
        NonNegativeInt,
        about("Number of requests without a user agent, if no address list recognizes crawlers by their address."),
    ] = 0
    unnamed: Annotated[NonNegativeInt, about("Number of requests of `people` whose user agent is empty or `-`.")] = 0
    early: Annotated[NonNegativeInt, about("Number of requests before `since`.")] = 0
    future: Annotated[
        NonNegativeInt, about("Number of requests dated more than a day in the future. They are not stored.")
    ] = 0
    elsewhere: Annotated[NonNegativeInt, about("Number of requests of crawlers for other sites.")] = 0
    hostless: Annotated[
        NonNegativeInt, about("Number of requests of crawlers that name no host, or an invalid one.")
    ] = 0
    pathless: Annotated[NonNegativeInt, about("Number of requests of crawlers that have no path.")] = 0
    schemeless: Annotated[NonNegativeInt, about("Number of stored requests whose scheme was assumed to be https.")] = 0
    hits: Annotated[NonNegativeInt, about("Number of stored requests of crawlers.")] = 0
    statusless: Annotated[NonNegativeInt, about("Number of these requests without a status code.")] = 0
    clientless: Annotated[NonNegativeInt, about("Number of these requests for which the log has no client.")] = 0
    addressless: Annotated[
        NonNegativeInt,
        about("Number of these requests whose client is not an IP address, such as a host name or `unknown`."),
    ] = 0
    private: Annotated[
        NonNegativeInt,
        about("Number of these requests whose client has an address of a private network, as proxies have."),
    ] = 0
    forwarded: Annotated[
        NonNegativeInt, about("Number of these requests with several addresses, of which the first public one counts.")
    ] = 0
    first_at: Annotated[
        datetime | None,
        about("The earliest time, of crawlers and people, from `since` on; None if no line has a time."),
    ] = None
    last_at: Annotated[
        datetime | None, about("The latest time, of crawlers and people; None if no line has a time.")
    ] = None
    torn_bytes: Annotated[NonNegativeInt, about("Size of a last line without a line break, which was not read.")] = 0
    damage: Annotated[str | None, about("Why the content ends early, as a phrase; None if it does not.")] = None

    @property
    def unreadable_share(self) -> float:
        """Share of the lines that do not follow the format."""
        return self.unreadable / self.lines if self.lines else 0.0


STATUS_CLASSES = (2, 3, 4, 5)
"""Classes of status codes, by their first digits."""


class CrawlerHits(Struct, frozen=True):
    """The requests of one crawler with one verdict."""

    agent: Annotated[KnownAgent, Flat("agent=name", "operator", "purpose"), about("The crawler.")]
    verdict: Annotated[Verdict, about("What the address of the client says about the crawler.")]
    urls: Annotated[NonNegativeInt, about("Number of URLs that it requested.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]
    statuses: Annotated[Mapping[int, PositiveInt], about("Number of requests by status code, each at least 1.")]
    sitemap_hits: Annotated[NonNegativeInt, about("Number of requests for sitemaps and robots.txt.")]
    first_at: Annotated[datetime, about("The first request.")]
    last_at: Annotated[datetime, about("The last request.")]

    @property
    def by_class(self) -> tuple[int, ...]:
        """Number of requests by class of their status codes, in the order of `STATUS_CLASSES`."""
        return tuple(
            sum(hits for status, hits in self.statuses.items() if status // 100 == of) for of in STATUS_CLASSES
        )


class SitemapFetches(Struct, frozen=True):
    """The requests of crawlers for one sitemap or robots.txt."""

    document: Annotated[str, about("URL of the sitemap or robots.txt.")]
    agent: Annotated[str, about("Product token of the crawler.")]
    verdict: Annotated[Verdict, about("What the address of the client says about the crawler.")]
    hits: Annotated[NonNegativeInt, about("Number of requests.")]
    last_at: Annotated[datetime, about("The last request.")]
    last_status: Annotated[NonNegativeInt | None, about("Status code of the last response; None if no response came.")]


@with_short_repr
class LogsResult(Struct, frozen=True, kw_only=True):
    """Result of `logs`."""

    store: Annotated[Path | None, about("The store; None if it would be empty.")]
    first_at: Annotated[
        datetime | None, about("The earliest time in all logs in the store; None if the store has no requests.")
    ]
    last_at: Annotated[
        datetime | None, about("The latest time in all logs in the store; None if the store has no requests.")
    ]
    crawlers: Annotated[
        tuple[CrawlerHits, ...],
        about("The crawlers in the store, those with the most requests first; one item per verdict."),
    ]
    sitemaps: Annotated[
        tuple[SitemapFetches, ...], about("The sitemaps and robots.txt files that crawlers requested most, by crawler.")
    ]
    sitemaps_total: Annotated[NonNegativeInt, about("Number of rows that `sitemaps` would have without its limit.")]
    logs: Annotated[tuple[LogRead, ...], about("The logs that were read now.")]
    unreadable: Annotated[
        tuple[Unreadable, ...],
        about("Logs that could not be read, or of which more than half of the lines are unreadable or in the future."),
    ]
    skipped: Annotated[tuple[str, ...], about("Files in directories that are not access logs in a known format.")]
    lists: Annotated[tuple[AddressList, ...], about("The lists of addresses: the files in `--ranges`.")] = field(
        name="address_lists"
    )
    is_checked: Annotated[bool, about("Whether addresses were compared with lists or looked up in DNS.")]
    unasked: Annotated[
        NonNegativeInt, about("Number of addresses that were not looked up because there were too many.")
    ]
    crawl: Annotated[
        CrawlReport | None, about("The logs in the store, compared with its last finished run; None if they were not.")
    ] = field(default=None, name="compared")
    uncompared: Annotated[str | None, about("Why they were not compared, as a phrase; None if they were.")] = None
    assumed_site: Annotated[
        str | None,
        about("The site of logs without host names, if it was taken from the runs in the store; None otherwise."),
    ] = None

    @property
    def exit_code(self) -> ExitCode:
        return exit_code_for(target.reason for target in self.unreadable)
