"""Checks for a listed page whose redirects lead in a circle, are too many, or lead nowhere.

## Why is this bad
Nobody arrives: neither visitors nor engines.

## Fails
```text
/chairs
301 to /seats
301 to /chairs
```

## Passes
```text
GET /chairs
HTTP/1.1 200 OK
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE007",
    name="page-redirect-endless",
    severity=Severity.ERROR,
    table="pages",
    field="error",
    value="coalesce(error, trouble)",
    where="trouble IN ('too-many-redirects', 'redirect-loop', 'bad-redirect')",
    message="The redirects of the page do not arrive",
    example="{url}: {value}",
    fix="Mend the redirects, and list where they lead.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors",
        "https://developers.google.com/search/docs/crawling-indexing/301-redirects",
    ),
    checks=("J05",),
)
