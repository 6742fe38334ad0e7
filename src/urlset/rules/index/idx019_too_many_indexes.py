"""Checks for hosts with more than 500 sitemap indexes.

## Why is this bad
Search Console accepts at most 500 sitemap indexes for each site, so you cannot submit the others there.

## Fails
```text
501 files with <sitemapindex>
```

## Passes
```text
12 files with <sitemapindex>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX019",
    name="too-many-indexes",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="documents",
    needs=("sitemapindex",),
    query="""
        SELECT
            min(document_id) AS document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col,
            NULL::VARCHAR AS url, count(*) AS value, host
        FROM documents
        WHERE kind = 'sitemapindex' AND host IS NOT NULL
        GROUP BY host
        HAVING count(*) > 500
    """,
    message="Host has more than 500 sitemap indexes",
    example="{value:sitemap index|sitemap indexes} on {host}",
    effect="Google ignores the indexes beyond the first 500 on {places:host|hosts}",
    fix="List more sitemaps in each index.",
    advice="Each index can list {max_entries:,}.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",),
    checks=("F16",),
)
