"""Checks for an element of the extensions for mobile pages, for places (geo), for code search or for PageMap. STR022
reports those that are declared and not used.

## Why is this bad
Google has dropped them; they take up room and say nothing to anybody. Pages for phones are found without them.

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

from urlset.rules.namespaces import OBSOLETE, USED, declared
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="STR023",
    name="extension-obsolete",
    severity=Severity.INFO,
    table="documents",
    only="len(foreign_namespaces) > 0",
    query=declared("len(foreign_namespaces) > 0", f"{OBSOLETE} AND {USED}"),
    message="An extension is used that no engine reads any more",
    example="the document has elements of xmlns:{value} ({uri})",
    fix="Remove the declaration and its elements.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
        "urlset",
    ),
    checks=("C18",),
)
