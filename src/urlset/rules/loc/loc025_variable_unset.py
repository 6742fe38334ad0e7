"""Checks for URLs that contain a variable without a value, in place of the whole URL, the base URL, the host, or the
port: `None`, `undefined/about`, `https://null/`, `Nonehttps://example.com/`. The words are `undefined`, `null`, `NaN`,
`None`, `nil`, and `false`, in any case. `[object Object]`, and a `{name}` or `%s` that is a whole part count anywhere
in the URL. `${…}` is STR025, as are other templates.

URLs with such a word as a segment of the path or as the value of a parameter are LOC026, because a page can have that
name. No other rule reports the entries. `urlset fix` leaves them as they are, with and without `--base-url`: it cannot
know the URL.

## Why is this bad
The program that wrote the sitemap did not know the base URL of the site, or one of its pages. Search engines report an
invalid URL, and do not learn about the page.

## Fails
```xml
<url><loc>None</loc></url>
<url><loc>undefined/about</loc></url>
<url><loc>https://undefined/about</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="LOC025",
    name="url-variable-unset",
    severity=Severity.ERROR,
    table="urls",
    field="loc",
    needs=("loc-problem",),
    where="loc_problem = 'unset-variable'",
    message="URL contains a variable without a value",
    example="loc is {loc}: a variable such as the base URL is not set",
    fix="Set the base URL of the site in the program that writes the sitemap, and write it again.",
    advice=(
        "The setting is often called base URL, site URL, or hostname, and often comes from an environment variable "
        "that is missing where the site is built. If only single entries are affected, their pages lack a path or slug."
    ),
    sources=(
        "urlset",
        "https://www.sitemaps.org/protocol.html#locdef",
    ),
    check_step=CheckStep.PARSE,
    check_effect=CheckEffect.FAIL,
    checks=("D01", "G07"),
)
