"""Checks for a document type declaration that declares entities, or a reference to such an entity.

## Why is this bad
A sitemap needs none. Entities that expand to each other can exhaust a reader's memory, and external ones make it open
files, so readers refuse such a document. urlset never expands them: a URL with such a reference stays as it is
written.

## Fails
```xml
<!DOCTYPE urlset [<!ENTITY site "https://example.com">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>&site;/a</loc></url>
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/a</loc></url>
</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Fixable, Severity

RULE = AnomalyRule(
    code="XML009",
    name="entity-declaration",
    severity=Severity.ERROR,
    detail=(
        "CASE kind WHEN 'entity-declaration' THEN 'an entity is declared' ELSE 'an entity is used, and is "
        "not expanded' END"
    ),
    kinds=("entity-declaration", "declared-entity"),
    message="The document declares or uses entities of its own",
    example="{detail}: {value}",
    fix="Remove the entity declarations and write their text out.",
    sources=(
        "https://github.com/advisories/GHSA-p5wc-9w9r-m232",
        "https://www.w3.org/TR/xml/#sec-entity-decl",
    ),
    checks=("B11",),
    fixable=Fixable.ALWAYS,
)
