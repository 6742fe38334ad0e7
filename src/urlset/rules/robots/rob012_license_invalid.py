"""Checks for `License` lines in robots.txt whose value is not an absolute http or https URL.

There may be several lines, anywhere in the file, and the URL may be on another host and need not be percent-encoded.
The license itself is not requested.

## Why is this bad
RSL (Really Simple Licensing) requires the full URL of the license. A crawler cannot retrieve the terms from anything
else, so the license does not reach it. Whether a crawler follows RSL at all is up to its operator.

## Fails
```text
License: /license.xml
```

## Passes
```text
License: https://www.example.com/license.xml
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB012",
    name="license-invalid",
    severity=Severity.WARNING,
    table="robots_extensions",
    field="value",
    where="key = 'License' AND problem IS NOT NULL",
    message="License line in robots.txt is not an absolute URL",
    example="{detail}",
    detail="CASE problem WHEN 'empty' THEN 'it has no value' ELSE value || ' is not an absolute http or https URL' END",
    effect="AI crawlers do not find {places:license|licenses}",
    fix="Write the full URL of the license, with scheme and host.",
    sources=("https://rslstandard.org/guide/robots-txt",),
    checks=("J09",),
)
