"""Checks for listed pages that have a password field and fewer than 150 words of main text, or that redirect to a URL
that looks like a login, such as `/login` or `/sign-in`. In preview because it is a heuristic.

## Why is this bad
Search engines see only the login form, the same one for every such page.

## Fails
```text
<form action="/login"><input type="password"></form>
```

## Passes
```text
<article>Open to everyone</article>
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
    detail="""
        CASE
            WHEN has_password AND words < 150 THEN 'has a password field and little text'
            ELSE concat('redirects to ', final_url)
        END
    """,
    message="Page requires a login",
    example="{url} {detail}",
    fix="Remove the URLs of pages that require a login.",
    advice="List the public page that describes them.",
    sources=("https://support.google.com/webmasters/answer/7440203",),
    lifecycle=Lifecycle.PREVIEW,
    checks=("J13",),
)
