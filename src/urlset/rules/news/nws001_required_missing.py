"""Checks for news records in which the publication name, publication language, publication date, or title is missing or
empty.

## Why is this bad
Google requires all four fields. Search Console reports a missing tag.

## Fails
```xml
<news:news>
  <news:publication><news:name>The Example Times</news:name></news:publication>
  <news:publication_date>2025-12-23</news:publication_date>
</news:news>
```

## Passes
```xml
<news:news>
  <news:publication>
    <news:name>The Example Times</news:name>
    <news:language>en</news:language>
  </news:publication>
  <news:publication_date>2025-12-23</news:publication_date>
  <news:title>Companies A, B in merger talks</news:title>
</news:news>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="NWS001",
    name="news-field-missing",
    severity=Severity.ERROR,
    table="news",
    value="title",
    detail="""
        concat_ws(
            ', ',
            CASE WHEN coalesce(publication_name, '') = '' THEN 'news:name' END,
            CASE WHEN coalesce(publication_language, '') = '' THEN 'news:language' END,
            CASE WHEN coalesce(publication_date, '') = '' THEN 'news:publication_date' END,
            CASE WHEN coalesce(title, '') = '' THEN 'news:title' END
        )
    """,
    where="""
        coalesce(publication_name, '') = '' OR coalesce(publication_language, '') = ''
        OR coalesce(publication_date, '') = '' OR coalesce(title, '') = ''
    """,
    message="News record lacks a required field",
    example="missing: {detail}",
    effect="Google News ignores {places:article|articles}",
    fix="Add the missing fields.",
    advice="Put `news:name` and `news:language` inside `news:publication`.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H18",),
)
