"""Checks for robots.txt files that are HTML pages.

## Why is this bad
The server returns a page with status 200 for every unknown URL, including robots.txt. Crawlers find no rules and no
`Sitemap` lines in it.

## Fails
```text
GET /robots.txt
HTTP/1.1 200 OK

<!doctype html>
```

## Passes
```text
GET /robots.txt
HTTP/1.1 200 OK

User-agent: *
Disallow:
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB008",
    name="robots-is-html",
    severity=Severity.WARNING,
    table="robots_files",
    field="url",
    where="is_html AND availability = 'read'",
    message="robots.txt is an HTML page",
    example="{url} is an HTML page",
    effect="crawlers find no rules and no sitemaps in {places:robots.txt|robots.txt files}",
    fix="Serve a plain-text robots.txt, or return 404.",
    advice=(
        "Put the file in the root directory, or configure the server to return 404 for everything that does not exist."
    ),
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt",
    ),
    checks=("A02",),
)
