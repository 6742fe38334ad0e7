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

RULE = EntryRule(
    code="NWS008",
    name="news-field-deprecated",
    severity=Severity.INFO,
    table="news",
    detail="""concat_ws(
        ', ', CASE WHEN access IS NOT NULL THEN 'news:access' END,
        CASE WHEN genres IS NOT NULL THEN 'news:genres' END,
        CASE WHEN keywords IS NOT NULL THEN 'news:keywords' END,
        CASE WHEN stock_tickers IS NOT NULL THEN 'news:stock_tickers' END,
        CASE WHEN geo_locations IS NOT NULL THEN 'news:geo_locations' END
    )""",
    where=(
        "access IS NOT NULL OR genres IS NOT NULL OR keywords IS NOT NULL OR stock_tickers IS NOT NULL OR "
        "geo_locations IS NOT NULL"
    ),
    message="A news record has fields that are not read any more",
    example="not read any more: {detail}",
    fix="Leave the fields out.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H25",),
)
