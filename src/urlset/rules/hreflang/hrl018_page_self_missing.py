"""Checks for listed pages with hreflang links, in the HTML head or in `Link` headers, of which none points to the page
itself. Pages that cannot be indexed at their URL are not checked. HRL006 is about the links in sitemaps.

## Why is this bad
Each language version must list itself as well as all other versions. If every page has the links of the home page, the
template has fixed URLs, and search engines ignore them on all pages but the home page.

## Fails
```html
<!-- https://www.example.com/chairs -->
<link rel="alternate" hreflang="en" href="https://www.example.com/">
<link rel="alternate" hreflang="de" href="https://www.example.com/de/">
```

## Passes
```html
<!-- https://www.example.com/chairs -->
<link rel="alternate" hreflang="en" href="https://www.example.com/chairs">
<link rel="alternate" hreflang="de" href="https://www.example.com/de/stuehle">
```
"""

from urlset.rules.queries import VERSIONS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL018",
    name="page-hreflang-self-missing",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("page-links",),
    field="url",
    query=f"""
        SELECT
            p.document_id, p.ordinal, p.line, p.col, p.url, p.url AS value,
            array_to_string(p.hreflang_codes, ', ') AS codes, p.hreflang_urls[1] AS first_url
        FROM pages AS p
        WHERE {VERSIONS} AND NOT list_contains(p.hreflang_hashes, p.loc_hash)
            AND NOT list_contains(p.hreflang_hashes, p.page_hash)
    """,
    message="Page has no hreflang link to itself",
    example="{value} has hreflang links ({codes}), such as to {first_url}, but none to itself",
    effect="search engines may ignore the hreflang links of {places:page|pages}",
    fix="Write the URLs of the versions of each page into its links, and include the page itself.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I06",),
)
