"""Checks for a URL that still has an escape of XML in it after it was read: `&amp;amp;` or `&amp;lt;` in an XML
sitemap, `&amp;` in a text sitemap.

## Why is this bad
One layer of escaping is undone when the file is read. What is left becomes part of the URL: the parameter is called
amp;size instead of size, and engines fetch a URL that the site does not have or serves as a duplicate. It happens
when a template escapes values that the CMS has escaped already.

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

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="XML014",
    name="escaped-twice",
    severity=Severity.ERROR,
    kinds=("escaped-twice",),
    message="URL has XML escaping left in it",
    example="the URL still has an XML escape in it: {value}",
    fix="Escape the URL once, where the XML is written.",
    advice=(
        "Take the raw URL from the CMS, not the one that it prepared for HTML. URLs in a text sitemap are not "
        "escaped for XML at all."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.w3.org/TR/xml/#syntax",
    ),
    checks=("B10",),
    fixable=Fixable.SOMETIMES,
)
