"""Checks for news records with `access`, `genres`, `keywords`, `stock_tickers`, or `geo_locations`.

## Why is this bad
These fields are no longer part of Google's documentation.

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
from urlset.rules.several import all_words, any_of, first_column, null_faults

FAULTS = null_faults(
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
    message="News record has deprecated fields",
    example="deprecated: {detail}",
    fix="Remove the fields.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H25",),
)
