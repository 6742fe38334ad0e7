"""Checks for hreflang links to listed pages that are not indexable: they return an error, redirect, are marked noindex,
have another page as their canonical, or are blocked by robots.txt. 401, 402, 403, 407, and 429 apply to this client
only and are not reported; a search engine may get a different response.

## Why is this bad
A search engine can only show a version that it indexes. It does not index errors, redirects, or `noindex` pages, and
replaces a page with its canonical. The link then points to a version that does not appear in search results.

## Fails
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
# https://www.example.com/de/ is listed too and returns 404
```

## Passes
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
# https://www.example.com/de/ is listed too and returns 200
```
"""

from urlset.rules.queries import CAUSES, cause_of, problem_of
from urlset.rules.rule import RuleScope, SetRule, Severity
from urlset.web.indexability import PageReason

RULE = SetRule(
    code="HRL014",
    name="hreflang-target-not-indexable",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="alternates",
    needs=("alternates", "pages"),
    field="href",
    query=f"""
        SELECT
            a.document_id, a.ordinal, min(a.line) AS line, min_by(a.col, a.line * 4294967296 + a.col) AS col,
            p.url, p.url AS value,
            min(CASE
                WHEN p.reason = '{PageReason.REDIRECT}' AND len(p.hops) > 0 THEN concat('redirects to ', p.final_url)
                WHEN p.reason = '{PageReason.CANONICAL_ELSEWHERE}' THEN concat('has the canonical ', p.canonical)
                ELSE {problem_of("p")}
            END) AS problem,
            min({cause_of("p")}) AS cause
        FROM alternates AS a
        JOIN pages AS p ON p.loc_hash = a.href_hash
        WHERE (p.document_id <> a.document_id OR p.ordinal <> a.ordinal)
            AND NOT p.is_indexable AND p.reason <> '{PageReason.DUPLICATE}'
        GROUP BY a.document_id, a.ordinal, p.url
    """,
    causes=CAUSES,
    message="hreflang link points to a page that cannot be indexed",
    example="{value} {problem}",
    effect="search engines cannot show {places:language version|language versions}",
    fix="Link to versions that return 200 and are indexable.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I13",),
)
