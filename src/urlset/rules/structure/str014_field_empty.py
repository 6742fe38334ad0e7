"""Checks for optional fields that are present but empty, such as `<lastmod></lastmod>`.

## Why is this bad
An empty value is not a date, a frequency, or a number, so the field is invalid. Search Console reports it, and Yandex
reports that a tag cannot be empty. Omitting the field is valid.

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
    message="Optional field is empty",
    example="{field} is empty",
    effect="strict parsers may reject {places:entry|entries} with an empty field",
    fix="Omit the field if it has no value.",
    advice="The rules for image, video, and news records report empty fields that are required there.",
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
