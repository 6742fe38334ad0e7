"""Checks for an xhtml:link whose href is missing, empty or not a valid absolute http or https URL.

## Why is this bad
Google wants the full URL of each language version, scheme included: neither a path nor // will do. A version on
another host is allowed. The link is ignored, and so the versions no longer point at each other.

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
    where="href IS NULL OR href_problem IS NOT NULL",
    message="A language version has no valid URL",
    example="href {value} of hreflang {hreflang} is invalid: {detail}",
    fix="Write the full URL, with https:// and the host.",
    advice="Percent-encode it where needed.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("I02",),
    fixable=Fixable.SOMETIMES,
)
