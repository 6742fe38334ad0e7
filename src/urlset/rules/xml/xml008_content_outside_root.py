"""Checks for content outside the root element, such as text, a message of PHP, a script, an HTML page, or a second root
element, and for an XML declaration after the start of the document. Usually several documents were written to one file,
or a program printed a message into it.

## Why is this bad
A document has exactly one root element. Only whitespace, comments, and processing instructions may surround it, so this
document is not well-formed. Most parsers stop at the end of the first root element or reject the whole file. urlset
reads all of it.

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
        "CASE kind WHEN 'second-root' THEN 'second root element' WHEN 'declaration-misplaced' THEN 'misplaced XML "
        "declaration' WHEN 'content-outside-root' THEN 'outside the root element' ELSE 'text outside the root element' "
        "END"
    ),
    kinds=("second-root", "text-outside-root", "content-outside-root", "declaration-misplaced"),
    message="Content outside the root element or misplaced declaration",
    example="{detail}: {value}",
    fix="Keep one document per file, with nothing outside its root element.",
    advice=(
        "Write each document to a separate file, and list the files in a sitemap index. When you regenerate a file, "
        "overwrite it instead of appending to it. Turn off display_errors in PHP, and debug bars and scripts that are "
        "added to every response."
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
