"""Checks for a sitemap whose elements are in another namespace than the sitemap's: https instead of http, a slash at
the end, Google's namespace of 2005, a slip of the pen.

## Why is this bad
A namespace is compared letter by letter, so even https makes it another one. Engines may reject the file. Never
change it to please a browser: that a sitemap is shown as plain text is harmless.

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
    message="The namespace is not the sitemap's",
    example="not the sitemap namespace: {value}",
    fix='Write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" exactly.',
    advice="It begins with http and has no slash at the end, whatever the scheme of the site is.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://support.google.com/webmasters/answer/7451001",
        "https://github.com/crawler-commons/crawler-commons/issues/487",
    ),
    checks=("C03",),
    fixable=Fixable.ALWAYS,
)
