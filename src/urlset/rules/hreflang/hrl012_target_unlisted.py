"""HRL012: hreflang-target-unlisted

## What
An entry with links to URLs that are an entry of none of the documents looked at.

## Why
A version that is listed nowhere cannot link back in a sitemap. Where it is in a sitemap that was not looked at, or
links back in its HTML, the finding does not apply.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/en/"/>
</url>
```

## Fix
List the URL as an entry with the same links, and check all sitemaps of the site in one run.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
- urlset
"""

from urlset.rules.rule import Rule, Scope, Severity, Span

RULE = Rule(
    code="HRL012",
    name="hreflang-target-unlisted",
    severity=Severity.INFO,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH sets AS MATERIALIZED (
            SELECT
                a.document_id, a.ordinal, min(u.loc_hash) AS loc_hash, min(u.line) AS line, min(u.col) AS col,
                sum(a.href_hash) AS members, count(DISTINCT a.href_hash) AS size
            FROM alternates AS a
            JOIN urls AS u ON u.document_id = a.document_id AND u.ordinal = a.ordinal
            WHERE a.href_hash IS NOT NULL AND u.loc_hash IS NOT NULL
            GROUP BY a.document_id, a.ordinal
        ), whole AS (
            SELECT members, size FROM sets GROUP BY members, size HAVING count(DISTINCT loc_hash) = size
        ), loose AS MATERIALIZED (
            SELECT s.*
            FROM sets AS s
            LEFT JOIN whole AS w ON w.members = s.members AND w.size = s.size
            WHERE w.members IS NULL
        ), links AS MATERIALIZED (
            SELECT DISTINCT s.document_id, s.ordinal, s.line, s.col, s.loc_hash AS source, a.href_hash AS target
            FROM loose AS s
            JOIN alternates AS a ON a.document_id = s.document_id AND a.ordinal = s.ordinal
            WHERE a.href_hash <> s.loc_hash
        ), missing AS MATERIALIZED (
            SELECT l.document_id, l.ordinal, l.line, l.col, l.target
            FROM links AS l
            LEFT JOIN (SELECT DISTINCT loc_hash FROM urls) AS u ON u.loc_hash = l.target
            WHERE u.loc_hash IS NULL
        )
        SELECT document_id, ordinal, min(line) AS line, min(col) AS col, CAST(NULL AS VARCHAR) AS url, count(*) AS value
        FROM missing
        GROUP BY document_id, ordinal
    """,
    span=Span.RUN,
    needs={
        "urls": ("document_id", "ordinal", "line", "col", "loc_hash"),
        "alternates": ("document_id", "ordinal", "href_hash"),
    },
    message="A language version is in no sitemap of the run",
    example="links to {value} URLs that are in no document of the run",
    fix="List the URL as an entry with the same links, and check all sitemaps of the site in one run.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I12",),
)
