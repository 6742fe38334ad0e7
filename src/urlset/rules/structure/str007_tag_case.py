"""Checks for a known element that is not written in lower case, such as Loc or LastMod.

## Why is this bad
XML is case-sensitive: Loc is not loc. No reader that was tried finds a URL in a sitemap with such tags.

## Fails
```xml
<Url><Loc>https://example.com/</Loc></Url>
```

## Passes
```xml
<url><loc>https://example.com/</loc></url>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="STR007",
    name="tag-case",
    severity=Severity.ERROR,
    kinds=("tag-case",),
    message="An element is not written in lower case",
    example="not in lower case: {value}",
    fix="Write the element in lower case.",
    advice="Serializers that name elements after classes or properties have an option or annotation for the name.",
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.w3.org/TR/xml/#sec-terminology",
    ),
    checks=("C16",),
    fixable=Fixable.SOMETIMES,
)
