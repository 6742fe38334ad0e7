"""Checks for listed URLs that a search engine has crawled and decided not to index, for no technical reason: "Crawled -
currently not indexed" in Search Console. Pages that are not indexable according to the audit are not reported here,
since other rules name the reason.

## Why is this bad
The page cannot be found. The search engine does not say why, and urlset cannot know: usually it judged the page as too
similar to others, as too thin, or as not useful enough. A few such pages are normal on every site. If they are a large
part of a section, the section is worth a look.

## Fails
An export with the reason "Crawled - currently not indexed":

```text
URL,Last crawled
https://example.com/tags/blue,2026-10-30
```

## Passes
An export of the indexed pages:

```text
URL,Last crawled
https://example.com/chairs,2026-10-30
```
"""

from urlset.rules.queries import ENGINE_NAME, ON_DAY
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="COV006",
    name="crawled-not-indexed",
    severity=Severity.INFO,
    table="coverage",
    field="url",
    where="""
        is_listed AND reason = 'crawled-not-indexed' AND coalesce(is_indexable, true)
    """,
    detail=f"concat({ENGINE_NAME}, {ON_DAY})",
    message="Page was crawled, but not indexed",
    example="{value} was crawled, but not indexed by {detail}",
    fix="Improve the page or merge it with a similar one, or remove it from the sitemap.",
    advice=(
        "`urlset coverage --by section` shows where such pages are concentrated. Asking Google to index the page again "
        "does not help as long as the page is the same."
    ),
    sources=(
        "https://support.google.com/webmasters/answer/7440203",
        "https://developers.google.com/search/docs/fundamentals/creating-helpful-content",
    ),
    checks=("J20",),
)
