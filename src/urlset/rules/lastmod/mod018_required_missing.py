"""Checks for entries without `<lastmod>`, or with an empty one, when `lastmod` is required. Entries of text sitemaps,
which cannot have a `<lastmod>`, are reported too.

## Why is this bad
The protocol does not require `<lastmod>`. But of its optional fields, it is the only one that both Google and Bing use
to decide which pages to crawl again. If your team relies on it, this rule makes sure that a change to the generator
does not remove it.

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
    where="coalesce(lastmod, '') = ''",
    message="Required lastmod is missing",
    example="{value} has no lastmod",
    effect="search engines do not learn when {places:page|pages} changed",
    fix="Add lastmod with the date of the last change of the page.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    required_field="lastmod",
    checks=("E09",),
)
