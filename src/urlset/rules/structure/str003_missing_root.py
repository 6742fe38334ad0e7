"""Checks for url or sitemap entries at the top level of the file, without a urlset or sitemapindex element around them.

## Why is this bad
The protocol requires a root element around the entries, and a file with several entries at the top level is not
well-formed XML. urlset reads the entries; search engines do not.

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
    message="Entries are not inside a urlset or sitemapindex",
    example="no root element around the entry: {value}",
    fix="Wrap the entries in a urlset element (pages) or a sitemapindex element (sitemaps).",
    advice="Write the start tag with its namespace before the first entry, and the end tag after the last one.",
    sources=(
        "https://www.sitemaps.org/protocol.html",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C01",),
    fixable=Fixable.ALWAYS,
)
