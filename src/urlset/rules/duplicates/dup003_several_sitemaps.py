"""Checks for a URL that is an entry of an earlier document of the run too. Sitemaps of images, videos or news may
repeat URLs of the others, and so only documents with the same kinds of records are compared; URLs are compared by their
hashes of 64 bits. Feeds are left out: Google advises a sitemap of all pages and a feed of the latest ones.

## Why is this bad
It says nothing new and may contradict the other entry, and counts of what is indexed by sitemap overlap.

## Fails
```xml
<!-- sitemap-1.xml and sitemap-2.xml -->
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- sitemap-1.xml alone -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import NO_FEED, first_listed
from urlset.rules.rule import RuleScope, SetRule, Severity

EXTENSIONS = {"has_images": "d.images > 0", "has_videos": "d.videos > 0", "has_news": "d.news > 0"}

RULE = SetRule(
    code="DUP003",
    name="url-in-several-sitemaps",
    severity=Severity.WARNING,
    table="urls",
    only="TRUE",
    only_of="shared_locs",
    query=f"""{first_listed(EXTENSIONS, EXTENSIONS, where=NO_FEED)}
        SELECT
            e.document_id, e.ordinal, e.line, e.col, CAST(NULL AS VARCHAR) AS url,
            f.url AS value, f.line AS other_line
        FROM entries AS e
        JOIN firsts AS f
            ON f.loc_hash = e.loc_hash AND f.has_images = e.has_images
            AND f.has_videos = e.has_videos AND f.has_news = e.has_news
        WHERE f.document_id < e.document_id
    """,
    scope=RuleScope.RUN,
    message="A URL is in several sitemaps",
    example="stands also in line {other_line} of {value}",
    fix="List each URL in one sitemap.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/blog/2014/10/best-practices-for-xml-sitemaps-rssatom",
    ),
    checks=("K01",),
)
