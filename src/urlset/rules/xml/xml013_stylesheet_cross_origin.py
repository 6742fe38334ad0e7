"""Checks for an `<?xml-stylesheet?>` whose style sheet is on another host, or uses another scheme, than the document.
For a document that was not fetched from the web, its URLs are used instead if they are all on one site.

## Why is this bad
Only browsers load the style sheet; search engines ignore it. Browsers load XSLT from the document's own origin only, so
they show nothing. A style sheet on another host is also code that somebody else controls.

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
"""Scheme, if any, and host of the style sheet."""

RULE = EntryRule(
    code="XML013",
    name="stylesheet-cross-origin",
    severity=Severity.INFO,
    table="documents",
    field="stylesheet",
    where=f"""
        stylesheet IS NOT NULL AND kind IN ('urlset', 'sitemapindex') AND (host IS NOT NULL OR len(sites) = 1) AND CASE
            WHEN regexp_matches(stylesheet, '^[a-zA-Z]+://') THEN {NAMED} <> {SITE}
            WHEN starts_with(stylesheet, '//') THEN {NAMED} <> regexp_replace({SITE}, '^[a-z]+:', '')
            ELSE regexp_matches(stylesheet, '^[a-zA-Z][a-zA-Z0-9+.-]*:')
        END
    """,
    message="Style sheet is on another site",
    example="style sheet is {value}",
    fix="Serve the style sheet from the same site and refer to it by path, or remove it.",
    sources=(
        "https://www.w3.org/TR/xml-stylesheet/",
        "urlset",
    ),
    checks=("B17",),
)
