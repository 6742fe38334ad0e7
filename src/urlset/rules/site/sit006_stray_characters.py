"""Checks for audited directories whose URLs all have stray characters between the URL of the site and the path, such as
a quotation mark or a second slash. Without them, each URL has a file.

## Why is this bad
Every URL leads to a page that does not exist. The URL of the site in the configuration of the generator ends with these
characters.

## Fails
```xml
<url><loc>https://example.com/course/"/index.html</loc></url>
```

## Passes
```xml
<url><loc>https://example.com/course/index.html</loc></url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT006",
    name="site-url-stray-characters",
    severity=Severity.ERROR,
    table="site_faults",
    field="url",
    where="problem = 'stray'",
    value="value",
    message="URL of the site has stray characters",
    example="{about:whole}",
    effect="search engines request pages that do not exist",
    fix="Remove the characters from the URL of the site in the configuration of its generator.",
    sources=("https://www.rfc-editor.org/rfc/rfc3986#section-3.3", "urlset"),
    checks=("D06",),
)
