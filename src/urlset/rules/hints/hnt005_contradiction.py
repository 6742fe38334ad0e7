"""Checks for an entry that is said to change always or hourly and has not changed for 30 days, or daily and not for a
year.

## Why is this bad
One of the two is not true.

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
    only="lastmod_oldest < $now - INTERVAL 30 DAY",
    guard_traits=("changefreq-often",),
    where=(
        "lastmod_at < $now - INTERVAL 30 DAY AND (changefreq IN ('always', 'hourly') OR changefreq = "
        "'daily' AND lastmod_at < $now - INTERVAL 365 DAY)"
    ),
    message="changefreq contradicts lastmod",
    example="changefreq is {value}, but lastmod is {lastmod}",
    fix="Correct or leave out changefreq.",
    sources=(
        "https://www.sitemaps.org/protocol.html#changefreqdef",
        "urlset",
    ),
    checks=("E18",),
)
