"""Checks for listed pages that the host shows in place of pages that do not exist: `404.html`, the ErrorDocument of a
`.htaccess`, or short pages named after the status of an error, such as `/de/404/`. PGE016 reports other pages with the
title of an error page.

## Why is this bad
Search engines take the page for a soft 404, and visitors who find it in search results see an error. The generator of
the sitemap lists every file, so it may list other files that are not pages, too.

## Fails
```xml
<url><loc>https://www.example.com/404.html</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/chairs</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE034",
    name="error-page-listed",
    severity=Severity.WARNING,
    table="pages",
    field="url",
    where="status BETWEEN 200 AND 299 AND not_a_page = 'error-page' AND noindex IS NULL AND coalesce(len(hops), 0) = 0",
    message="Sitemap lists an error page",
    example="{value} is what visitors see in place of a missing page",
    effect="search engines index an error page at {places:listed URL, or drop it|listed URLs, or drop them}",
    fix="Exclude the error page from the sitemap in the settings of the generator.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
        "urlset",
    ),
    checks=("J12",),
)
