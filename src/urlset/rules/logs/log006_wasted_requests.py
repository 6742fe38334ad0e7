"""Checks for crawlers that spend more than 30% of their requests (the limit `max-wasted-share`) on URLs that no sitemap
lists, that redirect, or that carry parameters without being listed. Only crawlers of search engines and AI companies
with at least 100 requests for pages are reported. Impostors do not count, nor do images, scripts, and other files that
are not pages. Which URLs are listed is taken from the last run in the store; the site may have listed others when the
requests were made.

## Why is this bad
A crawler makes a limited number of requests to a site. Those for filters, sort orders, and old addresses delay the
discovery of new and changed pages.

## Fails
```text
GET /chairs?color=red&sort=price&page=7
```

## Passes
```text
Disallow: /*?*sort=
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOG006",
    name="wasted-requests",
    severity=Severity.INFO,
    table="log_crawlers",
    field="agent",
    where="""
        purpose IN ('search', 'ai-search', 'ai-training') AND page_hits >= 100 AND wasted_share > $max_wasted_share
    """,
    message="Crawler spends over {max_wasted_share:.0%} of its requests on other URLs than listed ones",
    example="{wasted_share:.0%} of {page_hits:request|requests} of {value} in {period}: {unlisted_hits:,} unlisted, "
    "{redirect_hits:,} redirected, {parameter_hits:,} with parameters",
    fix="Link to the listed URLs only, and block endless combinations of parameters in robots.txt.",
    sources=(
        "https://developers.google.com/crawling/docs/crawl-budget",
        "https://developers.google.com/crawling/docs/faceted-navigation",
    ),
    checks=("J04", "K04"),
)
