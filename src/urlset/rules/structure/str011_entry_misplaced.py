"""STR011: entry-misplaced

## What
A url element in a sitemapindex, or a sitemap element in a urlset.

## Why
A file lists either pages or sitemaps. Engines look for entries of the file's own kind, so that the others are not
found through it.

## Fails
```xml
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
  <url><loc>https://example.com/about</loc></url>
</sitemapindex>
```

## Passes
```xml
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
  <sitemap><loc>https://example.com/sitemap-2.xml</loc></sitemap>
</sitemapindex>
```

## Fix
Put pages into a urlset file and list that file in the index.

## Sources
- https://www.sitemaps.org/protocol.html#index
- https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd
- https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="STR011",
    name="entry-misplaced",
    severity=Severity.ERROR,
    scope=Scope.ANOMALY,
    table="anomalies",
    value="evidence",
    detail=(
        "CASE kind WHEN 'misplaced-url' THEN 'a url element in a sitemapindex' ELSE 'a sitemap element in a urlset' END"
    ),
    kinds=("misplaced-url", "misplaced-sitemap"),
    message="An entry is of the wrong kind for the file",
    example="{detail}",
    fix="Move pages to a urlset and sitemaps to a sitemapindex.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("C13",),
)
