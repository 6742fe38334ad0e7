"""Checks for sitemaps that took more than 10 s to fetch and read.

## Why is this bad
Search engines do not publish their time limits, and a sitemap close to them fails from time to time. The time also
depends on your own connection.

## Fails
```text
GET /sitemap.xml
… complete after 14 s
```

## Passes
```text
GET /sitemap.xml
… complete after 0.4 s
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="FET020",
    name="response-slow",
    severity=Severity.HINT,
    table="documents",
    needs=("http-2xx",),
    field="elapsed_ms",
    value="round(elapsed_ms)",
    where="http_status BETWEEN 200 AND 299 AND elapsed_ms > 10000",
    message="Sitemap is slow to load",
    example="took {value} ms",
    fix="Generate the sitemap ahead of time instead of on each request, compress it, or split it.",
    sources=(
        "urlset",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A20",),
)
