"""Checks for links in llms.txt to working pages of the same site that none of its sitemaps lists. Links to Markdown and
text files are not checked, because sitemaps list pages for people.

## Why is this bad
llms.txt is a convention for language models, which no search engine promises to read. A page that is important enough
for it usually belongs in the sitemap, which search engines do read.

## Fails
```text
# llms.txt; no sitemap lists /chairs
- [Chairs](https://www.example.com/chairs)
```

## Passes
```text
# llms.txt; a sitemap lists /chairs
- [Chairs](https://www.example.com/chairs)
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LLM003",
    name="llms-txt-link-unlisted",
    severity=Severity.HINT,
    table="llms_links",
    field="written",
    where="""
        is_internal AND NOT is_listed AND status BETWEEN 200 AND 299
            AND NOT regexp_matches(target, '[.](md|mdx|txt)([?].*)?$', 'i')
    """,
    message="llms.txt links to a page that no sitemap lists",
    example="{target}",
    fix="Add the page to a sitemap.",
    sources=("urlset", "https://llmstxt.org/"),
    checks=("K06",),
)
