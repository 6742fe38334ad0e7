"""Documents together with the place that lists them: SQL for rules that point at the line which names a bad sitemap.

A sitemap that cannot be fetched has no lines of its own. What is wrong is what names it, so that a finding belongs to
the entry of the index, or to the line of robots.txt; and to the document itself when the user gave it or a search found
it.
"""

from __future__ import annotations

from typing import TypedDict

from urlset import tables
from urlset.rules.queries import host_in, sql_list
from urlset.rules.rule import RuleScope

LISTED = """
    SELECT
        coalesce(d.parent_id, d.document_id) AS document_id, d.parent_ordinal AS ordinal,
        coalesce(c.loc_line, c.line, s.loc_line, s.line) AS line,
        coalesce(c.loc_col, c.col, s.loc_col, s.col) AS col,
        d.document_id AS listed_id, d.url, d.final_url, d.host, d.found_by, d.kind, d.http_status, d.redirects,
        d.redirect_statuses, d.trouble, d.error, d.content_type, d.compression, d.entries, d.complete, d.namespaces,
        c.document_id IS NOT NULL AS in_index, c.loc_problem
    FROM documents AS d
    LEFT JOIN children AS c ON c.document_id = d.parent_id AND c.ordinal = d.parent_ordinal
    LEFT JOIN sitemap_lines AS s ON s.document_id = d.parent_id AND s.ordinal = d.parent_ordinal
    LEFT JOIN robots_files AS r ON r.document_id = d.document_id
    WHERE r.document_id IS NULL
"""
"""Every document but the robots.txt files: where it is listed, and the facts of its fetch."""

ANSWERED = "trouble IS NULL AND (http_status IS NULL OR http_status BETWEEN 200 AND 299)"
"""True of a document that came whole: its content can be judged."""


class Listed(TypedDict):
    """The parts of a rule on documents that are judged at the place that lists them."""

    scope: RuleScope
    table: str
    field: str
    only: str
    query: str


def listed(condition: str, value: str = "coalesce(error, trouble)", extra: str = "", where: str = "TRUE") -> Listed:
    """For a rule on documents: one row, at the place that lists it, for each one that meets a condition.

    Args:
        condition: SQL on columns that `LISTED` has of `documents`.
        value: SQL for the value shown.
        extra: Further columns, as SQL that begins with a comma.
        where: SQL on the other columns of `LISTED`.
    """
    return Listed(
        scope=RuleScope.RUN,
        table="children",
        field="loc",
        only=condition,
        query=f"""
        SELECT document_id, ordinal, line, col, url, {value} AS value{extra}
        FROM ({LISTED}) AS listed
        WHERE ({condition}) AND {where}
    """,
    )


def redirected(condition: str) -> Listed:
    """For a rule on documents whose address redirected to where they came from.

    Args:
        condition: SQL; `ASKED_HOST` is the host that was asked first, the column `host` the one that answered.
    """
    return listed(
        f"trouble IS NULL AND http_status BETWEEN 200 AND 299 AND len(redirects) > 0 AND {condition}",
        value="final_url",
        extra=", array_to_string(redirect_statuses, ', ') AS statuses",
    )


ASKED_HOST = host_in("url")
"""SQL for the host of the address that was asked for."""


def answered(condition: str, value: str) -> Listed:
    """For a rule on what an index leads to, where that came whole; `condition` and `value` as for `listed`."""
    return listed(f"{ANSWERED} AND {condition}", value, where="in_index")


SITEMAP_KINDS = sql_list(tables.SITEMAP_KINDS)
"""SQL list of the kinds of document that list URLs."""
