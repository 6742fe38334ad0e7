"""Checks for elements that are not defined in the sitemap namespace or the extension namespace that they are in.

## Why is this bad
Search engines ignore the element, so its content is lost; Yandex reports it. Usually the name is misspelled, or an
extension element has no prefix.

## Fails
```xml
<url>
  <loc>https://example.com/</loc>
  <lastmodified>2025-01-01</lastmodified>
</url>
```

## Passes
```xml
<url>
  <loc>https://example.com/</loc>
  <lastmod>2025-01-01</lastmod>
</url>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="STR010",
    name="unknown-element",
    severity=Severity.WARNING,
    kinds=("unknown-element",),
    message="Element is not defined in its namespace",
    example="unknown element: {value}",
    effect="search engines ignore {places:element|elements}",
    fix="Correct the element name, or use the namespace that the element belongs to.",
    advice="Elements of an extension need the prefix of that extension. Put custom data in a custom namespace.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/protocol.html#extending",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("C09",),
)
