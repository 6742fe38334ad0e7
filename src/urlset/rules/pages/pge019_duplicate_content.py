"""Checks for several listed pages with the same main text, of fifty words or more, none of which names another one as
its canonical.

## Why is this bad
Engines index one of them and choose which; links to the others are spread. A fault of the server that gives every
address the same page looks like this, too.

## Fails
```text
/chairs and /chairs?view=list show the same text
```

## Passes
```text
/chairs?view=list names /chairs as its canonical and is not listed
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE019",
    name="page-content-repeated",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    field="url",
    query="""
        WITH told AS (
            SELECT document_id, ordinal, line, col, url, content_hash
            FROM pages
            WHERE status BETWEEN 200 AND 299 AND content_hash IS NOT NULL AND words >= 50 AND noindex IS NULL
                AND coalesce(canonical_is_self, true) AND coalesce(len(hops), 0) = 0
        ), firsts AS (
            SELECT
                content_hash, count(*) AS size,
                min(struct_pack(document_id := document_id, ordinal := ordinal, url := url)) AS first
            FROM told
            GROUP BY content_hash
            HAVING count(*) > 1
        )
        SELECT t.document_id, t.ordinal, t.line, t.col, t.url, f.first.url AS value
        FROM told AS t
        JOIN firsts AS f ON f.content_hash = t.content_hash
        WHERE t.document_id <> f.first.document_id OR t.ordinal <> f.first.ordinal
    """,
    message="Listed pages have the same content",
    example="{url} has the text of {value}",
    fix="List one of them, and let the others name it as their canonical.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J15",),
)
