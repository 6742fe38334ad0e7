"""Checks for `<sitemapindex>` elements inside another element, for example because one index was pasted into another.

## Why is this bad
`<sitemapindex>` is the root element of a sitemap index; the protocol does not allow it inside another element. Search
engines skip it and everything it lists. urlset reads its entries.

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

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="IDX003",
    name="index-in-element",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("nested-index",),
    message="sitemapindex is inside another element",
    example="nested sitemapindex: {value}",
    fix="Move the sitemap elements directly into the outer sitemapindex, and remove the inner one.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/schemas/sitemap/0.9/siteindex.xsd",
    ),
    checks=("F06",),
    fixable=Fixable.ALWAYS,
)
