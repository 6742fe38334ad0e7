"""Checks for a sitemapindex element that stands inside another element, as when one index was pasted into another.

## Why is this bad
The root element of an index is the sitemapindex; one inside another does not exist in the protocol. Engines pass over
it with all it lists. urlset reads its entries.

## Fails
```xml
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemapindex>
    <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
  </sitemapindex>
</sitemapindex>
```

## Passes
```xml
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
</sitemapindex>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="IDX003",
    name="index-in-element",
    severity=Severity.ERROR,
    kinds=("nested-index",),
    message="A sitemapindex element stands inside another element",
    example="a sitemapindex inside an element: {value}",
    fix="Move the sitemap elements directly into the outer sitemapindex and remove the inner one.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("F06",),
    fixable=Fixable.ALWAYS,
)
