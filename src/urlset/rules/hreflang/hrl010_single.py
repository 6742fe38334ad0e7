"""HRL010: hreflang-single-version

## What
Entries with one hreflang link.

## Why
A link to the page itself says that there are no other versions, which is so without it.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
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
Leave the link out, or add the other versions.

## Sources
- urlset
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="HRL010",
    name="hreflang-single-version",
    severity=Severity.INFO,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="documents",
    query="""
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line, CAST(NULL AS INTEGER) AS col,
            CAST(NULL AS VARCHAR) AS url, value
        FROM (

            SELECT document_id, count(*) FILTER (WHERE links = 1) AS value
            FROM (
                SELECT document_id, ordinal, count(*) AS links FROM alternates GROUP BY document_id, ordinal) AS entries
            GROUP BY document_id

        ) AS counted
        WHERE value > 0
    """,
    message="Entries list a single language version",
    example="{value} entries have one link only",
    fix="Leave the link out, or add the other versions.",
    sources=("urlset",),
    checks=("I16",),
)
