"""Checks for image records whose `<image:loc>` is missing, empty, or not a valid absolute HTTP or HTTPS URL.

## Why is this bad
`<image:loc>` is the only required field of an image record. Search engines skip the record without it; the page itself
is not affected. An image on another host is allowed.

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

from urlset.rules.rule import Cause, CheckEffect, CheckStep, EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="IMG001",
    name="image-loc-invalid",
    severity=Severity.WARNING,
    table="images",
    field="loc",
    detail="CASE WHEN loc IS NULL THEN 'it is missing' ELSE " + url_problem_in_words("loc", "loc_problem") + " END",
    where="loc IS NULL OR loc_problem IS NOT NULL",
    message="Image has no valid URL",
    causes=(Cause("SIT007", "loc_problem = 'relative'"),),
    example="image:loc {value} is invalid: {detail}",
    effect="Google does not find {places:image|images}",
    fix="Write the full URL of the image, with https:// and the host.",
    advice="Percent-encode characters where needed.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("H01",),
    fixable=Fixable.SOMETIMES,
)
