"""Checks for Markdown twins that have the text of another page. Such a twin lacks the first heading of its page. Either
its title is the first heading of exactly one other page, and half of the headings or a quarter of the different words
of its own page are missing; or more than 85% of these words are missing, without those that many twins of the site
lack. The latter is not checked for pages with fewer than 50 different words.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. An agent that reads the
text of another page gives wrong answers.

## Fails
```http
GET /chairs.md
# Tables
```

## Passes
```http
GET /chairs.md
# Chairs
```
"""

from urlset.rules.queries import IS_TWIN_OF_OTHER_PAGE
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN004",
    name="twin-of-other-page",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    where=f"words > 0 AND {IS_TWIN_OF_OTHER_PAGE}",
    detail="""
        CASE WHEN other_page IS NOT NULL THEN 'has the title of ' || other_page
            || ', and lacks that of its own page' ELSE 'lacks the title of the page' END
    """,
    message="Markdown twin has the text of another page",
    example="{twin} {detail} and {missing_words:,} of its {page_words:different word|different words}",
    effect="agents read another text in place of {places:page|pages}",
    fix="Publish the text of the page at this URL, or correct the link to the twin.",
    sources=("https://llmstxt.org/",),
    checks=("J12",),
)
