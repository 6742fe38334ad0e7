"""Checks for a robots.txt that is an HTML page.

## Why is this bad
The server answers every unknown address with a page and status 200, robots.txt included. Crawlers find no rules in it,
and no Sitemap line.

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
    fix="Serve a robots.txt, or answer 404.",
    advice="Put the file into the root folder, or let the server answer 404 for everything that does not exist.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt",
    ),
    checks=("A02",),
)
