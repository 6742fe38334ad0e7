"""Checks for at least three listed URLs that return one page without content: the same title, at most a few words such
as "Loading", and a script. Pages that redirect, are marked noindex, or have another canonical are not counted.

## Why is this bad
urlset does not run scripts, so it cannot tell what these URLs are. Either the script shows a page of its own for each
of them, which Google renders later and most other search engines and AI crawlers never see, or the server returns the
page for URLs that do not exist, which Search Console calls a soft 404.

## Fails
```text
# /a, /b, and /c
<title>Shop</title><div id="app"></div><script src="/app.js"></script>
```

## Passes
```text
# /a
<title>Chairs</title><div id="app"><h1>Chairs</h1><p>Chairs made of oak …</p></div><script src="/app.js"></script>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.web.indexability import PageReason

RULE = EntryRule(
    code="PGE033",
    name="page-empty-shell",
    severity=Severity.WARNING,
    table="pages",
    needs=("maybe-not-indexable",),
    field="title",
    where=f"reason = '{PageReason.EMPTY_SHELL}'",
    detail="CASE WHEN coalesce(title, '') = '' THEN '' ELSE concat(' (title: ', title, ')') END",
    message="Many URLs return the same page without content",
    example="{url} returns the same page without main text as other URLs{detail}",
    effect="crawlers that do not run scripts find the same empty page at {places:URL|URLs}",
    fix="Put the content of each page in its HTML, or remove these URLs from the sitemap.",
    advice="Return 404 for URLs that do not exist.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
    ),
    checks=("J12",),
)
