"""Checks for a loc with a parameter that names a visit or a campaign and not a page: PHPSESSID, jsessionid, a sid of 16
or more hexadecimal digits, utm_source and its kin, gclid, fbclid, msclkid.

## Why is this bad
Each visit or campaign makes another address of the same page. The sitemap FAQ asks to leave session ids out, since
they make engines crawl the same content again and again.

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
    fix="List the address without the parameter.",
    sources=(
        "https://www.sitemaps.org/faq.html",
        "https://developers.google.com/search/docs/crawling-indexing/url-structure",
    ),
    checks=("D10",),
)
