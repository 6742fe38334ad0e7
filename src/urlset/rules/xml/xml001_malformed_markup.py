"""Checks for markup that violates XML syntax in a way that no other rule covers: a malformed tag, comment, declaration,
or processing instruction, a duplicate attribute, an unescaped < in text, or a missing root element.

## Why is this bad
One such error is enough to make the document not well-formed. A strict parser must stop there, and everything after it
is lost. urlset recovers, continues, and reports the position.

## Fails
```xml
<url><loc>https://example.com/a<b</loc></url>
<url><loc lang=en>https://example.com/b</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/a%3Cb</loc></url>
<url><loc>https://example.com/b</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML001",
    name="malformed-markup",
    severity=Severity.ERROR,
    detail="""
        CASE kind
            WHEN 'declaration-malformed' THEN 'malformed XML declaration'
            WHEN 'doctype-malformed' THEN 'malformed or misplaced document type declaration'
            WHEN 'bare-less-than' THEN 'unescaped <'
            WHEN 'cdata-end-in-text' THEN ']]> outside a CDATA section'
            WHEN 'malformed-tag' THEN 'malformed tag'
            WHEN 'duplicate-attribute' THEN 'duplicate attribute'
            WHEN 'namespace-malformed' THEN 'malformed name or namespace declaration'
            WHEN 'malformed-comment' THEN 'malformed comment'
            WHEN 'malformed-instruction' THEN 'malformed processing instruction'
            WHEN 'no-root' THEN 'no root element'
            ELSE 'unrecognized markup'
        END || coalesce(': ' || nullif(evidence, ''), '')
    """,
    kinds=(
        "declaration-malformed",
        "doctype-malformed",
        "bare-less-than",
        "cdata-end-in-text",
        "malformed-tag",
        "duplicate-attribute",
        "namespace-malformed",
        "malformed-comment",
        "malformed-instruction",
        "malformed-markup",
        "no-root",
    ),
    message="XML is malformed",
    example="{detail}",
    fix="Correct the markup, or better, generate the file with an XML library.",
    advice=(
        "An XML library cannot write malformed markup; string concatenation can. If you edit the file by hand, quote "
        "attribute values, write `&lt;` for `<`, and do not put two hyphens inside a comment."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#sec-well-formed",
        "https://www.w3.org/TR/xml/#sec-starttags",
        "https://www.w3.org/TR/xml/#syntax",
        "https://www.w3.org/TR/xml-names/#ns-qualnames",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B09", "B10"),
    fixable=Fixable.ALWAYS,
)
