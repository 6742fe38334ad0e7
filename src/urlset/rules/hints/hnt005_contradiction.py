"""Checks for entries whose changefreq is always or hourly although lastmod is more than 30 days ago, or daily although
lastmod is more than a year ago.

## Why is this bad
The two fields contradict each other, so one of them is wrong.

## Fails
```xml
<url><loc>https://www.example.com/</loc><lastmod>2019-01-01</lastmod><changefreq>hourly</changefreq></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2019-01-01</lastmod><changefreq>yearly</changefreq></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="HNT005",
    name="changefreq-contradicts-lastmod",
    severity=Severity.HINT,
    table="urls",
    field="changefreq",
    needs=("changefreq-often",),
    where=(
        "lastmod_at < $now - INTERVAL 30 DAY AND (changefreq IN ('always', 'hourly') OR changefreq = "
        "'daily' AND lastmod_at < $now - INTERVAL 365 DAY)"
    ),
    message="changefreq contradicts lastmod",
    example="changefreq is {value}, but lastmod is {lastmod}",
    fix="Correct changefreq, or omit it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#changefreqdef",
        "urlset",
    ),
    checks=("E18",),
)
