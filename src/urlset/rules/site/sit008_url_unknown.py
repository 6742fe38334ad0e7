"""Checks for audited directories whose URL is unknown: `--base-url` is not given, and nothing in the directory names
it. The pages are then checked at a placeholder.

## Why is this bad
Findings on the host, the scheme, and the base path of the site cannot be made, and the URLs in the report are not those
of the site.

## Fails
```console
$ urlset audit dist/
```

## Passes
```console
$ urlset audit dist/ --base-url https://www.example.com/
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT008",
    name="site-url-unknown",
    severity=Severity.WARNING,
    table="site_faults",
    field="url",
    where="problem = 'url-unknown'",
    value="value",
    message="URL of the site is unknown",
    example="{about}",
    effect="the host of {places:site|sites} was not checked",
    fix="Name the URL with `--base-url`.",
    sources=("urlset",),
    since="0.2.0",
    checks=("D01",),
)
