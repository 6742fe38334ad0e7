"""Checks for pages and files of the directory that the site redirects elsewhere, such as to a login or to the home
page, and for redirects of the directory that lead elsewhere. A redirect to another spelling of the same page, such
as from `/about.html` to `/about`, is not reported if the page is the same.

## Why is this bad
Search engines index the target, or nothing.

## Fails
```text
dist/about/index.html
GET https://example.com/about/: 302 to https://example.com/login?next=/about/
```

## Passes
```text
dist/about/index.html
GET https://example.com/about/: 200
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP004",
    name="built-url-redirects",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'redirect'",
    message="Built page or file redirects elsewhere",
    example="{about:whole}",
    effect="search engines index another page, or none, instead of {places:page|pages}",
    fix="Remove the redirect, or the protection of the deployment that adds it.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/301-redirects",),
    needs_server=True,
    checks=(
        "J04",
        "J13",
    ),
)
