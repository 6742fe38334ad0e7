"""Checks for `Content-Usage` lines in robots.txt that crawlers cannot read as intended.

- Preferences that are not a dictionary of structured fields: a space next to `=`, a semicolon instead of a comma, or an
  uppercase key. Then all preferences of the line are ignored.
- A preference other than `search`, `ai-use`, and `train-ai`, or a value other than `y` and `n`.
- Two values of a preference for the same path and user agent, in one group or in several.
- A line before the first `User-agent` line, or the key `Content-Usages`.

A path before the preferences limits them to URLs that begin with it. Content-Usage is a draft of the AI Preferences
working group of the IETF, whose form can still change, and crawlers may ignore it: draft-ietf-aipref-attach-05
(2026-08-19) defines the line, and draft-ietf-aipref-vocab-08 (2026-09-14), which says that it does not reflect
consensus, the preferences. Drafts 05 to 07 of the latter only have `search` and `train-ai`; `ai-use` is from an earlier
one. On 2026-10-30, Google announced that it intends to support another signal, of the draft
draft-kelley-aipref-training-preference-signal.

## Why is this bad
A preference that cannot be read neither allows nor disallows anything, so a typo in `train-ai=n` reserves nothing. Of
two values, the draft applies `n`.

## Fails
```text
User-agent: *
Content-Usage: ai-train=no
```

## Passes
```text
User-agent: *
Content-Usage: train-ai=n
Content-Usage: /press/ train-ai=y
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.wording import usage_problem_in_words

RULE = EntryRule(
    code="ROB014",
    name="content-usage-invalid",
    severity=Severity.WARNING,
    table="robots_extensions",
    field="value",
    where="key = 'Content-Usage' AND problem IS NOT NULL",
    message="Content-Usage line in robots.txt is invalid",
    example="{value}: {detail}",
    detail=usage_problem_in_words("problem", "evidence"),
    effect="crawlers ignore {places:line|lines} on how content may be used",
    fix="Write the preferences as `search=y, ai-use=n, train-ai=n`, below a User-agent line.",
    advice="Omit a preference to say nothing about that use.",
    sources=(
        "https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/",
        "https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/",
        "https://developers.google.com/search/blog/2026/10/ai-training-control",
    ),
    checks=("J09",),
)
