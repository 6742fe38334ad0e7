"""Checks for `<xhtml:link>` elements whose `href` is missing, empty, or not a valid absolute HTTP or HTTPS URL.

## Why is this bad
Google requires the full URL of each language version, including the scheme. Neither a path nor a URL that starts with
`//` is enough. A version on another host is allowed. An invalid link is ignored, so the versions no longer point to
each other.

## Fails
```xml
<xhtml:link rel="alternate" hreflang="de" href="//example.com/de/"/>
```

## Passes
```xml
<xhtml:link rel="alternate" hreflang="de" href="https://example.de/"/>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="HRL002",
    name="hreflang-href-invalid",
    severity=Severity.ERROR,
    table="alternates",
    field="href",
    detail="CASE WHEN href IS NULL THEN 'it is missing' ELSE " + url_problem_in_words("href", "href_problem") + " END",
    needs=("link-problem",),
    where="href IS NULL OR href_problem IS NOT NULL",
    message="Alternate link has no valid URL",
    example="href {value} of hreflang {hreflang} is invalid: {detail}",
    effect="search engines ignore {places:link to a language version|links to language versions}",
    fix="Write the full URL, with https:// and the host.",
    advice="Percent-encode characters where needed.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("I02",),
    fixable=Fixable.SOMETIMES,
)
