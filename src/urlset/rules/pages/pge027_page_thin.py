"""Checks for listed HTML pages whose main text has 1 to 19 words. `min-page-words` in `[limits]` sets another minimum.
Pages in languages without spaces between words, such as Chinese, Japanese, and Thai, are skipped, because their words
cannot be counted reliably.

## Why is this bad
A page with so little text is rarely worth indexing. It is often a placeholder, an error page, or a template without
data.

## Fails
```text
<main>Coming soon</main>
```

## Passes
```text
<main>Chairs made of oak, beech and ash, in twelve sizes and in any color that you like. Each is made to order …</main>
```
"""

from urlset.rules.queries import SHOWN_AS_LISTED
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="PGE027",
    name="page-thin",
    severity=Severity.INFO,
    table="pages",
    field="words",
    where=f"""
        words BETWEEN 1 AND $min_page_words - 1 AND coalesce(complete, TRUE) AND {SHOWN_AS_LISTED}
            AND NOT regexp_matches(lower(coalesce(html_lang, '')), '^(zh|ja|th|lo|km|my|bo|dz|yue)(-|$)')
            AND NOT regexp_matches(coalesce(title, ''), '[\u0e00-\u0eff\u3040-\u30ff\u4e00-\u9fff]')
    """,
    detail="concat(words, CASE words WHEN 1 THEN ' word' ELSE ' words' END)",
    message="Page has fewer than {min_page_words:word|words} of main text",
    example="{url} has {detail} of main text",
    fix="Add content to the page, or remove its URL from the sitemap.",
    sources=("urlset", "https://developers.google.com/search/docs/fundamentals/creating-helpful-content"),
    checks=("J12",),
)
