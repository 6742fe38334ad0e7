"""Checks for elements of Google's mobile, geo, code search, and PageMap extensions. Declarations without elements are
reported by STR022.

## Why is this bad
Google Search no longer supports these extensions, so the elements only make the file larger. Mobile pages are found
without them. PageMap data is only used by Google's Programmable Search Engine.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0">
  <url><loc>https://www.example.com/</loc><mobile:mobile/></url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.namespaces import IS_USED, OBSOLETE, declarations
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="STR023",
    name="extension-obsolete",
    severity=Severity.INFO,
    table="documents",
    needs=("foreign-elements",),
    query=declarations("len(foreign_namespaces) > 0", f"{OBSOLETE} AND {IS_USED}"),
    message="Extension is no longer supported by Google Search",
    example="elements of the obsolete extension {value} ({uri})",
    fix="Remove the elements and the namespace declaration.",
    advice="Keep PageMap elements if the site uses Programmable Search Engine.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
        "https://support.google.com/programmable-search/answer/1628213",
        "urlset",
    ),
    checks=("C18",),
)
