"""Checks for entries with changefreq or priority.

## Why is this bad
Google and Bing state that they ignore both. The fields are harmless, and other search engines may read them.

## Fails
```xml
<url><loc>https://www.example.com/</loc><changefreq>daily</changefreq><priority>1.0</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HNT003",
    name="hints-ignored",
    severity=Severity.HINT,
    table="documents",
    only="hints > 0",
    query=f"""
        SELECT
            d.document_id,{NOWHERE}, u.entries,
            concat_ws(
                ' and ', CASE WHEN u.changefreqs > 0 THEN 'changefreq in ' || u.changefreqs END,
                CASE WHEN u.priorities > 0 THEN 'priority in ' || u.priorities END
            ) AS found,
            d.hints AS value
        FROM (
            SELECT
                document_id, count(*) AS entries, count(changefreq) AS changefreqs, count(priority) AS priorities
            FROM urls
            GROUP BY document_id
        ) AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE d.hints > 0
    """,
    message="Google and Bing ignore changefreq and priority",
    example="{found} of {entries:entry|entries}",
    fix="Omit both, and keep lastmod accurate: Google and Bing do use it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    checks=("E17", "E21"),
)
