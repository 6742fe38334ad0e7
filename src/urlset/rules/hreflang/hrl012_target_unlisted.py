"""Checks for hreflang links to URLs that no document of the run lists. They are counted per document.

## Why is this bad
A version that is not in any sitemap cannot link back from one. Ignore this finding if the version is in a sitemap
outside this run, or if its HTML has the return link.

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
<url>
  <loc>https://www.example.com/de/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/en/"/>
</url>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL012",
    name="hreflang-target-unlisted",
    severity=Severity.INFO,
    table="urls",
    needs=("open_pairs",),
    # One row per document: if a site has one file per language and only one is checked, every link is unlisted.
    query="""
        WITH missing AS MATERIALIZED (
            SELECT t.target
            FROM (SELECT DISTINCT target FROM open_pairs) AS t
            LEFT JOIN urls AS u ON u.loc_hash = t.target
            WHERE u.loc_hash IS NULL
        ), lacking AS MATERIALIZED (
            SELECT l.*
            FROM open_pairs AS l
            JOIN missing AS m ON m.target = l.target
        ), firsts AS (
            SELECT document_id, min(ordinal) AS ordinal, count(DISTINCT target) AS versions
            FROM lacking
            GROUP BY document_id
        )
        SELECT
            f.document_id, f.ordinal, min(l.line) AS line, min(l.col) AS col, CAST(NULL AS VARCHAR) AS url,
            min(l.href) AS value, f.versions, coalesce(
                ', such as ' || min(CASE WHEN l.target = e.default_hash THEN 'the x-default ' ELSE '' END || l.href), ''
            ) AS such
        FROM firsts AS f
        JOIN lacking AS l ON l.document_id = f.document_id AND l.ordinal = f.ordinal
        JOIN open_sets AS e ON e.document_id = f.document_id AND e.ordinal = f.ordinal
        GROUP BY f.document_id, f.ordinal, f.versions
    """,
    scope=RuleScope.RUN,
    message="hreflang links point to unlisted URLs",
    example="linked URLs that are not in any document of the run: {versions:,}{such}",
    fix="List the URLs as entries with the same links, and check all sitemaps of the site in one run.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I12",),
)
