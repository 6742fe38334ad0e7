"""Checks for an `hreflang` code that points to two or more different URLs in one entry.

## Why is this bad
A code can identify only one version. Which of the URLs a search engine uses is not documented. Repeating the same link
is harmless and is not reported.

## Fails
```xml
<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/"/>
<xhtml:link rel="alternate" hreflang="en" href="https://example.com/us/"/>
```

## Passes
```xml
<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/"/>
<xhtml:link rel="alternate" hreflang="en-US" href="https://example.com/us/"/>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL004",
    name="hreflang-code-repeated",
    severity=Severity.ERROR,
    table="urls",
    needs=("repeated-code",),
    query="""
        WITH repeated AS (
            SELECT document_id * 4294967296 + ordinal AS entry, lower(hreflang) AS code, min(position) AS first_position
            FROM alternates
            WHERE hreflang <> '' AND href <> ''
            GROUP BY document_id * 4294967296 + ordinal, lower(hreflang)
            HAVING count(*) > 1
        ), links AS (
            SELECT a.document_id, a.ordinal, a.position, a.line, a.col, a.href, r.code, r.first_position
            FROM alternates AS a
            JOIN repeated AS r ON r.entry = a.document_id * 4294967296 + a.ordinal AND r.code = lower(a.hreflang)
            WHERE a.href <> ''
        )
        SELECT
            a.document_id, a.ordinal, a.line, a.col, u.loc AS url, a.href AS value, a.code, f.href AS first_href
        FROM links AS a
        JOIN links AS f
            ON f.document_id = a.document_id AND f.ordinal = a.ordinal
            AND f.code = a.code AND f.position = f.first_position
        LEFT JOIN urls AS u ON u.document_id = a.document_id AND u.ordinal = a.ordinal
        WHERE a.href <> f.href
    """,
    message="hreflang code points to more than one URL",
    example="{code} points to {first_href} and to {value}",
    effect="search engines ignore the language versions of {places:page|pages}",
    fix="Use each code for one URL. Tell countries apart with codes such as en-US and en-GB.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I09",),
)
