"""Checks for a news record with access, genres, keywords, stock_tickers or geo_locations.

## Why is this bad
Google's documentation does not name them any more.

## Fails
```xml
<news:news>…<news:keywords>lamps, brass</news:keywords></news:news>
```

## Passes
```xml
<news:news>…<news:title>Lamps are back</news:title></news:news>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.several import all_words, any_of, first_column, given

FAULTS = given(
    {
        "access": "news:access",
        "genres": "news:genres",
        "keywords": "news:keywords",
        "stock_tickers": "news:stock_tickers",
        "geo_locations": "news:geo_locations",
    }
)

RULE = EntryRule(
    code="NWS008",
    name="news-field-deprecated",
    severity=Severity.INFO,
    table="news",
    field_of=first_column(FAULTS),
    detail=all_words(FAULTS),
    where=any_of(FAULTS),
    message="A news record has fields that are not read any more",
    example="not read any more: {detail}",
    fix="Leave the fields out.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H25",),
)
