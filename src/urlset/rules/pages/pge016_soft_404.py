"""Checks for listed pages that return a success status, but have a title such as "404", "not found", "no longer
available", or "does not exist" and fewer than 150 words of main text. German, French, Spanish, and Italian phrases
count too. In preview because it is a heuristic.

## Why is this bad
Search Console calls such a page a soft 404 and leaves it out of the index. A status code of 404 or 410 is clear to
every client.

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
from urlset.web.indexability import SOFT_404_TITLE, SOFT_404_WORDS

RULE = EntryRule(
    code="PGE016",
    name="page-soft-404",
    severity=Severity.WARNING,
    table="pages",
    field="title",
    where=f"""
        status BETWEEN 200 AND 299 AND words < {SOFT_404_WORDS}
            AND regexp_matches(lower(title), '{SOFT_404_TITLE}')
    """,
    message="Page looks like an error page (soft 404)",
    example='{url} has the title "{value}"',
    fix="Return 404 or 410 and remove the URL from the sitemap, or add content to the page.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    lifecycle=Lifecycle.PREVIEW,
    checks=("J12",),
)
