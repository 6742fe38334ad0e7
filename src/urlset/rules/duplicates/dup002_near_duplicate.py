"""Checks for URLs in one document that differ only in a trailing slash, in http and https, or in the name of the index
file, such as `index.html` or `default.aspx`.

## Why is this bad
Formally they are different URLs, but they are nearly always the same page: one redirects to the other or duplicates it.
Uppercase letters and the order of parameters are not compared, because they often identify different pages.

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
"""

from urlset.rules.queries import PLACE_OF_LOC, stem, without_scheme
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="DUP002",
    name="url-near-duplicate",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("mixed-slashes|index-page|mixed-schemes",),
    query=f"""
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
            SELECT{PLACE_OF_LOC}, {stem("u.loc")} AS stem
            FROM urls AS u
            JOIN kinds AS k ON k.document_id = u.document_id
            WHERE u.loc_problem IS NULL
        ), keyed AS MATERIALIZED (
            SELECT document_id, ordinal, line, col, url,
                {without_scheme("stem")} AS spelling
            FROM spelled
        ), pairs AS MATERIALIZED (
            SELECT document_id, spelling, min_by(url, ordinal) AS other
            FROM keyed
            GROUP BY document_id, spelling
            HAVING min(url) <> max(url)
        )
        SELECT n.document_id, n.ordinal, n.line, n.col, n.url, n.url AS value, p.other
        FROM keyed AS n
        JOIN pairs AS p ON p.document_id = n.document_id AND p.spelling = n.spelling
        WHERE n.url <> p.other
    """,
    message="URLs differ only in slash, scheme, or index file name",
    example="{value} is also listed as {other}",
    effect=(
        "search engines crawl {places:page twice, and choose one of its URLs|pages twice, and choose one URL for each}"
    ),
    fix="Keep the URL that returns the page without a redirect and matches its canonical link.",
    sources=(
        "urlset",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
    ),
    checks=("D18",),
)
