"""Checks for a document type declaration that declares entities, and for references to such entities.

## Why is this bad
A sitemap does not need custom entities. Nested entities can exhaust a parser's memory, and external ones can make it
open files, so many parsers reject such a document. urlset never expands them: a URL that contains one stays as written.

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
    detail="CASE kind WHEN 'entity-declaration' THEN 'entity declaration' ELSE 'entity reference, not expanded' END",
    kinds=("entity-declaration", "declared-entity"),
    message="Document declares or uses custom entities",
    example="{detail}: {value}",
    fix="Remove the entity declarations, and write out the text that they stand for.",
    sources=(
        "https://github.com/advisories/GHSA-p5wc-9w9r-m232",
        "https://www.w3.org/TR/xml/#sec-entity-decl",
    ),
    checks=("B11",),
    fixable=Fixable.ALWAYS,
)
