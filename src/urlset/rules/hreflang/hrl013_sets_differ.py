"""Checks for entries that list fewer URLs than one of their language versions, or the same number but different URLs,
although the two link to each other. Only the listed URLs are compared, not the codes. URLs with more than one entry are
not checked.

## Why is this bad
Every version of a page must list the same versions. Each pair that links both ways counts on its own, so a missing link
only breaks its own pair: search engines do not learn that those two pages belong together.

## Fails
```xml
<url>
  <loc>https://www.example.com/en</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de"/>
  <xhtml:link rel="alternate" hreflang="fr" href="https://www.example.com/fr"/>
</url>
<url>
  <loc>https://www.example.com/de</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de"/>
</url>
<url>
  <loc>https://www.example.com/de</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de"/>
</url>
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL013",
    name="hreflang-sets-differ",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="urls",
    needs=("open_pairs",),
    # In steps: a single join would compare all lists with each other through the inequalities.
    query="""
        WITH lists AS MATERIALIZED (
            SELECT
                loc_hash, min(document_id) AS document_id, min(line) AS line, min(targets) AS targets,
                min(targets_hash) AS targets_hash
            FROM open_sets
            WHERE loc_hash IN (SELECT source FROM open_pairs)
            GROUP BY loc_hash
            HAVING count(*) = 1
        ), returned AS MATERIALIZED (
            SELECT l.*
            FROM open_pairs AS l
            JOIN open_pairs AS r ON r.source = l.target AND r.target = l.source
        ), known AS MATERIALIZED (
            SELECT r.*, e.targets AS own, e.targets_hash
            FROM returned AS r
            JOIN lists AS e ON e.loc_hash = r.source
        ), differing AS MATERIALIZED (
            SELECT
                k.document_id, k.ordinal, k.line, k.col, k.own, t.targets AS theirs,
                t.document_id AS other_id, t.line AS other_line,
                max(t.targets) OVER (PARTITION BY k.document_id, k.ordinal) AS most
            FROM known AS k
            JOIN lists AS t ON t.loc_hash = k.target
            WHERE t.targets >= k.own AND t.targets_hash <> k.targets_hash
        ), firsts AS (
            SELECT
                document_id, ordinal, min(line) AS line, min(col) AS col, min(own) AS own, max(theirs) AS theirs,
                min(other_id * 4294967296 + other_line) FILTER (WHERE theirs = most) AS other
            FROM differing
            GROUP BY document_id, ordinal
        )
        SELECT
            f.document_id, f.ordinal, f.line, f.col, CAST(NULL AS VARCHAR) AS url,
            d.url AS value, f.other % 4294967296 AS other_line, f.own, f.theirs
        FROM firsts AS f
        JOIN documents AS d ON d.document_id = f.other // 4294967296
    """,
    message="hreflang links differ between language versions",
    example="its links ({own:URL|URLs}) differ from those on line {other_line} of {value} ({theirs:URL|URLs})",
    effect="search engines may ignore some language versions of {places:page|pages}",
    fix="Write the same list of links in every version.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I11",),
)
