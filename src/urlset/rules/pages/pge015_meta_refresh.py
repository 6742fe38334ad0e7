"""Checks for listed pages with a meta refresh, or a `Refresh` header, to another page.

## Why is this bad
Search engines treat it as a redirect, immediate or delayed, and index the target. A refresh also disorients visitors
who use a screen reader or have a slow connection.

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
    name="page-meta-refresh",
    severity=Severity.WARNING,
    table="pages",
    field="refresh_url",
    where="""
        status BETWEEN 200 AND 299 AND refresh_url IS NOT NULL
            AND refresh_url <> url
            AND refresh_url <> final_url
    """,
    message="Page redirects with a refresh instead of a status",
    example="{url} redirects to {value} after {refresh_seconds} s",
    fix="Redirect on the server, and list the target.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    checks=("J11",),
)
