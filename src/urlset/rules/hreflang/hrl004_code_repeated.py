"""HRL004: hreflang-code-repeated

## What
One hreflang code that points to two or more different URLs in one entry.

## Why
A code can stand for one version only. Google reports conflicting links and may ignore all of them. Repeating the very
same link is harmless and is not reported.

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

## Fix
Keep one URL for each code. Tell versions for several countries apart by the country: en-US, en-GB.

## Sources
- https://developers.google.com/search/docs/specialty/international/localized-versions
- urlset
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="HRL004",
    name="hreflang-code-repeated",
    severity=Severity.ERROR,
    scope=Scope.SET,
    table="urls",
    query="""
        WITH repeated AS (
            SELECT document_id, ordinal, lower(hreflang) AS code, min(position) AS first_position
            FROM alternates
            WHERE hreflang <> '' AND href <> ''
            GROUP BY document_id, ordinal, lower(hreflang)
            HAVING min(href) <> max(href)
        )
        SELECT
            a.document_id, a.ordinal, a.line, a.col, u.loc AS url, a.href AS value, r.code, f.href AS first_href
        FROM repeated AS r
        JOIN alternates AS f
            ON f.document_id = r.document_id AND f.ordinal = r.ordinal AND f.position = r.first_position
        JOIN alternates AS a
            ON a.document_id = r.document_id AND a.ordinal = r.ordinal AND lower(a.hreflang) = r.code
            AND a.href <> '' AND a.href <> f.href
        LEFT JOIN urls AS u ON u.document_id = r.document_id AND u.ordinal = r.ordinal
    """,
    message="One hreflang code points to different URLs in an entry",
    example="{code} points to {first_href} and to {value}",
    fix="Give each code one URL; tell countries apart as in en-US and en-GB.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I09",),
)
