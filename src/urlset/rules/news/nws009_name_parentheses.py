"""Checks for `<news:name>` values with parentheses.

## Why is this bad
Google requires the name exactly as it appears on news.google.com, but without anything in parentheses.

## Fails
```xml
<news:name>The Example Times (subscription)</news:name>
```

## Passes
```xml
<news:name>The Example Times</news:name>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS009",
    name="news-name-parentheses",
    severity=Severity.WARNING,
    table="news",
    field="publication_name",
    where="contains(publication_name, '(') OR contains(publication_name, ')')",
    message="News publication name has parentheses",
    example="news:name is {value}",
    effect="Google News may not recognize the publication of {places:article|articles}",
    fix="Remove the parentheses and the text inside them.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H27",),
)
