"""Checks for a listed page that asks for a password, or redirects to one whose address says login. In preview because
it is a guess.

## Why is this bad
An engine sees the form and nothing else, for each such page the same.

## Fails
```text
<form action="/login"><input type="password"></form>
```

## Passes
```text
<article>What everybody may read</article>
```
"""

from urlset.rules.rule import EntryRule, Lifecycle, Severity

RULE = EntryRule(
    code="PGE017",
    name="page-behind-login",
    severity=Severity.WARNING,
    table="pages",
    field="url",
    value="coalesce(final_url, url)",
    where="""
        status BETWEEN 200 AND 299
            AND (
                (has_password AND words < 150)
                OR (
                    len(hops) > 0
                    AND regexp_matches(lower(final_url), '[/._-](log-?in|sign-?in|sso|auth|anmelden)([/?._-]|$)')
                )
            )
    """,
    message="The page is behind a login",
    example="{url} asks for a password",
    fix="Remove pages that need a login.",
    advice="List the public page that describes them.",
    sources=("https://support.google.com/webmasters/answer/7440203",),
    lifecycle=Lifecycle.PREVIEW,
    checks=("J13",),
)
