"""Checks for listed pages whose canonical URL is another spelling of the page, with or without the final slash, file
extension, index file, `www.`, or https, if the host serves both without a redirect.

## Why is this bad
The sitemap and the page name two URLs for one page. Search engines index one of them, usually the canonical one, and
reports count the listed URL as an alternate.

## Fails
```text
<!-- https://example.com/chairs.html, which https://example.com/chairs returns as well -->
<link rel="canonical" href="https://example.com/chairs">
```
```xml
<url><loc>https://example.com/chairs.html</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/chairs</loc></url>
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="PGE037",
    name="canonical-respelled",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    table="pages",
    field="canonical",
    where="status BETWEEN 200 AND 299 AND canonical_is_respelled",
    message="Canonical URL is another spelling of the listed URL",
    example="{url} has the canonical URL {value}, which is the same page",
    effect="search engines index the canonical spelling instead of {places:listed URL|listed URLs}",
    fix="List the page as its canonical link names it, or correct the canonical link.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
    ),
    checks=("J07",),
)
