"""Checks for URLs that the site serves and that the directory does not have: those that a served sitemap lists and a
built one does not, a served robots.txt or sitemap.xml without a built one, and, with `--store`, pages of the last
run.

## Why is this bad
Many ways to deploy only add files, so that pages stay online after they were removed. Plugins of a host add others.

## Fails
```text
dist/: no old-offer/index.html
GET https://example.com/sitemap.xml: lists https://example.com/old-offer/, which returns 200
```

## Passes
```text
dist/: no old-offer/index.html
GET https://example.com/old-offer/: 404
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="DEP012",
    name="served-url-not-built",
    severity=Severity.WARNING,
    table="served",
    field="url",
    where="difference = 'not-built'",
    message="Served page or file is not in the build",
    example="{about:whole}",
    effect="search engines keep {places:URL|URLs} in their index",
    fix="Remove the page from the host, or redirect it, and let deployments delete files that were not built.",
    sources=("urlset",),
    needs_server=True,
    checks=("K04",),
)
