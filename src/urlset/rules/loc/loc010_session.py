"""Checks for URLs with a parameter that identifies a session, a campaign, or a click instead of a page: `phpsessid`,
`jsessionid`, `aspsessionid` followed by letters, `cfid`, `cftoken`, `utm_source`, `utm_medium`, `utm_campaign`,
`utm_term`, `utm_content`, `utm_id`, `gclid`, `dclid`, `fbclid`, `msclkid`, `yclid`, and `mc_eid`. `sid`, `sessionid`,
and `session_id` are only reported if the value starts with at least 16 hexadecimal digits. Names are not
case-sensitive, and parameters without a value are not reported.

## Why is this bad
Each session or campaign creates another URL for the same page. The sitemap FAQ says to remove session IDs, because they
can cause incomplete and redundant crawling.

## Fails
```xml
<url><loc>https://www.example.com/about?utm_source=newsletter</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/about</loc></url>
```
"""

from urlset import _core
from urlset.rules.rule import EntryRule, Severity

NAMES = "|".join((*_core.parameter_lists()["tracking_parameters"], "aspsessionid[a-z]*"))

RULE = EntryRule(
    code="LOC010",
    name="url-session-or-tracking",
    severity=Severity.WARNING,
    table="urls",
    field="loc",
    traits=("tracking",),
    detail=f"""coalesce(
        nullif(regexp_extract(loc, '(?i)[?&;]({NAMES})=[^&]', 1), ''),
        regexp_extract(loc, '(?i)[?&;](sid|session_?id)=[0-9a-f]{{16}}', 1)
    )""",
    message="URL has a session or tracking parameter",
    example="loc {value} has the parameter {detail}",
    effect=(
        "search engines crawl {places:copy of a page instead of the page itself|copies of pages instead of "
        "the pages themselves}"
    ),
    fix="List the URL without the parameter.",
    sources=(
        "https://www.sitemaps.org/faq.html",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    checks=("D10",),
)
