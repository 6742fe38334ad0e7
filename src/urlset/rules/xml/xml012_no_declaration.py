"""Checks for XML documents without an XML declaration on the first line.

## Why is this bad
The declaration is optional: without it, a document is XML 1.0 in UTF-8. Every example in the protocol has one, and very
simple parsers look for it.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```

## Passes
```xml
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="XML012",
    name="declaration-missing",
    severity=Severity.HINT,
    table="documents",
    needs=("no-declaration",),
    where="kind IN ('urlset', 'sitemapindex', 'rss', 'atom') AND NOT has_declaration",
    message="Document has no XML declaration",
    example="the document does not start with <?xml version=…?>",
    fix='Start the document with `<?xml version="1.0" encoding="UTF-8"?>`.',
    sources=(
        "https://www.sitemaps.org/protocol.html",
        "https://www.w3.org/TR/xml/#sec-prolog-dtd",
    ),
    checks=("B15",),
    fixable=Fixable.ALWAYS,
)
