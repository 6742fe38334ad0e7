"""Checks for audited directories whose sitemap index or robots.txt names a sitemap above the base URL, while its file
is below it: the generator left out the path that the site is published at.

## Why is this bad
The URL of the sitemap does not exist, so search engines do not find the pages that only this sitemap lists.

## Fails
```xml
<!-- https://example.com/blog/sitemap-index.xml -->
<sitemap><loc>https://example.com/sitemap-0.xml</loc></sitemap>
```

## Passes
```xml
<!-- https://example.com/blog/sitemap-index.xml -->
<sitemap><loc>https://example.com/blog/sitemap-0.xml</loc></sitemap>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT009",
    name="sitemap-outside-site",
    severity=Severity.ERROR,
    table="site_faults",
    field="url",
    where="problem = 'outside'",
    value="value",
    message="Listed sitemap is outside of the site",
    example="{about:whole}",
    effect=(
        "search engines do not find {places:sitemap, nor the pages that only it lists|sitemaps, nor the "
        "pages that only they list}"
    ),
    fix="Set the path that the site is published at in the configuration of its generator.",
    sources=("https://www.sitemaps.org/protocol.html#location", "urlset"),
    checks=("D16",),
)
