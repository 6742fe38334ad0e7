"""Checks for declared Markdown twins whose URL has the path of a client-side route in its fragment, such as `#/chairs`.

## Why is this bad
Clients do not send the fragment of a URL to the server (RFC 3986, section 3.5). Only a browser that runs the scripts of
the page could show what it names, so an agent gets the same file for every page.

## Fails
```http
GET /chairs
<link rel="alternate" type="text/markdown" href="/#/chairs.md">
```

## Passes
```http
GET /chairs
<link rel="alternate" type="text/markdown" href="/chairs.md">
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN009",
    name="twin-in-fragment",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    where="declared_by IS NOT NULL AND regexp_matches(twin, '#!?/')",
    message="URL of a declared Markdown twin has a route in its fragment",
    example="{twin} has a route in its fragment, which is not sent to the server",
    effect="agents cannot request the Markdown twin of {places:page|pages}",
    fix="Publish the Markdown at a URL without a fragment, and declare that one.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc3986#section-3.5",
        "https://llmstxt.org/",
    ),
    checks=("D08",),
)
