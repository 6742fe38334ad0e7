"""Checks for crawlers that robots.txt allows, and that get 403 or 429 nevertheless. Only verified crawlers count, since
refusing an impostor is right. robots.txt is the one of the last run in the store, and the server may have changed since
the requests were made.

## Why is this bad
A firewall, a bot protection, or a rate limit contradicts robots.txt. Google treats 403 like a missing page, so the URLs
are dropped, and slows down at 429. The site looks fine in a browser.

## Fails
```text
User-agent: *
Allow: /
```
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 403 0 "-" "Googlebot/2.1"
```

## Passes
```text
66.249.66.1 - - [05/Oct/2026:07:12:09 +0000] "GET /chairs HTTP/1.1" 200 5120 "-" "Googlebot/2.1"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG009",
    name="crawler-refused",
    severity=Severity.WARNING,
    table="log_crawlers",
    field="agent",
    where="""
        refused_hits > 0
    """,
    message="Server refuses a verified crawler that robots.txt allows",
    example="{refused_hits:,} of {allowed_hits:verified request|verified requests} of {value} in {period} refused, "
    "such as for {refused_url}",
    effect="{places:crawler does|crawlers do} not get pages that robots.txt allows",
    fix="Let verified crawlers through in the firewall or CDN, or block them in robots.txt.",
    advice="Verify crawlers by address there, too, not by user agent.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://developers.google.com/search/blog/2023/02/dont-404-my-yum",
    ),
    of_verified=True,
    checks=("J01",),
)
