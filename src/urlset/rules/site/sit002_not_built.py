"""Checks for directories that are the source of a site instead of its build: at least half of the pages begin with
front matter, or have tags of a template language that a generator would have replaced. Files of configuration do not
count, because a build may have them, too.

## Why is this bad
The pages are not those that visitors get, so nothing about them can be checked. If the directory is published as it is,
visitors see the template code.

## Fails
```html
---
layout: default
---
<a href="{{ page.url }}">{{ page.title }}</a>
```

## Passes
```html
<!doctype html>
<html lang="en">…</html>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="SIT002",
    name="site-not-built",
    severity=Severity.ERROR,
    table="site_faults",
    field="url",
    where="problem = 'not-built'",
    value="value",
    message="Directory is the source of a site, not its build",
    example="{value} ({about})",
    effect="urlset cannot check the pages that visitors get",
    fix="Build the site, and audit the directory that the generator writes.",
    sources=("https://jekyllrb.com/docs/front-matter/", "https://jekyllrb.com/docs/structure/", "urlset"),
    checks=("C15",),
)
