"""Checks for sitemaps and sitemap indexes without entries. STR026 reports feeds.

## Why is this bad
The official schema requires at least one entry, and Search Console shows a warning. An empty file is often the first
sign that the generator failed. Empty news sitemaps are not reported: Google says that they are harmless if no news was
published in the last two days.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, Consequence, EntryRule, Severity

RULE = EntryRule(
    code="STR012",
    name="empty-sitemap",
    severity=Severity.WARNING,
    leads_to=Consequence.FILE,
    table="documents",
    needs=("no-entries",),
    field="entries",
    where="""
        entries = 0 AND complete AND kind IN ('urlset', 'sitemapindex', 'text')
        AND coalesce(array_to_string(namespaces, ' '), '') NOT LIKE '%/schemas/sitemap-news/%'
    """,
    message="Sitemap is empty",
    detail="""CASE WHEN kind = 'text' THEN '' ELSE '; Search Console reports this as Missing XML tag' END""",
    example="{kind} without entries{detail}",
    fix="Find out why nothing is listed, or remove the file from the sitemap index and from robots.txt.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C14",),
)
