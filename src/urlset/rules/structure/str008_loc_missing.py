"""Checks for entries without loc, or with an empty one. An entry that contains its URL as text is one without loc.

## Why is this bad
loc is the only required field of an entry. Without it, the entry is useless. Search Console and Yandex report it, and
some readers lose every entry after an empty loc.

## Fails
```xml
<url><loc></loc></url>
<url><lastmod>2025-01-01</lastmod></url>
<url>https://example.com/a</url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR008",
    name="loc-missing",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    detail="""
        CASE
            WHEN kind = 'loc-empty' THEN 'loc is empty'
            WHEN evidence <> '' THEN 'the URL stands without <loc>'
            ELSE 'the entry has no loc'
        END
    """,
    kinds=("loc-missing", "loc-empty"),
    message="Entry has no URL",
    example="{detail}",
    fix="Write the URL into a loc element, or remove the entry.",
    advice="Remove it where the list is generated.",
    sources=(
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("C06", "C07", "G05"),
    fixable=Fixable.ALWAYS,
)
