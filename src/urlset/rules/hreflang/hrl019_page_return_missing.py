"""Checks for listed pages with an hreflang link, in the HTML head or in `Link` headers, to a page of the site that
does not link back. Only pages that were read and can be indexed at their URL are compared. An `x-default` may be one
page for the whole site, such as its home page, which need not link back. HRL007 is about the links in sitemaps.

## Why is this bad
Search engines ignore an hreflang link without a return link: any page could claim to be a version of another one.

## Fails
```html
<!-- https://www.example.com/chairs -->
<link rel="alternate" hreflang="de" href="https://www.example.com/de/">
<!-- https://www.example.com/de/ has no link to /chairs -->
```

## Passes
```html
<!-- https://www.example.com/chairs -->
<link rel="alternate" hreflang="de" href="https://www.example.com/de/stuehle">
<!-- https://www.example.com/de/stuehle -->
<link rel="alternate" hreflang="en" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import SHOWN, VERSIONS
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL019",
    name="page-hreflang-return-missing",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("page-links",),
    field="url",
    # Versions that all have the same links, which is usual, are not taken apart.
    query=f"""
        WITH versions AS MATERIALIZED (
            SELECT p.document_id, p.ordinal, p.line, p.col, p.url, p.loc_hash, p.hreflang_codes, p.hreflang_hashes
            FROM pages AS p
            WHERE {VERSIONS}
        ), closed AS (
            SELECT hreflang_hashes
            FROM versions
            WHERE list_contains(hreflang_hashes, loc_hash)
            GROUP BY hreflang_hashes
            HAVING count(DISTINCT loc_hash) = len(list_distinct(hreflang_hashes))
        ), links AS MATERIALIZED (
            SELECT
                v.document_id, v.ordinal, v.line, v.col, v.url, v.loc_hash,
                lower(unnest(v.hreflang_codes)) AS code, unnest(v.hreflang_hashes) AS target
            FROM versions AS v
            LEFT JOIN closed AS c ON c.hreflang_hashes = v.hreflang_hashes
            WHERE c.hreflang_hashes IS NULL OR NOT list_contains(v.hreflang_hashes, v.loc_hash)
        ), read AS (
            SELECT loc_hash AS hash, url, hreflang_hashes
            FROM pages AS p
            WHERE p.words IS NOT NULL AND coalesce(p.complete, true) AND {SHOWN}
            UNION ALL
            SELECT page_hash, url, hreflang_hashes
            FROM crawled
            WHERE words IS NOT NULL AND coalesce(complete, true) AND status BETWEEN 200 AND 299
                AND coalesce(len(hops), 0) = 0 AND noindex IS NULL AND coalesce(canonical_is_self, true)
        )
        SELECT
            l.document_id, l.ordinal, min(l.line) AS line, min(l.col) AS col, l.url, l.url AS value,
            min(t.url) AS target, count(DISTINCT l.target) AS targets
        FROM links AS l
        JOIN read AS t ON t.hash = l.target
        WHERE l.target <> l.loc_hash AND l.code <> 'x-default'
            AND NOT coalesce(list_contains(t.hreflang_hashes, l.loc_hash), false)
        GROUP BY l.document_id, l.ordinal, l.url
    """,
    message="Language version of a page has no hreflang link back",
    example="{value} has an hreflang link to {target}, which has none back; pages without a link back: {targets:,}",
    effect="search engines ignore links to other versions on {places:page|pages}",
    fix="Write the same hreflang links on every version of a page.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I07",),
)
