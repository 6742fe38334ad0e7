"""Checks for a listed page that redirects several times before it arrives.

## Why is this bad
Each step costs a request of the crawler, and engines give up after a few: Googlebot after ten.

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
    message="The page redirects several times",
    example="{url} arrives at {value} after {detail:redirect|redirects}",
    fix="List the last address, and let the first redirect lead there at once.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
    ),
    checks=("J05",),
)
