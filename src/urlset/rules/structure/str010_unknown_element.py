"""Checks for an element in the namespace of the sitemap or of an extension that does not exist there.

## Why is this bad
Engines pass over it, so what it was meant to say is lost; Yandex reports it. Most often it is a misspelt name, or an
element of an extension without its prefix.

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
    message="An element does not exist in its namespace",
    example="unknown element: {value}",
    fix="Correct the element's name, or put it into the namespace it belongs to.",
    advice=(
        "An element of an extension needs the prefix of its extension. Put data of your own into a namespace of "
        "your own."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.sitemaps.org/protocol.html#extending",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("C09",),
)
