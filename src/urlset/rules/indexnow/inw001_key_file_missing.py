"""Checks for IndexNow key files that a site declares but does not serve: the declared value is not a URL of the same
host, or the file redirects or cannot be fetched.

A site can declare its key with an `IndexNow-Key` line in robots.txt, which stands for the file `/<key>.txt`, or on its
home page with `<link rel="indexnow-key">` or `<meta name="indexnow-key-location">`, which name the file.

## Why is this bad
A search engine requests the key file before it accepts a notification. Without the file, it rejects every URL with
status 403.

## Fails
```text
# robots.txt; /0b1c2d3e4f5a6b7c.txt returns 404
IndexNow-Key: 0b1c2d3e4f5a6b7c
```

## Passes
```text
# robots.txt; /0b1c2d3e4f5a6b7c.txt holds 0b1c2d3e4f5a6b7c
IndexNow-Key: 0b1c2d3e4f5a6b7c
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="INW001",
    name="key-file-missing",
    severity=Severity.WARNING,
    table="key_files",
    field="written",
    where="problem IN ('not-url', 'other-host', 'redirected', 'unavailable')",
    message="Declared IndexNow key file is not online",
    example="{detail}",
    detail="coalesce(url, nullif(written, ''), 'an empty value') || ' (declared by ' || page || ') ' || reason",
    effect="search engines that use IndexNow reject what you submit with {places:key|keys}",
    fix="Serve the key file at the declared URL, with status 200 and without a redirect.",
    advice="If the site no longer uses IndexNow, remove the declaration.",
    sources=("https://www.indexnow.org/documentation",),
    checks=("K14",),
)
