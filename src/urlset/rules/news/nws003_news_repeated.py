"""Checks for a second news record in one entry.

## Why is this bad
Google allows one news:news for each url. Which of several is read is not documented, and the official schema does not
find this.

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
    message="An entry has more than one news record",
    example="another news record of the same entry: {value}",
    fix="Keep one news record in each entry.",
    advice="Each article has an entry of its own.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H21",),
)
