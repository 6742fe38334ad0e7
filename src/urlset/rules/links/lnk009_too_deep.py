"""Checks for listed pages that are more than 5 clicks from the home page (the limit `max-clicks`), by the shortest path
of links that were read.

## Why is this bad
Search engines crawl deep pages rarely and rate them as less important, and few visitors find them.

## Fails
```text
/ → /shop → /chairs → /wood → /oak → /page-2 → /oak-chair
```

## Passes
```text
/ → /chairs → /oak-chair
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK009",
    name="page-too-deep",
    severity=Severity.INFO,
    table="linked",
    field="url",
    where="""
        is_listed AND clicks > $max_clicks
    """,
    message="Page is more than {max_clicks:click|clicks} from the home page",
    example="{value} is {clicks} clicks from the home page",
    fix="Link to the page, or to its category, from a page closer to the home page.",
    sources=(
        "https://developers.google.com/search/docs/fundamentals/seo-starter-guide",
        "urlset",
    ),
    checks=("K03",),
)
