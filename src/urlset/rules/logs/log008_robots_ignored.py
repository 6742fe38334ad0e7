"""Checks for URLs that a verified crawler requested in the period that the logs cover, although the robots.txt of the
last run in the store blocks it from them. robots.txt may have allowed the URL at the time of the request, and crawlers
may cache robots.txt for up to a day. Crawlers that fetch a page for a user, or for a service such as previews of links,
may ignore robots.txt, and are not reported.

## Why is this bad
Either the crawler ignores robots.txt, and only a firewall can keep it out, or robots.txt was changed recently, and the
crawler does not know yet. A blocked URL is not safe from being read: robots.txt is a request, not a lock.

## Fails
```text
User-agent: GPTBot
Disallow: /drafts/
```
```text
20.171.206.1 - - [05/Oct/2026:07:12:09 +0000] "GET /drafts/chairs HTTP/1.1" 200 5120 "-" "GPTBot/1.2"
```

## Passes
```text
User-agent: GPTBot
Allow: /
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG008",
    name="robots-ignored",
    severity=Severity.INFO,
    table="log_urls",
    field="url",
    where="""
        blocked_hits > 0
    """,
    message="Verified crawler requested a URL that robots.txt blocks",
    example="{blocked_agents} made {blocked_hits:request|requests} for {value} in {period}, which robots.txt blocks",
    fix="Protect private pages with a login; if robots.txt did not change lately, report it to the operator.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309.html#section-2.2.2",
        "https://developers.google.com/search/docs/crawling-indexing/robots/intro",
    ),
    of_verified=True,
    checks=("J09",),
)
