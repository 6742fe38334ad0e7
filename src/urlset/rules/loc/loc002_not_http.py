"""Checks for a loc with another scheme than http or https, such as ftp, mailto or javascript.

## Why is this bad
A sitemap lists pages that a crawler can fetch with HTTP. Entries with another scheme are reported as invalid URLs and
dropped.

## Fails
```xml
<url><loc>ftp://example.com/catalogue.pdf</loc></url>
<url><loc>mailto:info@example.com</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/catalogue.pdf</loc></url>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LOC002",
    name="url-not-http",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    guard_traits=("loc-problem",),
    where="scheme NOT IN ('http', 'https')",
    message="URL is not an http or https URL",
    example="the scheme of loc is {scheme}",
    fix="List the http or https URL of the page, or leave the entry out.",
    advice="Look for a program that takes every link of a page for a page.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("D02",),
    fixable=Fixable.ALWAYS,
)
