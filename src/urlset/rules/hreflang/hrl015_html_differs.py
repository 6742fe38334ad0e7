"""Checks for listed pages whose own hreflang links, in the HTML head or in `Link` headers, point to other URLs than
their entry in the sitemap.

## Why is this bad
Google combines the annotations from HTML, HTTP headers, and sitemaps. If they contradict each other for a language, it
uses none of them for that language.

## Fails
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
<link rel="alternate" hreflang="de" href="https://www.example.com/deutsch/">
```

## Passes
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
<link rel="alternate" hreflang="de" href="https://www.example.com/de/">
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL015",
    name="hreflang-html-differs",
    severity=Severity.WARNING,
    scope=RuleScope.RUN,
    table="pages",
    needs=("alternates", "pages"),
    field="hreflang",
    query="""
        WITH on_page AS (
            SELECT
                document_id, ordinal, line, col, url,
                lower(unnest(hreflang_codes)) AS code, unnest(hreflang_hashes) AS target
            FROM pages
            WHERE status BETWEEN 200 AND 299 AND len(hreflang_codes) > 0
        ), differing AS (
            SELECT t.document_id, t.ordinal, t.line, t.col, t.url, t.code
            FROM on_page AS t
            JOIN alternates AS a
                ON a.document_id = t.document_id AND a.ordinal = t.ordinal AND lower(a.hreflang) = t.code
            GROUP BY t.document_id, t.ordinal, t.line, t.col, t.url, t.code
            HAVING count(*) FILTER (a.href_hash = t.target) = 0
        )
        SELECT
            document_id, ordinal, min(line) AS line, min(col) AS col, min(url) AS url,
            string_agg(code, ', ' ORDER BY code) AS value
        FROM differing
        GROUP BY document_id, ordinal
    """,
    message="hreflang links of the page and the sitemap differ",
    example="the page links to another URL for {value}",
    effect="search engines find contradictory language versions for {places:page|pages}",
    fix="Use only one of the methods, or generate all of them from the same data.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I14",),
)
