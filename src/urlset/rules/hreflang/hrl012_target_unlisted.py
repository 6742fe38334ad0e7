"""Checks for an entry with links to URLs that are an entry of none of the documents looked at.

## Why is this bad
A version that is listed nowhere cannot link back in a sitemap. Where it is in a sitemap that was not looked at, or
links back in its HTML, the finding does not apply.

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
```
"""

from urlset.rules.queries import OPEN_LINKS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL012",
    name="hreflang-target-unlisted",
    severity=Severity.INFO,
    table="urls",
    only="TRUE",
    only_of="open_sets",
    query=f"""{OPEN_LINKS}, missing AS MATERIALIZED (
            SELECT t.target
            FROM (SELECT DISTINCT target FROM links) AS t
            LEFT JOIN urls AS u ON u.loc_hash = t.target
            WHERE u.loc_hash IS NULL
        )
        SELECT
            l.document_id, l.ordinal, min(l.line) AS line, min(l.col) AS col, CAST(NULL AS VARCHAR) AS url,
            count(*) AS value
        FROM links AS l
        JOIN missing AS m ON m.target = l.target
        GROUP BY l.document_id, l.ordinal
    """,
    scope=RuleScope.RUN,
    message="A language version is in no sitemap of the run",
    example="URLs it links to that are in no document of the run: {value:,}",
    fix="List the URL as an entry with the same links, and check all sitemaps of the site in one run.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I12",),
)
