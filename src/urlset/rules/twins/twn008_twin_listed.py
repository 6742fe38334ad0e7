"""Checks for Markdown twins that a sitemap lists in addition to their page.

## Why is this bad
A sitemap lists the URLs to show in search results. The twin has the text of the page, which is listed already.

## Fails
```http
GET /sitemap.xml
<loc>https://www.example.com/chairs</loc>
<loc>https://www.example.com/chairs.md</loc>
```

## Passes
```http
GET /sitemap.xml
<loc>https://www.example.com/chairs</loc>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN008",
    name="twin-listed",
    severity=Severity.HINT,
    table="twins",
    field="twin",
    where="is_listed AND words > 0 AND twin <> url",
    message="Sitemap lists a Markdown twin and its page",
    example="{twin} is the twin of {url}",
    fix="Remove the Markdown file from the sitemap.",
    advice="llms.txt is the place for links to Markdown files.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://llmstxt.org/",
    ),
    checks=("K06",),
)
