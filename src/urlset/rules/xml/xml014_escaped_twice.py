"""Checks for URLs that still contain an XML escape after parsing: `&amp;amp;` or `&amp;lt;` in an XML sitemap, `&amp;`
in a text sitemap.

## Why is this bad
A parser removes one level of escaping. The rest becomes part of the URL: the parameter is named amp;size instead of
size, and search engines fetch a URL that does not exist or is a duplicate. It happens when a template escapes values
that the CMS has already escaped.

## Fails
```xml
<url><loc>https://example.com/?color=red&amp;amp;size=2</loc></url>
<url><loc>https://example.com/?color=red&amp;#038;size=2</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/?color=red&amp;size=2</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="XML014",
    name="escaped-twice",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("escaped-twice",),
    message="URL contains leftover XML escaping",
    example="URL still contains an XML escape: {value}",
    fix="Escape the URL once, where the XML is written.",
    advice=(
        "Take the raw URL from the CMS, not the one that it escaped for HTML. Do not escape URLs in a text sitemap."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.w3.org/TR/xml/#syntax",
    ),
    checks=("B10",),
    fixable=Fixable.SOMETIMES,
)
