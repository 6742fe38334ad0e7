"""Checks for sitemaps whose elements are in a namespace other than the sitemap namespace: https instead of http, a
trailing slash, Google's namespace from 2005, or a typo.

## Why is this bad
Namespaces are compared character by character, so even https makes a different one. Search engines may reject the file.
Do not change the namespace to make a browser display the file differently: a sitemap that is displayed as plain text is
harmless.

## Fails
```xml
<urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/">
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
    code="STR005",
    name="namespace-wrong",
    severity=Severity.ERROR,
    kinds=("namespace-wrong",),
    message="Namespace is not the sitemap namespace",
    example="wrong namespace: {value}",
    fix='Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" exactly.',
    advice="The namespace starts with http and has no trailing slash, whatever the scheme of the site.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://support.google.com/webmasters/answer/7451001",
        "https://github.com/crawler-commons/crawler-commons/issues/487",
    ),
    checks=("C03",),
    fixable=Fixable.ALWAYS,
)
