"""Checks for sitemap indexes that list a sitemap without entries. STR012 reports the sitemap itself. An empty news
sitemap is not reported.

## Why is this bad
Each empty sitemap costs an unnecessary request, and is often the first sign that its generator failed.

## Fails
```text
<sitemap><loc>https://www.example.com/sitemap-events.xml</loc></sitemap>
<!-- and in it: <urlset …></urlset> -->
```

## Passes
```text
<sitemap><loc>https://www.example.com/sitemap-pages.xml</loc></sitemap>
```
"""

from urlset.rules.listed import SITEMAP_KINDS, response_fields
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="IDX015",
    name="child-empty",
    severity=Severity.INFO,
    needs=("no-entries",),
    **response_fields(
        f"""
            kind IN {SITEMAP_KINDS} AND entries = 0 AND complete
            AND coalesce(array_to_string(namespaces, ' '), '') NOT LIKE '%/schemas/sitemap-news/%'
        """,
        value="url",
    ),
    message="Sitemap index lists an empty sitemap",
    example="{url} has no entries",
    fix="Find out why the sitemap is empty, or list it only while it has entries.",
    sources=(
        "https://support.google.com/webmasters/answer/7451001",
        "urlset",
    ),
    checks=("F13",),
)
