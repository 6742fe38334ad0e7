"""Checks for listed pages whose canonical link, robots directives, or hreflang links are in the body, because the
head ended before them. The head ends at the first tag or text that cannot be in it, such as `<img>`, `<div>`, or a
word, whatever the HTML says later. Elements that are also in the head are not reported, nor are robots directives
that allow everything.

## Why is this bad
Search engines read the HTML as browsers do. They ignore canonical and hreflang links in the body, because users might
have written them. They do not document what they do with a robots meta element there. Google reportedly obeys it; other
search engines may ignore it.

## Fails
```text
<head><img src="pixel.gif"><link rel="canonical" href="https://www.example.com/chairs"></head>
```

## Passes
```text
<head><link rel="canonical" href="https://www.example.com/chairs"></head><body><img src="pixel.gif">
```
"""

from urlset.rules.rule import Consequence, EntryRule, Severity

RULE = EntryRule(
    code="PGE031",
    name="page-head-ends-early",
    severity=Severity.WARNING,
    table="pages",
    field="head_end",
    where="status BETWEEN 200 AND 299 AND in_body IS NOT NULL",
    detail="""concat(
        array_to_string(in_body, ', '), ' after the end of the head: ',
        CASE WHEN starts_with(head_end, '<') THEN '' ELSE 'the text ' END,
        CASE WHEN starts_with(head_end, '<') THEN head_end ELSE concat('"', head_end, '"') END,
        ' on line ', head_end_line
    )""",
    message="Canonical, robots, or hreflang is in the body of the page",
    example="{url} has {detail}",
    effect=(
        "search engines ignore the canonical and hreflang links of {places:page|pages}, and may ignore "
        "robots directives"
    ),
    leads_to=Consequence.SIGNALS,
    fix="Put these elements into the head, before any element or text that belongs in the body.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
        "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",
        "https://sitebulb.com/hints/indexability/robots-hints/meta-robots-found-outside-of-head/",
    ),
    checks=("J08",),
)
