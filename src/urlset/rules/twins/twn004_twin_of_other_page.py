"""Checks for Markdown twins that have neither the first heading of their page nor most of its words: more than 85% of
the different words of the main text, without those that many twins of the site lack, are missing. Pages with fewer than
50 different words are not checked.

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

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN004",
    name="twin-of-other-page",
    severity=Severity.WARNING,
    table="twins",
    field="twin",
    where="words > 0 AND NOT has_title AND page_words >= 50 AND missing_words > 0.85 * page_words",
    message="Markdown twin has the text of another page",
    example="{twin} lacks the title of the page and {missing_words:,} of its "
    "{page_words:different word|different words}",
    effect="agents read another text in place of {places:page|pages}",
    fix="Publish the text of the page at this URL, or correct the link to the twin.",
    sources=("https://llmstxt.org/",),
    since="0.2.0",
    checks=("J12",),
)
