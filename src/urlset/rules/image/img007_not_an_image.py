"""Checks for a listed image, or the thumbnail of a listed video, that answers with a Content-Type that is none of an
image; and a thumbnail whose first bytes are those of no picture: BMP, GIF, JPEG, PNG, WebP, SVG or AVIF. Mostly it is a
page that says that there is none, with status 200.

## Why is this bad
Google shows images in these formats only, and goes by their Content-Type.

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
    name="image-is-none",
    severity=Severity.WARNING,
    table="media",
    field="content_type",
    value="coalesce(content_type, 'no Content-Type')",
    detail="CASE WHEN format = 'none' THEN ', and is no picture that is known' ELSE '' END",
    where="""
        status BETWEEN 200 AND 299 AND trouble IS NULL
            AND (format = 'none' OR lower(trim(content_type)) NOT LIKE 'image/%')
    """,
    message="What is listed as an image is none",
    example="{kind} {url} is {value}{detail}",
    fix="List the address of the image itself, and let the server send its type.",
    sources=(
        "https://developers.google.com/search/docs/appearance/google-images",
        "https://developers.google.com/search/docs/appearance/video",
    ),
    checks=("H06",),
)
