"""Checks for listed URLs that robots.txt blocks for a crawler. By default, the crawlers are Googlebot and Bingbot;
`--agents` selects others. ROB010 covers AI crawlers.

## Why is this bad
The sitemap invites crawlers to a page that robots.txt blocks. Search Console reports each such URL. The page is not
crawled, so at best it is indexed without a description. The longest matching rule decides, as RFC 9309 requires.

## Fails
```text
# robots.txt
User-agent: *
Disallow: /*?sort=

# sitemap.xml
<url><loc>https://www.example.com/shoes?sort=price</loc></url>
```

## Passes
```text
# sitemap.xml
<url><loc>https://www.example.com/shoes</loc></url>
```
"""

from urlset.rules.crawlers import IS_NOT_AI, blocked_urls
from urlset.rules.rule import Consequence, SetRule, Severity

RULE = SetRule(
    code="ROB009",
    name="url-blocked",
    severity=Severity.ERROR,
    leads_to=Consequence.PAGES,
    table="blocked_urls",
    field="loc",
    query=blocked_urls(IS_NOT_AI),
    message="robots.txt blocks the URL",
    example="blocked for {value} by line {robots_line} of robots.txt: {pattern}",
    fix="Remove the URL from the sitemap, or allow it in robots.txt.",
    advice="`urlset robots` shows which crawlers may fetch a URL, and which line decides.",
    sources=(
        "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2",
        "https://support.google.com/webmasters/answer/7451001",
        "https://support.google.com/webmasters/answer/7440203",
    ),
    checks=("J09",),
)
