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

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity, Span

RULE = Rule(
    code="HRL012",
    name="hreflang-target-unlisted",
    severity=Severity.INFO,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH sums AS (
            SELECT document_id * 4294967296 + ordinal AS entry, sum(href_hash) AS members
            FROM alternates
            WHERE href_hash IS NOT NULL
            GROUP BY document_id * 4294967296 + ordinal
        ), sets AS MATERIALIZED (
            SELECT u.document_id, u.ordinal, u.loc_hash, u.line, u.col, m.members
            FROM sums AS m
            JOIN urls AS u ON u.document_id * 4294967296 + u.ordinal = m.entry
            WHERE u.loc_hash IS NOT NULL
        ), links AS MATERIALIZED (
            SELECT DISTINCT s.document_id, s.ordinal, s.line, s.col, s.loc_hash AS source, a.href_hash AS target
            FROM alternates AS a
            JOIN sets AS s ON s.document_id = a.document_id AND s.ordinal = a.ordinal
            LEFT JOIN sets AS t ON t.loc_hash = a.href_hash AND t.members = s.members
            WHERE a.href_hash <> s.loc_hash AND t.members IS NULL
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
