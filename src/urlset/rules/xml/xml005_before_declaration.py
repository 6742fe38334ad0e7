"""Checks for a line break, a space, a comment, or text before the XML declaration.

## Why is this bad
The declaration is only allowed at the very start of a file, so the document is not well-formed. Search Console has its
own error for it, "Leading whitespace". When one crawler operator began to tolerate it, 80 of 70,000 sitemaps became
readable.

## Fails
```xml
<!-- the file starts with an empty line -->
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
    message="Content before the XML declaration",
    example="the XML declaration is not at the start: {value}",
    fix="Start the file with `<?xml`, or remove the declaration.",
    advice=(
        "In PHP the cause is usually an empty line outside `<?php` and `?>` in a theme or plug-in, or a byte order "
        "mark in one of its files."
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
