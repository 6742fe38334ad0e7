"""Checks for `Sitemap` lines in robots.txt whose value is not a valid http or https URL: two URLs in one line, another
scheme, or an invalid host.

## Why is this bad
Search engines cannot fetch the sitemap.

## Fails
```text
Sitemap: https://www.example.com/a.xml https://www.example.com/b.xml
```

## Passes
```text
Sitemap: https://www.example.com/a.xml
Sitemap: https://www.example.com/b.xml
```
"""

from urlset.rules.rule import EntryRule, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="ROB003",
    name="sitemap-line-invalid",
    severity=Severity.ERROR,
    table="sitemap_lines",
    field="value",
    detail=url_problem_in_words("value", "loc_problem"),
    where="loc_problem IS NOT NULL AND NOT is_relative",
    message="Sitemap line in robots.txt has an invalid URL",
    example="{value}: {detail}",
    fix="Write one valid URL per line.",
    advice="Percent-encode special characters, and put comments after a #.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://www.rfc-editor.org/rfc/rfc3986",
    ),
    checks=("A03",),
)
