"""Checks for a news:title that begins or ends with the name of the publication.

## Why is this bad
Google asks for the title of the article alone, without author, publication and date.

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
    message="Title of an article names the publication",
    example="news:title {value} names the publication, {publication_name}",
    fix="Write the title of the article alone.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H26",),
)
