"""Checks for a sitemap, index or feed without a single entry.

## Why is this bad
The official schema demands one entry at least, and Search Console warns. An empty file is often the first sign that
the program that makes it failed. An empty news sitemap is different: Google says that it is harmless when there was
no news for two days, so it is not reported.

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

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="STR012",
    name="empty-sitemap",
    severity=Severity.WARNING,
    table="documents",
    field="entries",
    where="""
        entries = 0 AND complete AND kind IN ('urlset', 'sitemapindex', 'text', 'rss', 'atom')
        AND coalesce(array_to_string(namespaces, ' '), '') NOT LIKE '%/schemas/sitemap-news/%'
    """,
    message="The sitemap is empty",
    example="the {kind} document has no entries",
    fix="Find out why nothing is listed, or remove the file from the index and from robots.txt.",
    sources=(
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://support.google.com/webmasters/answer/7451001",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C14",),
)
