"""Checks for a listed image, or the thumbnail of a listed video, that answers an error or does not answer at all. An
answer of 401, 403, 407 or 429 is to us and says nothing of Google's crawler, so it is no finding.

## Why is this bad
What is not there is not shown: no picture in image search, and a video without its thumbnail is not indexed as one.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="IMG006",
    name="image-broken",
    severity=Severity.WARNING,
    table="media",
    field="url",
    value="coalesce('answers ' || status, error, trouble)",
    where="""
        (status >= 400 AND status NOT IN (401, 403, 407, 429)) OR (status IS NULL AND trouble IS NOT NULL)
            OR trouble IN ('too-many-redirects', 'redirect-loop', 'bad-redirect')
    """,
    message="The image does not answer as it should",
    example="{kind} {url}: {value}",
    fix="Put the file back, or remove its record from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/image-sitemaps",
        "https://developers.google.com/search/docs/appearance/google-images",
    ),
    checks=("H06",),
)
