"""Checks for `Sitemap` lines in robots.txt whose value is not one valid http or https URL: two URLs in a line, another
scheme, two schemes (`https://https://`), a single slash after the scheme, an invalid host, quotation marks around the
URL, a semicolon or comma after it, or `&amp;` instead of `&`.

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
    detail=f"""
        CASE line_problem
            WHEN 'sitemap-several' THEN 'it has several URLs'
            WHEN 'sitemap-two-schemes' THEN 'it has two schemes'
            WHEN 'sitemap-quoted' THEN 'quotation marks and angle brackets are read as part of the URL'
            WHEN 'sitemap-escaped' THEN 'it is escaped as in XML, but robots.txt is plain text'
            WHEN 'sitemap-separator' THEN 'the last character is read as part of the URL'
            ELSE {url_problem_in_words("value", "loc_problem")}
        END
    """,
    where="line_problem <> 'sitemap-relative'",
    message="Sitemap line in robots.txt has an invalid URL",
    example="{value}: {detail}",
    fix="Write one valid URL per line, and nothing else.",
    advice="Percent-encode special characters, and put comments after a #.",
    sources=(
        "https://www.sitemaps.org/protocol.html#submit_robots",
        "https://www.rfc-editor.org/rfc/rfc3986",
    ),
    checks=("A03",),
)
