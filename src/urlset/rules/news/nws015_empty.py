"""Checks for news sitemaps without articles.

## Why is this bad
A news sitemap lists the articles of the last two days, so it is empty if none was published. Search Console then
reports "Missing XML tag" (parent tag urlset, tag url), which goes away with the next article. If articles were
published, the program that writes the sitemap does not find them.

## Fails
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
</urlset>
```

## Passes
```xml
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
  <url>
    <loc>https://example.com/a</loc>
    <news:news>
      <news:publication><news:name>The Example Times</news:name><news:language>en</news:language></news:publication>
      <news:publication_date>2026-01-01</news:publication_date>
      <news:title>Oak is back</news:title>
    </news:news>
  </url>
</urlset>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="NWS015",
    name="news-sitemap-empty",
    severity=Severity.HINT,
    table="documents",
    needs=("no-entries",),
    field="entries",
    where="""
        entries = 0 AND complete AND kind = 'urlset'
        AND coalesce(array_to_string(namespaces, ' '), '') LIKE '%/schemas/sitemap-news/%'
    """,
    message="News sitemap is empty",
    example="{entries:article|articles}; Search Console reports this as Missing XML tag",
    fix="Find out why no article is listed, if one was published in the last two days.",
    sources=(
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
    ),
    checks=("C14",),
)
