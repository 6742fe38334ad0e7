"""Checks for a listed image, thumbnail or video that robots.txt of its host forbids a crawler to fetch. Asked about are
the crawlers of the run; for Google it is Googlebot-Image or Googlebot-Video that fetches, which heeds the group of
Googlebot where it has none of its own.

## Why is this bad
What a crawler may not fetch it cannot show. Files are often on a host of their own, whose robots.txt nobody looks at.

## Fails
```text
# https://cdn.example.com/robots.txt
User-agent: *
Disallow: /
```

## Passes
```text
# https://cdn.example.com/robots.txt
User-agent: *
Disallow: /internal/
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IMG008",
    name="image-forbidden",
    severity=Severity.WARNING,
    table="media",
    field="url",
    value="array_to_string(forbidden_to, ', ')",
    where="forbidden_to IS NOT NULL",
    message="robots.txt forbids the image or video",
    example="{kind} {url} is closed to {value}",
    fix="Allow the file in robots.txt of its host, or remove its record from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/appearance/google-images",
        "https://developers.google.com/search/docs/appearance/video",
        "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
    ),
    checks=("H06", "J10"),
)
