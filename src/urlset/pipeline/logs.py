"""`logs`: targets ─> logs ─> read ─> counts in the store ─> compare with the last run ─> judge."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from urlset.access_logs.judge_logs import compare_logs, judge_logs, record_log_findings
from urlset.access_logs.log_files import logs_of, open_log
from urlset.access_logs.log_reader import LogReading, UnknownFormatError
from urlset.access_logs.memory import memory_of
from urlset.access_logs.reverse_dns import SystemResolver
from urlset.access_logs.visits import LogStore
from urlset.errors import InputError, OutputError, Unreadable, UrlsetError, UsageError
from urlset.model.access_log import LogRead, LogsResult
from urlset.store.file import Store
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.access_logs.log_files import LogFile
    from urlset.access_logs.reverse_dns import Resolver
    from urlset.model.crawl_report import CrawlReport
    from urlset.options.reading_logs import LogsOptions
    from urlset.text.progress import Progress

MAX_SITEMAPS = 20
"""Number of sitemaps to return."""


def logs(
    targets: Sequence[str],
    options: LogsOptions,
    progress: Progress | None = None,
    resolver: Resolver | None = None,
) -> LogsResult:
    """Read access logs into a store, and return what crawlers requested.

    Args:
        targets: Files, directories, patterns, URLs of objects, or `-` for standard input.
        progress: Called after each log.
        resolver: Asks DNS; by default, the resolver of the system.

    Raises:
        OutputError: The store cannot be written.
        UsageError: An option is invalid, a log has no known format, or nothing says which site it belongs to.
    """
    if not targets:
        raise UsageError("name the logs to read: files, directories, or - for standard input")
    memory = memory_of(options.max_memory)
    reading = LogReading(options, resolver or SystemResolver())
    read: list[LogRead] = []
    unreadable: list[Unreadable] = []
    skipped: list[str] = []
    with LogStore(options.store, memory) as store:
        reading.know(store.sites())
        reading.documents = store.documents()
        try:
            for log in _all_logs(targets, unreadable):
                try:
                    with open_log(log) as content:
                        read.append(reading.read(log, content, store))
                except InputError as error:
                    unreadable.append(Unreadable.of(error))
                except UnknownFormatError:
                    if not log.is_searched:
                        raise
                    skipped.append(log.name)
                if progress is not None:
                    progress(ProgressEvent(len(read), len(read), log.name))
        except UrlsetError:
            # What was read before counts. If it cannot be written either, the next run adds it.
            with suppress(OutputError):
                store.merge()
            raise
        store.merge()
        sitemaps, sitemaps_total = store.sitemaps(MAX_SITEMAPS)
        first, last = store.window()
        result = LogsResult(
            store=options.store,
            first_at=first,
            last_at=last,
            crawlers=store.crawlers(),
            sitemaps=sitemaps,
            sitemaps_total=sitemaps_total,
            logs=tuple(read),
            unreadable=tuple(unreadable),
            skipped=tuple(skipped),
            lists=reading.lists,
            is_checked=reading.is_checking,
            unasked=reading.unconfirmed,
            assumed_site=reading.assumed_site,
        )
    crawl, uncompared = _compare(options, memory)
    store_path = options.store if options.store.exists() else None
    return replace(result, crawl=crawl, uncompared=uncompared, store=store_path)


def _compare(options: LogsOptions, memory: int) -> tuple[CrawlReport | None, str | None]:
    """Return the findings on the logs in the store, or the reason why they were not compared."""
    with Store.create(options.store) as store:
        run = compare_logs(store, memory)
        if isinstance(run, str):
            return None, run
        crawl = judge_logs(store, run, options, memory)
        if crawl is not None:
            record_log_findings(store, run, crawl.report)
        return crawl, None if crawl is not None else f"run {run.run_id} lists no URLs"


def _all_logs(targets: Sequence[str], unreadable: list[Unreadable]) -> Iterator[LogFile]:
    for target in targets:
        try:
            yield from logs_of(target)
        except InputError as error:
            unreadable.append(Unreadable.of(error))
