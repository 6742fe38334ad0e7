"""Checks for a listed page that says noindex and is forbidden by robots.txt.

## Why is this bad
Who obeys robots.txt does not fetch the page, and so never sees the noindex: it can be indexed by its address alone.

## Fails
```text
# robots.txt
Disallow: /private/

# /private/chairs
X-Robots-Tag: noindex
```

## Passes
```text
# robots.txt allows it

# /private/chairs
X-Robots-Tag: noindex
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE023",
    name="page-noindex-unseen",
    severity=Severity.WARNING,
    table="pages",
    field="noindex",
    where="noindex IS NOT NULL AND status BETWEEN 200 AND 299 AND forbidden_by IS NOT NULL",
    message="robots.txt hides the noindex of the page",
    example="{url} says {value}, and robots.txt forbids it in {forbidden_by}",
    fix=(
        "Remove the URL from the sitemap, and either allow it in robots.txt until it has left the index, or leave "
        "it to robots.txt alone."
    ),
    sources=("https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",),
    checks=("J19",),
)
