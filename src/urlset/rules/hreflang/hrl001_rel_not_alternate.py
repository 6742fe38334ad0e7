"""Checks for `<xhtml:link>` elements with `hreflang` whose `rel` is missing or is not `alternate`.

## Why is this bad
Search engines read an hreflang annotation only with `rel="alternate"`. Links without `hreflang`, such as the link to a
mobile version, are not checked.

## Fails
```xml
<xhtml:link hreflang="de" href="https://example.com/de/"/>
<xhtml:link rel="canonical" hreflang="de" href="https://example.com/de/"/>
```

## Passes
```xml
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="HRL001",
    name="hreflang-rel-not-alternate",
    severity=Severity.ERROR,
    table="alternates",
    field="rel",
    detail="CASE WHEN rel IS NULL THEN 'missing' WHEN rel = '' THEN 'empty' ELSE rel END",
    needs=("link-problem",),
    where="hreflang IS NOT NULL AND coalesce(lower(rel), '') <> 'alternate'",
    message="hreflang link does not have rel=alternate",
    example="rel of the link to {href} is {detail}, not alternate",
    effect="search engines ignore {places:link to a language version|links to language versions}",
    fix='Write rel="alternate" in every hreflang link.',
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("I01",),
)
