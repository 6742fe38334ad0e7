"""Checks for a robots.txt that cannot be read: no answer, a status from 500 on, or 429.

## Why is this bad
Nobody can tell then what is allowed, and RFC 9309 has crawlers fetch nothing at all. Google stops for twelve hours, and
goes by its last copy after that. A robots.txt that does not exist (404) is no fault: everything is allowed.

## Fails
```text
GET /robots.txt
HTTP/1.1 503 Service Unavailable
```

## Passes
```text
GET /robots.txt
HTTP/1.1 404 Not Found
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="ROB006",
    name="robots-unreachable",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="robots_files",
    only="availability = 'unreachable'",
    only_of="robots_files",
    query="""
        SELECT
            r.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, r.url,
            CASE
                WHEN d.trouble IS NULL AND d.http_status IS NOT NULL THEN 'HTTP status ' || d.http_status
                ELSE coalesce(d.error, d.trouble, 'no answer')
            END AS value
        FROM robots_files AS r
        LEFT JOIN documents AS d ON d.document_id = r.document_id
        WHERE r.availability = 'unreachable'
    """,
    message="robots.txt cannot be read",
    example="{value}: crawlers take that for a ban on everything",
    fix="Serve robots.txt, or answer 404 if there is none.",
    advice="Make it a plain file that needs no database, and exempt it from every limit on requests.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#http-status-codes",
    ),
    checks=("A12",),
)
