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

from urlset.rules.rule import CheckEffect, Rule, Scope, Severity, Span

RULE = Rule(
    code="HRL007",
    name="hreflang-return-missing",
    severity=Severity.ERROR,
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
    check_effect=CheckEffect.WARN,
    checks=("I07", "I11"),
)
