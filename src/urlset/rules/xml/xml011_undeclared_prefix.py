"""Checks for elements and attributes whose namespace prefix, such as image: or xhtml:, is not declared.

## Why is this bad
The document is not namespace-well-formed. Browsers and strict parsers reject it; others drop the extension. urlset
assumes the usual namespace of the prefix.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/</loc>
    <image:image><image:loc>https://example.com/a.png</image:loc></image:image>
  </url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://example.com/</loc>
    <image:image><image:loc>https://example.com/a.png</image:loc></image:image>
  </url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML011",
    name="undeclared-prefix",
    severity=Severity.ERROR,
    kinds=("undeclared-prefix",),
    message="Namespace prefix is not declared",
    example="undeclared prefix: {value}",
    fix=(
        "Declare the prefix in the root element, for example "
        'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".'
    ),
    advice=(
        'For the other extensions: `xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"`, '
        '`xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"` and '
        '`xmlns:xhtml="http://www.w3.org/1999/xhtml"`.'
    ),
    sources=(
        "https://www.w3.org/TR/xml-names/#ns-using",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
        "https://www.sitemaps.org/protocol.html#extending",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C04",),
    fixable=Fixable.ALWAYS,
)
