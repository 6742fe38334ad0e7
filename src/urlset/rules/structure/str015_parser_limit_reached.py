"""Checks for a single tag, comment, text, or line of a text sitemap that is longer than 4 MiB, and for elements nested
more than 100,000 levels deep. These are limits of urlset, and what is beyond them may not be read or checked in full.

## Why is this bad
No sitemap needs this: the deepest field of the protocol and its extensions is five levels down. Such a file can exhaust
the memory of a parser without limits. A parser with limits, such as those of most search engines, stops reading.

## Fails
```xml
<!-- a comment of 5 MiB -->
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
    name="parser-limit-reached",
    severity=Severity.ERROR,
    detail="""
        CASE kind WHEN 'token-too-long' THEN 'exceeds the length limit' ELSE 'exceeds the nesting limit' END
        || coalesce(': ' || nullif(evidence, ''), '')
    """,
    kinds=("token-too-long", "too-deep"),
    message="Content exceeds a parser limit",
    example="{detail}",
    fix="Remove the long content or the deep nesting.",
    advice=(
        "It is rarely intended. Look for a data: URL, a whole page in a description, or a template that includes "
        "itself."
    ),
    sources=(
        "urlset",
        "https://cwe.mitre.org/data/definitions/770.html",
    ),
    checks=("B07",),
)
