"""Checks for a url element in a sitemapindex, a sitemap element in a urlset, or an entry inside another entry.

## Why is this bad
A file lists either pages or sitemaps, one entry after another. Search engines only look for the matching kind of entry
directly inside the root element, so they do not find the others.

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

from urlset.rules.rule import AnomalyRule, Consequence, Severity

RULE = AnomalyRule(
    code="STR011",
    name="entry-misplaced",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    detail=(
        "CASE kind WHEN 'misplaced-url' THEN 'url element in a sitemapindex'"
        " WHEN 'misplaced-sitemap' THEN 'sitemap element in a urlset' ELSE 'entry inside another entry' END"
    ),
    kinds=("misplaced-url", "misplaced-sitemap", "nested-entry"),
    message="Entry is in the wrong place",
    example="{detail}",
    fix="List pages one after another in a urlset, and sitemaps in a sitemapindex.",
    advice="Put each page in a separate entry of a urlset file, and list that file in the sitemap index.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("C13",),
)
