"""Checks for robots.txt files that cannot be fetched: the request failed, or the server returned 429 or a status code
of 500 or higher. In an audit of a directory, nothing is known about the robots.txt of other hosts.

## Why is this bad
Crawlers then cannot tell which URLs they may fetch. RFC 9309 requires them to fetch nothing while robots.txt is
unreachable; after a long time, such as 30 days, they may treat it as missing or keep using a cached copy. Google stops
crawling for 12 hours, and then uses its last copy for up to 30 days. After that, it crawls without restrictions if the
site is otherwise available, and stops if it is not. A missing robots.txt (404) is not a problem: everything is allowed.

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
    needs=("robots-unreachable",),
    query="""
        SELECT
            r.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, r.url,
            CASE
                WHEN d.error_kind IS NULL AND d.http_status IS NOT NULL THEN 'HTTP status ' || d.http_status
                ELSE coalesce(d.error, d.error_kind, 'no response')
            END AS value
        FROM robots_files AS r
        LEFT JOIN documents AS d ON d.document_id = r.document_id
        WHERE r.availability = 'unreachable' AND coalesce(d.error_kind, '') <> 'outside'
    """,
    message="robots.txt cannot be fetched",
    example="{value}; crawlers treat this as if everything were disallowed",
    fix="Serve robots.txt, or return 404 if the site has none.",
    advice="Make it a static file that does not depend on a database, and exempt it from every rate limit.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#http-status-codes",
    ),
    checks=("A12",),
)
