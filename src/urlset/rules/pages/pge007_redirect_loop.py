"""Checks for listed pages that redirect in a loop, more often than `max-redirects` allows (10 by default), or without
a valid target.

## Why is this bad
Neither visitors nor search engines can reach the page.

## Fails
```text
/chairs
301 to /seats
301 to /chairs
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE007",
    name="page-redirect-loop",
    severity=Severity.ERROR,
    table="pages",
    needs=("maybe-not-indexable",),
    field="error",
    value="coalesce(error, error_kind)",
    where="error_kind IN ('too-many-redirects', 'redirect-loop', 'bad-redirect')",
    message="Redirects never reach a page (a loop or a wrong target)",
    example="{url}: {value}",
    fix="Fix the redirects, and list the final URL.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
    ),
    checks=("J05",),
)
