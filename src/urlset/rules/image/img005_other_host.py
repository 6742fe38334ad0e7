"""Checks for documents with images on a different host than their pages. `www.example.com` and `example.com` count as
one host, and subdomains of the page's host count as the same.

## Why is this bad
Images on another host are allowed and common with CDNs. Google asks you to verify both hosts in Search Console.

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

from urlset.rules.queries import of_one_site
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IMG005",
    name="image-other-host",
    severity=Severity.HINT,
    table="images",
    field="loc",
    query=f"""
        WITH hosts AS MATERIALIZED (
            SELECT
                i.document_id, i.loc_host AS image_host, u.host AS page_host,
                min(i.line) AS line, min(i.loc) AS url, count(*) AS images
            FROM images AS i
            JOIN urls AS u ON u.document_id = i.document_id AND u.ordinal = i.ordinal
            WHERE i.loc_problem IS NULL AND i.loc <> '' AND u.loc_problem IS NULL
            GROUP BY i.document_id, i.loc_host, u.host
        ), others AS (
            SELECT *, max(images) OVER (PARTITION BY document_id) AS most
            FROM hosts
            WHERE image_host <> page_host AND NOT {of_one_site("image_host", "page_host")}
        )
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, min(line) AS line, CAST(NULL AS INTEGER) AS col,
            min(url) AS url, CAST(sum(images) AS BIGINT) AS value,
            min(image_host) FILTER (WHERE images = most) AS image_host
        FROM others
        GROUP BY document_id
    """,
    message="Images are on a different host than their page",
    example="images on a different host than their page: {value:,}; most common host: {image_host}",
    fix="Verify the other host in Search Console as well.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    checks=("H05",),
)
