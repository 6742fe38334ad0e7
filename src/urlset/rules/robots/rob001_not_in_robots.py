"""Checks for a site that has a sitemap, while its robots.txt names none or does not exist.

## Why is this bad
A Sitemap line is the one way to tell every engine and every other reader of a sitemap. Without one, only the engines in
whose consoles it was submitted know it. A sitemap beyond the first 500 KiB of robots.txt counts as possible, and
nothing is reported.

## Fails
```text
User-agent: *
Disallow: /cart/
```

## Passes
```text
User-agent: *
Disallow: /cart/

Sitemap: https://www.example.com/sitemap.xml
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="ROB001",
    name="not-in-robots",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="sitemap_lines",
    only="TRUE",
    only_of="robots_files",
    query="""
        WITH silent AS (
            SELECT host, min(document_id) AS document_id
            FROM robots_files
            WHERE host IS NOT NULL
            GROUP BY host
            HAVING sum(sitemaps) = 0 AND sum(bytes_unread) = 0 AND max(availability = 'unreachable') = false
        ), found AS (
            SELECT host, min(url) AS url
            FROM documents
            WHERE
                depth = 0 AND parent_id IS NULL AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
                AND coalesce(http_status, 200) BETWEEN 200 AND 299
            GROUP BY host
        )
        SELECT
            s.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, f.url, f.url AS value
        FROM silent AS s
        JOIN found AS f ON f.host = s.host
    """,
    message="robots.txt names no sitemap",
    example="the site has {value}, and robots.txt does not name it",
    fix="Add a Sitemap line with the full URL of the sitemap, or of its index, to robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("A02",),
)
