"""Checks for `<urlset>` elements inside another element, for example because a list was wrapped in a second list.

## Why is this bad
`<urlset>` is the root element of a sitemap; the protocol does not allow it inside another element. Search engines skip
it and everything it lists. urlset reads its entries.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <urlset>
    <url><loc>https://example.com/</loc></url>
  </urlset>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR027",
    name="urlset-in-element",
    severity=Severity.ERROR,
    kinds=("nested-urlset",),
    message="urlset is inside another element",
    example="nested urlset: {value}",
    fix="Move the url elements directly into the outer urlset, and remove the tags of the inner one.",
    advice="Usually two templates, of the list and of the file, both write a urlset element. Keep one of them.",
    sources=(
        "https://www.sitemaps.org/protocol.html#urlsetdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
    ),
    checks=("C13",),
    fixable=Fixable.ALWAYS,
)
