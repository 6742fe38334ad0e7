"""Checks for `<xhtml:link>` elements to an alternate version that have neither `hreflang` nor `media`.

## Why is this bad
`hreflang` gives the language of the version, and `media` the devices of a mobile version. Without either, search
engines cannot tell what the link is for and ignore it.

## Fails
```xml
<xhtml:link rel="alternate" href="https://example.com/de/"/>
```

## Passes
```xml
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>
<xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.com/"/>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="HRL016",
    name="hreflang-missing",
    severity=Severity.WARNING,
    table="alternates",
    value="href",
    needs=("link-problem",),
    where="hreflang IS NULL AND coalesce(media, '') = '' AND lower(coalesce(rel, '')) IN ('', 'alternate')",
    message="Alternate link has no hreflang",
    example="link to {value} has no hreflang",
    effect="search engines ignore {places:link to a language version|links to language versions}",
    fix="Add hreflang with the language of the version.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("I01",),
)
