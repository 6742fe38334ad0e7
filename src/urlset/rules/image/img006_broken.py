"""Checks for listed images and video thumbnails that return an error or do not respond. 401, 402, 403, 407, and 429
apply to this client only and are not reported; Googlebot may get a different response.

## Why is this bad
A missing file is not shown: the image does not appear in image search, and a video without a thumbnail is not indexed
as a video.

## Fails
```text
HEAD /lamp.jpg
HTTP/1.1 404 Not Found
```

## Passes
```text
HEAD /lamp.jpg
HTTP/1.1 200 OK
Content-Type: image/jpeg
```
"""

from urlset.net.status import IS_TO_US
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IMG006",
    name="image-broken",
    severity=Severity.WARNING,
    table="media",
    field="url",
    value="coalesce('HTTP ' || status, error, error_kind)",
    where=f"""
        (status >= 400 AND status NOT {IS_TO_US}) OR (status IS NULL AND error_kind IS NOT NULL)
            OR error_kind IN ('too-many-redirects', 'redirect-loop', 'bad-redirect')
    """,
    message="Image cannot be fetched",
    example="{kind} {url}: {value}",
    effect="Google cannot show {places:image|images}",
    fix="Restore the file, or remove its record from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
        "https://developers.google.com/search/docs/appearance/google-images",
    ),
    checks=("H06",),
)
