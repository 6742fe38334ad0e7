"""HRL007: hreflang-return-missing

## What
An entry that names another entry of the run as its version in some language, where the other does not name it. All
documents of the run are looked at together; URLs are compared by their hashes of 64 bits.

## Why
A link counts only when the other page confirms it. Pairs that do link to each other count even where others fail.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
<url>
  <loc>https://www.example.com/de/</loc>
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
Give every version the same list of links.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity, Span

RULE = Rule(
    code="HRL007",
    name="hreflang-return-missing",
    severity=Severity.ERROR,
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
        ), entries AS MATERIALIZED (
            SELECT u.document_id, u.ordinal, u.line, u.loc_hash
            FROM urls AS u
            JOIN (SELECT DISTINCT target FROM links) AS t ON t.target = u.loc_hash
        ), returns AS MATERIALIZED (
            SELECT DISTINCT e.loc_hash AS source, a.href_hash AS target
            FROM entries AS e
            JOIN alternates AS a ON a.document_id = e.document_id AND a.ordinal = e.ordinal
        ), firsts AS (
            SELECT loc_hash, min(document_id) AS document_id, min(line) AS line FROM entries GROUP BY loc_hash
        )
        SELECT
            l.document_id, l.ordinal, l.line, l.col, CAST(NULL AS VARCHAR) AS url,
            'line ' || CAST(f.line AS VARCHAR) || ' of ' || d.url AS value
        FROM links AS l
        JOIN firsts AS f ON f.loc_hash = l.target
        JOIN documents AS d ON d.document_id = f.document_id
        LEFT JOIN returns AS r ON r.source = l.target AND r.target = l.source
        WHERE r.source IS NULL
    """,
    span=Span.RUN,
    needs={
        "urls": ("document_id", "ordinal", "line", "col", "loc_hash"),
        "alternates": ("document_id", "ordinal", "href_hash"),
        "documents": ("document_id", "url"),
    },
    message="A language version does not link back",
    example="links to {value}, which does not link back",
    fix="Give every version the same list of links.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I07", "I11"),
)
