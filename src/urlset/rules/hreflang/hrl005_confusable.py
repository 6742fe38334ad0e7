"""Checks for `hreflang` values that are valid language codes but were most likely meant as country codes: `se`
(Northern Sami; Swedish is `sv`), `kr` (Kanuri; Korean is `ko`), `ee` (Ewe; Estonian is `et`), `ch` (Chamorro), `si-SI`
(Slovenian is `sl`), and `be-BE`.

## Why is this bad
The page is offered to speakers of a different language. Codes that are not a language at all, such as `jp` and `cz`,
are reported by HRL003.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="se" href="https://www.example.com/sv/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="sv" href="https://www.example.com/sv/"/>
</url>
```
"""

from urlset import _core
from urlset.rules.queries import sql_list
from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="HRL005",
    name="hreflang-code-confusable",
    severity=Severity.WARNING,
    table="alternates",
    field="hreflang",
    needs=("country-code",),
    where=f"lower(hreflang) IN {sql_list(_core.vocabularies()['country_codes'])}",
    message="Country code where a language code is required",
    example="hreflang {value} means a different language",
    effect="search engines show {places:page|pages} to users of another language",
    fix="Use the code of the language, such as sv, ko, et, or sl. Add the country after it, as in de-CH or fr-CH.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I05",),
)
