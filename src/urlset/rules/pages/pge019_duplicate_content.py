"""Checks for listed pages that have the same main text, of at least 50 words, and do not have another page as their
canonical.

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

RULE = SetRule(
    code="PGE019",
    name="page-content-repeated",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("page-text",),
    field="url",
    query=f"""
        WITH candidates AS (
            SELECT document_id, ordinal, line, col, url, content_hash, {without_scheme(stem("url"))} AS stem
            FROM pages
            WHERE status BETWEEN 200 AND 299 AND content_hash IS NOT NULL AND words >= 50 AND noindex IS NULL
                AND coalesce(canonical_is_self, true) AND coalesce(len(hops), 0) = 0 AND coalesce(complete, true)
        ), firsts AS (
            SELECT
                content_hash, count(*) AS size,
                min(struct_pack(document_id := document_id, ordinal := ordinal, url := url, stem := stem)) AS first
            FROM candidates
            GROUP BY content_hash
            HAVING count(*) > 1
        )
        SELECT
            c.document_id, c.ordinal, c.line, c.col, c.url, f.first.url AS value,
            c.document_id = f.first.document_id AND c.stem = f.first.stem AS is_respelled
        FROM candidates AS c
        JOIN firsts AS f ON f.content_hash = c.content_hash
        WHERE c.document_id <> f.first.document_id OR c.ordinal <> f.first.ordinal
    """,
    causes=(Cause(code="DUP002", where="is_respelled"),),
    message="Listed pages have the same content",
    example="{url} has the same text as {value}",
    effect="search engines index one of the copies instead of {places:listed page|listed pages}",
    fix="List one of the pages, and make it the canonical of the others; translate versions for other languages.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J15",),
)
