"""Checks for listed pages that cannot be fetched completely: the host name cannot be resolved, the host refuses or
closes the connection or takes too long, or its TLS certificate is invalid.

## Why is this bad
Search engines that run into the same problem cannot read the page either. A network problem between you and the host
looks the same, so repeat the check before you change anything.

## Fails
```text
GET /chairs
… and no response within 30 s
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
    needs=("maybe-not-indexable",),
    field="error",
    value="coalesce(error, error_kind)",
    where="""
        error_kind IS NOT NULL
            AND error_kind NOT IN ('too-many-redirects', 'redirect-loop', 'bad-redirect', 'too-large')
    """,
    message="Page cannot be fetched",
    example="{url}: {value}",
    fix="Check whether the host responds at all. Then fix the server, or remove the URL if the page is gone.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    checks=("J03",),
)
