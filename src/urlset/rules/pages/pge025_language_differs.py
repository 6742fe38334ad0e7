"""Checks for listed pages whose `<html lang>` has a different language than the hreflang value under which the sitemap
entry lists the page itself.

## Why is this bad
Google goes by hreflang and the text, not by `lang`. Browsers and screen readers go by `lang`. One of the two is wrong.

## Fails
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
<html lang="en">
```

## Passes
```text
<xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
<html lang="de-DE">
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="PGE025",
    name="page-language-differs",
    severity=Severity.INFO,
    scope=RuleScope.RUN,
    table="pages",
    needs=("alternates", "pages"),
    field="html_lang",
    query="""
        SELECT p.document_id, p.ordinal, a.line, a.col, p.url, p.html_lang AS value, a.hreflang
        FROM pages AS p
        JOIN alternates AS a ON a.document_id = p.document_id AND a.ordinal = p.ordinal AND a.href_hash = p.loc_hash
        WHERE p.status BETWEEN 200 AND 299 AND p.html_lang <> '' AND a.hreflang_problem IS NULL
            AND lower(a.hreflang) <> 'x-default'
            AND split_part(lower(p.html_lang), '-', 1) <> split_part(lower(a.hreflang), '-', 1)
    """,
    message="Page language differs from hreflang",
    example="{url} has lang={value}, but its entry has hreflang={hreflang}",
    fix="Correct whichever of the two is wrong.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("J21",),
)
