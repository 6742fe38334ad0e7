"""Checks for an hreflang that is neither x-default nor a language of ISO 639-1, with a script of ISO 15924 or a country
of ISO 3166-1 after it or not.

## Why is this bad
Google knows these codes only, and a link with another one is lost. The usual slips: an underscore instead of a
hyphen, a country alone (be is Belarusian, not Belgium), en-UK instead of en-GB, es-419 for Latin America, jp, cn or
dk instead of ja, zh or da. Upper and lower case make no difference.

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
            WHEN 'underscore' THEN 'write ' || replace(hreflang, '_', '-') || ' with a hyphen'
            WHEN 'region-only' THEN
                CASE lower(hreflang)
                    WHEN 'jp' THEN 'jp is the country, the language is ja'
                    WHEN 'cn' THEN 'cn is the country, the language is zh'
                    WHEN 'dk' THEN 'dk is the country, the language is da'
                    WHEN 'gr' THEN 'gr is the country, the language is el'
                    WHEN 'cz' THEN 'cz is the country, the language is cs'
                    WHEN 'ua' THEN 'ua is the country, the language is uk'
                    ELSE 'it is a country, and names no language'
                END
            WHEN 'unknown-language' THEN split_part(hreflang, '-', 1) || ' is no language of ISO 639-1'
            WHEN 'three-letter-language' THEN 'the language must be given by its two letters of ISO 639-1'
            WHEN 'unknown-script' THEN 'its script is not one of ISO 15924'
            WHEN 'unknown-region' THEN 'its country is not one of ISO 3166-1'
            WHEN 'reserved-region' THEN
                CASE WHEN lower(hreflang) LIKE '%-uk' THEN 'the United Kingdom is GB' ELSE 'that is no country' END
            WHEN 'numeric-region' THEN 'regions given by numbers are not read, only countries are'
            WHEN 'extra-subtags' THEN 'nothing but a script and a country may follow the language'
            ELSE 'it is not written as language-COUNTRY'
        END
    """,
    where="hreflang_problem IS NOT NULL",
    message="hreflang is not a valid code",
    example="hreflang {value} is invalid: {detail}",
    fix="Write language, language-COUNTRY, language-Script or x-default.",
    advice=(
        "The language has two letters, a script four and a country two, with hyphens between them. For a region of "
        "several countries, give one link for each country, or the language alone."
    ),
    sources=(
        "https://developers.google.com/search/docs/specialty/international/localized-versions",
        "https://www.rfc-editor.org/rfc/rfc5646#section-2.1",
    ),
    checks=("I03", "I04", "I05"),
    fixable=Fixable.SOMETIMES,
)
