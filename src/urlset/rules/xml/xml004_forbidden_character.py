"""Checks for a character that XML forbids, written as itself or as a numeric reference: control characters other than
tab and line breaks, U+FFFE, U+FFFF, half of a surrogate pair.

## Why is this bad
The document is not well-formed. Escaping does not help: `&#8;` is as forbidden as the character itself. Such characters
come from pasted text and from databases.

## Fails
```xml
<video:title>Summer &#x1F; hits</video:title>
```

## Passes
```xml
<video:title>Summer hits</video:title>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML004",
    name="forbidden-character",
    severity=Severity.ERROR,
    detail=(
        "CASE kind WHEN 'control-character' THEN 'a character that XML forbids' ELSE 'a reference to a "
        "character that XML forbids' END"
    ),
    kinds=("control-character", "invalid-char-reference"),
    message="A character that XML forbids",
    example="{detail}: {value}",
    fix="Remove the character; in a URL, percent-encode it.",
    advice="Remove such characters from the text before it is written.",
    sources=(
        "https://www.w3.org/TR/xml/#charsets",
        "https://www.w3.org/TR/xml/#wf-Legalchar",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B12",),
    fixable=Fixable.ALWAYS,
)
