"""Checks for characters that XML does not allow, written literally or as a numeric reference: control characters other
than tab and line breaks, U+FFFE, U+FFFF, and surrogates. urlset reads a pair of references to surrogates as the
character that they stand for, and other references to invalid characters as U+FFFD.

## Why is this bad
The document is not well-formed. Escaping does not help: `&#8;` is as invalid as the character itself. Such characters
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
        "CASE kind WHEN 'control-character' THEN 'invalid character' WHEN 'surrogate-references' THEN 'references to "
        "surrogates' ELSE 'reference to an invalid character' END"
    ),
    kinds=("control-character", "invalid-char-reference", "surrogate-references"),
    message="Character is not allowed in XML",
    example="{detail}: {value}",
    fix="Remove the character. In a URL, percent-encode it.",
    advice="Strip such characters from text before you write it.",
    sources=(
        "https://www.w3.org/TR/xml/#charsets",
        "https://www.w3.org/TR/xml/#wf-Legalchar",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B12",),
    fixable=Fixable.ALWAYS,
)
