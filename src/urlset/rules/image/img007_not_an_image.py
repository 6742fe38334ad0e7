"""Checks for listed images and video thumbnails whose `Content-Type` is not an image type. Also checks for thumbnails
whose first bytes are not in a known image format: BMP, GIF, JPEG, PNG, WebP, SVG, or AVIF. Usually, the server returns
an error page with status 200.

## Why is this bad
Google shows images only in these formats and relies on their `Content-Type`.

## Fails
```text
HEAD /lamp.jpg
HTTP/1.1 200 OK
Content-Type: text/html
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
    code="IMG007",
    name="not-an-image",
    severity=Severity.WARNING,
    table="media",
    field="content_type",
    value="coalesce(content_type, 'no Content-Type')",
    detail="CASE WHEN format = 'none' THEN ', not in a known image format' ELSE '' END",
    where="""
        status BETWEEN 200 AND 299 AND error_kind IS NULL
            AND (format = 'none' OR lower(trim(content_type)) NOT LIKE 'image/%')
    """,
    message="Listed image is not an image",
    example="{kind} {url}: {value}{detail}",
    effect="Google cannot show {places:image|images}",
    fix="List the URL of the image itself, and serve it with its Content-Type.",
    sources=(
        "https://developers.google.com/search/docs/appearance/google-images",
        "https://developers.google.com/search/docs/appearance/video",
    ),
    checks=("H06",),
)
