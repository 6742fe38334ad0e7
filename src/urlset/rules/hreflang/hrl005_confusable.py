"""Checks for a code that is a language, but most likely meant as the country: se (Northern Sami, not Swedish sv), kr
(Kanuri, not Korean ko), ee (Ewe, not Estonian et), ch (Chamorro), and si-SI (Slovenian is sl) or be-BE.

## Why is this bad
The page is offered to readers of another language. Codes that are no language at all, as jp and cz, are found by
HRL003.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="se" href="https://www.example.com/sv/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="sv" href="https://www.example.com/sv/"/>
</url>
```
"""

from urlset.rules.rule import EntryRule, Severity

RULE = EntryRule(
    code="HRL005",
    name="hreflang-code-confusable",
    severity=Severity.WARNING,
    table="alternates",
    field="hreflang",
    where="lower(hreflang) IN ('se', 'se-se', 'kr', 'kr-kr', 'ee', 'ee-ee', 'ch', 'ch-ch', 'si-si', 'be-be')",
    message="A code of a country stands where a language must",
    example="{value} is another language than its country's",
    fix="Write the code of the language: sv, ko, et, sl, and de-CH or fr-CH.",
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "urlset",
    ),
    checks=("I05",),
)
