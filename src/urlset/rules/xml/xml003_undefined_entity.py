"""Checks for named entities that XML does not define, such as `&nbsp;` or `&eacute;`.

## Why is this bad
XML defines only five: amp, lt, gt, quot, and apos. All others belong to HTML. The document is not well-formed, and a
strict parser stops here. A parameter named copy or reg after an unescaped & looks the same.

## Fails
```xml
<url><loc>https://example.com/caf&eacute;</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/café</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML003",
    name="undefined-entity",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'html-entity' THEN 'HTML entity' ELSE 'undefined entity' END",
    kinds=("html-entity", "undefined-entity"),
    message="Entity is not defined in XML",
    example="{detail}: {value}",
    fix="Write the character itself, or a numeric reference such as `&#160;`.",
    advice="Use an XML escaping function, not an HTML one.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-predefined-ent",
        "https://www.w3.org/TR/xml/#wf-entdeclared",
        "https://www.sitemaps.org/protocol.html#escaping",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B16",),
    fixable=Fixable.ALWAYS,
)
