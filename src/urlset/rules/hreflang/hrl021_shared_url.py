"""Checks for entries whose hreflang links give one URL as the version of several languages. The regions of a language
and x-default may share a URL.

## Why is this bad
A page is in one language. With one URL for several, search engines cannot tell which version to show to whom, and
ignore the links. Usually the program that writes the links does not add the language to the URL, or lists versions that
do not exist.

## Fails
```xml
<url>
  <loc>https://example.com/fr/blog</loc>
  <xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr/blog"/>
  <xhtml:link rel="alternate" hreflang="en" href="https://example.com/fr/blog"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://example.com/fr/blog</loc>
  <xhtml:link rel="alternate" hreflang="fr" href="https://example.com/fr/blog"/>
  <xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/blog"/>
</url>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL021",
    name="hreflang-url-shared",
    severity=Severity.WARNING,
    table="urls",
    needs=("shared-target",),
    # As the core counts them: old codes, and the written forms of Norwegian, are one language.
    query="""
        WITH versions AS (
            SELECT
                document_id, ordinal, href_hash, href, position, line, col,
                CASE lower(split_part(hreflang, '-', 1))
                    WHEN 'nb' THEN 'no' WHEN 'nn' THEN 'no'
                    WHEN 'iw' THEN 'he' WHEN 'in' THEN 'id' WHEN 'ji' THEN 'yi' WHEN 'tl' THEN 'fil'
                    ELSE lower(split_part(hreflang, '-', 1))
                END AS language
            FROM alternates
            WHERE hreflang_problem IS NULL AND hreflang <> '' AND href <> '' AND lower(hreflang) <> 'x-default'
        ), of_language AS (
            SELECT document_id, ordinal, href_hash, language, min(position) AS position
            FROM versions
            GROUP BY document_id, ordinal, href_hash, language
        ), shared AS (
            SELECT
                document_id, ordinal, min(position) AS position,
                string_agg(language, ', ' ORDER BY language) AS languages
            FROM of_language
            GROUP BY document_id, ordinal, href_hash
            HAVING count(*) > 1
        )
        SELECT v.document_id, v.ordinal, v.line, v.col, u.loc AS url, v.href AS value, s.languages
        FROM shared AS s
        JOIN versions AS v
            ON v.document_id = s.document_id AND v.ordinal = s.ordinal AND v.position = s.position
        LEFT JOIN urls AS u ON u.document_id = v.document_id AND u.ordinal = v.ordinal
    """,
    message="One URL is the version of several languages",
    example="{value} is listed for {languages}",
    effect="search engines ignore the language versions of {places:page|pages}",
    fix="Write the URL of each language's own version, and leave out languages without one.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I09",),
)
