"""Checks for a url element in a sitemapindex, a sitemap element in a urlset, or an entry inside another entry.

## Why is this bad
A file lists either pages or sitemaps, one entry after the other. Engines look for entries of the file's own kind
below its root element, so that the others are not found through it.

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
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="STR011",
    name="entry-misplaced",
    severity=Severity.ERROR,
    detail=(
        "CASE kind WHEN 'misplaced-url' THEN 'a url element in a sitemapindex'"
        " WHEN 'misplaced-sitemap' THEN 'a sitemap element in a urlset' ELSE 'an entry inside another entry' END"
    ),
    kinds=("misplaced-url", "misplaced-sitemap", "nested-entry"),
    message="An entry is where it does not belong",
    example="{detail}",
    fix="Put pages side by side into a urlset, and sitemaps into a sitemapindex.",
    advice="Give each page an entry of its own in a urlset file, and list that file in the index.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("C13",),
)
