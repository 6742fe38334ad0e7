"""Checks for listed HTML pages without any words in their main text. Navigation, header, footer, and aside do not
count. urlset does not run scripts, so a page that renders its text in the browser counts as empty.

## Why is this bad
There is nothing to index. Google renders scripts, but later; most other search engines and AI crawlers read the HTML as
it is.

## Fails
```text
<body><nav>…</nav><main></main></body>
```

## Passes
```text
<body><nav>…</nav><main>Chairs made of oak …</main></body>
```
"""

from urlset.rules.queries import SHOWN_AS_LISTED
from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="PGE026",
    name="page-empty",
    severity=Severity.WARNING,
    leads_to=Consequence.SIGNALS,
    table="pages",
    needs=("maybe-not-indexable",),
    field="words",
    where=f"words = 0 AND coalesce(complete, TRUE) AND {SHOWN_AS_LISTED}",
    detail="CASE WHEN coalesce(title, '') = '' THEN '' ELSE concat(' (title: ', title, ')') END",
    message="Page has no main text in its HTML",
    example="{url} has no main text{detail}",
    effect="crawlers that do not run scripts find nothing on {places:page|pages}",
    fix="Put the content of the page in the HTML, or remove its URL from the sitemap.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/javascript/javascript-seo-basics",
        "https://developers.google.com/search/docs/crawling-indexing/http-network-errors#soft-404-errors",
    ),
    checks=("J12",),
)
