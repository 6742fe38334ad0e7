"""Checks for an & that begins no entity, nearly always the one between two parameters of a URL.

## Why is this bad
This is the most common fault of sitemaps. An & opens an entity in XML, so the document is not well-formed: a strict
reader stops here, and a lenient one may swallow the name of the parameter.

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
    example="an & that begins no entity: {value}",
    fix="Write `&amp;` instead of `&`.",
    advice="Escape once, where the XML is written: `&amp;amp;` is wrong too.",
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
