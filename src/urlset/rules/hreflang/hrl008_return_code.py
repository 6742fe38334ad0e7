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
    needs=("open_sets", "link-within"),
    query="""
        WITH listed AS (
            SELECT document_id, loc_hash, min(ordinal) AS ordinal
            FROM link_sets
            GROUP BY document_id, loc_hash
        ), targets AS MATERIALIZED (
            SELECT DISTINCT p.document_id, p.loc_hash
            FROM alternates AS a
            JOIN listed AS p ON p.document_id = a.document_id AND p.loc_hash = a.href_hash
            WHERE p.ordinal <> a.ordinal
        ), links AS MATERIALIZED (
            SELECT a.document_id, a.ordinal, a.line, a.col, a.href, a.href_hash, a.hreflang
            FROM alternates AS a
            JOIN targets AS t ON t.document_id = a.document_id AND t.loc_hash = a.href_hash
        ), selves AS MATERIALIZED (
            SELECT l.document_id, l.href_hash, min(lower(l.hreflang)) AS own
            FROM links AS l
            JOIN link_sets AS s
                ON s.document_id = l.document_id AND s.ordinal = l.ordinal AND s.loc_hash = l.href_hash
            WHERE lower(l.hreflang) <> 'x-default'
            GROUP BY l.document_id, l.href_hash
            HAVING min(lower(l.hreflang)) = max(lower(l.hreflang))
        ), wrong AS MATERIALIZED (
            SELECT l.document_id, l.ordinal, l.line, l.col, l.href AS value, l.hreflang AS code, s.own
            FROM links AS l
            JOIN selves AS s ON s.document_id = l.document_id AND s.href_hash = l.href_hash
            WHERE lower(l.hreflang) NOT IN (s.own, 'x-default')
        )
        SELECT w.document_id, w.ordinal, w.line, w.col, u.loc AS url, w.value, w.code, w.own
        FROM wrong AS w
        JOIN urls AS u ON u.document_id = w.document_id AND u.ordinal = w.ordinal
    """,
    message="Page is listed under different hreflang codes",
    example="{value} is listed as {code} here but as {own} in its own entry",
    effect="search engines cannot tell the language of {places:page|pages}",
    fix="Use one code for the page in all entries.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I08",),
)
