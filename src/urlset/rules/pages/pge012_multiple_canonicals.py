"""Checks for listed pages with more than one canonical URL in link elements and `Link` headers. The values are compared
as written, so a relative and an absolute spelling of one URL count as two.

## Why is this bad
Search engines choose one of them, or ignore them all.

## Fails
```text
<link rel="canonical" href="/chairs">
<link rel="canonical" href="/seats">
```

## Passes
```text
<link rel="canonical" href="https://www.example.com/chairs">
```
"""

from urlset.rules.queries import of_every_page
from urlset.rules.rule import Consequence, RuleScope, SetRule, Severity

_VALUE = """
        array_to_string(
            list_sort(list_distinct(list_concat(coalesce(canonical_links, []), coalesce(canonical_headers, [])))), ', '
        )"""
_WHERE = """
        status BETWEEN 200 AND 299
            AND len(list_distinct(list_concat(coalesce(canonical_links, []), coalesce(canonical_headers, [])))) > 1"""

RULE = SetRule(
    code="PGE012",
    name="page-multiple-canonicals",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    table="pages",
    field="canonical",
    scope=RuleScope.RUN,
    needs=("several-canonicals|several-canonicals-unlisted",),
    query=of_every_page(_VALUE, _WHERE),
    message="Page has more than one canonical URL",
    example="{url} has the canonical URLs {value}",
    effect="search engines may ignore the canonical links of {places:page|pages}",
    fix="Keep only one canonical URL.",
    advice="Look for a plug-in or a header that adds the other.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
