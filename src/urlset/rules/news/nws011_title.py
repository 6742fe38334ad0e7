"""Checks for `<news:title>` values that begin or end with the name of the publication.

## Why is this bad
Google requires the title of the article only, without author, publication, or date.

## Fails
```xml
<news:news>…<news:title>Lamps are back | The Example Times</news:title></news:news>
```

## Passes
```xml
<news:news>…<news:title>Lamps are back</news:title></news:news>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS011",
    name="news-title-names-publication",
    severity=Severity.INFO,
    table="news",
    field="title",
    where=(
        "length(publication_name) >= 4 AND (starts_with(title, publication_name || ' ') AND "
        "regexp_matches(substr(title, length(publication_name) + 1), '^ *[-–—|:] ') OR ends_with(title, '- "
        "' || publication_name) OR ends_with(title, '– ' || publication_name) OR ends_with(title, '| ' || "
        "publication_name))"
    ),
    message="News title includes the publication name",
    example="news:title {value} includes the publication name {publication_name}",
    fix="Write only the title of the article.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H26",),
)
