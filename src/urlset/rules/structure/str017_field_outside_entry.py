"""Checks for a field such as loc that stands directly in the urlset or sitemapindex, without a url or sitemap element
around it.

## Why is this bad
Each entry is an element of its own, and engines look for fields inside it only. urlset reads such a field as an
entry; engines pass over it.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <loc>https://example.com/a</loc>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/a</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR017",
    name="field-outside-entry",
    severity=Severity.ERROR,
    kinds=("loose-field",),
    message="A field stands outside an entry",
    example="{value} stands outside an entry",
    fix="Put a url element (in an index: a sitemap element) around the fields of each entry.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("C06",),
    fixable=Fixable.ALWAYS,
)
