"""Checks for white space of Unicode at the beginning or end of a value that XML does not count as white space: most
often a no-break space, copied from a web page or a word processor.

## Why is this bad
It cannot be seen. Readers remove ordinary spaces and line breaks around a value, but not these, so that the URL ends
in %C2%A0 and the date cannot be read. urlset removes them.

## Fails
```xml
<loc>https://example.com/ </loc>
```

## Passes
```xml
<loc>https://example.com/</loc>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR016",
    name="unicode-space-around",
    severity=Severity.WARNING,
    kinds=("unicode-space",),
    message="A value has white space around it that XML does not know",
    example="{field} has white space around it that XML does not know: {value}",
    fix="Remove the character around the value.",
    advice="Remove such characters where values are entered. In Python, `str.strip()` does it.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-common-syn",
        "urlset",
    ),
    checks=("D05",),
    fixable=Fixable.ALWAYS,
)
