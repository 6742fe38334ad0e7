"""Checks for requests whose user agent claims to be a known crawler, although their address is not one of its operator,
according to the lists in `--ranges` or to `--dns`. An operator that started to use an address after its list was saved
looks like an impostor, so use recent lists. The addresses themselves are not stored.

## Why is this bad
Impostors scrape the site under a name that is let through, use up the rate limit of the real crawler, and falsify every
statistic by user agent. Other rules on access logs ignore their requests.

## Fails
```text
203.0.113.9 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```

## Passes
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG007",
    name="crawler-impostors",
    severity=Severity.INFO,
    table="log_crawlers",
    field="agent",
    where="""
        impostor_hits > 0
    """,
    message="Requests claim to be from a crawler, but are not",
    example="{impostor_hits:request|requests} in {period} named {value}, from addresses that are not of {operator}",
    fix="Block these clients, and never let a client through because of its user agent.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/verifying-googlebot",),
    of_verified=True,
    checks=("J01",),
)
