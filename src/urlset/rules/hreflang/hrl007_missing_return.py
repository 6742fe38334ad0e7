"""Checks for entries that link to another entry of the run as a language version without a link back from that entry.
All documents of the run are checked together. URLs are compared by their 64-bit hashes. A URL that is listed more than
once is not checked, because it is unclear which of its entries counts.

## Why is this bad
A link counts only if the other page confirms it with a return link. Two pages that link to each other count as a pair,
even if other return links are missing.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
<url>
  <loc>https://www.example.com/de/</loc>
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
    code="HRL007",
    name="hreflang-return-missing",
    severity=Severity.ERROR,
    table="urls",
    needs=("open_pairs",),
    query="""
        WITH listed AS MATERIALIZED (
            SELECT u.document_id, u.ordinal, u.line, u.loc_hash
            FROM urls AS u
            JOIN (
                SELECT target AS loc_hash FROM open_pairs UNION SELECT source FROM open_pairs
            ) AS t ON t.loc_hash = u.loc_hash
        ), firsts AS MATERIALIZED (
            SELECT loc_hash, min(document_id) AS document_id, min(line) AS line, count(*) AS entries
            FROM listed
            GROUP BY loc_hash
        ), returns AS MATERIALIZED (
            SELECT DISTINCT e.loc_hash AS source, a.href_hash AS target
            FROM listed AS e
            JOIN open_links AS a ON a.document_id = e.document_id AND a.ordinal = e.ordinal
        )
        SELECT
            l.document_id, l.ordinal, l.line, l.col, CAST(NULL AS VARCHAR) AS url,
            d.url AS value, f.line AS other_line,
            concat(
                CASE WHEN e.default_hash = l.target THEN 'the x-default ' END,
                coalesce(l.href || ' on ', CASE WHEN e.default_hash = l.target THEN 'on ' ELSE 'the entry on ' END)
            ) AS target
        FROM open_pairs AS l
        JOIN firsts AS s ON s.loc_hash = l.source AND s.entries = 1
        JOIN firsts AS f ON f.loc_hash = l.target
        JOIN documents AS d ON d.document_id = f.document_id
        JOIN open_sets AS e ON e.document_id = l.document_id AND e.ordinal = l.ordinal
        LEFT JOIN returns AS r ON r.source = l.target AND r.target = l.source
        WHERE r.source IS NULL
    """,
    scope=RuleScope.RUN,
    message="hreflang return link is missing",
    example="no return link from {target}line {other_line} of {value}",
    effect="search engines ignore {places:link|links} without a return link",
    fix="Write the same list of links in every version.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I07", "I11"),
)
