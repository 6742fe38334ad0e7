"""Checks for a listed page that does not answer, or not to its end: its host is not found, refuses the connection,
breaks it off, takes too long, or has a certificate that does not hold.

## Why is this bad
An engine gets nothing either if it meets the same. A fault of the network between us and the host looks the same, so
look again before changing anything.

## Fails
```text
GET /chairs
… no answer within 30 s
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE004",
    name="page-unreachable",
    severity=Severity.WARNING,
    table="pages",
    field="error",
    value="coalesce(error, trouble)",
    where="""
        trouble IS NOT NULL
            AND trouble NOT IN ('too-many-redirects', 'redirect-loop', 'bad-redirect', 'too-large')
    """,
    message="The page does not answer",
    example="{url}: {value}",
    fix="Check whether the host answers at all; then fix the server, or remove the URL if the page is gone.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    checks=("J03",),
)
