"""Checks for entries of a sitemap index whose lastmod is empty.

## Why is this bad
An empty lastmod is not a date. Search Console reports it as an invalid date, and some parsers reject the index. Other
search engines ignore the field.

## Fails
```xml
<sitemap><loc>https://example.com/sitemap-1.xml</loc><lastmod></lastmod></sitemap>
```

## Passes
```xml
<sitemap><loc>https://example.com/sitemap-1.xml</loc></sitemap>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="IDX025",
    name="child-lastmod-empty",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    kinds=("child-lastmod-empty",),
    message="lastmod of a child sitemap is empty",
    example="{field} is empty",
    effect="Google reports an invalid date for {places:child sitemap|child sitemaps} in Search Console",
    fix="Write the date on which the sitemap changed, or leave out lastmod.",
    sources=(
        "https://www.sitemaps.org/protocol.html#sitemapIndexTagDefinitions",
        "https://support.google.com/webmasters/answer/7451001",
        "https://github.com/Yoast/wordpress-seo/issues/3035",
    ),
    checks=("C07",),
    fixable=Fixable.ALWAYS,
)
