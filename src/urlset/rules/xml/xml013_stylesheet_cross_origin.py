"""Checks for an `<?xml-stylesheet?>` whose stylesheet is on a different host, or uses a different scheme, than the
document. For a document that was not fetched from the web, its URLs are used instead if they are all on one site.

## Why is this bad
Only browsers load the stylesheet; search engines ignore it. Browsers load XSLT only from the document's own origin, so
they show nothing. A stylesheet on another host is also code that somebody else controls.

## Fails
```xml
<?xml-stylesheet type="text/xsl" href="https://cdn.example.net/sitemap.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc></url>
</urlset>
```

## Passes
```xml
<?xml-stylesheet type="text/xsl" href="/sitemap.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import EntryRule, Severity

SITE = "CASE WHEN host IS NOT NULL THEN lower(regexp_extract(final_url, '^[a-zA-Z]+://', 0)) || host ELSE sites[1] END"
"""Scheme and host that the document belongs to."""

NAMED = "lower(regexp_extract(stylesheet, '^([a-zA-Z]+:)?//')) || coalesce(stylesheet_host, '')"
"""Scheme, if any, and host of the stylesheet."""

RULE = EntryRule(
    code="XML013",
    name="stylesheet-cross-origin",
    severity=Severity.INFO,
    table="documents",
    needs=("stylesheet",),
    field="stylesheet",
    where=f"""
        stylesheet IS NOT NULL AND kind IN ('urlset', 'sitemapindex') AND (host IS NOT NULL OR len(sites) = 1) AND CASE
            WHEN regexp_matches(stylesheet, '^[a-zA-Z]+://') THEN {NAMED} <> {SITE}
            WHEN starts_with(stylesheet, '//') THEN {NAMED} <> regexp_replace({SITE}, '^[a-z]+:', '')
            ELSE regexp_matches(stylesheet, '^[a-zA-Z][a-zA-Z0-9+.-]*:')
        END
    """,
    message="Stylesheet is on another site",
    example="stylesheet is {value}",
    fix="Serve the stylesheet from the same site and refer to it by path, or remove it.",
    sources=(
        "https://www.w3.org/TR/xml-stylesheet/",
        "urlset",
    ),
    checks=("B17",),
)
