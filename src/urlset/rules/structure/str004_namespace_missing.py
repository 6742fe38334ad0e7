"""Checks for sitemaps whose elements are not in a namespace.

## Why is this bad
The namespace identifies the protocol version, and the protocol requires it in the root element. Search Console reports
an incorrect namespace and may read nothing. An `xmlns=""` on a url element removes that entry from the namespace.

## Fails
```xml
<urlset>
  <url><loc>https://example.com/</loc></url>
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
    code="STR004",
    name="namespace-missing",
    severity=Severity.ERROR,
    kinds=("namespace-missing",),
    message="The sitemap namespace is missing",
    example="no namespace: {value}",
    fix='Add xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" to the root element.',
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://support.google.com/webmasters/answer/7451001",
        "https://github.com/crawler-commons/crawler-commons/issues/210",
    ),
    checks=("C02",),
    fixable=Fixable.ALWAYS,
)
