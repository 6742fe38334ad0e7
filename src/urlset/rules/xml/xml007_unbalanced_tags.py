"""Checks for an element without its end tag, or an end tag without its start tag.

## Why is this bad
The document is not well-formed. Readers that go on regardless have been seen to join two URLs into one when `</loc>` or
`</url>` is missing.

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
    detail="CASE kind WHEN 'unclosed-element' THEN 'an element is not closed' ELSE 'an end tag closes nothing' END",
    kinds=("unclosed-element", "stray-end-tag"),
    message="Start tags and end tags do not match",
    example="{detail}: {value}",
    fix="Add the missing tag, or remove the one that is too many.",
    advice="Close elements in the reverse order of opening. XML is case-sensitive: `</Loc>` does not close `<loc>`.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-starttags",
        "https://github.com/crawler-commons/crawler-commons/issues/153",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B09",),
    fixable=Fixable.ALWAYS,
)
