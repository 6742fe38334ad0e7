"""Checks for URLs with a different scheme than the sitemap: http in a sitemap that is served over https, or the
reverse. If the sitemap was not fetched and lists a host with both schemes, the rule reports the less common scheme, or
http if both are equally common.

## Why is this bad
Under the protocol, http and https are different sites, and search engines drop entries with the other scheme. On a site
that is served over https, an http URL redirects at best.

## Fails
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>http://www.example.com/about</loc></url>
```

## Passes
```xml
<!-- https://www.example.com/sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import Cause, SetRule, Severity

RULE = SetRule(
    code="LOC019",
    name="url-other-scheme",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("other-site",),
    query=f"""
        WITH schemes AS MATERIALIZED (
            SELECT
                document_id, host, scheme, count(*) AS entries,
                count(*) OVER (PARTITION BY document_id, host) = 1 AS is_all
            FROM urls
            WHERE loc_problem IS NULL
            GROUP BY document_id, host, scheme
        ), served AS (
            SELECT
                document_id, host,
                CASE
                    WHEN final_url LIKE 'https://%' THEN 'https'
                    WHEN final_url LIKE 'http://%' THEN 'http' END AS scheme
            FROM documents
        ), wrong AS MATERIALIZED (
            SELECT s.document_id, s.host, s.scheme, s.is_all, coalesce(d.scheme, o.scheme) AS wanted, d.scheme AS served
            FROM schemes AS s
            JOIN served AS d ON d.document_id = s.document_id
            LEFT JOIN schemes AS o
                ON o.document_id = s.document_id AND o.host = s.host AND o.scheme <> s.scheme
                AND (o.entries > s.entries OR o.entries = s.entries AND o.scheme > s.scheme)
            WHERE coalesce(d.scheme, o.scheme) <> s.scheme AND (d.scheme IS NULL OR d.host = s.host)
        )
        SELECT{PLACE_OF_LOC}, u.scheme AS value,
            CASE WHEN w.served IS NULL THEN 'most entries use ' ELSE 'the sitemap uses ' END || w.wanted AS expected,
            w.is_all
        FROM urls AS u
        JOIN wrong AS w ON w.document_id = u.document_id AND w.host = u.host AND w.scheme = u.scheme
        WHERE u.loc_problem IS NULL
    """,
    message="URL has a different scheme than the sitemap",
    causes=(Cause("SIT005", "is_all"),),
    example="loc uses {value}, but {expected}",
    effect="search engines may drop {places:URL, or need a redirect for it|URLs, or need a redirect for each}",
    fix="Use the scheme that the site is served over, which should be https.",
    sources=(
        "https://www.sitemaps.org/protocol.html#location",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("D15", "A17"),
)
