"""Checks for image, video, news, or hreflang elements in the wrong namespace: the declared namespace is not exactly
that of the extension, or the prefix is missing from a field such as `<image:loc>` or from `<xhtml:link>`.

## Why is this bad
Search engines recognize an extension by its namespace, not by its prefix, and ignore everything else. The images,
videos, news records, or hreflang annotations are lost without an error message. urlset reads them as intended.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://example.com/</loc>
    <image:image><image:loc>https://example.com/a.png</image:loc></image:image>
  </url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url>
    <loc>https://example.com/</loc>
    <image:image><image:loc>https://example.com/a.png</image:loc></image:image>
  </url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR006",
    name="extension-namespace-wrong",
    severity=Severity.ERROR,
    leads_to=Consequence.SIGNALS,
    kinds=("extension-namespace-wrong",),
    message="Extension element is in the wrong namespace",
    example="wrong extension namespace: {value}",
    effect="search engines ignore {places:extension element|extension elements}",
    fix="Write the extension's namespace exactly as documented, with http, and use its prefix on every element.",
    advice=(
        "The namespaces are http://www.google.com/schemas/sitemap-image/1.1, "
        "http://www.google.com/schemas/sitemap-video/1.1, http://www.google.com/schemas/sitemap-news/0.9, and "
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
