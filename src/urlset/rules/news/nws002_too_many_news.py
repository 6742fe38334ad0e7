"""Checks for sitemaps with more than 1,000 news records.

## Why is this bad
Google limits a news sitemap to 1,000 records, far below the 50,000 URLs of the protocol. Search Console reports too
many news URLs.

## Fails
```xml
<!-- an entry with news:news, 1,001 times -->
```

## Passes
```xml
<!-- an entry with news:news, 1,000 times -->
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS002",
    name="too-many-news",
    severity=Severity.ERROR,
    table="documents",
    needs=("news",),
    field="news",
    where="news > $max_news_per_file",
    message="Sitemap has more than {max_news_per_file:news record|news records}",
    example="{news:news record|news records}",
    effect="Google News ignores the records beyond the first 1,000 in {places:sitemap|sitemaps}",
    fix="Remove articles older than two days, or split the sitemap.",
    advice=(
        "Google accepts only articles from the last two days; older ones belong in a regular sitemap. If more than "
        "{max_news_per_file:article remains|articles remain}, split the file."
    ),
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("H19",),
)
