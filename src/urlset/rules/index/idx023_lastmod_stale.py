"""Checks for sitemaps that changed although their lastmod in the index did not. An audit with `--trust-index-lastmod`
compares each sitemap that it requests with the previous run; a change of the bytes alone, such as in whitespace, does
not count.

## Why is this bad
Search engines use the lastmod of an index to decide which sitemaps to fetch again. If it does not change, they find new
and changed pages late. `urlset audit --trust-index-lastmod` also misses such changes until it requests every sitemap.

## Fails
```xml
<sitemap>
  <loc>https://www.example.com/sitemap-pages.xml</loc>
  <!-- the same as last week, although 40 URLs were added since -->
  <lastmod>2025-11-14T08:00:00Z</lastmod>
</sitemap>
```

## Passes
```xml
<sitemap>
  <loc>https://www.example.com/sitemap-pages.xml</loc>
  <lastmod>2025-11-21T08:00:00Z</lastmod>
</sitemap>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX023",
    name="index-lastmod-stale",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="children",
    field="lastmod",
    needs=("stale_lastmods",),
    query="""
        SELECT document_id, ordinal, line, col, url, lastmod AS value, "before", "after"
        FROM stale_lastmods
    """,
    message="Index lastmod did not change, but the sitemap did",
    example="lastmod is still {value}, but {url} changed (entries before: {before:,}, now: {after:,})",
    effect="search engines may not fetch {places:changed child sitemap|changed child sitemaps} again",
    fix="Set lastmod in the index to the time of the last change of the sitemap.",
    sources=(
        "https://www.sitemaps.org/protocol.html#sitemapIndex_sitemap",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
    ),
    checks=("E13",),
)
