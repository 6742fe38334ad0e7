"""Checks for an element or attribute with a prefix, such as image: or xhtml:, that is declared nowhere.

## Why is this bad
The document is not well-formed with namespaces. Browsers and strict readers refuse it, others drop the extension.
urlset takes the prefix for what it customarily stands for.

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
    message="A namespace prefix is not declared",
    example="the prefix is not declared: {value}",
    fix='Declare the prefix in the root element, as in xmlns:image="http://www.google.com/schemas/sitemap-image/1.1".',
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
