"""Checks for listed images, video thumbnails, and videos that the robots.txt of their host blocks for a crawler.
`--agents` selects the crawlers. Google fetches these files with Googlebot-Image and Googlebot-Video, which follow the
group for Googlebot if they have no group of their own.

## Why is this bad
A crawler cannot show a file that it is not allowed to fetch. Files are often on a separate host, whose robots.txt is
easily overlooked.

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
    name="image-blocked",
    severity=Severity.WARNING,
    table="media",
    field="url",
    value="array_to_string(blocked_for, ', ')",
    where="blocked_for IS NOT NULL",
    message="robots.txt blocks the image or video",
    example="{kind} {url} is blocked for {value}",
    effect="search engines cannot show {places:image or video|images or videos}",
    fix="Allow the file in the robots.txt of its host, or remove its record from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/appearance/google-images",
        "https://developers.google.com/search/docs/appearance/video",
        "https://developers.google.com/search/docs/crawling-indexing/google-common-crawlers",
    ),
    checks=("H06", "J10"),
)
