"""Checks for known elements that are not written in lowercase, such as Loc or LastMod.

## Why is this bad
XML is case-sensitive: Loc is not loc. None of the sitemap readers that were tested finds a URL in such a file.

## Fails
```xml
<Url><Loc>https://example.com/</Loc></Url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR007",
    name="tag-case",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    kinds=("tag-case",),
    message="Element name is not lowercase",
    example="not lowercase: {value}",
    fix="Write the element name in lowercase.",
    advice=(
        "Serializers that name elements after classes or properties have an option or annotation for the element name."
    ),
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.w3.org/TR/xml/#sec-terminology",
    ),
    checks=("C16",),
    fixable=Fixable.SOMETIMES,
)
