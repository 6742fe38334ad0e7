"""Checks for entries that link to another entry of the document with a code that the other entry does not use for
itself. `x-default` is not checked.

## Why is this bad
The two entries contradict each other about the language of the page, and search engines have to guess.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
<url>
  <loc>https://www.example.com/de/</loc>
  <xhtml:link rel="alternate" hreflang="en-GB" href="https://www.example.com/en/"/>
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
<url>
  <loc>https://www.example.com/de/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/en/"/>
</url>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL008",
    name="hreflang-return-code-differs",
    severity=Severity.WARNING,
    table="urls",
    only="TRUE",
    only_of="open_sets",
    query="""
        WITH selves AS MATERIALIZED (
            SELECT s.document_id, s.loc_hash, min(lower(a.hreflang)) AS own, max(lower(a.hreflang)) AS other
            FROM link_sets AS s
            JOIN alternates AS a
                ON a.document_id * 4294967296 + a.ordinal = s.document_id * 4294967296 + s.ordinal
            WHERE a.href_hash = s.loc_hash AND lower(a.hreflang) <> 'x-default'
            GROUP BY s.document_id, s.loc_hash
            HAVING min(lower(a.hreflang)) = max(lower(a.hreflang))
        ), wrong AS MATERIALIZED (
            SELECT a.document_id, a.ordinal, a.line, a.col, a.href AS value, a.hreflang AS code, s.own
            FROM alternates AS a
            JOIN selves AS s ON s.loc_hash = a.href_hash
            WHERE s.document_id = a.document_id AND lower(a.hreflang) NOT IN (s.own, 'x-default')
        )
        SELECT w.document_id, w.ordinal, w.line, w.col, u.loc AS url, w.value, w.code, w.own
        FROM wrong AS w
        JOIN urls AS u ON u.document_id = w.document_id AND u.ordinal = w.ordinal
    """,
    message="Page is listed under different hreflang codes",
    example="{value} is listed as {code} here but as {own} in its own entry",
    fix="Use one code for the page in all entries.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I08",),
)
