"""Checks for fields such as loc directly inside the urlset or sitemapindex, without a url or sitemap element around
them.

## Why is this bad
Each entry is a separate element, and search engines only look for fields inside it. urlset reads such a field as an
entry; search engines ignore it.

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

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR017",
    name="field-outside-entry",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("loose-field",),
    message="Field is outside an entry",
    example="{value} is outside an entry",
    fix="Wrap the fields of each entry in a url element (in a sitemap index: a sitemap element).",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("C06",),
    fixable=Fixable.ALWAYS,
)
