"""Checks for sitemap indexes with more than 50,000 sitemaps.

## Why is this bad
50,000 is the limit of the protocol. Search Console reports that the index has too many sitemaps. How much of such an
index a search engine reads is not documented.

## Fails
```xml
<!-- 50,001 times -->
<sitemap><loc>https://example.com/sitemap-….xml</loc></sitemap>
```

## Passes
```xml
<!-- 50,000 times -->
<sitemap><loc>https://example.com/sitemap-….xml</loc></sitemap>
```
"""

from urlset.rules.rule import CheckEffect, CheckStep, EntryRule, Severity

RULE = EntryRule(
    code="IDX001",
    name="too-many-children",
    severity=Severity.ERROR,
    table="documents",
    needs=("near-limit",),
    field="entries",
    where="entries > $max_entries AND kind = 'sitemapindex'",
    message="Sitemap index has more than {max_entries:sitemap|sitemaps}",
    example="{entries:sitemap|sitemaps}",
    fix="Split the index into several, and list each of them in robots.txt.",
    advice="A sitemap index cannot list another index. More URLs per sitemap mean fewer sitemaps to list.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://developers.google.com/search/docs/crawling-indexing/sitemaps/large-sitemaps",
        "https://support.google.com/webmasters/answer/7451001",
        "https://blogs.bing.com/webmaster/July-2025/Keeping-Content-Discoverable-with-Sitemaps-in-AI-Powered-Search",
    ),
    check_step=CheckStep.FIELD_QUALITY,
    check_effect=CheckEffect.FAIL,
    checks=("F04",),
)
