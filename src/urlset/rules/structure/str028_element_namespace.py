"""Checks for entries, and fields of entries, that are not in the sitemap namespace, although the root element is.

## Why is this bad
A parser that follows XML namespaces does not take the element for an element of the protocol, and drops the entry, or
finds no URL in it. The rest of the file is not affected. urlset reads the entry.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url xmlns=""><loc>https://example.com/</loc></url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Consequence, Fixable, Severity

RULE = AnomalyRule(
    code="STR028",
    name="element-namespace",
    severity=Severity.ERROR,
    leads_to=Consequence.ENTRIES,
    detail="""
        CASE kind WHEN 'element-namespace-missing' THEN 'in no namespace: ' ELSE 'in another namespace: ' END
        || evidence
    """,
    kinds=("element-namespace-missing", "element-namespace-wrong"),
    message="Element is not in the sitemap namespace",
    example="{detail}",
    fix="Remove the xmlns attribute from the element, and write the element with the prefix of the root element, if it "
    "has one.",
    advice='`xmlns=""` comes from DOM libraries that create elements without a namespace.',
    sources=(
        "https://www.sitemaps.org/protocol.html#xmlTagDefinitions",
        "https://www.w3.org/TR/xml-names/#scoping-defaulting",
        "https://github.com/crawler-commons/crawler-commons/issues/210",
    ),
    checks=("C02", "C03"),
    fixable=Fixable.ALWAYS,
)
