"""Checks for audited sites whose sitemaps list paths instead of URLs: at least half of all entries have no scheme and
host.

## Why is this bad
The protocol requires full URLs, so search engines drop the entries. The generator writes the URL of the site before
each path, and this URL is not set in its configuration. In an audited directory, the pages that are meant are checked.

## Fails
```xml
<url><loc>/</loc></url>
<url><loc>/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/</loc></url>
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT007",
    name="site-url-not-set",
    severity=Severity.ERROR,
    table="site_faults",
    field="url",
    where="problem = 'relative'",
    value="value",
    message="Sitemaps list paths without the host of the site",
    example="{about:whole}",
    effect="search engines drop the listed paths",
    fix="Set the URL of the site in the configuration of its generator, and build the site again.",
    sources=("https://www.sitemaps.org/protocol.html#locdef",),
    checks=("D01",),
)
