"""SQL on two runs of a store: sitemaps that an index lists with the same lastmod in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import identifier_list, quote
from urlset.store.file import RUN_ID
from urlset.tables import READER_TABLES, STALE_LASTMODS, TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.store.file import Store
    from urlset.store.run import Run

RUNS_IN_BETWEEN = 6
"""Runs in a row that take documents from the previous one; the next run requests all of them."""

_OVER = (
    "{index}.lastmod_at + CASE {index}.lastmod_precision WHEN 'day' THEN INTERVAL 36 HOUR ELSE INTERVAL 1 MINUTE END "
    "<= {fetched}.fetched_at AND {index}.lastmod_precision NOT IN ('year', 'month')"
)
"""Whether the time that a lastmod stands for was over when the document was fetched, so that no later change of the
document can have the same lastmod. A date ends 12 hours later in the last time zone than in UTC."""

_OF_ENTRY = (
    "{index}.run_id = {document}.run_id AND {index}.document_id = {document}.parent_id "
    "AND {index}.ordinal = {document}.parent_ordinal"
)


def previous_run(store: Store, run_id: int) -> int | None:
    """Return the last finished run before a run, on the same targets; None if this is the first."""
    rows = store.rows(
        "SELECT max(before.run_id) FROM runs before JOIN runs now ON now.targets = before.targets "
        "WHERE now.run_id = $1 AND before.run_id < $1 AND before.finished_at IS NOT NULL",
        [run_id],
    )
    number: int | None = rows[0][0]
    return number


def runs_without_all(store: Store, run_id: int) -> int:
    """Return how many runs on the same targets, up to this one, took documents from the run before them."""
    rows = store.rows(
        "SELECT EXISTS (FROM documents WHERE documents.run_id = before.run_id AND assumed_from IS NOT NULL) "
        "FROM runs before JOIN runs now ON now.targets = before.targets "
        "WHERE now.run_id = $1 AND before.run_id <= $1 AND before.finished_at IS NOT NULL "
        f"ORDER BY before.run_id DESC LIMIT {RUNS_IN_BETWEEN + 1}",
        [run_id],
    )
    flags = [took for (took,) in rows]
    return flags.index(False) if False in flags else len(flags)


def trusted_documents(store: Store, run_id: int) -> dict[int, str]:
    """Return the documents of a run that need not be requested again while their lastmod in the index is the same.

    These are complete documents without redirects whose lastmod was over when they were fetched.

    Returns:
        The lastmod of each, as written, by number.
    """
    of_entry = _OF_ENTRY.format(index="listing", document="documents")
    over = _OVER.format(index="listing", fetched="documents")
    rows = store.rows(
        f"SELECT documents.document_id, listing.lastmod FROM documents JOIN children listing ON {of_entry} "
        "WHERE documents.run_id = $1 AND found_by = 'index' AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', "
        "'atom') AND complete AND error_kind IS NULL AND final_url = url AND http_status BETWEEN 200 AND 299 "
        f"AND {over}",
        [run_id],
    )
    return dict(rows)


def copy_rows(run: Run, run_id: int, numbers: Mapping[int, int]) -> None:
    """Copy the rows of some documents of another run to this one; `numbers` has their numbers by new number."""
    with run.writing() as connection:
        for name in READER_TABLES:
            columns = identifier_list(TABLES[name].column_names)
            connection.execute(
                f"INSERT INTO {quote(name)} ({RUN_ID}, {columns}) SELECT {run.run_id:d}, {columns} "
                f"FROM ({_renumber(name, run_id, numbers)})"
            )


def _renumber(name: str, run_id: int, numbers: Mapping[int, int]) -> str:
    columns = ", ".join(
        "renumbered.document_id" if column == "document_id" else f"before.{quote(column)}"
        for column in TABLES[name].column_names
    )
    pairs = ", ".join(f"({old:d}, {new:d})" for new, old in numbers.items())
    return (
        f"SELECT {columns} FROM {quote(name)} before "
        f"JOIN (VALUES {pairs}) renumbered(old_id, document_id) ON before.document_id = renumbered.old_id "
        f"WHERE before.{RUN_ID} = {run_id:d}"
    )


def stale_lastmods(store: Store, run_id: int, before_id: int) -> list[dict[str, object]]:
    """Return the rows of `stale_lastmods` of a run, compared with the previous one.

    The bytes of a sitemap may differ although its content does not, so its entries are compared.
    """
    of_entry, of_earlier = (
        _OF_ENTRY.format(index=index, document=document) for index, document in (("c", "n"), ("o", "p"))
    )
    statement = f"""
        WITH pairs AS (
            SELECT
                c.document_id, c.ordinal, c.lastmod_line, c.lastmod_col, n.url, c.lastmod, p.entries AS before,
                n.entries AS after, n.document_id AS new_id, p.document_id AS old_id,
                (n.kind, n.entries, n.images, n.videos, n.news, n.alternates)
                    IS DISTINCT FROM (p.kind, p.entries, p.images, p.videos, p.news, p.alternates) AS differ
            FROM documents n JOIN children c ON {of_entry}
                JOIN documents p ON p.url = n.url AND p.run_id = $2 AND p.found_by = 'index'
                JOIN children o ON {of_earlier} AND o.lastmod = c.lastmod
            WHERE n.run_id = $1 AND n.found_by = 'index' AND n.assumed_from IS NULL AND n.sha256 <> p.sha256
                AND n.complete AND p.complete AND {_OVER.format(index="o", fetched="p")}
        ),
        entries AS (
            SELECT {RUN_ID}, document_id, loc, lastmod FROM urls
            UNION ALL SELECT {RUN_ID}, document_id, loc, lastmod FROM children
        ),
        contents AS (
            SELECT {RUN_ID} AS run, document_id, sum((hash(loc, lastmod) % 4294967296)::BIGINT) AS content
            FROM entries
            WHERE {RUN_ID} = $1 AND document_id IN (SELECT new_id FROM pairs)
                OR {RUN_ID} = $2 AND document_id IN (SELECT old_id FROM pairs)
            GROUP BY ALL
        )
        SELECT pairs.document_id, ordinal, lastmod_line, lastmod_col, url, lastmod, before, after
        FROM pairs
            LEFT JOIN contents a ON a.run = $1 AND a.document_id = new_id
            LEFT JOIN contents b ON b.run = $2 AND b.document_id = old_id
        WHERE differ OR a.content IS DISTINCT FROM b.content
        ORDER BY pairs.document_id, ordinal
    """
    names = STALE_LASTMODS.column_names
    rows = store.rows(statement, [run_id, before_id])
    return [dict(zip(names, row, strict=True)) for row in rows]
