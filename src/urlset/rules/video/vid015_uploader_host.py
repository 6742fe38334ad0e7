"""Checks for a video:uploader whose info is on another host than the page. www.example.com and example.com count as
one, and so do hosts below the page's.

## Why is this bad
Google wants both on the same domain.

## Fails
```xml
<url>
  <loc>https://www.example.com/lamp</loc>
  <video:video>…<video:uploader info="https://users.example.net/ann">Ann</video:uploader></video:video>
</url>
```

## Passes
```xml
<video:video>…<video:uploader info="https://www.example.com/users/ann">Ann</video:uploader></video:video>
```
"""

from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="VID015",
    name="video-uploader-other-host",
    severity=Severity.WARNING,
    table="videos",
    query="""
        SELECT v.document_id, v.ordinal, v.line, v.col, u.loc AS url, v.uploader_info AS value, u.host
        FROM videos AS v
        JOIN urls AS u ON u.document_id = v.document_id AND u.ordinal = v.ordinal
        WHERE
            v.uploader_info <> '' AND v.uploader_info_problem IS NULL AND u.loc_problem IS NULL
            AND NOT regexp_matches(
                '.' || lower(regexp_replace(split_part(v.uploader_info, '/', 3), ':.*$', '')),
                '[.]' || regexp_replace(u.host, '^www[.]', '') || '$'
            )
            AND NOT ends_with(u.host, '.' || regexp_replace(lower(split_part(v.uploader_info, '/', 3)), '^www[.]', ''))
    """,
    message="A video's uploader is described on another site",
    example="info {value} is on another host than the page, {host}",
    fix="Give a page of the same site, or leave info out.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H15",),
)
