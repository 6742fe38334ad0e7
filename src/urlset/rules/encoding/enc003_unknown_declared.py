"""Checks for an XML declaration that names an encoding which does not exist, such as utf8mb4 or UTF8-BOM.

## Why is this bad
A reader that does not know the encoding must stop: that is a fatal error in XML. urlset goes on with UTF-8, which is
nearly always what was meant.

## Fails
```xml
<?xml version="1.0" encoding="utf8mb4"?>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="ENC003",
    name="encoding-unknown",
    severity=Severity.ERROR,
    kinds=("encoding-unknown",),
    message="The XML declaration names an unknown encoding",
    example="unknown encoding: {value}",
    fix='Declare encoding="UTF-8".',
    advice="Names of database collations are not names of encodings.",
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://encoding.spec.whatwg.org/#names-and-labels",
        "https://www.iana.org/assignments/character-sets/character-sets.xhtml",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B01",),
    fixable=Fixable.ALWAYS,
)
