"""Checks for Unicode whitespace at the start or end of a value that XML does not treat as whitespace, usually a
no-break space that was copied from a web page or a word processor.

## Why is this bad
It is invisible. Readers strip ordinary spaces and line breaks around a value, but not these characters, so the URL ends
in %C2%A0 and the date cannot be parsed. urlset strips them.

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
    name="unicode-whitespace-around-value",
    severity=Severity.WARNING,
    kinds=("unicode-space",),
    message="Unicode whitespace around a value",
    example="{field} has Unicode whitespace around it: {value}",
    effect="some parsers reject {places:value, or request the wrong URL|values, or request the wrong URLs}",
    fix="Remove the whitespace characters around the value.",
    advice="Strip such characters where values are entered, for example with `str.strip()` in Python.",
    sources=(
        "https://www.w3.org/TR/xml/#sec-common-syn",
        "urlset",
    ),
    checks=("D05",),
    fixable=Fixable.ALWAYS,
)
