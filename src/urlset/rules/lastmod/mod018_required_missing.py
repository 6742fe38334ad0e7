"""Checks for an entry without lastmod, where lastmod is required.

## Why is this bad
The protocol does not require lastmod. A team that relies on it, since it is the one hint that Google and Bing both use
to decide what to crawl again, can make sure that a change to the generator does not lose it.

## Fails
```xml
<url><loc>https://www.example.com/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="MOD018",
    name="lastmod-required",
    severity=Severity.ERROR,
    table="urls",
    field="lastmod",
    value="loc",
    only="lastmod_missing > 0",
    where="coalesce(lastmod, '') = ''",
    message="A URL has no lastmod, which is required",
    example="{value} has no lastmod",
    fix="Add lastmod with the date of the last change of the page.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    required_field="lastmod",
    checks=("E09",),
)
