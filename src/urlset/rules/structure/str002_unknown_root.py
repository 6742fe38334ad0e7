"""Checks for XML documents whose root element is not urlset, sitemapindex, rss, rdf:RDF, or feed. A url or sitemap
element as the root is reported by STR003.

## Why is this bad
Search engines use the root element to tell what a document is. They read nothing from a document with an unknown one.

## Fails
```xml
<pages xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <page>https://example.com/</page>
</pages>
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
    message="Root element is not a sitemap element",
    example="root element is {value}",
    fix="Use urlset for a list of pages, and sitemapindex for a list of sitemaps.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01",),
)
