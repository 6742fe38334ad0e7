"""Checks for a listed page with a meta refresh that leads to another page.

## Why is this bad
Engines take it for a redirect, at once or after its seconds; the target is what is indexed. Visitors with a screen
reader or a slow connection lose their place.

## Fails
```text
<meta http-equiv="refresh" content="0; url=/seats">
```

## Passes
```text
<head><title>Chairs</title></head>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE015",
    name="page-refreshes-elsewhere",
    severity=Severity.WARNING,
    table="pages",
    field="refresh_url",
    where="""
        status BETWEEN 200 AND 299 AND refresh_url IS NOT NULL
            AND refresh_url <> url
            AND refresh_url <> final_url
    """,
    message="The page leads elsewhere by a meta refresh",
    example="{url} leads to {value} after {refresh_seconds} s",
    fix="Redirect on the server and list the target.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    checks=("J11",),
)
