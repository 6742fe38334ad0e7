"""Checks for links to pages of the site that return an error (4xx or 5xx) or do not respond. 401, 402, 403, 407, and
429 do not count, since they may apply to urlset only. Each target is one finding, with one of the pages that link to
it.

## Why is this bad
Visitors reach an error page, and the importance that the link passes on is lost.

## Fails
```html
<a href="/chairz">Chairs</a> <!-- returns 404 -->
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.queries import ALSO_LINKED
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK005",
    name="link-broken",
    severity=Severity.WARNING,
    table="linked",
    field="url",
    where=f"""
        linked_from IS NOT NULL AND skipped IS NULL
            AND (status >= 400 AND status NOT {IS_TO_US} OR status IS NULL)
    """,
    detail=f"""
        concat(CASE WHEN error_kind = 'no-file' THEN 'has no file' WHEN status IS NULL THEN 'returns no response'
            ELSE 'returns ' || status END, {ALSO_LINKED})
    """,
    message="Link to a page that returns an error",
    example="{linked_from} links to {value}, which {detail}",
    effect="visitors and crawlers get an error at {places:linked URL|linked URLs}",
    fix="Correct the link, or remove it.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/http-network-errors",),
    checks=("J01",),
)
