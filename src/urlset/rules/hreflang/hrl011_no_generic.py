"""Checks for languages that are only used with a country, such as `en-GB`, and never on their own.

## Why is this bad
Users of that language in other countries get no matching version. Google recommends a version for the language alone;
`x-default` works too.

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
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL011",
    name="hreflang-generic-missing",
    severity=Severity.HINT,
    table="documents",
    needs=("regional-code",),
    query=f"""
        WITH codes AS MATERIALIZED (
            SELECT document_id, hreflang
            FROM alternates
            WHERE hreflang_problem IS NULL
            GROUP BY document_id, hreflang
        ), regional AS (
            SELECT DISTINCT document_id, left(lower(hreflang), 2) AS language
            FROM codes
            WHERE regexp_matches(hreflang, '^[A-Za-z]{{2}}-[A-Za-z]{{2}}$')
        ), generic AS (
            SELECT DISTINCT document_id, lower(hreflang) AS language FROM codes WHERE length(hreflang) = 2
        )
        SELECT r.document_id,{NOWHERE}, count(*) AS value,
            string_agg(r.language, ', ' ORDER BY r.language) AS languages
        FROM regional AS r
        LEFT JOIN generic AS g ON g.document_id = r.document_id AND g.language = r.language
        WHERE g.language IS NULL
        GROUP BY r.document_id
    """,
    message="Language has only country-specific versions",
    example="country-specific versions only: {languages}",
    fix="Also list one of the versions under the language code alone.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I15",),
)
