"""Checks for a sitemap of a host that neither its robots.txt nor any index of the run names, while robots.txt names
others. Only when everything that robots.txt names was read.

## Why is this bad
Engines do not know it, unless it was submitted by hand. Often it is left over from an earlier program, and out of date.

## Fails
```text
# robots.txt
Sitemap: https://www.example.com/sitemap_index.xml
# and there is, in no index, https://www.example.com/sitemap.xml
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
    only="TRUE",
    only_of="robots_files",
    query="""
        WITH named AS (
            SELECT
                r.host, s.loc, d.document_id AS read_id,
                d.kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom') AND d.complete AS is_read
            FROM robots_files AS r
            JOIN sitemap_lines AS s ON s.document_id = r.document_id
            LEFT JOIN documents AS d ON d.url = s.loc
            WHERE r.availability = 'read' AND r.bytes_unread = 0
        ), known AS (
            SELECT host, count(*) AS others
            FROM named
            GROUP BY host
            HAVING count(*) = count(*) FILTER (WHERE is_read)
        ), addresses AS (
            SELECT loc AS url FROM named
            UNION
            SELECT d.final_url AS url FROM named AS n JOIN documents AS d ON d.document_id = n.read_id
            UNION
            SELECT loc AS url FROM children
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
            AND d.url NOT IN (SELECT url FROM addresses WHERE url IS NOT NULL)
            AND d.final_url NOT IN (SELECT url FROM addresses WHERE url IS NOT NULL)
    """,
    message="Neither robots.txt nor an index names the sitemap",
    example="robots.txt and the indexes name {value:other|others} and not this one",
    fix="Name it in robots.txt or in the index, or remove it.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#submit_robots",
    ),
    checks=("F18",),
)
