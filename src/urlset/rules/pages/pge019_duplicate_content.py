"""Checks for listed pages that have the same main text, of at least 50 words, in the same language, and do not have
another page as their canonical. Shorter pages count if they have the same title and size as well, and no canonical.
Pages with the same text that name different languages in `<html lang>` are also reported, although a script may
translate some of them.

## Why is this bad
Search engines choose one of the pages to index, and links are split between them. A misconfigured server that returns
the same page for every URL looks like this too.

## Fails
```text
/chairs and /chairs?view=list have the same text
```

## Passes
```text
/chairs?view=list has the canonical URL /chairs, and is not listed
```
"""

from urlset.rules.queries import stem, without_scheme
from urlset.rules.rule import Cause, RuleScope, SetRule, Severity
from urlset.web.indexability import IS_COPY, comparable

RULE = SetRule(
    code="PGE019",
    name="page-content-repeated",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("page-text",),
    field="url",
    query=f"""
        WITH texts AS ({comparable("pages")}
        ), pages_with_texts AS (
            SELECT
                p.document_id, p.ordinal, p.line, p.col, p.url, p.reason, t.content_hash, t.version,
                {without_scheme(stem("p.url"))} AS stem
            FROM pages AS p
            JOIN texts AS t ON t.document_id = p.document_id AND t.ordinal = p.ordinal
            WHERE p.reason IS NULL OR p.{IS_COPY}
        ), firsts AS (
            SELECT
                content_hash, version,
                min(struct_pack(document_id := document_id, ordinal := ordinal, url := url, stem := stem)) AS first
            FROM pages_with_texts
            WHERE reason IS NULL
            GROUP BY content_hash, version
        )
        SELECT
            c.document_id, c.ordinal, c.line, c.col, c.url, f.first.url AS value,
            c.document_id = f.first.document_id AND c.stem = f.first.stem AS is_respelled
        FROM pages_with_texts AS c
        JOIN firsts AS f ON f.content_hash = c.content_hash AND f.version = c.version
        WHERE c.reason IS NOT NULL
    """,
    causes=(Cause(code="DUP002", where="is_respelled"),),
    message="Listed pages have the same content",
    example="{url} has the same text as {value}",
    effect="search engines may index only one of the copies instead of {places:listed page|listed pages}",
    fix="List one of the pages, and make it the canonical of the others; translate versions for other languages.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J15",),
)
