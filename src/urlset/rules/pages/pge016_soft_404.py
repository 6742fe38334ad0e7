"""Checks for a listed page that answers 200 and reads like one that is not there: its title says so, or its main text
is nearly empty while other pages of the sitemap have one. In preview because it is a guess.

## Why is this bad
Search Console calls such a page a soft 404 and leaves it out. A status says it to everybody.

## Fails
```text
HTTP/1.1 200 OK

<title>404: page not found</title>
```

## Passes
```text
HTTP/1.1 404 Not Found

<title>404: page not found</title>
```
"""

from urlset.rules.rule import EntryRule, Lifecycle, Severity

RULE = EntryRule(
    code="PGE016",
    name="page-soft-404",
    severity=Severity.WARNING,
    table="pages",
    field="title",
    where="""
        status BETWEEN 200 AND 299 AND words < 150
            AND regexp_matches(lower(title), concat(
                '(^|[^a-z0-9])(404|not found|no longer available|does not exist',
                '|nicht gefunden|introuvable|no encontrada|non trovata)([^a-z0-9]|$)'
            ))
    """,
    message="The page reads like an error",
    example="{url} has the title {value}",
    fix="Answer 404 or 410 and remove the URL, or give the page its content.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    lifecycle=Lifecycle.PREVIEW,
    checks=("J12",),
)
