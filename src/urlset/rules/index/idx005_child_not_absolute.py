"""Checks for child sitemaps in an index whose URL is not an absolute http or https URL.

## Why is this bad
Search engines need the full URL to fetch the sitemap. Search Console reports an incomplete URL in the index, and the
pages in that sitemap are not found through the index.

## Fails
```xml
<sitemap><loc>/sitemap-1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
```
"""

from urlset.rules.rule import Cause, CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="IDX005",
    name="child-not-absolute",
    severity=Severity.ERROR,
    table="children",
    field="loc",
    needs=("loc-problem",),
    detail=url_problem_in_words("loc", "loc_problem"),
    where="loc_problem IS NOT NULL AND loc_problem <> 'empty' AND coalesce(scheme, '') NOT IN ('http', 'https')",
    message="Child sitemap URL is not an absolute http or https URL",
    causes=(Cause("SIT007", "loc_problem = 'relative'"),),
    example="loc {value} is invalid: {detail}",
    fix="Write the full URL, with https:// and the host.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("F17",),
    fixable=Fixable.ALWAYS,
)
