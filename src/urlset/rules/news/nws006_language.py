"""Checks for `<news:language>` values that are not a two- or three-letter ISO 639 code, `zh-cn`, or `zh-tw`.

## Why is this bad
The language is required and determines where the article may appear. A language code with a country is not accepted.

## Fails
```xml
<news:language>en-US</news:language>
```

## Passes
```xml
<news:language>en</news:language>
```
"""

from urlset.rules.codes import NEWS_LANGUAGE
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS006",
    name="news-language-invalid",
    severity=Severity.ERROR,
    table="news",
    field="publication_language",
    where="publication_language <> '' AND NOT regexp_matches(lower(publication_language), '" + NEWS_LANGUAGE + "')",
    message="News publication language is invalid",
    example="news:language {value} is not an accepted language code",
    effect="Google News ignores {places:article, or shows it|articles, or shows them} in the wrong language",
    fix="Write only the language, for example en. For Chinese, write zh-cn or zh-tw.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://www.loc.gov/standards/iso639-2/php/code_list.php",
    ),
    checks=("H22",),
)
