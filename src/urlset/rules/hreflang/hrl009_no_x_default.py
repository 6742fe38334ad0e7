"""Checks for documents with hreflang links but without any `x-default`.

## Why is this bad
`x-default` is the version for users whose language does not match any other version, for example a language selector.
Google recommends it but does not require it.

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
    severity=Severity.HINT,
    table="documents",
    needs=("no-x-default",),
    query=f"""
        SELECT document_id,{NOWHERE}, sum(links) AS value
        FROM link_sets
        GROUP BY document_id
        HAVING sum(default_links) = 0
    """,
    message="x-default is missing",
    example="hreflang links: {value}, none of them x-default",
    fix='Add a link with hreflang="x-default" to each entry.',
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I10",),
)
