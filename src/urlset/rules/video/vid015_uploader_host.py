"""Checks for `<video:uploader>` elements whose `info` URL is on a different host than the page. `www.example.com` and
`example.com` count as one host. Subdomains of the page's host, and hosts of which the page's host is a subdomain, count
as the same.

## Why is this bad
Google requires the `info` URL to be on the same domain as `<loc>`.

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

from urlset.rules.queries import of_one_site
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="VID015",
    name="video-uploader-other-host",
    severity=Severity.WARNING,
    table="videos",
    query=f"""
        SELECT v.document_id, v.ordinal, v.line, v.col, u.loc AS url, v.uploader_info AS value, u.host
        FROM videos AS v
        JOIN urls AS u ON u.document_id = v.document_id AND u.ordinal = v.ordinal
        WHERE
            v.uploader_info <> '' AND v.uploader_info_problem IS NULL AND u.loc_problem IS NULL
            AND NOT {of_one_site("v.uploader_info_host", "u.host")}
            AND NOT {of_one_site("u.host", "v.uploader_info_host")}
    """,
    message="Uploader info is on a different host than the page",
    example="info {value} is not on the page's host, {host}",
    effect="Google ignores {places:uploader link|uploader links}",
    fix="Link to a page on the same site, or remove the info attribute.",
    sources=("https://developers.google.com/search/docs/crawling-indexing/sitemaps/video-sitemaps",),
    checks=("H15",),
)
