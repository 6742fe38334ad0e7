"""Checks for entries with one hreflang link.

## Why is this bad
A link to the page itself says that there are no other versions, which is so without it.

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
    only="alternates > 0",
    query=f"""
        SELECT document_id,{NOWHERE}, count(*) AS value, min(line) AS first_line
        FROM link_sets
        WHERE links = 1
        GROUP BY document_id
    """,
    message="Entries list a single language version",
    example="entries with one link only: {value:,}, the first in line {first_line}",
    fix="Leave the link out, or add the other versions.",
    sources=("urlset",),
    checks=("I16",),
)
