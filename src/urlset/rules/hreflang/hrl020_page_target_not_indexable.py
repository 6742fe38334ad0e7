"""Checks for hreflang links of listed pages, in the HTML head or in `Link` headers, to pages of the site that are not
indexable: they return an error, redirect, are marked noindex, have another page as their canonical, or are blocked by
robots.txt. An audit requests such pages of the same origin even if no sitemap lists them. Each target is reported once,
however many pages link to it. HRL014 is about the links in sitemaps.

## Why is this bad
A search engine can only show a version that it indexes. The link then points to a version that does not appear in
search results.

## Fails
```html
<link rel="alternate" hreflang="de" href="https://www.example.com/de/">
<!-- https://www.example.com/de/ returns 404 -->
```

## Passes
```html
<link rel="alternate" hreflang="de" href="https://www.example.com/de/">
<!-- https://www.example.com/de/ returns 200 -->
```
"""

from urlset.rules.queries import REQUESTED, VERSIONS, problem_of
from urlset.rules.rule import RuleScope, SetRule, Severity
from urlset.web.indexability import PageReason

RULE = SetRule(
    code="HRL020",
    name="page-hreflang-target-not-indexable",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("page-links",),
    field="url",
    query=f"""
        WITH links AS MATERIALIZED (
            SELECT
                target, count(*) AS pages, min(place) AS place
            FROM (
                SELECT
                    unnest(p.hreflang_hashes) AS target, p.loc_hash,
                    p.document_id * 4294967296 + p.ordinal AS place
                FROM pages AS p
                WHERE {VERSIONS}
            ) AS each_link
            WHERE target <> loc_hash
            GROUP BY target
        ), bad AS (
            SELECT
                hash, min(url) AS url, min(CASE
                    WHEN c.reason = '{PageReason.REDIRECT}' AND len(c.hops) > 0
                        THEN concat('redirects to ', c.final_url)
                    WHEN c.reason = '{PageReason.CANONICAL_ELSEWHERE}' THEN concat('has the canonical ', c.canonical)
                    ELSE {problem_of("c")}
                END) AS problem
            FROM {REQUESTED} AS c
            WHERE NOT c.is_indexable AND c.reason <> '{PageReason.DUPLICATE}'
            GROUP BY hash
        )
        SELECT
            p.document_id, p.ordinal, p.line, p.col, p.url, b.url AS value, b.problem, l.pages
        FROM links AS l
        JOIN bad AS b ON b.hash = l.target
        JOIN pages AS p ON p.document_id * 4294967296 + p.ordinal = l.place
    """,
    message="Page has an hreflang link to a page that is not indexable",
    example="{url} has an hreflang link to {value}, which {problem}; pages with this link: {pages:,}",
    effect="search engines cannot show {places:language version|language versions}",
    fix="Link to versions that return 200 and are indexable.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I13",),
)
