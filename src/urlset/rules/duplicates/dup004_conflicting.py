"""Checks for URLs in two documents of the run whose dates differ by more than one day. Each entry is compared with the
first document that lists the URL. Feeds are not compared, because their dates may be publication dates.

## Why is this bad
At most one of the dates is correct, and search engines cannot know which.

## Fails
```xml
<!-- sitemap-1.xml -->
<url><loc>https://www.example.com/about</loc><lastmod>2025-06-01</lastmod></url>
<!-- sitemap-2.xml -->
<url><loc>https://www.example.com/about</loc><lastmod>2024-01-01</lastmod></url>
```

## Passes
```xml
<!-- only sitemap-1.xml -->
<url><loc>https://www.example.com/about</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.queries import NO_FEED, first_listed
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="DUP004",
    name="url-dates-conflict",
    severity=Severity.WARNING,
    table="urls",
    needs=("shared_locs",),
    query=f"""{first_listed({"lastmod_at": "u.lastmod_at"}, where=f"u.lastmod_at IS NOT NULL AND {NO_FEED}")}
        SELECT
            e.document_id, e.ordinal, e.line, e.col, CAST(NULL AS VARCHAR) AS url,
            f.url AS value, f.line AS other_line,
            days || CASE WHEN days = 1 THEN ' day' ELSE ' days' END AS apart
        FROM entries AS e
        JOIN firsts AS f ON f.loc_hash = e.loc_hash
        CROSS JOIN LATERAL (SELECT abs(date_diff('day', f.lastmod_at, e.lastmod_at)) AS days)
        WHERE f.document_id < e.document_id
            AND (e.lastmod_at > f.lastmod_at + INTERVAL 1 DAY OR f.lastmod_at > e.lastmod_at + INTERVAL 1 DAY)
    """,
    scope=RuleScope.RUN,
    message="Sitemaps give different dates for the same URL",
    example="lastmod differs by {apart} from line {other_line} of {value}",
    effect="search engines cannot tell which date is right for {places:URL|URLs}",
    fix="Take all dates from one source, and list each URL once.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    checks=("K02",),
)
