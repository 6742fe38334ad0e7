"""Checks for a line break, a space, a comment or text before the XML declaration.

## Why is this bad
The declaration may only stand at the very beginning, so the document is not well-formed. Search Console has an error
of its own for it, Leading whitespace. Crawler operators who began to tolerate it rescued 80 sitemaps in 70,000.

## Fails
```xml
<!-- an empty line comes first -->
<?xml version="1.0" encoding="UTF-8"?>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML005",
    name="content-before-declaration",
    severity=Severity.ERROR,
    kinds=("space-before-declaration",),
    message="Something stands before the XML declaration",
    example="the XML declaration does not come first: {value}",
    fix="Let the file begin with `<?xml`, or leave the declaration out.",
    advice=(
        "In PHP it is most often an empty line outside `<?php` and `?>` in the theme or in a plug-in, or a byte "
        "order mark in such a file."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#sec-prolog-dtd",
        "https://support.google.com/webmasters/answer/7451001",
        "https://github.com/crawler-commons/crawler-commons/pull/234",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B04",),
    fixable=Fixable.ALWAYS,
)
