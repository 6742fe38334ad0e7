"""Queries on the Markdown twins of the pages of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.model.audit import TwinCounts
from urlset.net.status import IS_TO_US
from urlset.store.file import RUN_ID
from urlset.tables import PAGES, TWINS

if TYPE_CHECKING:
    from urlset.store.file import Store

IS_TWIN = (
    f"twin IS NOT NULL AND (status BETWEEN 200 AND 299 OR status {IS_TO_US}) "
    "AND is_html IS NOT TRUE AND coalesce(words, 1) > 0"
)
"""SQL for whether a row of `twins` is about a twin that exists."""


IS_PAGE = "is_indexable AND complete IS NOT NULL"
"""SQL for whether a row of `pages` is about an indexable HTML page, which a listed Markdown twin is not."""


class TwinPage(Struct, frozen=True):
    """A listed page that may have a twin.

    Attributes:
        twin: The Markdown version that it declares, as an absolute URL; None without one.
        declared_by: What declares it, as in `twins`.
        is_indexable: Whether it is indexable at this URL.
    """

    document_id: int
    ordinal: int
    line: int | None
    col: int | None
    url: str
    twin: str | None
    declared_by: str | None
    is_indexable: bool


def pages_for_twins(store: Store, run_id: int) -> list[TwinPage]:
    """Return the listed HTML pages of a run that are indexable or declare a twin, in the order of their URLs."""
    rows = store.rows(
        f"""
        SELECT document_id, ordinal, line, col, url, markdown, markdown_from, coalesce(is_indexable, false)
        FROM {PAGES.name}
        WHERE {RUN_ID} = {run_id:d} AND status BETWEEN 200 AND 299 AND complete IS NOT NULL AND not_a_page IS NULL
            AND (is_indexable OR (markdown IS NOT NULL AND hops IS NULL))
        ORDER BY url
        """
    )
    return [TwinPage(*row) for row in rows]


def count_twins(store: Store, run_id: int) -> TwinCounts:
    """Return the twins of a run in numbers."""
    of_run = f"{RUN_ID} = {run_id:d}"
    [(pages, with_twin, declared, asked, compared)] = store.rows(
        f"""
        SELECT
            (SELECT count(*) FROM {PAGES.name} WHERE {of_run} AND {IS_PAGE}),
            (SELECT count(*) FROM {TWINS.name} SEMI JOIN (SELECT url FROM {PAGES.name} WHERE {of_run} AND {IS_PAGE})
                USING (url) WHERE {of_run} AND {IS_TWIN}),
            count(*) FILTER (declared_by IS NOT NULL),
            count(*) FILTER (twin IS NOT NULL AND skipped IS NULL),
            count(*) FILTER (page_words IS NOT NULL)
        FROM {TWINS.name} WHERE {of_run}
        """
    )
    [(sampled, negotiated)] = store.rows(
        f"""
        SELECT count(*), count(*) FILTER (negotiated_type ILIKE '%markdown%')
        FROM {TWINS.name} WHERE {of_run} AND negotiated_status BETWEEN 200 AND 299
        """
    )
    return TwinCounts(pages, with_twin, declared, asked, compared, sampled, negotiated)
