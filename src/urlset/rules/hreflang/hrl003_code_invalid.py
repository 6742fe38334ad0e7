"""Checks for `hreflang` values that are neither `x-default` nor an ISO 639-1 language, optionally followed by an ISO
15924 script and an ISO 3166-1 country.

## Why is this bad
Google supports only these codes and ignores a link with any other. Common mistakes are an underscore instead of a
hyphen, a country on its own (`be` is Belarusian, not Belgium), `en-UK` instead of `en-GB`, `es-419` for Latin America,
and `jp`, `cn`, or `dk` instead of `ja`, `zh`, or `da`. Codes are not case-sensitive.

## Fails
```xml
<xhtml:link rel="alternate" hreflang="en_GB" href="https://example.com/en-gb/"/>
<xhtml:link rel="alternate" hreflang="en-UK" href="https://example.com/en-gb/"/>
<xhtml:link rel="alternate" hreflang="es-419" href="https://example.com/es/"/>
```

## Passes
```xml
<xhtml:link rel="alternate" hreflang="en-GB" href="https://example.com/en-gb/"/>
<xhtml:link rel="alternate" hreflang="zh-Hant-TW" href="https://example.com/tw/"/>
<xhtml:link rel="alternate" hreflang="x-default" href="https://example.com/"/>
```
"""

from urlset.rules.rule import EntryRule, Fixable, Severity

RULE = EntryRule(
    code="HRL003",
    name="hreflang-code-invalid",
    severity=Severity.ERROR,
    table="alternates",
    field="hreflang",
    detail="""
        CASE hreflang_problem
            WHEN 'empty' THEN 'it is empty'
            WHEN 'underscore' THEN 'use a hyphen, as in ' || replace(hreflang, '_', '-')
            WHEN 'region-only' THEN
                CASE lower(hreflang)
                    WHEN 'jp' THEN 'jp is a country code; the language code is ja'
                    WHEN 'cn' THEN 'cn is a country code; the language code is zh'
                    WHEN 'dk' THEN 'dk is a country code; the language code is da'
                    WHEN 'gr' THEN 'gr is a country code; the language code is el'
                    WHEN 'cz' THEN 'cz is a country code; the language code is cs'
                    WHEN 'ua' THEN 'ua is a country code; the language code is uk'
                    ELSE 'it is a country code without a language'
                END
            WHEN 'unknown-language' THEN split_part(hreflang, '-', 1) || ' is not an ISO 639-1 language'
            WHEN 'three-letter-language' THEN 'use the two-letter ISO 639-1 code of the language'
            WHEN 'unknown-script' THEN 'the script is not in ISO 15924'
            WHEN 'unknown-region' THEN 'the country is not in ISO 3166-1'
            WHEN 'reserved-region' THEN
                CASE
                    WHEN lower(hreflang) LIKE '%-uk' THEN 'the code of the United Kingdom is GB'
                    ELSE 'the region is not a country'
                END
            WHEN 'numeric-region' THEN 'numeric regions are not supported; use a country code'
            WHEN 'extra-subtags' THEN 'only a script and a country may follow the language'
            ELSE 'it is not in the form language-COUNTRY'
        END
    """,
    needs=("link-problem",),
    where="hreflang_problem IS NOT NULL",
    message="hreflang value is invalid",
    example="hreflang {value} is invalid: {detail}",
    effect="search engines ignore {places:link to a language version|links to language versions}",
    fix="Write language, language-COUNTRY, language-Script, or x-default.",
    advice=(
        "A language has two letters, a script four, and a country two, separated by hyphens. For a region of "
        "several countries, add one link per country, or use the language alone."
    ),
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "https://www.rfc-editor.org/rfc/rfc5646#section-2.1",
    ),
    checks=("I03", "I04", "I05"),
    fixable=Fixable.SOMETIMES,
)
