"""Keeps the pages and media that an interrupted run requested, with their links, when it is resumed.

Everything else is read again. Pages and media are found again by their URLs, because the entries that list them can
have moved; see `PendingRows`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.store_tables import OF_RUN
from urlset.store.file import RUN_ID, STORED, delete_rows
from urlset.store.page_rows import forget_links
from urlset.tables import ANCHORS, CRAWLED, DOCUMENTS, LINKED_ANCHORS, LINKS, MEDIA, PAGES, RUNS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.store.run import Run

_REQUESTED = (PAGES, CRAWLED, MEDIA)

_KEPT = {table.name for table in (RUNS, LINKS, LINKED_ANCHORS, ANCHORS, *_REQUESTED)}


def keep_requested(run: Run) -> Mapping[str, str]:
    """Remove all rows of an interrupted run except those of the pages and media that it requested.

    What it skipped is decided again: robots.txt may have changed.

    Returns:
        The SHA-256 of each document that it read, by URL.
    """
    own = f"{RUN_ID} = {run.run_id:d}"
    read = run.store.rows(f"SELECT url, sha256 FROM {DOCUMENTS.name} WHERE {own} AND sha256 IS NOT NULL")
    others = [table.name for table in STORED if table.of_run and table.name not in _KEPT]
    with run.writing() as connection:
        delete_rows(connection, run.run_id, (*others, *OF_RUN))
        for table in _REQUESTED:
            connection.execute(f"DELETE FROM {table.name} WHERE {own} AND skipped IS NOT NULL")
    forget_links(run)
    return dict(read)


def forget_crawled(run: Run) -> None:
    """Remove the pages that were found by links, and their links: other pages may lead to them now."""
    with run.writing() as connection:
        delete_rows(connection, run.run_id, [CRAWLED.name])
    forget_links(run)
