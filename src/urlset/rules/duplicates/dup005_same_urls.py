"""Checks for sitemaps that list exactly the URLs of an earlier document of the run: the same sitemap as XML and as
text, compressed and not, or copied to another folder. Only documents with the same kinds of records are compared, and
no feeds. URLs are compared by 64-bit hash.

## Why is this bad
It is harmless as long as both files are updated together. If only one of them is, search engines keep reading the
outdated one.

## Fails
```xml
<!-- sitemap.xml and sitemap-copy.xml -->
<url><loc>https://www.example.com/about</loc></url>
<url><loc>https://www.example.com/contact</loc></url>
```

## Passes
```xml
<!-- only sitemap.xml -->
<url><loc>https://www.example.com/about</loc></url>
<url><loc>https://www.example.com/contact</loc></url>
```
"""

from urlset.rules.queries import COPIES, EXTENSIONS, NO_FEED, NOWHERE, first_listed
from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="DUP005",
    name="sitemap-repeated",
    severity=Severity.INFO,
    table="urls",
    needs=("shared_locs",),
    query=f"""{first_listed(EXTENSIONS, EXTENSIONS, where=NO_FEED)}{COPIES}
        SELECT c.document_id,{NOWHERE}, d.url AS value, c.urls
        FROM copies AS c
        JOIN documents AS d ON d.document_id = c.original
    """,
    scope=RuleScope.RUN,
    message="Sitemap lists the same URLs as another one",
    example="lists the same {urls:URL|URLs} as {value}",
    fix="Submit only one of the files, or generate both in the same step.",
    sources=("urlset",),
    checks=("K01",),
)
