"""Checks for documents that end too early: inside a tag or before the last element is closed. In text sitemaps, checks
for a last line that is incomplete because part of the response is missing.

## Why is this bad
Search engines report a parsing error, and some drop the whole file. urlset keeps every complete entry, and also the
last one if its URL is complete. It drops a truncated URL, because part of a URL is a different URL.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/a</loc></url>
  <url><loc>https://example.com/artic
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
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
    message="Document is cut off",
    example="unexpected end of document: {value}",
    fix="Write the whole file again, and publish it only when it is complete.",
    advice=(
        "Look for a program that was stopped while writing, a full disk, a time or memory limit, or a server that "
        "truncates long responses. Write to a temporary file, and rename it when it is complete."
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
