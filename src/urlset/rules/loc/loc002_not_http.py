"""Checks for URLs with a scheme other than http or https, such as `ftp`, `mailto`, or `javascript`.

## Why is this bad
A sitemap lists pages that a crawler can fetch over HTTP. Search engines report URLs with other schemes as invalid and
drop them.

## Fails
```xml
<url><loc>ftp://example.com/catalog.pdf</loc></url>
<url><loc>mailto:info@example.com</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/catalog.pdf</loc></url>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LOC002",
    name="url-not-http",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    where="scheme NOT IN ('http', 'https')",
    message="URL scheme is not http or https",
    example="loc has the scheme {scheme}",
    fix="List the http or https URL of the page, or remove the entry.",
    advice="Check whether the generator treats every link on a page as a page.",
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
