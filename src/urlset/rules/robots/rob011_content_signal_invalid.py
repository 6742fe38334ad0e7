"""Checks for `Content-Signal` lines in robots.txt that crawlers may not read as intended.

- A signal other than `search`, `ai-input`, `ai-train`, and `use`.
- A value other than `yes` or `no`; for `use`, other than `immediate`, `reference`, or `full`.
- Two values of a signal for the same user agent, in one group or in several.
- A line before the first `User-agent` line, or the key `Content-Signals`.

Repeating a signal with the same value is fine. Content Signals are a proposal by Cloudflare without a formal grammar,
and `use` is an extension that Cloudflare has tested since July 2026. Crawlers may ignore all of them. As of 2026-11-26,
Google has not announced support for Content Signals; on 2026-10-30, it announced that it intends to support another
signal for AI training, groups of robots.txt for a token that stands for a purpose.

## Why is this bad
A signal that is absent neither grants nor restricts anything, so a typo in `ai-train=no` reserves nothing. If a signal
has two values, it is unclear which one counts. Groups for the same user agent count as one, so a line that a CDN adds
at the top of robots.txt can contradict your own.

## Fails
```text
User-agent: *
Content-Signal: search=yes, ai_train=no
```

## Passes
```text
User-agent: *
Content-Signal: search=yes, ai-train=no, use=reference
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
            WHEN 'key-plural' THEN 'the key is ' || evidence || ' instead of Content-Signal'
            WHEN 'signal-form' THEN evidence || ' is not written as name=value'
            WHEN 'signal-unknown' THEN evidence || ' is not one of the signals search, ai-input, ai-train, and use'
            WHEN 'signal-value' THEN CASE WHEN starts_with(lower(evidence), 'use')
                THEN evidence || ' is not immediate, reference, or full' ELSE evidence || ' is neither yes nor no' END
            WHEN 'signal-conflict' THEN evidence || ' contradicts another signal for the same user agent'
            ELSE 'it is before the first User-agent line'
        END
    """,
    effect="crawlers ignore {places:line|lines} on how content may be used",
    fix="Write the signals as `search=yes, ai-input=no, ai-train=no`, below a User-agent line.",
    advice="Omit a signal to say nothing about that use.",
    sources=(
        "https://contentsignals.org/",
        "https://developers.cloudflare.com/bots/additional-configurations/managed-robots-txt/",
        "https://developers.google.com/search/blog/2026/10/ai-training-control",
    ),
    checks=("J09",),
)
