"""Checks for entries with a second news record.

## Why is this bad
Google allows one `<news:news>` per `<url>`. Which one Google reads if there are several is not documented. Validation
against the official schema does not catch this.

## Fails
```xml
<url>
  <loc>https://example.com/a</loc>
  <news:news>…</news:news>
  <news:news>…</news:news>
</url>
```

## Passes
```xml
<url>
  <loc>https://example.com/a</loc>
  <news:news>…</news:news>
</url>
<url>
  <loc>https://example.com/b</loc>
  <news:news>…</news:news>
</url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS003",
    name="news-repeated",
    severity=Severity.ERROR,
    table="news",
    value="title",
    where="position > 0",
    message="Entry has more than one news record",
    example="additional news record in the same entry: {value}",
    effect="Google News ignores the extra records of {places:entry|entries}",
    fix="Keep one news record in each entry.",
    advice="Give each article its own entry.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H21",),
)
