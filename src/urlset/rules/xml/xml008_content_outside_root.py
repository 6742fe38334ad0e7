"""Checks for text, a second XML declaration or a second root element outside the root element: as a rule several
documents written into one file, or a program's message printed into it.

## Why is this bad
A document has one root element and nothing but comments and white space beside it, so this one is not well-formed.
Most readers stop at the end of the first root element or refuse the whole file. urlset reads all of it.

## Fails
```xml
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
<!-- a comment is allowed here -->
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML008",
    name="content-outside-root",
    severity=Severity.ERROR,
    detail=(
        "CASE kind WHEN 'second-root' THEN 'a second root element' WHEN 'declaration-misplaced' THEN 'an "
        "XML declaration that is not at the beginning' ELSE 'text outside the root element' END"
    ),
    kinds=("second-root", "text-outside-root", "declaration-misplaced"),
    message="The file holds more than one document, or text outside it",
    example="{detail}: {value}",
    fix="Keep one document in the file and nothing beside its root element.",
    advice=(
        "Write each document to a file of its own, and list them in a sitemap index. When the file is written "
        "again, replace it instead of appending to it."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#sec-well-formed",
        "https://www.w3.org/TR/xml/#sec-prolog-dtd",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B14",),
    fixable=Fixable.ALWAYS,
)
