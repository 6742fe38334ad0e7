"""Checks for an image record whose image:loc is missing, empty or not a valid absolute http or https URL.

## Why is this bad
image:loc is the one field that an image record needs. Without it engines pass over the record; the page itself is not
affected. An image on another host is allowed.

## Fails
```xml
<image:image>
  <image:loc>/images/a.png</image:loc>
</image:image>
```

## Passes
```xml
<image:image>
  <image:loc>https://cdn.example.com/images/a.png</image:loc>
</image:image>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="IMG001",
    name="image-loc-invalid",
    severity=Severity.WARNING,
    table="images",
    field="loc",
    detail="CASE WHEN loc IS NULL THEN 'it is missing' ELSE " + url_problem_in_words("loc", "loc_problem") + " END",
    where="loc IS NULL OR loc_problem IS NOT NULL",
    message="An image has no valid URL",
    example="image:loc {value} is invalid: {detail}",
    fix="Write the full URL of the image, with https:// and the host.",
    advice="Percent-encode it where needed.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H01",),
    fixable=Fixable.SOMETIMES,
)
