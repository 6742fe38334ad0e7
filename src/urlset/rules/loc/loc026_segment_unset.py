"""Checks for URLs with `undefined`, `null`, `NaN`, or `None` as a whole segment of the path or as the value of a
parameter, spelled as programming languages do. LOC025 reports them in place of the host or of the whole URL.
`urlset audit` does not report a URL at which it found a page.

## Why is this bad
The page that was meant is probably not listed, and the listed URL usually returns an error, or the same page for every
entry. Pages with such a name exist, for example in the documentation of a programming language: `urlset audit`
requests them and does not report them; for `urlset validate`, suppress the rule.

## Fails
```xml
<url><loc>https://www.example.com/blog/undefined</loc></url>
<url><loc>https://www.example.com/product?id=null</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/blog/undefined-behavior</loc></url>
<url><loc>https://www.example.com/color/none</loc></url>
```
"""

from urlset.rules.queries import has_trait
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="LOC026",
    name="url-segment-unset",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    needs=("unset-word",),
    ends_with_page=True,
    where=f"loc_problem IS NULL AND {has_trait(['unset-word'])}",
    message="Part of the URL may be a variable without a value",
    example="loc {loc} may lack its slug",
    effect="search engines may request {places:page that does not exist|pages that do not exist}",
    fix="If it is not the name of a page, correct the program that writes the sitemap.",
    advice="Leave out entries without a slug or an ID instead of writing a URL for them.",
    sources=("urlset",),
    checks=("D01",),
)
