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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="HNT003",
    name="hints-ignored",
    severity=Severity.HINT,
    table="documents",
    value="hints",
    needs=("hints",),
    where="hints > 0",
    detail="""
        concat_ws(
            ' and ', CASE WHEN with_changefreq > 0 THEN 'changefreq in ' || with_changefreq END,
            CASE WHEN with_priority > 0 THEN 'priority in ' || with_priority END
        )
    """,
    message="Google and Bing ignore changefreq and priority",
    example="{detail} of {entries:entry|entries}",
    fix="Omit both, and keep lastmod accurate: Google and Bing do use it.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    quiet=True,
    checks=("E17", "E21"),
)
