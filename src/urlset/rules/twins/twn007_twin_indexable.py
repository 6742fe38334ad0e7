"""Checks for Markdown twins that a search engine may index as pages of their own: without noindex in `X-Robots-Tag`,
and without a canonical in a `Link` header. In a directory of pages, the headers of its host are unknown, so
nothing is reported.

## Why is this bad
Google may crawl and index Markdown files like other files (according to reports about its guide to generative AI
features, June 2026). A twin then competes with its page, and a visitor of the search result sees raw Markdown.

## Fails
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown
```

## Passes
```http
GET /chairs.md
HTTP/1.1 200 OK
Content-Type: text/markdown
Link: <https://www.example.com/chairs>; rel="canonical"
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="TWN007",
    name="twin-indexable",
    severity=Severity.HINT,
    table="twins",
    field="twin",
    where="""
        has_headers AND status BETWEEN 200 AND 299 AND words > 0 AND noindex IS NULL AND canonical IS NULL
            AND twin <> url
    """,
    needs_server=True,
    message="Markdown twin can be indexed as a page of its own",
    example="{twin} has neither noindex nor a canonical",
    fix='Send `Link: <URL of the page>; rel="canonical"` with the Markdown file, or `X-Robots-Tag: noindex`.',
    sources=("https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls",),
    checks=("J08",),
)
