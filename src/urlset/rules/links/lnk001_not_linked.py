"""Checks for listed pages that no listed page links to. Pages that no sitemap lists may link to them; `--crawl` reads
those, too, and then LNK002 applies instead. If only some of the listed pages were fetched, or if more than a tenth of
them have no text and no links unless their scripts run, urlset cannot tell, and the rule does not apply.

## Why is this bad
Visitors cannot reach the page, and search engines rate a page that its own site never links to as unimportant. Often
such a page is left over from an earlier version of the site.

## Fails
```html
<!-- https://example.com/, the only other page -->
<a href="/tables">Tables</a>
```
```xml
<url><loc>https://example.com/chairs</loc></url>
```

## Passes
```html
<a href="/chairs">Chairs</a>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LNK001",
    name="page-not-linked",
    severity=Severity.INFO,
    table="linked",
    field="url",
    where="""
        basis = 'listed' AND is_listed AND NOT is_home AND links = 0 AND is_indexable
    """,
    message="No listed page links to the page",
    example="no listed page links to {value}",
    fix="Link to the page from a menu or a page on the same topic, or remove it from the sitemap.",
    advice=("Run `urlset audit --links --crawl` to also read pages that no sitemap lists."),
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/links-crawlable",
        "urlset",
    ),
    checks=("K03",),
)
