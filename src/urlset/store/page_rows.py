"""Adds the rows of pages to a run, and those of their links and anchors, and commits them.

DuckDB compresses a row group once if it gets all its rows in one transaction. Otherwise it compresses some rows again
later, which takes twice the CPU time and space for links (measured). So links are committed in whole row groups, and
pages once all their links are there. A killed run therefore has all links of the pages in it, and may have links of
pages that are not, which `forget_links` removes.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from urlset import _core
from urlset.database.connections import ROW_GROUP
from urlset.engine.page_verdicts import update_canonicals, update_verdicts
from urlset.probe.facts import PAGE_LINKS
from urlset.store.file import RUN_ID
from urlset.store.run import SECONDS_BETWEEN_LARGE_COMMITS
from urlset.tables import ANCHORS, CRAWLED, LINKED_ANCHORS, LINKS, PAGES

if TYPE_CHECKING:
    from urlset.probe.facts import Row
    from urlset.store.run import Run
    from urlset.tables import Table

FEW_LINKS = 20_000
"""Rows of `links` per second below which pages do not wait for a row group."""


class PageRows:
    """Adds batches of rows, with their links."""

    def __init__(self, run: Run, table: Table) -> None:
        self._run = run
        self._table = table
        self._links = _core.LinkRows()
        self._batches: deque[tuple[list[Row], int]] = deque()
        self._added_rows = 0
        self._committed_rows = 0

    def add(self, batch: list[Row]) -> None:
        """Add rows, and commit what can be committed."""
        for row in batch:
            if (found := row.pop(PAGE_LINKS, None)) is not None:
                links, nofollow, keeps_fragment = found
                self._links.add(row["url"], links, nofollow, keeps_fragment)
                self._added_rows += len(links)
        self._batches.append((batch, self._added_rows))
        seconds = self._run.seconds_since_commit
        if len(self._links) <= FEW_LINKS * seconds or seconds >= SECONDS_BETWEEN_LARGE_COMMITS:
            self.finish()
        while len(self._links) >= ROW_GROUP:
            self._commit()

    def finish(self) -> None:
        """Commit everything."""
        while self._links:
            self._commit()
        self._commit()

    def _commit(self) -> None:
        """Commit a row group of links, and the pages whose links are complete with it."""
        if self._links:
            table = self._links.take(ROW_GROUP)
            self._run.add({LINKS.name: table})
            self._committed_rows += table.num_rows
        linked_anchors, anchors = self._links.take_anchors()
        self._run.add({LINKED_ANCHORS.name: linked_anchors, ANCHORS.name: anchors})
        while self._batches and self._batches[0][1] <= self._committed_rows:
            self._run.add_rows(self._table.name, self._batches.popleft()[0])
        self._run.commit()


def judge_pages(run: Run) -> None:
    """Store the verdict of each page of a run: what its canonical is, whether it is indexable, and why not."""
    where = f"{RUN_ID} = {run.run_id:d}"
    with run.writing() as connection:
        # Few pages name another one as their canonical, and most of the time for few pages is that of planning.
        canonicals = [
            update_canonicals(table.name, where)
            for table in (PAGES, CRAWLED)
            if connection.execute(
                f"SELECT 1 FROM {table.name} WHERE {where} AND canonical_hash <> final_hash LIMIT 1"
            ).fetchall()
        ]
        connection.execute(";".join((*canonicals, update_verdicts(where))))
    run.commit()


def forget_links(run: Run) -> None:
    """Remove the links and anchors of pages that an interrupted run did not store."""
    own = f"{RUN_ID} = {run.run_id:d}"
    stored = f"SELECT url FROM {PAGES.name} WHERE {own} UNION ALL SELECT url FROM {CRAWLED.name} WHERE {own}"
    with run.writing() as connection:
        connection.execute(f"DELETE FROM {LINKS.name} WHERE {own} AND from_url NOT IN ({stored})")
        hashes = stored.replace("url", "page_hash")
        for table, page in ((LINKED_ANCHORS, "from_hash"), (ANCHORS, "page_hash")):
            connection.execute(f"DELETE FROM {table.name} WHERE {own} AND {page} NOT IN ({hashes})")
    run.commit()
