"""HRL006: hreflang-self-missing

## What
An entry with hreflang links, none of which is its own loc, letter by letter.

## Why
Each version must list all versions and itself. Engines may disregard the links of a page that does not.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
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
Add a link with the entry's own language and loc.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="HRL006",
    name="hreflang-self-missing",
    severity=Severity.ERROR,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH counted AS MATERIALIZED (
            SELECT a.document_id, a.ordinal, count(*) AS links, count(*) FILTER (WHERE a.href_hash = u.loc_hash) AS own
            FROM alternates AS a
            JOIN urls AS u ON u.document_id = a.document_id AND u.ordinal = a.ordinal
            WHERE a.href <> '' AND u.loc_problem IS NULL
            GROUP BY a.document_id, a.ordinal
            HAVING count(*) FILTER (WHERE a.href_hash = u.loc_hash) = 0
        )
        SELECT
            u.document_id, u.ordinal, coalesce(u.loc_line, u.line) AS line, coalesce(u.loc_col, u.col) AS col,
            u.loc AS url, c.links AS value
        FROM counted AS c
        JOIN urls AS u ON u.document_id = c.document_id AND u.ordinal = c.ordinal
    """,
    message="An entry does not list itself among its language versions",
    example="none of the {value} links points to loc",
    fix="Add a link with the entry's own language and loc.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I06",),
)
