"""Read the links between the pages of a site, crawl the pages that no sitemap lists, and count the links to each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from msgspec import structs

from urlset.links.crawl_selection import (
    NAMED_ROUND,
    CrawlScope,
    PendingCrawl,
    count_requested_pages,
    homes_of_pages,
    leads_on,
    named_pages,
    uncrawled_reasons,
)
from urlset.links.link_graph import LinkGraph, memory_for_links
from urlset.net.origin import origin_of
from urlset.probe.facts import ProbeTarget
from urlset.store.probed import recount
from urlset.tables import CRAWLED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from urlset.model.audit import LinkCounts, PageCounts
    from urlset.net.trust import ServedFolder
    from urlset.stages.probe_pages import Probing


def read_links(
    probing: Probing,
    pages: PageCounts,
    homes: Sequence[str],
    *,
    all_read: bool = True,
    folder: ServedFolder | None = None,
) -> tuple[PageCounts, LinkCounts]:
    """Request the home pages and, in a crawl, all linked pages of the site; then store the links to each page.

    Args:
        probing: Requests pages; it has requested the listed ones, and stored their links.
        pages: What is known of the listed pages before their verdicts are stored.
        homes: The home pages of the sites; without them, those of the hosts with most listed pages.
        all_read: Whether the links of every listed page can be known.
        folder: The directory that is audited, if one is.
    """
    store, run, options = probing.store, probing.run, probing.options
    with store.holding(memory_for_links(run)):
        homes = homes or homes_of_pages(store, run.run_id)
        crawl = _Crawl(probing, homes)
        crawl.run()
        if folder is not None and crawl.stopped_by is None:
            crawl.take(folder.unrequested_pages())
        if crawl.stopped_by is None:
            crawl.take_named()
        probing.judge()
        pages = recount(store, run.run_id, pages)
        remaining = tuple(uncrawled_reasons(store, run.run_id, crawl.scope)) if options.crawl and crawl.leads_on else ()
        all_listed = (
            all_read
            and pages.stopped_by is None
            and pages.selected == pages.listed
            and not (options.include or options.exclude)
            and not (pages.private or pages.outside)
        )
        all_linked = options.crawl and crawl.stopped_by is None and all(why != "limit" for why, _, _ in remaining)
        graph = LinkGraph(
            run,
            crawl.scope,
            homes,
            all_listed=all_listed,
            all_linked=all_linked,
            unreached_round=None if folder is None else options.crawl_depth + 1,
            unnamed={} if folder is None else folder.unnamed,
        )
        return pages, structs.replace(graph.store(), uncrawled=remaining, stopped_by=crawl.stopped_by)


def read_named_pages(probing: Probing, pages: PageCounts, homes: Sequence[str]) -> PageCounts:
    """Request the pages that listed ones name as their canonical or language version, and that no sitemap lists."""
    _Crawl(probing, homes).take_named()
    probing.judge()
    return recount(probing.store, probing.run.run_id, pages)


class _Crawl:
    """Requests pages that no sitemap lists, in rounds: each follows the links of the round before.

    Attributes:
        scope: The pages that belong to the site.
        leads_on: Whether links may lead to pages that were not requested.
        stopped_by: The budget that ended it early: pages, bytes or time; None if none did.
    """

    def __init__(self, probing: Probing, homes: Sequence[str]) -> None:
        self._probing = probing
        self._homes = homes
        self._bytes = 0
        self._seconds = 0.0
        self.leads_on = True
        self.scope = CrawlScope.of(homes, probing.selection)
        self.stopped_by: Literal["pages", "bytes", "time"] | None = None

    def run(self) -> None:
        """Request the home pages, and in a crawl, what they and the listed pages lead to."""
        options = self._probing.options
        for round_ in range(options.crawl_depth + 1 if options.crawl else 1):
            if round_ > 0 and not self._has_next():
                return
            pending = PendingCrawl(
                self._probing.store, self._probing.run.run_id, self.scope, round_, self._homes if round_ == 0 else ()
            )
            if round_ > 0 and not pending.selected_count:
                pending.forget()
                return
            self._fetch(pending, limited=round_ > 0)
            if self.stopped_by is not None:
                return

    def take(self, urls: Sequence[str]) -> None:
        """Request pages to which no link leads, and then what they link to: their broken links are mistakes, too."""
        probing = self._probing
        round_ = probing.options.crawl_depth + 1
        if not urls and not self.leads_on:
            return
        pending = PendingCrawl(probing.store, probing.run.run_id, self.scope, round_, urls)
        while pending.selected_count and self.stopped_by is None:
            self._fetch(pending, limited=True)
            if not self._has_next():
                break
            round_ += 1
            pending = PendingCrawl(probing.store, probing.run.run_id, self.scope, round_, ())
        pending.forget()

    def _has_next(self) -> bool:
        """Ask whether there may be a next round: to select its pages takes longer."""
        self.leads_on = leads_on(self._probing.store, self._probing.run.run_id, self.scope)
        return self.leads_on

    def take_named(self) -> None:
        """Request the pages that others name as their canonical or language version.

        Their links are not read, so a budget that ends this ends no crawl. What they return is part of the verdicts of
        listed pages, which are therefore stored after this.
        """
        probing, stopped_by = self._probing, self.stopped_by
        store, run_id = probing.store, probing.run.run_id
        if named := named_pages(store, run_id, self.scope):
            pending = PendingCrawl(store, run_id, self.scope, NAMED_ROUND, named)
            self._fetch(pending, limited=True, links=False)
        self.stopped_by = stopped_by

    def _fetch(self, pending: PendingCrawl, *, limited: bool, links: bool = True) -> None:
        probing, options = self._probing, self._probing.options
        limit = None
        if limited and options.max_pages is not None:
            limit = max(0, options.max_pages - count_requested_pages(probing.store, probing.run.run_id))
            if limit < pending.remaining_count:
                self.stopped_by = "pages"
        budget = replace(
            options,
            max_time=None if options.max_time is None else max(options.max_time - self._seconds, 0.001),
            max_traffic=None if options.max_traffic is None else max(options.max_traffic - self._bytes, 1),
            links=options.links and links,
            crawl=options.crawl and links,
            external=options.external and links,
        )
        prober = probing.prober_of(budget, _targets(pending, limit))
        probing.record(CRAWLED, pending, prober, "linked pages")
        self._bytes += prober.usage.bytes
        self._seconds += prober.usage.seconds
        self.stopped_by = prober.usage.stopped_by or self.stopped_by


def _targets(pending: PendingCrawl, limit: int | None) -> Callable[[int], list[ProbeTarget]]:
    """Return the source of the next pages, at most `limit` of them."""
    count = 0

    def next_targets(number: int) -> list[ProbeTarget]:
        nonlocal count
        number = number if limit is None else min(number, limit - count)
        rows = pending.next(number) if number > 0 else []
        count += len(rows)
        return [ProbeTarget(row["url"], row, origin_of(row["url"])) for row in rows]

    return next_targets
