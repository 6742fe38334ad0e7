"""Checks for `<lastmod>` dates before 1990.

## Why is this bad
No web page is that old. The value is usually an empty database date, which becomes `1970-01-01` or `0001-01-01`. Search
engines that find wrong dates stop trusting all of them.

## Fails
```xml
<url><loc>https://www.example.com/</loc><lastmod>1970-01-01</lastmod></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.wording import DATE_ELEMENT

RULE = EntryRule(
    code="MOD007",
    name="lastmod-implausible",
    severity=Severity.WARNING,
    table="urls",
    field="lastmod",
    needs=("early-lastmod",),
    detail=DATE_ELEMENT,
    where="lastmod_at < TIMESTAMP '1990-01-01 00:00:00'",
    message="lastmod is implausibly old",
    example="{detail} {value} is before 1990",
    effect="search engines learn nothing from {places:date|dates}, and may distrust the others",
    fix="Set lastmod to the date of the last change, or omit it if you do not know the date.",
    sources=(
        "https://www.sitemaps.org/protocol.html#lastmoddef",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("E06",),
)
