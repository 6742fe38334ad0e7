"""Checks for an XML document whose root element is not urlset, sitemapindex, rss, rdf:RDF or feed.

## Why is this bad
Engines decide by the root element what a document is. With another one they read nothing.

## Fails
```xml
<sitemap xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <loc>https://example.com/</loc>
</sitemap>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Severity

RULE = AnomalyRule(
    code="STR002",
    name="unknown-root",
    severity=Severity.ERROR,
    kinds=("unknown-root",),
    message="The root element is not one of a sitemap",
    example="the root element is {value}",
    fix="Use urlset for a list of pages and sitemapindex for a list of sitemaps.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01",),
)
