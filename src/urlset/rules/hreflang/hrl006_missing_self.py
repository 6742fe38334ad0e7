"""Checks for entries with hreflang links where no link points to the entry's own `<loc>`. URLs are compared character
by character.

## Why is this bad
Each language version must list itself as well as all other versions. Search engines may ignore the annotations of a
page that does not list itself.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
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

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="HRL006",
    name="hreflang-self-missing",
    severity=Severity.ERROR,
    table="urls",
    only="self_links = 0",
    only_of="link_sets",
    query=f"""
        SELECT{PLACE_OF_LOC}, s.links AS value
        FROM link_sets AS s
        JOIN urls AS u ON u.document_id = s.document_id AND u.ordinal = s.ordinal
        WHERE s.self_links = 0 AND u.loc_problem IS NULL
    """,
    message="hreflang links do not include the page itself",
    example="hreflang links: {value}, none pointing to loc",
    fix="Add a link with the entry's own language and loc.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I06",),
)
