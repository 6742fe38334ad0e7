"""Checks for fetched sitemaps with at least ten `<lastmod>` dates, all of them within ten minutes of the check. News
sitemaps are not checked, and dates that `--against` proves are not counted.

## Why is this bad
The server writes the time of the request into every entry, so the dates say nothing about the content. Search engines
notice that the pages have not changed, and ignore the dates of the whole site.

## Fails
```xml
<!-- fetched at 2025-06-01T10:00:05Z, with ten entries like these -->
<lastmod>2025-06-01T10:00:05Z</lastmod>
<lastmod>2025-06-01T10:00:05Z</lastmod>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.queries import DATES_WITHOUT_PROOF, LASTMODS_ARE_OF_NOW, NOWHERE
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="MOD012",
    name="lastmod-is-now",
    severity=Severity.WARNING,
    table="documents",
    needs=("fetched", "lastmods-of-now"),
    query=f"""
        SELECT document_id,{NOWHERE}, CAST(NULL AS VARCHAR) AS value, lastmod_oldest
        FROM {DATES_WITHOUT_PROOF} AS dated
        WHERE {LASTMODS_ARE_OF_NOW.format(now="$now")}
    """,
    scope=RuleScope.RUN,
    # Without pages, no date is proven.
    runs_without_rows=True,
    message="Every lastmod is the time of the request",
    example="the oldest lastmod is {lastmod_oldest}",
    effect="search engines learn to ignore the dates of {places:sitemap|sitemaps}",
    fix="Set lastmod to the date of each page's last significant change, or omit it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E08",),
)
