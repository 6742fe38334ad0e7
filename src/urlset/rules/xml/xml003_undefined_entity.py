"""Checks for a named entity that XML does not have, such as `&nbsp;` or `&eacute;`.

## Why is this bad
XML knows five names only: amp, lt, gt, quot and apos. All others belong to HTML. The document is not well-formed, and
a strict reader stops here. A parameter called &copy or &reg after an unescaped & looks the same.

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
    detail=(
        "CASE kind WHEN 'html-entity' THEN 'an entity of HTML that XML does not have' ELSE 'an entity that "
        "is not defined' END"
    ),
    kinds=("html-entity", "undefined-entity"),
    message="An entity is not defined in XML",
    example="{detail}: {value}",
    fix="Write the character itself or a numeric reference such as `&#160;`.",
    advice="Use an escaping function for XML, not one for HTML.",
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
