"""Checks for entries with only one hreflang link.

## Why is this bad
A single link to the page itself says that there are no other versions, which is the default anyway. It has no effect.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
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
    code="HRL010",
    name="hreflang-single-version",
    severity=Severity.INFO,
    table="documents",
    needs=("single-link",),
    query=f"""
        SELECT document_id,{NOWHERE}, count(*) AS value, min(line) AS first_line
        FROM link_sets
        WHERE links = 1
        GROUP BY document_id
    """,
    message="Entries have only one hreflang link",
    example="entries with only one link: {value:,}, the first on line {first_line}",
    fix="Remove the link, or add the other versions.",
    sources=("urlset",),
    checks=("I16",),
)
