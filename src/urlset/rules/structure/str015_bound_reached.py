"""Checks for a single tag, comment or text of more than 4 MiB, or elements nested more than 100,000 deep. What is
beyond these bounds of urlset's own was not read.

## Why is this bad
No sitemap needs this: the deepest field of the protocol and its extensions is five levels down. Readers without
bounds can be brought down by such a file; those with bounds, as most engines', stop reading.

## Fails
```xml
<!-- a comment of 5 MB -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<!-- a comment of a few lines -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import AnomalyRule, Severity

RULE = AnomalyRule(
    code="STR015",
    name="reading-bound-reached",
    severity=Severity.ERROR,
    detail="CASE kind WHEN 'token-too-long' THEN 'too long, and cut' ELSE 'nested too deep, and passed over' END",
    kinds=("token-too-long", "too-deep"),
    message="A bound of the reading was reached",
    example="{detail}: {value}",
    fix="Remove the long text or the deep nesting.",
    advice=(
        "It is seldom intended: look for a data: URL, a whole page in a description, or a template that calls itself."
    ),
    sources=(
        "urlset",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("B07",),
)
