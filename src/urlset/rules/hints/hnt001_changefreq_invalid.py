"""Checks for changefreq values other than always, hourly, daily, weekly, monthly, yearly, and never, in lowercase.

## Why is this bad
The schema is case-sensitive, so Daily is invalid too. Google and Bing ignore the field; how other search engines treat
an invalid value is not documented.

## Fails
```xml
<changefreq>Daily</changefreq>
<changefreq>every-day</changefreq>
```

## Passes
```xml
<changefreq>daily</changefreq>
```
"""

from urlset.rules.queries import sql_list
from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.tables import CHANGEFREQS

RULE = EntryRule(
    code="HNT001",
    name="changefreq-invalid",
    severity=Severity.WARNING,
    table="urls",
    field="changefreq",
    needs=("changefreq-problem",),
    detail=f"""
        CASE
            WHEN lower(changefreq) IN {sql_list(CHANGEFREQS)}
            THEN 'write ' || lower(changefreq)
            ELSE 'not one of {", ".join(CHANGEFREQS)}'
        END
    """,
    where=f"changefreq NOT IN {sql_list((*CHANGEFREQS, ''))}",
    message="changefreq is not one of the seven allowed values",
    example="changefreq {value} is invalid: {detail}",
    effect="strict parsers reject {places:value|values}; Google ignores the field",
    fix=f"Write {', '.join(CHANGEFREQS[:-1])}, or {CHANGEFREQS[-1]}, or omit changefreq.",
    advice="The field is optional, and Google and Bing do not read it.",
    sources=(
        "https://www.sitemaps.org/protocol.html#changefreqdef",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("E16",),
    fixable=Fixable.SOMETIMES,
)
