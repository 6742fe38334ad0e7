"""Selects the links out of a site that an audit requests, and those pages that link there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from urlset.engine.rule_sql import quote
from urlset.links.crawl_selection import CrawlScope, linked_urls
from urlset.store.file import RUN_ID
from urlset.store.page_selection import PageSelection
from urlset.tables import CRAWLED, LINKS, PAGES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from urlset.store.run import Run

MAX_URLS = 5_000
"""Maximum external URLs to request."""

MAX_PER_HOST = 100
"""Maximum external URLs of a host: at a request per second, they take about two minutes."""

_COLUMNS = ("document_id", "ordinal", "line", "col", "url", "links", "linked_from")


class ExternalLinks(Struct, frozen=True):
    """The external URLs of a run.

    Attributes:
        rows: Those to request, with the first columns of `external_links`; hosts alternate.
        total: Number of all of them.
    """

    rows: list[dict[str, object]]
    total: int


def external_links(run: Run, homes: Sequence[str]) -> ExternalLinks:
    """Return the URLs outside of a site to which its pages link."""
    own = f"{RUN_ID} = {run.run_id:d}"
    outside = f"{own} AND NOT {CrawlScope.of(homes, PageSelection()).has('to_url')}"
    with run.writing() as connection:
        rows = connection.execute(
            f"""
            WITH outside AS ({linked_urls(outside)}), counts AS (
                SELECT to_hash, count(*) AS links, min(from_hash) AS first_from FROM {LINKS.name}
                WHERE {outside} GROUP BY to_hash
            ), pages_read AS (
                SELECT page_hash, url, document_id, ordinal, line, col FROM {PAGES.name} WHERE {own}
                UNION ALL SELECT page_hash, url, NULL, NULL, NULL, NULL FROM {CRAWLED.name} WHERE {own}
            ), places AS (
                SELECT page_hash, first(url ORDER BY document_id, ordinal) AS url, min(document_id) AS document_id,
                    first(ordinal ORDER BY document_id, ordinal) AS ordinal,
                    first(line ORDER BY document_id, ordinal) AS line,
                    first(col ORDER BY document_id, ordinal) AS col
                FROM pages_read WHERE page_hash IN (SELECT first_from FROM counts) GROUP BY page_hash
            ), ranked AS (
                SELECT coalesce(p.document_id, (SELECT min(document_id) FROM {PAGES.name} WHERE {own}), 0)
                        AS document_id,
                    p.ordinal, p.line, p.col, o.url, c.links, p.url AS linked_from,
                    row_number() OVER (
                        PARTITION BY regexp_extract(o.url, '^https?://([^/?#]+)', 1) ORDER BY c.links DESC, o.url
                    ) AS place
                FROM outside AS o JOIN counts AS c USING (to_hash) LEFT JOIN places AS p ON p.page_hash = c.first_from
            )
            SELECT {", ".join(map(quote, _COLUMNS))} FROM ranked
            WHERE place <= {MAX_PER_HOST:d} ORDER BY place, url LIMIT {MAX_URLS:d}
            """
        ).fetchall()
        [(total,)] = connection.execute(f"SELECT count(DISTINCT to_hash) FROM {LINKS.name} WHERE {outside}").fetchall()
    return ExternalLinks([dict(zip(_COLUMNS, row, strict=True)) for row in rows], int(total))
