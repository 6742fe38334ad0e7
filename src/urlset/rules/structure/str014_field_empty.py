"""Checks for an optional field that is there but empty, such as `<lastmod></lastmod>`.

## Why is this bad
An empty text is no date, no frequency and no number, so the field is invalid: Search Console reports it, Yandex says
that a tag cannot be empty. Leaving the field out is right.

## Fails
```xml
<url><loc>https://example.com/</loc><lastmod></lastmod></url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, CheckEffect, CheckStep, Fixable, Severity

RULE = AnomalyRule(
    code="STR014",
    name="field-empty",
    severity=Severity.WARNING,
    kinds=("field-empty",),
    where="coalesce(field, '') NOT IN ('loc', 'thumbnail_loc', 'title', 'description', 'name', 'language')",
    message="An optional field is empty",
    example="{field} is empty",
    fix="Leave the field out when it has no value.",
    advice="Empty fields that an image, video or news record must have are reported by the rules on those records.",
    sources=(
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
        "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd",
        "https://github.com/Yoast/wordpress-seo/issues/3035",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.WARN,
    checks=("C07",),
    fixable=Fixable.SOMETIMES,
)
