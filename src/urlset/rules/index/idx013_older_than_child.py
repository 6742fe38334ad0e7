"""Checks for `<lastmod>` dates in an index that are more than one day older than the newest `<lastmod>` in the child
sitemap, if both documents are in the run.

## Why is this bad
The `<lastmod>` in an index is the date on which the sitemap changed. Search engines skip a sitemap that has not
changed, so they miss its new entries.

## Fails
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-01-01</lastmod></sitemap>
<!-- and in sitemap-1.xml -->
<lastmod>2025-06-01</lastmod>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```
"""

from urlset.rules.queries import with_their_sitemaps
from urlset.rules.rule import RuleScope, SetRule, Severity

DATED = "kind IN ('urlset', 'text') AND lastmod_newest IS NOT NULL"

RULE = SetRule(
    code="IDX013",
    name="child-newer-than-index",
    severity=Severity.WARNING,
    table="children",
    field="lastmod",
    needs=("sitemapindex",),
    query=f"""{with_their_sitemaps(("lastmod_newest",), DATED, "lastmod_at IS NOT NULL")}
        SELECT
            document_id, ordinal,
            coalesce(min(lastmod_line), min(line)) AS line, coalesce(min(lastmod_col), min(col)) AS col,
            min(loc) AS url, min(lastmod) AS value, min(lastmod_newest) AS newest
        FROM pairs
        GROUP BY document_id, ordinal
        HAVING count(*) = 1 AND min(lastmod_newest) > min(lastmod_at) + INTERVAL 1 DAY
    """,
    scope=RuleScope.RUN,
    message="Child sitemap is newer than its lastmod in the index",
    example="lastmod is {value}, but the newest entry of the sitemap is {newest}",
    effect="search engines may not fetch {places:changed child sitemap|changed child sitemaps} again",
    fix="Set lastmod to the date on which the sitemap itself last changed, or omit it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    checks=("E14",),
)
