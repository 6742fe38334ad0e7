"""Checks for a document that ends inside an element: the rest is missing.

## Why is this bad
Engines report a parsing error, and some drop the whole file. urlset keeps every complete entry, and the last one if its
URL is complete; half a URL is another URL, so it is left out.

## Fails
```xml
<url><loc>https://example.com/a</loc></url>
<url><loc>https://example.com/artic
```

## Passes
```xml
<url><loc>https://example.com/a</loc></url>
<url><loc>https://example.com/article</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="XML006",
    name="document-cut-off",
    severity=Severity.ERROR,
    kinds=("truncated",),
    message="The document is cut off",
    example="the document ends here: {value}",
    fix="Write the whole file again; publish it only when it is complete.",
    advice=(
        "Look for a program that was stopped while it wrote, a full disk, a limit on time or memory, or a server "
        "that cuts long responses off. Write to a second file and rename it when it is complete."
    ),
    sources=(
        "https://www.w3.org/TR/xml/#sec-well-formed",
        "https://support.google.com/webmasters/answer/7451001",
        "urlset",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("B13",),
    fixable=Fixable.ALWAYS,
)
