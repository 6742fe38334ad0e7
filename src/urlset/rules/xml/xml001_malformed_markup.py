"""Checks for markup that breaks the grammar of XML in a way that has no rule of its own: a tag, comment, declaration or
processing instruction that is not formed right, an attribute given twice, a bare < in a text, no root element at all.

## Why is this bad
A document with one such fault is not well-formed. A strict reader must stop there: everything after it is lost.
urlset goes on where a sensible person would, and says where.

## Fails
```xml
<url><loc>https://example.com/a<b</loc></url>
<url><loc lang=en>https://example.com/b</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/a&lt;b</loc></url>
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
            WHEN 'declaration-malformed' THEN 'the XML declaration is malformed'
            WHEN 'doctype-malformed' THEN 'the document type declaration is malformed or misplaced'
            WHEN 'bare-less-than' THEN 'unescaped <'
            WHEN 'cdata-end-in-text' THEN ']]> may only end a CDATA section'
            WHEN 'malformed-tag' THEN 'the tag is malformed'
            WHEN 'duplicate-attribute' THEN 'an attribute is given twice'
            WHEN 'namespace-malformed' THEN 'a name or namespace declaration is malformed'
            WHEN 'malformed-comment' THEN 'the comment is malformed'
            WHEN 'malformed-instruction' THEN 'the processing instruction is malformed'
            WHEN 'no-root' THEN 'there is no root element'
            ELSE 'this is no XML markup'
        END
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
    message="The XML is malformed",
    example="{detail}: {value}",
    fix="Correct the markup at this place; better, let an XML library write the file.",
    advice=(
        "An XML library cannot write malformed markup; joining strings can. By hand: quote attribute values, write "
        "`&lt;` for `<`, and do not put two hyphens inside a comment."
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
