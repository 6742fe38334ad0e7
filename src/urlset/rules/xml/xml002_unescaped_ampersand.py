"""Checks for an & that does not start an entity reference, nearly always the one between two URL parameters.

## Why is this bad
This is the most common error in sitemaps. In XML, & starts an entity reference, so the document is not well-formed: a
strict parser stops here, and a lenient one may drop the parameter name.

## Fails
```xml
<url><loc>https://example.com/?color=red&size=2</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/?color=red&amp;size=2</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML002",
    name="unescaped-ampersand",
    severity=Severity.ERROR,
    kinds=("bare-ampersand",),
    message="An & is not escaped",
    example="unescaped &: {value}",
    fix="Write `&amp;` instead of `&`.",
    advice="Escape it once, where the XML is written: `&amp;amp;` is wrong too.",
    sources=(
        "https://www.sitemaps.org/protocol.html#escaping",
        "https://www.w3.org/TR/xml/#syntax",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B10",),
    fixable=Fixable.ALWAYS,
)
