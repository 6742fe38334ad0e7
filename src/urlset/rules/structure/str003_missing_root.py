"""Checks for entries (url or sitemap) that stand at the top of the file, without a urlset or sitemapindex element
around them.

## Why is this bad
The protocol wants the entries inside the root element, and with several entries the file has several roots and is no
XML. urlset reads them; engines do not.

## Fails
```xml
<url><loc>https://example.com/a</loc></url>
<url><loc>https://example.com/b</loc></url>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/a</loc></url>
  <url><loc>https://example.com/b</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="STR003",
    name="missing-root",
    severity=Severity.ERROR,
    kinds=("missing-root",),
    message="Entries have no urlset or sitemapindex element around them",
    example="no root element around the entries: {value}",
    fix="Put the entries into a urlset element (pages) or a sitemapindex element (sitemaps).",
    advice="Write the opening tag with its namespace before the first entry, and the closing tag after the last one.",
    sources=(
        "https://www.sitemaps.org/protocol.html",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01",),
    fixable=Fixable.ALWAYS,
)
