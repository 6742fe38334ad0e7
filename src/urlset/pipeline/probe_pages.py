"""Requests the pages and media that a run lists: from the URLs in its store to its rows of `pages` and `media`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from urlset.errors import Unreadable
from urlset.probe.facts import Wanted
from urlset.probe.looking import Prober
from urlset.probe.media import MediaLook
from urlset.progress import Progressed
from urlset.store.media import MediaSelection
from urlset.store.pages import Selection, Wish
from urlset.store.probed import media_seen, pages_seen
from urlset.store.reading import origins_of_documents
from urlset.tables import MEDIA, PAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from urlset.fetch.fetcher import Fetcher
    from urlset.model.audit import MediaSeen, PagesSeen
    from urlset.net.trust import Trust
    from urlset.options.auditing import AuditOptions
    from urlset.probe.looking import Spent
    from urlset.progress import Progress
    from urlset.robots import Robots
    from urlset.store.file import Store
    from urlset.store.pages import Chosen
    from urlset.store.run import Run
    from urlset.tables import Table


@dataclass(frozen=True, slots=True)
class Probed:
    """What was requested of a run.

    Attributes:
        pages: The pages in numbers; None if they were not to be requested.
        media: The images, thumbnails and videos in numbers; None as for pages.
        failures: Pages and files that an internal error left without a result.
    """

    pages: PagesSeen | None = None
    media: MediaSeen | None = None
    failures: tuple[Unreadable, ...] = ()


def probe(
    store: Store, run: Run, options: AuditOptions, robots: Mapping[str, Robots], trust: Trust, progress: Progress | None
) -> Probed:
    """Request the pages of a run that have no row yet, then what their entries name besides.

    Each of the two has the budgets to itself.

    Args:
        store: The store.
        run: The run in it, whose entries are there.
        options: Which pages to request, and how.
        robots: robots.txt of origins that are known already.
        trust: Whom the user trusts.
        progress: Called after some pages.
    """
    if not options.pages and not options.images:
        return Probed()
    from urlset.fetch.fetcher import Fetcher

    # Pages are kept in the store, and need not be kept once more.
    fetch = replace(options, cache=False)
    with Fetcher(fetch, trust) as fetcher:
        probing = _Probing(store, run, fetcher, options, robots, progress)
        pages = probing.pages() if options.pages else None
        media = probing.media() if options.images else None
    return Probed(pages, media, tuple(probing.failures))


@dataclass
class _Probing:
    """Requests on behalf of one run."""

    store: Store
    run: Run
    fetcher: Fetcher
    options: AuditOptions
    robots: Mapping[str, Robots]
    progress: Progress | None
    failures: list[Unreadable] = field(default_factory=list)

    @property
    def wish(self) -> Wish:
        options = self.options
        return Wish(options.include, options.exclude, options.sample, options.max_pages)

    def pages(self) -> PagesSeen:
        """Requests pages; each batch is committed as it comes."""
        selection = Selection(self.store, self.run.run_id, self.wish)
        prober = Prober(self.fetcher, self.options, self._next_of(selection), self.robots)
        self._record(PAGES, selection, prober, "pages")
        return pages_seen(self.store, self.run.run_id, selection, prober.spent.stopped_by)

    def media(self) -> MediaSeen:
        """Requests the images and thumbnails that the entries of the chosen pages name, in the same way."""
        selection = MediaSelection(self.store, self.run.run_id, self.wish)
        look = MediaLook(self.options.method, self.options.agents)
        prober = Prober(self.fetcher, self.options, self._next_of(selection), self.robots, look)
        self._record(MEDIA, selection, prober, "images")
        return media_seen(self.store, self.run.run_id, selection, prober.spent.stopped_by)

    def _next_of(self, selection: Chosen) -> Callable[[int], list[Wanted]]:
        origins = origins_of_documents(self.store, self.run.run_id)
        return lambda most: [Wanted(row["url"], row, origins[row["document_id"]]) for row in selection.next(most)]

    def _record(self, table: Table, selection: Chosen, prober: Prober, what: str) -> None:
        """Commits each batch as it comes, and frees the memory that probing took."""
        done = selection.chosen - selection.left
        tell = None if self.progress is None else partial(_tell, self.progress, what, selection.chosen)
        with self.store.holding_little():
            for batch in prober:
                self.run.add_rows(table.name, batch)
                self.run.commit()
                done += len(batch)
                if tell is not None:
                    tell(done, prober.spent.bytes)
            selection.forget()
            self.run.settle()
        self.failures += _failures_of(prober.spent)


def _tell(progress: Progress, what: str, total: int, done: int, size: int) -> None:
    progress(Progressed(done, total, what, done, size))


def _failures_of(spent: Spent) -> list[Unreadable]:
    """Return the failures that are named, and one that counts the others."""
    more = spent.failed - len(spent.failures)
    others = [Unreadable(f"{more:,} more", spent.failures[-1].reason)] if more > 0 else []
    return [*spent.failures, *others]
