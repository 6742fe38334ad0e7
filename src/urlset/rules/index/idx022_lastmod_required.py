"""Checks for child sitemaps in an index without `<lastmod>`, or with an empty one, when `lastmod` is required.

## Why is this bad
The protocol does not require `<lastmod>`, but search engines use it to fetch only the sitemaps that changed. If your
team relies on it, this rule makes sure that a change to the generator does not remove it.

## Fails
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://www.example.com/sitemap-1.xml</loc><lastmod>2025-06-01</lastmod></sitemap>
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="IDX022",
    name="index-lastmod-required",
    severity=Severity.ERROR,
    leads_to=Consequence.SIGNALS,
    table="children",
    field="lastmod",
    value="loc",
    where="coalesce(lastmod, '') = ''",
    message="Required lastmod of a child sitemap is missing",
    example="{value} has no lastmod",
    effect="search engines cannot tell whether to fetch {places:child sitemap|child sitemaps} again",
    fix="Add lastmod with the date of the last change of the sitemap.",
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#lastmoddef",
    ),
    required_field="lastmod",
    checks=("E09",),
)
