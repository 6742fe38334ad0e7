"""Checks for sites that serve nothing from the directory: no page has the same content, and hardly any has the same
title.

## Why is this bad
Either the wrong address or the wrong directory was compared, or the site was replaced by something else, such as
the page of a parked domain. Other differences are not reported then.

## Fails
```text
dist/about/index.html: <title>About our chairs</title>
GET https://example.com/about/: 200, <title>This domain is for sale</title>
```

## Passes
```text
dist/about/index.html: <title>About our chairs</title>
GET https://example.com/about/: 200, <title>About our chairs</title>
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="DEP001",
    name="not-this-site",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'other-site'",
    message="Site does not serve this directory",
    example="{about:whole}",
    effect="visitors and search engines get something else at {places:URL|URLs}",
    leads_to=Consequence.FILE,
    fix="Compare the directory with the address that it was deployed to, or point the domain to the deployment.",
    sources=("urlset",),
    needs_server=True,
    checks=("J01",),
)
