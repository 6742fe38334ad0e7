"""Checks for robots.txt files that differ from the built one in more than comments, line breaks, and blank lines, for
example because a CDN adds its own block.

## Why is this bad
The served file decides what crawlers may fetch. Cloudflare puts its managed rules before yours, and crawlers follow
the groups of both.

## Fails
```text
dist/robots.txt: User-agent: *
GET https://example.com/robots.txt: # BEGIN Cloudflare Managed content …
```

## Passes
```text
dist/robots.txt: User-agent: *
GET https://example.com/robots.txt: User-agent: *
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="DEP008",
    name="robots-txt-differs",
    severity=Severity.ERROR,
    table="served",
    field="url",
    where="difference = 'robots-file'",
    message="robots.txt differs from the build",
    example="{about:whole}",
    effect="crawlers follow the rules of {places:served file|served files}",
    leads_to=Consequence.FILE,
    fix="Turn off what changes the file, such as the managed robots.txt of Cloudflare, or build the rules you want.",
    sources=(
        "https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/",
        "https://www.rfc-editor.org/rfc/rfc9309",
    ),
    needs_server=True,
    checks=("A02",),
)
