"""HRL009: hreflang-x-default-missing

## What
A document with hreflang links of which none has the code x-default.

## Why
x-default names the page for readers of any other language, a choice of languages for instance. It is recommended and
not required.

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
Add a link with hreflang="x-default" to each entry.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
"""

from urlset.rules.rule import Lifecycle, Rule, Scope, Severity

RULE = Rule(
    code="HRL009",
    name="hreflang-x-default-missing",
    severity=Severity.INFO,
    lifecycle=Lifecycle.PREVIEW,
    scope=Scope.SET,
    table="documents",
    query="""
        SELECT
            document_id, CAST(NULL AS INTEGER) AS ordinal, CAST(NULL AS INTEGER) AS line, CAST(NULL AS INTEGER) AS col,
            CAST(NULL AS VARCHAR) AS url, value
        FROM (

            SELECT
                document_id,
                CASE WHEN count(*) FILTER (WHERE lower(hreflang) = 'x-default') = 0 THEN count(*) ELSE 0 END AS value
            FROM alternates
            GROUP BY document_id

        ) AS counted
        WHERE value > 0
    """,
    message="No x-default is given",
    example="none of {value} links is x-default",
    fix='Add a link with hreflang="x-default" to each entry.',
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I10",),
)
