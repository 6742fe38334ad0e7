"""STR023: extension-obsolete

## What
The namespace of the extensions for mobile pages, for places (geo), for code search or for PageMap.

## Why
Google has dropped them; they take up room and say nothing to anybody. Pages for phones are found without them.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:mobile="http://www.google.com/schemas/sitemap-mobile/1.0">…</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Fix
Remove the declaration and its elements.

## Sources
- https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions
- urlset
"""

from urlset.rules.rule import Rule, Scope, Severity

RULE = Rule(
    code="STR023",
    name="extension-obsolete",
    severity=Severity.INFO,
    scope=Scope.ENTRY,
    table="documents",
    where=(
        "regexp_matches(array_to_string(namespaces, ' '), 'schemas/(sitemap-(mobile|geo|code "
        "?search|pagemap)|codesearch|sitemap-codesearch)/')"
    ),
    message="An extension is declared that no engine reads any more",
    example="an extension for mobile pages, places, code or PageMap is declared",
    fix="Remove the declaration and its elements.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
        "urlset",
    ),
    checks=("C18",),
)
