"""Checks for sitemaps in which more than 1% of the fetched pages are not indexable, for example because
they return an error, redirect, or are marked noindex. Only sitemaps with at least 100 fetched pages count.

## Why is this bad
Search engines that find many such pages trust the sitemap less. Bing has been quoted as tolerating 1%, but no search
engine publishes a number.

## Fails
```text
300 of 1,000 pages return 404
```

## Passes
```text
2 of 1,000 pages return 404
```
"""

from urlset.rules.queries import CAUSES, NOWHERE, cause_of
from urlset.rules.rule import Consequence, RuleScope, SetRule, Severity
from urlset.web.indexability import PageReason

RULE = SetRule(
    code="PGE024",
    name="too-many-non-indexable-pages",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    scope=RuleScope.RUN,
    table="pages",
    needs=("not-indexable",),
    query=f"""
        WITH reasons AS (
            SELECT document_id, is_indexable, {cause_of("p")} AS cause
            FROM pages AS p
            WHERE status IS NOT NULL AND reason IS DISTINCT FROM '{PageReason.INVALID_URL}'
        ), counted AS (
            SELECT document_id, count(*) AS fetched, count(*) FILTER (NOT is_indexable) AS bad
            FROM reasons
            GROUP BY document_id
        ), by_cause AS (
            SELECT document_id, cause, count(*) AS pages
            FROM reasons
            WHERE cause IS NOT NULL
            GROUP BY document_id, cause
        ), causes AS (
            SELECT c.document_id, min(b.cause) AS cause
            FROM counted AS c
            JOIN by_cause AS b ON b.document_id = c.document_id AND 100 * (c.bad - b.pages) <= c.fetched
            GROUP BY c.document_id
        )
        SELECT c.document_id,{NOWHERE}, round(100.0 * bad / fetched, 1) AS value, bad, fetched, s.cause
        FROM counted AS c
        LEFT JOIN causes AS s ON s.document_id = c.document_id
        WHERE fetched >= 100 AND 100 * bad > fetched
    """,
    causes=CAUSES,
    message="Too many pages of the sitemap cannot be indexed",
    example="not indexable: {bad:,} of {fetched:fetched page|fetched pages} ({value}%)",
    effect="search engines may trust {places:sitemap|sitemaps} less",
    fix="Exclude such pages in the program that generates the sitemap, not by hand.",
    sources=(
        "urlset",
        "https://www.bing.com/webmasters/help/sitemaps-3b5cf6ed",
    ),
    checks=("J20",),
)
