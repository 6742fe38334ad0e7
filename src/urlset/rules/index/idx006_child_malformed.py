"""Checks for child sitemaps in an index whose URL starts with http or https but violates RFC 3986 and RFC 3987, and for
child sitemaps with any URL longer than 2,048 characters.

## Why is this bad
Search engines cannot fetch the sitemap, or repair the URL in their own way. The pages in that sitemap are not found
through the index.

## Fails
```xml
<sitemap><loc>https://example.com/sitemap 1.xml</loc></sitemap>
```

## Passes
```xml
<sitemap><loc>https://example.com/sitemap%201.xml</loc></sitemap>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity
from urlset.rules.wording import url_problem_in_words

RULE = EntryRule(
    code="IDX006",
    name="child-malformed",
    severity=Severity.ERROR,
    table="children",
    field="loc",
    detail="coalesce("
    + url_problem_in_words("loc", "loc_problem")
    + ", 'it is longer than {max_url_length:,} characters')",
    where="(loc_problem <> 'empty' AND scheme IN ('http', 'https')) OR loc_length > $max_url_length",
    message="Child sitemap URL is malformed or too long",
    example="loc is invalid: {detail}",
    fix="Percent-encode the character, correct the host or port, or shorten the URL.",
    advice="File names of letters, digits, and hyphens need no encoding.",
    sources=(
        "https://www.sitemaps.org/protocol.html#index",
        "https://www.sitemaps.org/protocol.html#locdef",
        "https://www.rfc-editor.org/rfc/rfc3986#section-2",
        "https://www.rfc-editor.org/rfc/rfc3987#section-2.2",
    ),
    checks=("D03", "D04", "D05", "F17"),
    fixable=Fixable.SOMETIMES,
)
