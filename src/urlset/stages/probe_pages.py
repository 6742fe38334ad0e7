"""Fetch the pages and media that a run lists, and store their rows in `pages` and `media`."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.probe.facts import ProbeTarget
from urlset.probe.media import MediaProbe
from urlset.probe.prober import Prober
from urlset.store.file import LITTLE_MEMORY
from urlset.store.interrupted import forget_crawled
from urlset.store.media import PendingMedia
from urlset.store.page_rows import PageRows, judge_pages
from urlset.store.page_selection import PageSelection, PendingPages, judge_meant_pages
from urlset.store.probed import count_media, uncounted
from urlset.store.run_documents import origins_of_documents
from urlset.tables import MEDIA, PAGES
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from urlset.fetch.fetcher import Fetcher
    from urlset.model.audit import LinkCounts, MediaCounts, PageCounts
    from urlset.net.trust import MeantUrls
    from urlset.options.auditing import AuditOptions
    from urlset.options.probing import ProbingOptions
    from urlset.probe.facts import Row
    from urlset.probe.usage import ProbeUsage
    from urlset.store.file import Store
    from urlset.store.page_selection import PendingRows
    from urlset.store.run import Run
    from urlset.tables import Table
    from urlset.text.progress import Progress
    from urlset.web.robots_txt import Robots


class ProbeResults(Struct, frozen=True):
    """Results of fetching the pages of a run; None for what was not requested.

    Attributes:
        media: Images, thumbnails, and videos.
        failures: Pages and files without a result because of an internal error.
        unlisted: Number of pages that an interrupted run requested, and that are no longer listed.
    """

    pages: PageCounts | None = None
    media: MediaCounts | None = None
    links: LinkCounts | None = None
    failures: tuple[Unreadable, ...] = ()
    unlisted: int = 0


def probe(
    store: Store,
    run: Run,
    options: AuditOptions,
    robots: Mapping[str, Robots],
    fetcher: Fetcher,
    progress: Progress | None,
    homes: Sequence[str] = (),
) -> ProbeResults:
    """Fetch the pages of a run that have no row yet, then the media in their entries.

    The budgets apply to pages and media separately.

    Args:
        run: The run, which already has its entries.
        robots: robots.txt files that are already known, by origin.
        progress: Called after each batch of pages.
        homes: The home pages of the sites, from which links are followed.
    """
    if not options.pages and not options.images:
        return ProbeResults()
    from urlset.stages.read_links import read_links, read_named_pages

    folder = fetcher.client.trust.folder
    meant = None if folder is None else folder.meant
    probing = Probing(store, run, options, partial(_prober, fetcher, robots), progress, meant)
    pages = probing.pages() if options.pages else None
    links = None
    if pages is not None and options.reads_links:
        pages, links = read_links(probing, pages, homes, folder=folder)
    elif pages is not None:
        pages = read_named_pages(probing, pages, homes)
    media = probing.media() if options.images else None
    return ProbeResults(pages, media, links, tuple(probing.failures), probing.unlisted)


class RowSource(Protocol):
    """Yields rows of pages in batches: a `Prober`, or a `FolderProber`."""

    usage: ProbeUsage

    def __iter__(self) -> Iterator[list[Row]]: ...


class ProberOf(Protocol):
    """Returns what fetches pages.

    `next_targets(number)` returns at most that number of next pages, and an empty list after the last one. `media` is
    None for pages.
    """

    def __call__(
        self,
        options: ProbingOptions,
        next_targets: Callable[[int], Sequence[ProbeTarget]],
        media: MediaProbe | None = None,
        /,
    ) -> RowSource: ...


def _prober(
    fetcher: Fetcher,
    robots: Mapping[str, Robots],
    options: ProbingOptions,
    next_targets: Callable[[int], Sequence[ProbeTarget]],
    media: MediaProbe | None = None,
) -> RowSource:
    return Prober(fetcher, options, next_targets, robots, media)


@dataclass
class Probing:
    """Fetches pages and media for a run.

    Attributes:
        progress: Called after each batch of pages.
        meant: The URLs that are meant by those of the sitemaps of a directory.
        failures: Pages without a result because of an internal error.
        unlisted: Number of pages that an interrupted run requested, and that are no longer listed.
    """

    store: Store
    run: Run
    options: AuditOptions
    prober_of: ProberOf
    progress: Progress | None
    meant: MeantUrls | None = None
    failures: list[Unreadable] = field(default_factory=list)
    unlisted: int = 0

    @property
    def selection(self) -> PageSelection:
        options = self.options
        return PageSelection(
            options.include,
            options.exclude,
            options.sample,
            options.max_pages,
            is_stable=options.is_stable_sample,
            meant=self.meant,
        )

    def pages(self) -> PageCounts:
        """Fetch pages, and commit each batch. Their verdicts, and so most counts, wait for the pages that they name."""
        pending = PendingPages(self.store, self.run.run_id, self.selection)
        self.unlisted = pending.removed_count
        if self.options.resume and (pending.remaining_count or pending.removed_count):
            forget_crawled(self.run)
        prober = self.prober_of(self.options, self._next_targets(pending))
        self.record(PAGES, pending, prober, "pages")
        pending.add_invalid_urls(self.run)
        return uncounted(pending, prober.usage.stopped_by)

    def judge(self) -> None:
        """Store the verdicts of the pages that were requested so far."""
        judge_pages(self.run)
        if self.meant is not None:
            judge_meant_pages(self.run, self.meant)

    def media(self) -> MediaCounts:
        """Fetch the images and thumbnails in the entries of the selected pages, in the same way."""
        pending = PendingMedia(self.store, self.run.run_id, self.selection)
        media_probe = MediaProbe(self.options.method, self.options.agents)
        prober = self.prober_of(self.options, self._next_targets(pending), media_probe)
        self.record(MEDIA, pending, prober, "images")
        return count_media(self.store, self.run.run_id, pending, prober.usage.stopped_by)

    def _next_targets(self, pending: PendingRows) -> Callable[[int], list[ProbeTarget]]:
        origins = origins_of_documents(self.store, self.run.run_id)
        return lambda limit: [ProbeTarget(row["url"], row, origins[row["document_id"]]) for row in pending.next(limit)]

    def record(self, table: Table, pending: PendingRows, prober: RowSource, what: str) -> None:
        """Add the rows of pages to the run, and free the memory that probing used."""
        done_count = pending.selected_count - pending.remaining_count
        tell = None if self.progress is None else partial(_tell, self.progress, what, pending.selected_count)
        rows = PageRows(self.run, table)
        with self.store.holding(LITTLE_MEMORY, threads=1):
            for batch in prober:
                rows.add(batch)
                done_count += len(batch)
                if tell is not None:
                    tell(done_count, prober.usage.bytes)
            rows.finish()
            pending.forget()
            self.run.flush()
        self.failures += _failures_of(prober.usage)


def _tell(progress: Progress, what: str, total: int, done_count: int, size: int) -> None:
    progress(ProgressEvent(done_count, total, what, done_count, size))


def _failures_of(usage: ProbeUsage) -> list[Unreadable]:
    """Return the first failures, and another failure that counts the rest."""
    more = usage.failed - len(usage.failures)
    others = [Unreadable(f"{more:,} more", usage.failures[-1].reason)] if more > 0 else []
    return [*usage.failures, *others]
