"""Checks for URLs that are not in or below the folder of the sitemap. The rule applies only to sitemaps that were
fetched and that the robots.txt of the site does not list, either directly or through an index.

## Why is this bad
Under the protocol, a sitemap at /blog/sitemap.xml may only list URLs below /blog/. A sitemap that is listed in
robots.txt, or that the owner of the site submitted to a search engine, may list URLs of the whole host. If you
submitted the sitemap, ignore this finding.

## Fails
```xml
<!-- https://www.example.com/blog/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import outside_folder
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="LOC020",
    name="url-outside-folder",
    severity=Severity.INFO,
    table="urls",
    field="loc",
    needs=("in-folder",),
    query=f"""
        SELECT
            document_id, min(ordinal) AS ordinal, min_by(line, ordinal) AS line, min_by(col, ordinal) AS col,
            min_by(url, ordinal) AS url, min_by(value, ordinal) AS value, folder, count(*) AS urls
        FROM ({outside_folder("urls")}) AS outside
        GROUP BY document_id, folder
    """,
    message="URL is outside the sitemap's folder",
    example="{urls:URL|URLs} not below {folder}, such as {value}",
    fix="Move the sitemap to the root folder of the site, or list it in robots.txt.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("D16",),
)
