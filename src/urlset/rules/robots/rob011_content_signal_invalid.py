"""Checks for `Content-Signal` lines in robots.txt that crawlers cannot read: a signal other than `search`, `ai-input`,
or `ai-train`, a value other than `yes` or `no`, a signal that is both within one group, or a line before the first
`User-agent` line.

## Why is this bad
A crawler that honors Content Signals skips what it cannot read, and a signal that is absent neither grants nor
restricts anything. A typo in `ai-train=no` therefore reserves nothing.

## Fails
```text
User-agent: *
Content-Signal: search=yes, ai_train=no
```

## Passes
```text
User-agent: *
Content-Signal: search=yes, ai-train=no
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="ROB011",
    name="content-signal-invalid",
    severity=Severity.WARNING,
    table="robots_extensions",
    field="value",
    where="key = 'Content-Signal' AND problem IS NOT NULL",
    message="Content-Signal line in robots.txt is invalid",
    example="{value}: {detail}",
    detail="""
        CASE problem
            WHEN 'empty' THEN 'it has no value'
            WHEN 'signal-form' THEN evidence || ' is not written as name=yes or name=no'
            WHEN 'signal-unknown' THEN evidence || ' is not one of the signals search, ai-input, and ai-train'
            WHEN 'signal-conflict' THEN evidence || ' contradicts an earlier signal for the same group'
            ELSE 'it is before the first User-agent line'
        END
    """,
    fix="Write the signals as `search=yes, ai-input=no, ai-train=no`, below a User-agent line.",
    advice="Omit a signal to say nothing about that use.",
    sources=("https://contentsignals.org/",),
    checks=("J09",),
)
