"""SQL for the pages of a run with their verdicts: stored ones, or computed for a run of an older urlset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.engine.rule_sql import SQL_TYPES, identifier_list, quote
from urlset.tables import CRAWLED, PAGES
from urlset.web.indexability import PageReason, is_indexable, verdicts

if TYPE_CHECKING:
    from collections.abc import Collection

_REASONS = ", ".join(f"'{reason}'" for reason in PageReason)
KNOWN_REASON = (
    f"CASE WHEN reason IN ({_REASONS}) THEN reason WHEN reason IS NOT NULL THEN '{PageReason.NOT_CHECKED}' END"
)
"""SQL for a stored reason. A newer urlset, or somebody else, may have stored one that is unknown here."""

REASON, INDEXABLE = "reason", "is_indexable"
"""The columns with the verdict."""


TEXT_VERSION = "coalesce(text_version::VARCHAR, version)"
"""SQL for the version of how a run read the main text of pages, which an older urlset did not store."""


def select_list(names: Collection[str], there: Collection[str], types: dict[str, str]) -> str:
    """Return SQL for some columns, with null for those that a table lacks.

    Args:
        names: The columns.
        there: The columns that the table has.
        types: The types of the columns.
    """
    return ", ".join(
        quote(name) if name in there else f"CAST(NULL AS {types[name]}) AS {quote(name)}" for name in names
    )


def pages_query(source: str, there: Collection[str], names: Collection[str] = PAGES.column_names) -> str:
    """Return a query for the pages of a run.

    Args:
        source: SQL for the stored rows of the run, as after FROM.
        there: The columns that they have.
        names: The columns of `pages` to return: all of them take longer to plan than the rows of a few pages.
    """
    types = {column.name: SQL_TYPES[column.type] for column in PAGES.columns}
    if not {REASON, INDEXABLE} <= {*there}:
        pages = with_verdicts(f"SELECT {select_list(types, there, types)} FROM {source}")
        return f"SELECT {identifier_list(names)} FROM ({pages}) AS judged"
    stored = f"SELECT {select_list(names, there, types)} FROM {source}"
    return f"SELECT * REPLACE ({KNOWN_REASON} AS {REASON}) FROM ({stored}) AS stored" if REASON in names else stored


def with_verdicts(pages: str) -> str:
    """Return a query for the rows of another one, with their verdicts.

    Args:
        pages: A query for all columns of `pages` of all pages of a run.
    """
    verdict = {REASON: f"v.{REASON}", INDEXABLE: is_indexable(f"v.{REASON}")}
    columns = ", ".join(f"{verdict.get(name, f'p.{quote(name)}')} AS {quote(name)}" for name in PAGES.column_names)
    return f"""
        SELECT {columns} FROM ({pages}) AS p
        JOIN ({verdicts(f"({pages})")}) AS v ON v.document_id = p.document_id AND v.ordinal = p.ordinal
    """


def verdicts_of_table() -> str:
    """Return a query for the rows of the table `pages`, of a single run, with their verdicts."""
    return with_verdicts(f"SELECT * FROM {PAGES.name}")


IS_SERVED = """(
    status BETWEEN 200 AND 299 AND coalesce(final_spelling_hash = spelling_hash, len(coalesce(hops, [])) = 0)
)"""
"""SQL for whether the response is the page itself: at its URL, or at a spelling to which its host redirects."""


def update_canonicals(table: str, where: str) -> str:
    """Return a statement that stores what is known of the canonicals of a run that are not the page itself.

    Args:
        table: `pages` or `crawled`, whose rows to update.
        where: SQL for whether a row of these tables is of the run.
    """
    requested = ", ".join(
        ("page_hash", "final_hash", "spelling_hash", "final_spelling_hash", "hops", "content_hash", "bytes")
    )
    served = f"{where} AND status BETWEEN 200 AND 299"
    return f"""
        WITH served AS (
            SELECT {requested} FROM {PAGES.name} WHERE {served}
            UNION ALL
            SELECT {requested} FROM {CRAWLED.name} WHERE {served}
        ), known AS (
            SELECT p.page_hash,
                bool_or(len(c.hops) > 0 AND c.final_hash = p.final_hash) AS redirects,
                bool_or(
                    c.final_hash <> p.final_hash AND c.spelling_hash = p.final_spelling_hash
                    AND c.final_spelling_hash = c.spelling_hash
                    AND coalesce(p.content_hash, p.bytes) IS NOT DISTINCT FROM coalesce(c.content_hash, c.bytes)
                ) AS is_respelled
            FROM {table} AS p JOIN served AS c ON c.page_hash = p.canonical_hash
            WHERE p.{served} AND c.page_hash <> p.final_hash
            GROUP BY p.page_hash
        )
        UPDATE {table} AS p
        SET canonical_redirects = k.redirects, canonical_is_respelled = k.is_respelled
        FROM known AS k
        WHERE p.{where} AND k.page_hash = p.page_hash
    """


def update_verdicts(where: str) -> str:
    """Return a statement that stores the verdicts of the pages of a run.

    Args:
        where: SQL for whether a row of `pages` is of the run.
    """
    source = f"(SELECT * FROM {PAGES.name} WHERE {where})"
    return f"""
        UPDATE {PAGES.name} AS p
        SET {REASON} = v.{REASON}, {INDEXABLE} = {is_indexable(f"v.{REASON}")}
        FROM ({verdicts(source)}) AS v
        WHERE p.{where} AND v.document_id = p.document_id AND v.ordinal = p.ordinal
    """
