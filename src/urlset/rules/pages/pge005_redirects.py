"""Checks for a listed page that redirects, once, to one that is there.

## Why is this bad
A sitemap is to list the addresses under which pages are found, and engines index where a redirect leads. The listed
address is fetched for nothing.

## Fails
```text
GET /chairs
HTTP/1.1 301 Moved Permanently
Location: /seats
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE005",
    name="page-redirects",
    severity=Severity.WARNING,
    table="pages",
    field="final_url",
    detail="hop_statuses[1]",
    where="status BETWEEN 200 AND 299 AND len(hops) = 1",
    message="The page redirects",
    example="{url} redirects to {value} ({detail})",
    fix="List the target instead. A temporary redirect that is meant to be one can stay.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J04",),
)
