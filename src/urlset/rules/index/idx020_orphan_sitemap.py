"""Checks for sitemaps that neither the robots.txt of their host nor an index of the run lists, while robots.txt lists
others. The rule applies only if everything that robots.txt lists was read.

## Why is this bad
Search engines do not find the sitemap unless you submit it by hand. It is often left over from a previous generator,
and out of date.

## Fails
```text
# robots.txt
Sitemap: https://www.example.com/sitemap_index.xml
# https://www.example.com/sitemap.xml exists too, but no index lists it
```

## Passes
```text
# robots.txt
Sitemap: https://www.example.com/sitemap_index.xml
Sitemap: https://www.example.com/sitemap.xml
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX020",
    name="orphan-sitemap",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="documents",
    needs=("robots_files", "sitemap_lines", "not-from-robots"),
    query="""
        WITH named AS (
            SELECT
                r.host, s.loc_hash, d.document_id AS read_id,
                d.kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom') AND d.complete AS is_read
            FROM robots_files AS r
            JOIN sitemap_lines AS s ON s.document_id = r.document_id
            LEFT JOIN documents AS d ON d.url_hash = s.loc_hash
            WHERE r.availability = 'read' AND r.bytes_unread = 0
        ), known AS (
            SELECT host, count(*) AS others
            FROM named
            GROUP BY host
            HAVING count(*) = count(*) FILTER (WHERE is_read)
        ), addresses AS (
            SELECT loc_hash FROM named
            UNION
            SELECT d.final_url_hash AS loc_hash FROM named AS n JOIN documents AS d ON d.document_id = n.read_id
            UNION
            SELECT loc_hash FROM children
        )
        SELECT
            d.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, d.url,
            k.others AS value
        FROM documents AS d
        JOIN known AS k ON k.host = d.host
        LEFT JOIN cuts AS c ON c.kind IN ('depth-limit', 'document-limit', 'byte-limit')
        WHERE
            d.parent_id IS NULL AND d.kind IN ('urlset', 'sitemapindex', 'text') AND c.kind IS NULL
            AND coalesce(d.http_status, 200) BETWEEN 200 AND 299
            AND d.url_hash NOT IN (SELECT loc_hash FROM addresses WHERE loc_hash IS NOT NULL)
            AND d.final_url_hash NOT IN (SELECT loc_hash FROM addresses WHERE loc_hash IS NOT NULL)
    """,
    message="Sitemap is in neither robots.txt nor an index",
    example="not in robots.txt, which lists other sitemaps: {value}",
    fix="List the sitemap in robots.txt or in the index, or remove it.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#submit_robots",
    ),
    checks=("F18",),
)
