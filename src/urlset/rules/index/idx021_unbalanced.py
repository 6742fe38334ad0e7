"""Checks for an index of at least twenty sitemaps, all of which are among the documents of the run, whose entries are
spread badly: half of the sitemaps have fewer than ten, or one sitemap has nine tenths of all entries and more than
10,000.

## Why is this bad
Each sitemap is a request of its own, so that many tiny ones make a crawl slow; and one huge one among small ones has
to be read again as a whole for each change, so that what changes is not told from what does not.

## Fails
An index of forty sitemaps with three URLs each.

```xml
<sitemapindex>…<sitemap><loc>https://www.example.com/sitemap-40.xml</loc></sitemap></sitemapindex>
```

## Passes
An index of forty sitemaps with some thousand URLs each.

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
    only="kind = 'sitemapindex' AND entries >= 20",
    # Only where every child was read: of the others nobody knows how large they are.
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
    message="Entries are spread badly over the sitemaps of an index",
    example="of {sitemaps:sitemap|sitemaps} the middle one has {middle:entry|entries} and the largest {value:,}",
    fix="Put small sitemaps together, up to 50,000 URLs each, and split a huge one by what changes together.",
    sources=("urlset",),
    checks=("F15",),
)
