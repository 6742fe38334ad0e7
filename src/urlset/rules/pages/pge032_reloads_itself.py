"""Checks for listed pages with fewer than 20 words of main text that reload themselves at once, with a meta refresh, a
`Refresh` header, or a script.

## Why is this bad
The content that visitors get after the reload, often because of a cookie, is not what crawlers get: they read the page
as it is, which has nothing to index.

## Fails
```text
<meta http-equiv="refresh" content="0"><p>One moment, please …
```

## Passes
```text
<meta http-equiv="refresh" content="300"><main>The score after 20 minutes …</main>
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.web.indexability import RELOADS

RULE = EntryRule(
    code="PGE032",
    name="page-reloads-itself",
    severity=Severity.WARNING,
    table="pages",
    needs=("maybe-not-indexable",),
    field="url",
    where=f"status BETWEEN 200 AND 299 AND {RELOADS}",
    detail="concat(words, CASE words WHEN 1 THEN ' word' ELSE ' words' END)",
    message="Page has no content and reloads itself at once",
    example="{url} has {detail} of main text and reloads itself",
    effect="crawlers find nothing to index on {places:page|pages}",
    fix="Return the content with the first response, or remove the URL from the sitemap.",
    sources=("urlset",),
    checks=("J11",),
)
