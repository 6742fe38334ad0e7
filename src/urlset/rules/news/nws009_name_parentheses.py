"""Checks for a news:name with parentheses.

## Why is this bad
The name must be as on news.google.com, leaving out what stands in parentheses there.

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
    message="Name of a publication has parentheses",
    example="news:name is {value}",
    fix="Leave out the parentheses and what is in them.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",),
    checks=("H27",),
)
