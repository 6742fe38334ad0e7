"""Checks for a document with images on other hosts than their pages'. www.example.com and example.com count as one, and
so do hosts below the page's.

## Why is this bad
It is allowed, and usual with networks for images. Google asks that both hosts be verified in Search Console.

## Fails
```xml
<url>
  <loc>https://www.example.com/lamp</loc>
  <image:image><image:loc>https://cdn.example.net/lamp.jpg</image:loc></image:image>
</url>
```

## Passes
```xml
<image:image><image:loc>https://www.example.com/lamp.jpg</image:loc></image:image>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IMG005",
    name="image-other-host",
    severity=Severity.HINT,
    table="images",
    only="images > 0",
    field="loc",
    query="""
        WITH hosts AS MATERIALIZED (
            SELECT
                i.document_id, lower(split_part(i.loc, '/', 3)) AS image_host, u.host AS page_host,
                min(i.line) AS line, min(i.loc) AS url, count(*) AS images
            FROM images AS i
            JOIN urls AS u ON u.document_id = i.document_id AND u.ordinal = i.ordinal
            WHERE i.loc_problem IS NULL AND i.loc <> '' AND u.loc_problem IS NULL
            GROUP BY i.document_id, lower(split_part(i.loc, '/', 3)), u.host
        )
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, min(line) AS line, CAST(NULL AS INTEGER) AS col,
            min(url) AS url, CAST(sum(images) AS BIGINT) AS value, max_by(image_host, images) AS image_host
        FROM hosts
        WHERE
            image_host <> page_host
            AND NOT regexp_matches(image_host, '(^|[.])' || regexp_replace(page_host, '^www[.]', '') || '(:[0-9]*)?$')
        GROUP BY document_id
    """,
    message="Images are on another host than their page",
    example="images on another host than their page: {value:,}, most of them on {image_host}",
    fix="Verify the other host in Search Console too.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    checks=("H05",),
)
