"""Checks for news sitemaps with more than one publication name.

## Why is this bad
The name must exactly match the name of the publication on news.google.com. Two names are correct only if two
publications share a sitemap.

## Fails
```xml
<news:name>The Example Times</news:name>
<news:name>Example Times</news:name>
```

## Passes
```xml
<news:name>The Example Times</news:name>
<news:name>The Example Times</news:name>
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="NWS012",
    name="news-names-differ",
    severity=Severity.INFO,
    table="documents",
    needs=("news",),
    query=f"""
        SELECT document_id,{NOWHERE}, min(publication_name) AS value, count(DISTINCT publication_name) AS names
        FROM news
        WHERE publication_name <> ''
        GROUP BY document_id
        HAVING count(DISTINCT publication_name) > 1
    """,
    message="News sitemap has several publication names",
    example="{names:name|names}, including {value}",
    fix="Use one name, the one on news.google.com.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "urlset",
    ),
    checks=("H27",),
)
