"""Checks for `<news:language>` values with uppercase letters.

## Why is this bad
Google's documentation and the schema use lowercase codes.

## Fails
```xml
<news:language>zh-CN</news:language>
```

## Passes
```xml
<news:language>zh-cn</news:language>
```
"""

from urlset.rules.codes import NEWS_LANGUAGE
from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="NWS007",
    name="news-language-case",
    severity=Severity.WARNING,
    table="news",
    field="publication_language",
    where="publication_language <> lower(publication_language) AND regexp_matches(lower(publication_language), '"
    + NEWS_LANGUAGE
    + "')",
    message="News publication language is not lowercase",
    example="news:language is {value}",
    effect="some parsers may ignore {places:language code|language codes}",
    fix="Write the code in lowercase.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://www.google.com/schemas/sitemap-news/0.9/sitemap-news.xsd",
    ),
    checks=("H22",),
    fixable=Fixable.ALWAYS,
)
