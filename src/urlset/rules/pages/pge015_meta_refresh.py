"""Checks for listed pages that redirect with a meta refresh, a `Refresh` header, or a script. A script counts if a page
with fewer than 50 words has a statement such as `location.replace("/seats")` that runs in any case.

## Why is this bad
Search engines treat it as a redirect, immediate or delayed, and index the target; those that do not run scripts find a
page without content. A refresh also disorients visitors who use a screen reader or have a slow connection.

## Fails
```text
<meta http-equiv="refresh" content="0; url=/seats">
```

## Passes
```text
<head><title>Chairs</title></head>
```
"""

from urlset.rules.queries import OF_REDIRECTS
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE015",
    name="page-meta-refresh",
    severity=Severity.WARNING,
    table="pages",
    field="refresh_url",
    where="""
        status BETWEEN 200 AND 299 AND coalesce(refresh_url, script_url) NOT IN (url, final_url)
    """,
    value="coalesce(refresh_url, script_url)",
    detail="""
        CASE WHEN refresh_url IS NULL THEN 'by script' WHEN refresh_seconds > 0
            THEN regexp_replace(concat('after ', refresh_seconds, ' s'), '[.]0 s$', ' s') ELSE 'at once' END
    """,
    causes=OF_REDIRECTS[:2],
    message="Page redirects by a refresh or script, not by the server",
    example="{url} redirects to {value} {detail}",
    effect="search engines may index the target instead of {places:listed page|listed pages}",
    fix="Redirect on the server, and list the target.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    checks=("J11",),
)
