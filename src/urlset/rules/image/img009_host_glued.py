"""Checks for URLs of images and videos whose host runs into the path: `https://cdn.example.comimages/a.jpg`. The host
is that of the page followed by letters, or a domain in .com, .net, or .org with letters after it.

## Why is this bad
The slash between the host and the path is missing, so the URL is on a host that does not exist. It usually comes from
a generator that joins the base URL and a relative path.

## Fails
```xml
<image:image><image:loc>https://cdn.example.comimages/a.jpg</image:loc></image:image>
```

## Passes
```xml
<image:image><image:loc>https://cdn.example.com/images/a.jpg</image:loc></image:image>
```
"""

from urlset.rules.rule import SetRule, Severity

_LONG = "(commbank|community|company|compare|computer|comsec|netbank|netflix|network|organic)"
"""Top-level domains that begin like others. https://data.iana.org/TLD/tlds-alpha-by-domain.txt"""

_VIDEO_URLS = "\n            UNION ALL\n".join(
    f"""            SELECT document_id, ordinal, line, col, 'video:{name}' AS field, {name} AS loc
            FROM videos
            WHERE {name} IS NOT NULL"""
    for name in ("thumbnail_loc", "content_loc", "player_loc")
)

RULE = SetRule(
    code="IMG009",
    name="image-host-glued",
    severity=Severity.WARNING,
    table="urls",
    needs=("images|videos",),
    field="loc",
    query=f"""
        WITH listed AS (
            SELECT document_id, ordinal, line, col, 'image:loc' AS field, loc
            FROM images
            WHERE loc IS NOT NULL
            UNION ALL
{_VIDEO_URLS}
        ), hosts AS (
            SELECT
                l.*, u.loc AS url, u.host AS page_host,
                regexp_extract(lower(l.loc), '^https?://([^/?#:@]+)([/?#:]|$)', 1) AS host
            FROM listed AS l
            JOIN urls AS u ON u.document_id = l.document_id AND u.ordinal = l.ordinal
        ), glued AS (
            SELECT
                *,
                CASE
                    WHEN starts_with(host, page_host)
                        AND regexp_matches(substr(host, length(page_host) + 1), '^[a-z0-9_-]{{4,}}$')
                    THEN page_host
                    ELSE regexp_extract(host, '^(.*[.](com|net|org))[a-z0-9_-]{{3,}}$', 1)
                END AS real_host
            FROM hosts
            WHERE host <> '' AND NOT regexp_matches(host, '[.]{_LONG}$')
        )
        SELECT document_id, ordinal, line, col, url, loc AS value, field, host, real_host
        FROM glued
        WHERE real_host <> ''
    """,
    message="Host of an image or video runs into its path",
    example="{field} {value} is on the host {host}; is a slash missing after {real_host}?",
    effect="Google does not find {places:image or video|images or videos}",
    fix="Write a slash between the host and the path.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-3.2", "urlset"),
    checks=("H01",),
)
