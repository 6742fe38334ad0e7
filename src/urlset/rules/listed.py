"""SQL that joins documents with the place that lists them, so that a finding can point to that line.

A sitemap that cannot be fetched has no lines. Its finding belongs to the index entry or the robots.txt line that lists
it, or to the document itself if the user gave it or discovery found it.
"""

from __future__ import annotations

from typing import TypedDict

from urlset import tables
from urlset.rules.queries import sql_list
from urlset.rules.rule import RuleScope

LISTED = """
    SELECT
        coalesce(d.parent_id, d.document_id) AS document_id, d.parent_ordinal AS ordinal,
        coalesce(c.loc_line, c.line, s.loc_line, s.line) AS line,
        coalesce(c.loc_col, c.col, s.loc_col, s.col) AS col,
        d.document_id AS listed_id, d.url, d.final_url, d.host, d.requested_host, d.found_by, d.kind, d.http_status,
        d.redirects, d.redirect_statuses, d.error_kind, d.error, d.content_type, d.compression, d.entries, d.complete,
        d.namespaces, c.document_id IS NOT NULL AS in_index, c.loc_problem
    FROM documents AS d
    LEFT JOIN children AS c ON c.document_id = d.parent_id AND c.ordinal = d.parent_ordinal
    LEFT JOIN sitemap_lines AS s ON s.document_id = d.parent_id AND s.ordinal = d.parent_ordinal
    LEFT JOIN robots_files AS r ON r.document_id = d.document_id
    WHERE r.document_id IS NULL
"""
"""Every document except robots.txt files, with the place that lists it and the facts of its fetch."""

ANSWERED = "error_kind IS NULL AND (http_status IS NULL OR http_status BETWEEN 200 AND 299)"
"""Whether a document was fetched or read from disk without an error, so that its content can be checked."""


class ListingRuleFields(TypedDict):
    """The fields of a rule that reports documents at the place that lists them."""

    scope: RuleScope
    table: str
    field: str
    query: str


def listing_fields(
    condition: str, value: str = "coalesce(error, error_kind)", extra: str = "", where: str = "TRUE"
) -> ListingRuleFields:
    """Return the fields of a rule that reports documents that meet a condition, at the place that lists them.

    Args:
        condition: SQL predicate on the columns that `LISTED` takes from `documents`.
        value: SQL for the value to show.
        extra: SQL for further columns, starting with a comma.
        where: SQL predicate on the other columns of `LISTED`.
    """
    return ListingRuleFields(
        scope=RuleScope.RUN,
        table="children",
        field="loc",
        query=f"""
        SELECT document_id, ordinal, line, col, url, {value} AS value{extra}
        FROM ({LISTED}) AS listed
        WHERE ({condition}) AND {where}
    """,
    )


def redirect_fields(condition: str) -> ListingRuleFields:
    """Return the fields of a rule that reports documents whose URL redirected.

    Args:
        condition: SQL predicate; `requested_host` is the host of the requested URL, `host` the one after the redirects.
    """
    return listing_fields(
        f"error_kind IS NULL AND http_status BETWEEN 200 AND 299 AND len(redirects) > 0 AND {condition}",
        value="final_url",
        extra=", array_to_string(redirect_statuses, ', ') AS statuses",
    )


def response_fields(condition: str, value: str) -> ListingRuleFields:
    """Return the fields of a rule on children of an index that were fetched; see `listing_fields` for the arguments."""
    return listing_fields(f"{ANSWERED} AND {condition}", value, where="in_index")


SITEMAP_KINDS = sql_list(tables.SITEMAP_KINDS)
"""SQL list of the document kinds that list URLs."""
