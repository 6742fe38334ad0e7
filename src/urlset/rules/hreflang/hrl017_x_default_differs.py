"""Checks for entries whose `x-default` differs from that of one of their language versions, or that have none while the
version has one. Only versions that link to each other are compared. URLs with more than one entry are not checked.

## Why is this bad
All versions of a page share one fallback for users of other languages. If they name several, search engines have to
guess which one is meant. A common mistake is that each version names itself.

## Fails
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
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/de/"/>
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
    code="HRL017",
    name="hreflang-x-default-differs",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="urls",
    needs=("open_pairs",),
    # In steps, like HRL013. Of two versions that name different URLs, the later one is reported.
    query="""
        WITH versions AS MATERIALIZED (
            SELECT
                loc_hash, min(document_id) AS document_id, min(ordinal) AS ordinal, min(line) AS line,
                min(default_hash) AS default_hash, min(document_id * 4294967296 + ordinal) AS place
            FROM open_sets
            WHERE loc_hash IN (SELECT source FROM open_pairs)
            GROUP BY loc_hash
            HAVING count(*) = 1
        ), returned AS MATERIALIZED (
            SELECT l.*
            FROM open_pairs AS l
            JOIN open_pairs AS r ON r.source = l.target AND r.target = l.source
        ), known AS MATERIALIZED (
            SELECT r.*, e.default_hash, e.place
            FROM returned AS r
            JOIN versions AS e ON e.loc_hash = r.source
        ), differing AS MATERIALIZED (
            SELECT
                k.document_id, k.ordinal, k.line, k.col, k.default_hash AS own, t.default_hash AS theirs,
                t.document_id AS other_id, t.ordinal AS other_ordinal, t.line AS other_line, t.place AS other
            FROM known AS k
            JOIN versions AS t ON t.loc_hash = k.target
            WHERE
                t.default_hash <> k.default_hash AND t.default_hash <> 0
                AND (k.default_hash = 0 OR t.place < k.place)
        ), firsts AS (
            SELECT
                document_id, ordinal, min(line) AS line, min(col) AS col, min(own) AS own,
                min_by(theirs, other) AS theirs, min_by(other_id, other) AS other_id,
                min_by(other_ordinal, other) AS other_ordinal, min_by(other_line, other) AS other_line
            FROM differing
            GROUP BY document_id, ordinal
        ), hrefs AS (
            SELECT document_id, ordinal, href_hash, min(href) AS href
            FROM open_hrefs
            GROUP BY document_id, ordinal, href_hash
        )
        SELECT
            f.document_id, f.ordinal, f.line, f.col, CAST(NULL AS VARCHAR) AS url, d.url AS value, f.other_line,
            CASE
                WHEN f.own = 0 THEN concat('no x-default here, but ', coalesce(t.href, 'one'))
                WHEN o.href IS NULL THEN 'x-default is another URL than'
                ELSE concat('x-default is ', o.href, ' here, but ', coalesce(t.href, 'another URL'))
            END AS difference
        FROM firsts AS f
        JOIN documents AS d ON d.document_id = f.other_id
        LEFT JOIN hrefs AS o ON o.document_id = f.document_id AND o.ordinal = f.ordinal AND o.href_hash = f.own
        LEFT JOIN hrefs AS t ON t.document_id = f.other_id AND t.ordinal = f.other_ordinal AND t.href_hash = f.theirs
    """,
    message="x-default differs between language versions",
    example="{difference} on line {other_line} of {value}",
    effect="search engines cannot tell which version of {places:page|pages} is the default",
    fix="Write the same x-default in every version.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I10", "I11"),
)
