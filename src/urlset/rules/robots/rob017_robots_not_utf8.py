"""Checks for robots.txt files in UTF-16, as some Windows editors save them.

## Why is this bad
A robots.txt must be in UTF-8. Crawlers read the bytes of UTF-16 as lines without a valid key, so they find no rule and
no sitemap in the file, and crawl everything. urlset still reads its Sitemap lines.

## Fails
```text
FF FE 55 00 73 00 65 00 72 00 2D 00 61 00 67 00 65 00 6E 00 74 00 3A 00   ..U.s.e.r.-.a.g.e.n.t.:.
```

## Passes
```text
User-agent: *
Disallow: /private/
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB017",
    name="robots-not-utf-8",
    severity=Severity.ERROR,
    table="documents",
    needs=("not-utf-8",),
    field="encoding",
    where="kind = 'robots' AND upper(encoding) LIKE 'UTF-16%'",
    message="robots.txt is in UTF-16: crawlers find no rule in it",
    example="encoding is {value}",
    fix="Save robots.txt as UTF-8.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.3",
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt#file-format",
    ),
    checks=("A02",),
)
