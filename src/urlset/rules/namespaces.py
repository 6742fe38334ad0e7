"""SQL for the namespaces that a document declares."""

from __future__ import annotations

OBSOLETE = (
    "regexp_matches(uri, 'google[.]com/(schemas/(sitemap-(mobile|geo|code-?search|pagemap)|codesearch)"
    "|(geo|codesearch)/schemas)/')"
)
"""Whether `uri` is the namespace of an extension that Google Search no longer supports."""

IS_USED = "contains(' ' || coalesce(array_to_string(foreign_namespaces, ' '), '') || ' ', ' ' || uri || ' ')"
"""Whether the document has elements in `uri`, a namespace that the reader does not know."""


def declarations(documents: str, condition: str) -> str:
    """Return a query for namespace declarations, each with its position; `value` is the prefix.

    Args:
        documents: SQL predicate on `documents`, true for those to search.
        condition: SQL predicate on a declaration (`prefix`, `uri`) and the columns of its document, true for those to
            return.
    """
    return f"""
        WITH listed AS (
            SELECT
                *, unnest(namespaces) AS declaration, unnest(namespace_lines) AS line, unnest(namespace_cols) AS col
            FROM documents
            WHERE {documents}
        ), declarations AS (
            SELECT
                *, split_part(declaration, '=', 1) AS prefix,
                substr(declaration, strpos(declaration, '=') + 1) AS uri
            FROM listed
        )
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, line, col, CAST(NULL AS VARCHAR) AS url,
            prefix AS value, uri
        FROM declarations
        WHERE prefix <> '' AND {condition}
    """
