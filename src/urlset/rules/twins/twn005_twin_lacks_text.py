"""Checks for Markdown twins that lack much of their page: at least two headings and a quarter of all, or half of the
different words of its main text and at least 50 of them. Headings and words that many twins of the site lack are
considered part of the page template and are ignored, as is the markup of a heading. A difference does not tell which of
the two is newer.

## Why is this bad
A Markdown twin is the version of a page for agents, without HTML and navigation. It is a convention: the llms.txt
proposal describes it (version 2 of 2026-08-10), and no search engine promises to read it. An agent that reads part of
the page cannot tell that there is more.

## Fails
```http
GET /chairs
<h1>Chairs</h1> … <h3>Sizes</h3> … <h3>Care</h3> …

GET /chairs.md
# Chairs
```

## Passes
```http
GET /chairs.md
# Chairs
**Sizes**
**Care**
```
"""

from urlset.rules.queries import IS_TWIN_OF_OTHER_PAGE
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN005",
    name="twin-lacks-text",
    severity=Severity.INFO,
    table="twins",
    field="twin",
    where=f"""
        words > 0 AND NOT {IS_TWIN_OF_OTHER_PAGE}
            AND ((missing_headings >= 2 AND missing_headings >= 0.25 * headings)
                OR (missing_words >= 50 AND missing_words >= 0.5 * page_words))
    """,
    detail="""
        CASE WHEN missing_headings >= 2 AND missing_headings >= 0.25 * headings
            THEN missing_headings || ' of the ' || headings || ' headings of the page, such as "'
                || missing_heading || '"'
            ELSE missing_words || ' of the ' || page_words || ' different words of the page' END
    """,
    message="Markdown twin lacks part of its page",
    example="{twin} lacks {detail}",
    fix="Write the whole text of the page into the Markdown file.",
    advice="Text that a component renders is not in the source of the page: generate the file from the built HTML.",
    sources=("https://llmstxt.org/",),
    checks=("J12",),
)
