"""Checks for `IndexNow-Key` lines in robots.txt whose value is not a valid key: 8 to 128 of the characters a-z, A-Z,
0-9, and the hyphen.

Several keys are fine. IndexNow's documentation does not mention the line: tools that check keys read it, search engines
need not.

## Why is this bad
Search engines reject a notification with such a key, so none of the URLs that it names is crawled earlier.

## Fails
```text
IndexNow-Key: my_key
```

## Passes
```text
IndexNow-Key: 0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB013",
    name="indexnow-key-invalid",
    severity=Severity.WARNING,
    table="robots_extensions",
    field="value",
    where="key = 'IndexNow-Key' AND problem IS NOT NULL",
    message="IndexNow-Key line in robots.txt is not a valid key",
    example="{detail}",
    detail="""
        CASE problem
            WHEN 'empty' THEN 'it has no value'
            WHEN 'key-length' THEN value || ' has ' || evidence || ' characters; a key has 8 to 128'
            ELSE value || ' contains ' || evidence || '; a key has only a-z, A-Z, 0-9, and hyphens'
        END
    """,
    effect="search engines that use IndexNow reject {places:key|keys}",
    fix="Write the key alone, with 8 to 128 of the characters a-z, A-Z, 0-9, and the hyphen.",
    advice="`urlset notify key` makes a key and its file.",
    sources=("https://www.indexnow.org/documentation",),
    checks=("K14",),
)
