"""Checks for a language version that is a listed page and answers with an error, redirects, asks not to be indexed, or
names another page as its canonical.

## Why is this bad
Google leaves such a version out of the group, and links between versions that are not all indexed are not followed
up.

## Fails
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
# /de/ answers 404
```

## Passes
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
# /de/ answers 200
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="HRL014",
    name="hreflang-target-not-indexable",
    severity=Severity.ERROR,
    scope=RuleScope.RUN,
    table="alternates",
    field="href",
    query="""
        SELECT
            a.document_id, a.ordinal, min(a.line) AS line, arg_min(a.col, a.line) AS col, p.url, p.url AS value,
            CASE
                WHEN p.status >= 300 THEN concat('answers ', p.status)
                WHEN p.noindex IS NOT NULL THEN concat('says ', p.noindex)
                WHEN len(p.hops) > 0 THEN concat('redirects to ', p.final_url)
                ELSE concat('names ', p.canonical, ' as its canonical')
            END AS problem
        FROM alternates AS a
        JOIN pages AS p ON p.loc_hash = a.href_hash
        WHERE (p.document_id <> a.document_id OR p.ordinal <> a.ordinal)
            AND (
                p.status >= 300 AND p.status NOT IN (401, 403, 407, 429)
                OR p.noindex IS NOT NULL OR len(p.hops) > 0 OR NOT p.canonical_is_self
            )
        GROUP BY a.document_id, a.ordinal, p.url, p.status, p.noindex, p.hops, p.final_url, p.canonical
    """,
    message="A language version cannot be indexed",
    example="{value} {problem}",
    fix="Link to versions that are there and may be indexed.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I13",),
)
