"""Checks for a document with hreflang links of which none has the code x-default.

## Why is this bad
x-default names the page for readers of any other language, a choice of languages for instance. It is recommended and
not required.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/en/"/>
</url>
```
"""

from urlset.rules.queries import NOWHERE
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL009",
    name="hreflang-x-default-missing",
    severity=Severity.INFO,
    table="documents",
    only="alternates > 0",
    query=f"""
        SELECT document_id,{NOWHERE}, sum(links) AS value
        FROM link_sets
        GROUP BY document_id
        HAVING sum(default_links) = 0
    """,
    message="No x-default is given",
    example="none of {value:link|links} is x-default",
    fix='Add a link with hreflang="x-default" to each entry.',
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I10",),
)
