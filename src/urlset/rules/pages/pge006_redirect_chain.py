"""Checks for listed pages that redirect several times before they reach a page.

## Why is this bad
Each redirect costs the crawler a request, and crawlers give up after a few: Google's crawlers follow up to 10 by
default.

## Fails
```text
/chairs
301 to http://www.example.com/chairs
301 to https://www.example.com/chairs
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE006",
    name="page-redirect-chain",
    severity=Severity.WARNING,
    table="pages",
    field="final_url",
    detail="len(hops)",
    where="status BETWEEN 200 AND 299 AND len(hops) > 1",
    message="Page redirects several times in a row",
    example="{url} redirects {detail:time|times}, to {value}",
    effect="search engines index the final URL instead of {places:listed URL|listed URLs}, or give up before it",
    fix="List the final URL, and point the first redirect directly to it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J05",),
)
