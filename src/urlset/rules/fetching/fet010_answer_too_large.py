"""Checks for a sitemap whose body, or whose headers, go beyond the bound. The bound on bodies is `--max-bytes`.

## Why is this bad
A sitemap may have 50 MB. What lies beyond urlset's bound, which is larger, was not read, and no rule has judged it.

## Fails
```text
GET /sitemap.xml
… 210 MB and more
```

## Passes
```text
GET /sitemap.xml
… 12 MB
```
"""

from urlset.rules.listed import listed
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="FET010",
    name="answer-too-large",
    severity=Severity.ERROR,
    **listed("trouble IN ('too-large', 'headers-too-large')"),
    message="The answer goes beyond the bound",
    example="{url}: {value}",
    fix="Split the sitemap, and list the parts in an index.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("F02",),
)
