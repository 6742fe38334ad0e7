"""Checks for a news:language that is not a code of ISO 639 in two or three letters, zh-cn or zh-tw.

## Why is this bad
The language is required and decides where the article may appear. A code with a country is not one.

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
    message="Language of a publication is invalid",
    example="news:language {value} is no code of a language",
    fix="Write the language alone, as en; for Chinese write zh-cn or zh-tw.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://www.loc.gov/standards/iso639-2/php/code_list.php",
    ),
    checks=("H22",),
)
