"""HRL011: hreflang-generic-missing

## What
A language that occurs with countries, as en-GB, and never alone.

## Why
Readers of the language in other countries get no version of their own. Google recommends one for the language alone;
x-default serves too.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en-GB" href="https://www.example.com/uk/"/>
  <xhtml:link rel="alternate" hreflang="en-US" href="https://www.example.com/us/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="en-GB" href="https://www.example.com/uk/"/>
</url>
```

## Fix
Give one of the versions the code of the language alone as well.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="HRL011",
    name="hreflang-generic-missing",
    severity=Severity.HINT,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="documents",
    query="""
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line, CAST(NULL AS INTEGER) AS col,
            CAST(NULL AS VARCHAR) AS url, value
        FROM (

            SELECT c.document_id, count(*) AS value
            FROM (
                SELECT DISTINCT document_id, left(lower(hreflang), 2) AS language
                FROM alternates
                WHERE hreflang_problem IS NULL AND regexp_matches(hreflang, '^[A-Za-z]{2}-[A-Za-z]{2}$')
            ) AS c
            LEFT JOIN (
                SELECT DISTINCT document_id, lower(hreflang) AS language
                FROM alternates
                WHERE length(hreflang) = 2
            ) AS g ON g.document_id = c.document_id AND g.language = c.language
            WHERE g.language IS NULL
            GROUP BY c.document_id

        ) AS counted
        WHERE value > 0
    """,
    message="Languages are given for countries only",
    example="{value} languages are given for countries only",
    fix="Give one of the versions the code of the language alone as well.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I15",),
)
