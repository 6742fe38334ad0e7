"""Checks for non-ASCII characters in the paths of robots.txt rules.

Google has recommended percent-encoding in the paths of rules since 2026-10-23. RFC 9309 treats both spellings as the
same, so crawlers that follow it are not affected.

## Why is this bad
Programs that compare the bytes of the path with those of the URL, which is always percent-encoded when it is requested,
never match such a rule. An editor that saves the file in another encoding also changes the path.

## Fails
```text
User-agent: *
Disallow: /größen/
```

## Passes
```text
User-agent: *
Disallow: /gr%C3%B6%C3%9Fen/
```
"""

from urlset.rules.rule import RuleScope, SetRule, Severity

RULE = SetRule(
    code="ROB018",
    name="path-not-encoded",
    severity=Severity.HINT,
    scope=RuleScope.RUN,
    table="robots",
    field="pattern",
    needs=("robots",),
    query="""
        SELECT
            document_id, min(ordinal) AS ordinal, line, min(col) AS col, CAST(NULL AS VARCHAR) AS url, pattern AS value
        FROM robots
        WHERE regexp_matches(pattern, '[^ -~]')
        GROUP BY document_id, line, pattern
    """,
    message="Path in robots.txt is not percent-encoded",
    example="{value}",
    fix="Percent-encode the UTF-8 bytes of non-ASCII characters.",
    sources=(
        "https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec",
        "https://developers.google.com/crawling/docs/changelog",
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
    ),
    checks=("J09",),
)
