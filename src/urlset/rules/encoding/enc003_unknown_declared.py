"""Checks for XML declarations that name an unknown or unsupported encoding, such as `utf8mb4` or `UTF8-BOM`, and for
files in UTF-32.

## Why is this bad
An unsupported encoding is a fatal error in XML: the parser must stop. If the declared name is unknown, urlset continues
with UTF-8, which is nearly always what was meant. It does not read UTF-32.

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
    message="Encoding is unknown or unsupported",
    example="unsupported encoding: {value}",
    fix='Save the file as UTF-8 and declare encoding="UTF-8".',
    advice="Names of database character sets and collations, such as utf8mb4, are not encoding names.",
    sources=(
        "https://www.w3.org/TR/xml/#charencoding",
        "https://encoding.spec.whatwg.org/#names-and-labels",
        "https://www.iana.org/assignments/character-sets/character-sets.xhtml",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B01",),
    fixable=Fixable.SOMETIMES,
)
