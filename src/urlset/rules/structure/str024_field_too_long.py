"""Checks for lastmod, changefreq, and priority values longer than 100 characters.

## Why is this bad
Yandex limits each of these fields to 100 bytes and reports longer ones as errors. No valid value comes close to that.

## Fails
```xml
<url><loc>https://www.example.com/</loc><priority>0.50000…(101 characters)</priority></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc><lastmod>2025-06-01</lastmod></url>
```
"""

from urlset.rules.queries import has_trait
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="STR024",
    name="field-too-long",
    severity=Severity.WARNING,
    table="urls",
    needs=("long-field",),
    query=" UNION ALL ".join(
        f"""
        SELECT
            u.document_id, u.ordinal, u.{field}_line AS line, u.{field}_col AS col, u.loc AS url, u.{field} AS value,
            '{field}' AS field, length(u.{field}) AS characters
        FROM urls AS u
        WHERE {has_trait(["long-field"])} AND length(u.{field}) > 100"""
        for field in ("lastmod", "changefreq", "priority")
    ),
    message="Optional field is longer than 100 characters",
    example="{field} is {characters:character|characters} long: {value}",
    effect="search engines ignore {places:value|values}",
    fix="Write only the value in the field.",
    sources=(
        "https://yandex.com/support/webmaster/en/controlling-robot/sitemap",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("C17",),
)
