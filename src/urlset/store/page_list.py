"""Lists the pages of a run with their verdicts: which are not indexable, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.model.page_list import NotIndexable, PageVerdict
from urlset.pages import IS_COMPARABLE, VALUE, PageReason
from urlset.rules.queries import sql_list
from urlset.store.file import RUN_ID
from urlset.store.probed import reason_counts
from urlset.tables import DOCUMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.store.file import Store

MOST_VERDICTS = 20_000
"""Maximum pages in a report; `urlset pages` lists all."""

MOST_CHARACTERS = 20_000_000
"""Maximum characters of these pages, whose URLs may be of any length."""

ROWS_AT_ONCE = 10_000

_ORDER = ", ".join(f"'{reason}'" for reason in PageReason)

# The first page with the same content is the one that is indexable.
_LIST = f"""
WITH of_run AS ({{pages}}), copies AS (
    SELECT DISTINCT content_hash FROM of_run WHERE reason = '{PageReason.DUPLICATE}'
), firsts AS (
    SELECT content_hash, min_by(url, document_id::BIGINT * 4294967296 + ordinal) AS url
    FROM of_run
    WHERE reason IS NULL AND {IS_COMPARABLE} AND content_hash IN (SELECT content_hash FROM copies)
    GROUP BY content_hash
), chosen AS (
    SELECT
        url, is_indexable, reason, {VALUE} AS value, document_id, ordinal, line, col, status,
        CASE WHEN reason = '{PageReason.DUPLICATE}' THEN content_hash END AS copied
    FROM of_run
    WHERE {{wanted}}
)
SELECT
    c.url, c.is_indexable, c.reason, coalesce(f.url, c.value) AS value, coalesce(d.url, '') AS document, c.line, c.col,
    c.status
FROM chosen AS c
LEFT JOIN firsts AS f ON f.content_hash = c.copied
LEFT JOIN {DOCUMENTS.name} AS d ON d.{RUN_ID} = {{run_id}} AND d.document_id = c.document_id
ORDER BY coalesce(list_position([{_ORDER}], c.reason), 0), c.document_id, c.ordinal
"""


def page_rows(
    store: Store,
    run_id: int,
    reasons: Sequence[str] = (),
    *,
    every: bool = False,
    most: int | None = None,
    url: str | None = None,
) -> Iterator[tuple[Any, ...]]:
    """Yield the columns of `PageVerdict` of pages of a run, by reason and then in the order of the sitemaps.

    Args:
        store: The store.
        run_id: The run.
        reasons: Reasons of the pages to list; empty for all.
        every: Whether to list pages that are indexable as well.
        most: Maximum number of rows; None for all.
        url: The URL of the pages to list; None for all.
    """
    wanted = "true" if every else "reason IS NOT NULL"
    if reasons:
        wanted = f"reason IN {sql_list(reasons)}"
    if url is not None:
        wanted += " AND url = $1"
    statement = _LIST.format(pages=store.pages(run_id), wanted=wanted, run_id=f"{run_id:d}")
    cursor = store.connection.cursor()
    try:
        cursor.execute(statement if most is None else f"{statement} LIMIT {most:d}", None if url is None else [url])
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from rows
    finally:
        cursor.close()


def not_indexable(store: Store, run_id: int) -> NotIndexable | None:
    """Return the pages of a run that are not indexable, at most `MOST_VERDICTS`; None if no page was requested."""
    listed, counts = pages_listed(store, run_id)
    if not listed:
        return None
    pages = []
    size = 0
    for row in page_rows(store, run_id, most=MOST_VERDICTS) if counts else ():
        page = PageVerdict(*row)
        size += len(page.url) + len(page.value or "") + len(page.document)
        if size > MOST_CHARACTERS:
            break
        pages.append(page)
    return NotIndexable(counts, tuple(pages))


def pages_listed(store: Store, run_id: int) -> tuple[int, dict[str, int]]:
    """Return the number of pages of a run that were requested or skipped, and the number of each reason."""
    pages = f"({store.pages(run_id)}) AS pages"
    [(listed,)] = store.connection.execute(f"SELECT count(*) FROM {pages}").fetchall()
    return listed, dict(store.connection.execute(reason_counts(pages)).fetchall())
