"""Checks for sitemap indexes with at least 20 sitemaps, all of them read in the run, whose URLs are spread unevenly:
the median sitemap has fewer than 10 entries, or one sitemap has more than 10,000 entries and at least 90% of all
entries.

## Why is this bad
Each sitemap costs a request, so many tiny sitemaps slow down a crawl. One huge sitemap among small ones has to be read
again in full for every change, and does not separate the pages that change from those that do not.

## Fails
An index of 40 sitemaps with three URLs each.

```xml
<sitemapindex>…<sitemap><loc>https://www.example.com/sitemap-40.xml</loc></sitemap></sitemapindex>
```

## Passes
An index of 40 sitemaps with a few thousand URLs each.

```xml
<sitemapindex>…<sitemap><loc>https://www.example.com/products-40.xml</loc></sitemap></sitemapindex>
```
"""

from urlset.rules.queries import NOWHERE, with_their_sitemaps
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="IDX021",
    name="children-unbalanced",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="documents",
    needs=("sitemapindex", "many-entries"),
    # Requires that every child was read: the size of the others is unknown.
    query=f"""{with_their_sitemaps(("entries",), "kind IN ('urlset', 'text') AND complete", "TRUE")}, matched AS (
            SELECT document_id, ordinal, min(entries) AS entries FROM pairs GROUP BY document_id, ordinal
        ), totals AS (
            SELECT
                document_id, count(*) AS sitemaps, CAST(median(entries) AS BIGINT) AS middle,
                max(entries) AS largest, sum(entries) AS entries
            FROM matched
            GROUP BY document_id
        )
        SELECT t.document_id,{NOWHERE}, t.largest AS value, t.sitemaps, t.middle
        FROM totals AS t
        JOIN documents AS d ON d.document_id = t.document_id AND d.entries = t.sitemaps
        WHERE
            t.sitemaps >= 20 AND (t.middle < 10 OR (t.largest > 10000 AND t.largest >= 0.9 * t.entries))
    """,
    message="URLs are spread unevenly over the child sitemaps",
    example="entries per sitemap: median {middle:,}, largest {value:,} (of {sitemaps:sitemap|sitemaps})",
    fix="Merge small sitemaps, up to 50,000 URLs each, and split a huge one into groups that change together.",
    sources=("urlset",),
    checks=("F15",),
)
