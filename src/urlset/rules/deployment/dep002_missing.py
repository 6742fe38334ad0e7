"""Checks for pages and files of the directory that the site does not serve: it returns 404 or 410, or another page in
their place, such as the app's home page (SPA fallback) or the host's error page.

## Why is this bad
Visitors and crawlers cannot get what was built. A fallback page with status 200 hides that: a sitemap that is an
HTML page lists nothing.

## Fails
```text
dist/sitemap.xml: <urlset …>
GET https://example.com/sitemap.xml: 200 text/html, the home page
```

## Passes
```text
dist/sitemap.xml: <urlset …>
GET https://example.com/sitemap.xml: 200 application/xml, <urlset …>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP002",
    name="built-url-missing",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'missing'",
    message="Built page or file is not served",
    example="{about:whole}",
    effect="search engines cannot fetch {places:URL|URLs}",
    fix="Deploy the directory again, completely, and exclude files that exist from rewrites.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    needs_server=True,
    checks=(
        "J01",
        "J12",
    ),
)
