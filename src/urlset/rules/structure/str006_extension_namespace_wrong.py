"""Checks for a prefix image, video, news or xhtml that is bound to a namespace other than that of its extension.

## Why is this bad
Engines know an extension by its namespace, not by its prefix, and pass over everything else: the images, videos, news
or language versions are lost without a word. urlset reads them as what was meant.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">…</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">…</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR006",
    name="extension-namespace-wrong",
    severity=Severity.ERROR,
    kinds=("extension-namespace-wrong",),
    message="The namespace is not the one of the extension",
    example="not the extension's namespace: {value}",
    fix="Write the extension's namespace exactly as its documentation does, with http.",
    advice=(
        "The namespaces are http://www.google.com/schemas/sitemap-image/1.1, "
        "http://www.google.com/schemas/sitemap-video/1.1, http://www.google.com/schemas/sitemap-news/0.9 and "
        "http://www.w3.org/1999/xhtml."
    ),
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/combine-sitemap-extensions",
        "https://www.sitemaps.org/protocol.html#extending",
        "https://github.com/ekalinin/sitemap.js/issues/397",
    ),
    checks=("C04",),
    fixable=Fixable.ALWAYS,
)
