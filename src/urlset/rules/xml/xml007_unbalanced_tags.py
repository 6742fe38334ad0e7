"""Checks for elements without an end tag, and end tags without a start tag.

## Why is this bad
The document is not well-formed. When `</loc>` or `</url>` is missing, parsers that continue have been seen to merge two
URLs into one.

## Fails
```xml
<url><loc>https://example.com/a</url>
<url><loc>https://example.com/b</loc></url></url>
```

## Passes
```xml
<url><loc>https://example.com/a</loc></url>
<url><loc>https://example.com/b</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML007",
    name="unbalanced-tags",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'unclosed-element' THEN 'missing end tag' ELSE 'end tag without a start tag' END",
    kinds=("unclosed-element", "stray-end-tag"),
    message="Start tags and end tags do not match",
    example="{detail}: {value}",
    fix="Add the missing tag, or remove the extra one.",
    advice="Close elements in reverse order. XML is case-sensitive: `</Loc>` does not close `<loc>`.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-starttags",
        "https://github.com/crawler-commons/crawler-commons/issues/153",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B09",),
    fixable=Fixable.ALWAYS,
)
