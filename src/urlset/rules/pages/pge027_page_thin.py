"""Checks for a listed page that answers 200 with HTML whose main text has fewer than 20 words. `min-page-words` in
`[limits]` sets another number. Text without spaces between words, as in Chinese, Japanese or Thai, is not counted well,
so pages in those languages are left out.

## Why is this bad
A page with next to no text is rarely worth a place in an index: it is often a placeholder, an error page or a template
without its data.

## Fails
```text
<main>Coming soon</main>
```

## Passes
```text
<main>Chairs made of oak, beech and ash, in twelve sizes and in any colour that you like. Each is made to order …</main>
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
    message="Page has fewer than {min_page_words:word|words} of main text",
    example="{url} has {value:word|words} of main text",
    fix="Give the page its content, or remove its URL from the sitemap.",
    sources=("urlset", "https://developers.google.com/search/docs/fundamentals/creating-helpful-content"),
    checks=("J12",),
)
