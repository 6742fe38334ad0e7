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
            u.document_id,{NOWHERE}, count(*) AS entries,
            concat_ws(
                ' and ', CASE WHEN count(u.changefreq) > 0 THEN 'changefreq in ' || count(u.changefreq) END,
                CASE WHEN count(u.priority) > 0 THEN 'priority in ' || count(u.priority) END
            ) AS found,
            any_value(d.hints) AS value
        FROM urls AS u
        JOIN documents AS d ON d.document_id = u.document_id
        WHERE d.hints > 0
        GROUP BY u.document_id
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
