"""Checks for a sitemap that took more than ten seconds to fetch and read.

## Why is this bad
Engines have a limit that they do not tell, and a sitemap near it fails now and then. The time depends on your own
connection, too.

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
    name="answer-slow",
    severity=Severity.HINT,
    table="documents",
    field="elapsed_ms",
    value="round(elapsed_ms)",
    where="http_status BETWEEN 200 AND 299 AND elapsed_ms > 10000",
    message="The sitemap comes slowly",
    example="it took {value} ms",
    fix="Generate the sitemap ahead of time instead of for each request, compress it, or split it.",
    sources=(
        "urlset",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("A20",),
)
