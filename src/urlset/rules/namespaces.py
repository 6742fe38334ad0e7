"""SQL about the namespaces that a document declares."""

from __future__ import annotations

OBSOLETE = "regexp_matches(uri, 'schemas/(sitemap-(mobile|geo|code ?search|pagemap)|codesearch|sitemap-codesearch)/')"
"""Whether `uri` is the namespace of an extension that no engine reads any more."""

USED = "contains(' ' || coalesce(array_to_string(foreign_namespaces, ' '), '') || ' ', ' ' || uri || ' ')"
"""Whether elements of `uri`, a namespace that the reader does not know, are in the document."""


def declared(documents: str, wanted: str) -> str:
    """Return a query for declarations of namespaces, each at its place; `value` is the prefix.

    Args:
        documents: SQL on `documents`: those to look at.
        wanted: SQL on a declaration (`prefix`, `uri`) and the columns of its document, true of those that are wanted.
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
        WHERE prefix <> '' AND {wanted}
    """
