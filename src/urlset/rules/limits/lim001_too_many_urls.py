"""Checks for sitemaps with more than 50,000 URLs. IDX001 is the same check for sitemap indexes.

## Why is this bad
50,000 is the limit of the protocol. Search Console reports too many URLs. How much of such a file a search engine reads
is not documented.

## Fails
```xml
<!-- 50,001 times -->
<url><loc>https://example.com/…</loc></url>
```

## Passes
```xml
<!-- 50,000 times -->
<url><loc>https://example.com/…</loc></url>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Fixable, Severity

RULE = EntryRule(
    code="LIM001",
    name="too-many-urls",
    severity=Severity.ERROR,
    table="documents",
    needs=("near-limit",),
    field="entries",
    where="entries > $max_entries AND kind IN ('urlset', 'text', 'rss', 'atom')",
    message="Sitemap has more URLs than the limit of {max_entries:,}",
    example="{entries:URL|URLs}",
    fix="Split the sitemap into files of at most {max_entries:URL|URLs}, and list them in a sitemap index.",
    advice="Leave room to grow: files of 10,000 URLs are easier to monitor.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap",
        "https://support.google.com/webmasters/answer/7451001",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.FAIL,
    checks=("F01",),
    fixable=Fixable.SOMETIMES,
)
