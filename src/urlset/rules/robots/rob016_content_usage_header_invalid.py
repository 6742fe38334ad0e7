"""Checks for listed pages with a `Content-Usage` header that crawlers cannot read as intended.

- Preferences that are not a dictionary of structured fields: a path, a space next to `=`, a semicolon instead of a
  comma, or an uppercase key. Then the whole header is ignored.
- A preference other than `search`, `ai-use`, and `train-ai`, or a value other than `y` and `n`.
- Two values of a preference, of which the last one counts.

Content-Usage is a draft of the AI Preferences working group of the IETF, whose form can still change, and crawlers may
ignore it: draft-ietf-aipref-attach-05 (2026-08-19) defines the header, and draft-ietf-aipref-vocab-08 (2026-09-14),
which says that it does not reflect consensus, the preferences.

## Why is this bad
A preference that cannot be read neither allows nor disallows anything, so a typo in `train-ai=n` reserves nothing.

## Fails
```text
Content-Usage: train-ai=no
```

## Passes
```text
Content-Usage: train-ai=n
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.wording import usage_problem_in_words

RULE = EntryRule(
    code="ROB016",
    name="content-usage-header-invalid",
    severity=Severity.WARNING,
    table="pages",
    field="content_usage",
    where="content_usage_problem IS NOT NULL",
    message="Content-Usage header of the page is invalid",
    example="{value}: {detail}",
    detail=usage_problem_in_words("content_usage_problem", "content_usage_evidence"),
    effect="crawlers ignore what {places:page says on how its content|pages say on how their content} may be used",
    fix="Send the preferences as `search=y, ai-use=n, train-ai=n`.",
    advice="Omit a preference to say nothing about that use.",
    sources=(
        "https://datatracker.ietf.org/doc/draft-ietf-aipref-attach/",
        "https://datatracker.ietf.org/doc/draft-ietf-aipref-vocab/",
    ),
    checks=("J09",),
)
