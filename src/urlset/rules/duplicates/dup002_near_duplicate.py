"""DUP002: url-near-duplicate

## What
Two URLs of one document that differ only in a slash at the end, in http and https, or in the name of the index file.

## Why
They are two addresses by the letter and nearly always one page: one of them redirects to the other or repeats it.
Capital letters and the order of parameters are not looked at, since they often do make another page.

## Fails
```xml
<url><loc>https://www.example.com/about</loc></url>
<url><loc>https://www.example.com/about/</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about/</loc></url>
<url><loc>https://www.example.com/team/</loc></url>
```

## Fix
Keep the address that the page is served at and that its canonical link names.

## Sources
- urlset
- https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="DUP002",
    name="url-near-duplicate",
    severity=Severity.WARNING,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    field="loc",
    query="""
        WITH kinds AS MATERIALIZED (
            SELECT
                document_id, count(*) FILTER (WHERE loc LIKE '%/') AS slashed,
                count(*) FILTER (WHERE loc LIKE 'http:%') AS plain,
                count(*) AS entries,
                count(*) FILTER (WHERE contains(path, '/index.') OR contains(path, '/default.')) AS named
            FROM urls
            WHERE loc_problem IS NULL
            GROUP BY document_id
            HAVING slashed NOT IN (0, entries) OR plain NOT IN (0, entries) OR named > 0
        ), spelled AS MATERIALIZED (
            SELECT u.document_id, u.ordinal, u.loc,
                regexp_replace(u.loc, '(/((index|default)[.][a-z]{3,5})?)$', '') AS stem
            FROM urls AS u
            JOIN kinds AS k ON k.document_id = u.document_id
            WHERE u.loc_problem IS NULL
        ), keyed AS MATERIALIZED (
            SELECT document_id, ordinal, loc,
                CASE WHEN stem LIKE 'http:%' THEN 'https' || substr(stem, 5) ELSE stem END AS spelling
            FROM spelled
        ), pairs AS MATERIALIZED (
            SELECT document_id, spelling, min(ordinal) AS first_ordinal, min(loc) AS least, max(loc) AS most
            FROM keyed
            GROUP BY document_id, spelling
            HAVING min(loc) <> max(loc)
        )
        SELECT
            u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, coalesce(u.loc_col, u.col) AS col,
            u.loc AS url, u.loc AS value, f.loc AS other
        FROM pairs AS p
        JOIN keyed AS n ON n.document_id = p.document_id AND n.spelling = p.spelling
        JOIN keyed AS f ON f.document_id = p.document_id AND f.ordinal = p.first_ordinal
        JOIN urls AS u ON u.document_id = n.document_id AND u.ordinal = n.ordinal
        WHERE n.loc <> f.loc
    """,
    message="Two URLs differ only in their spelling",
    example="{value} is also listed as {other}",
    fix="Keep the address that the page is served at and that its canonical link names.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
    checks=("D18",),
)
