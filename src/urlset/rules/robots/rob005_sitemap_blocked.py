"""Checks for sitemaps that robots.txt blocks for a crawler. By default, the crawlers are Googlebot and Bingbot;
`--agents` selects others. ROB010 covers AI crawlers.

## Why is this bad
Search engines do not fetch what robots.txt blocks, no matter how the sitemap was submitted, so they get no URLs from
it.

## Fails
```text
User-agent: *
Disallow: /sitemaps/

Sitemap: https://www.example.com/sitemaps/index.xml
```

## Passes
```text
User-agent: *
Disallow: /sitemaps/
Allow: /sitemaps/*.xml$

Sitemap: https://www.example.com/sitemaps/index.xml
```
"""

from urlset.rules.crawlers import IS_NOT_AI
from urlset.rules.rule import SetRule, Severity

RULE = SetRule(
    code="ROB005",
    name="sitemap-blocked",
    severity=Severity.ERROR,
    table="blocked_urls",
    query=f"""
        SELECT
            f.document_id, NULL::INTEGER AS ordinal, NULL::INTEGER AS line, NULL::INTEGER AS col, min(d.url) AS url,
            string_agg(f.agent, ', ' ORDER BY f.position) AS value,
            min(f.robots_line) AS robots_line, arg_min(f.pattern, f.robots_line) AS pattern
        FROM blocked_urls AS f
        JOIN documents AS d ON d.document_id = f.document_id
        WHERE f.ordinal IS NULL AND {IS_NOT_AI}
        GROUP BY f.document_id
    """,
    message="robots.txt blocks the sitemap",
    example="blocked for {value} by line {robots_line} of robots.txt: {pattern}",
    fix="Allow the sitemap with a longer Allow rule, or move it.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://support.google.com/webmasters/answer/7451001",
        "https://yandex.com/support/webmaster/error-dictionary/sitemap.html",
    ),
    checks=("A12",),
)
