"""Checks for audited directories whose URL is unknown: `--base-url` is not given, and nothing in the directory names
it. The pages are then checked at a placeholder.

## Why is this bad
urlset cannot check the host, the scheme, and the base path of the listed URLs, and the URLs in the report are not those
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
    example="{about:whole}",
    effect="urlset cannot check the host, scheme, and base path of the listed URLs",
    fix="Pass the URL of the site with `--base-url`.",
    sources=("urlset",),
    checks=("D01",),
)
