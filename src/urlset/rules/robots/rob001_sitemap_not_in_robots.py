"""Checks for sites that have a sitemap, but whose robots.txt lists none or does not exist.

## Why is this bad
A `Sitemap` line is the only way to announce a sitemap to every search engine and every other crawler at once. Without
one, only the search engines that you submitted the sitemap to know about it. If robots.txt is longer than 500 KiB, a
`Sitemap` line may follow in the part that was not read, so nothing is reported. Neither is it if robots.txt is an HTML
page, which ROB008 reports.

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
    name="sitemap-not-in-robots",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="sitemap_lines",
    needs=("without-sitemap-line",),
    query="""
        WITH silent AS (
            SELECT host, min(document_id) AS document_id, max(availability = 'read') AS is_there
            FROM robots_files
            WHERE host IS NOT NULL
            GROUP BY host
            HAVING
                sum(sitemaps) = 0 AND sum(bytes_unread) = 0 AND max(availability = 'unreachable') = false
                AND max(is_html AND availability = 'read') = false
        ), found AS (
            -- The one nearest to the root: a space sorts before a slash.
            SELECT
                host,
                min_by(url, concat(repeat('/', length(site_path) - length(replace(site_path, '/', ''))), ' ', url))
                    AS url
            FROM documents
            WHERE
                depth = 0 AND parent_id IS NULL AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
                AND coalesce(http_status, 200) BETWEEN 200 AND 299
            GROUP BY host
        )
        SELECT
            s.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, f.url, f.url AS value,
            CASE WHEN s.is_there THEN 'robots.txt does not list' ELSE 'there is no robots.txt, which would list' END
                AS what
        FROM silent AS s
        JOIN found AS f ON f.host = s.host
    """,
    message="robots.txt lists no sitemap",
    example="{what} {value}",
    effect="search engines find {places:sitemap only if you submit it|sitemaps only if you submit them}",
    fix="Add a Sitemap line with the full URL of the sitemap or sitemap index to robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("A02",),
)
