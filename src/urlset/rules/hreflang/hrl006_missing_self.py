"""Checks for entries with hreflang links where no link points to the entry's own `<loc>`. Spellings that
[RFC 3986](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2) calls equal are one URL; the example names a link that
differs only in case, the scheme, `www.`, or the final slash.

## Why is this bad
Each language version must list itself as well as all other versions. Search engines may ignore the annotations of a
page that does not list itself.

## Fails
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
</url>
```

## Passes
```xml
<url>
  <loc>https://www.example.com/en/</loc>
  <xhtml:link rel="alternate" hreflang="en" href="https://www.example.com/en/"/>
  <xhtml:link rel="alternate" hreflang="de" href="https://www.example.com/de/"/>
  <xhtml:link rel="alternate" hreflang="x-default" href="https://www.example.com/en/"/>
</url>
```
"""

from urlset.rules.queries import PLACE_OF_LOC
from urlset.rules.rule import SetRule, Severity

_WWW = "^https?://www[.]"


def _core_of(url: str) -> str:
    """Return SQL for a URL without the parts that are often written in two ways."""
    return f"regexp_replace({url}, '^https?://(www[.])?|/$', '', 'g')"


RULE = SetRule(
    code="HRL006",
    name="hreflang-self-missing",
    severity=Severity.ERROR,
    table="urls",
    needs=("no-self-link",),
    query=f"""
        WITH found AS MATERIALIZED (
            SELECT{PLACE_OF_LOC}, s.links AS value
            FROM link_sets AS s
            JOIN urls AS u ON u.document_id = s.document_id AND u.ordinal = s.ordinal
            WHERE s.self_links = 0 AND u.loc_problem IS NULL
        ), alike AS (
            SELECT a.document_id, a.ordinal, min(a.href) AS href
            FROM alternates AS a
            JOIN found AS f ON f.document_id = a.document_id AND f.ordinal = a.ordinal
            WHERE {_core_of("lower(a.href)")} = {_core_of("lower(f.url)")}
            GROUP BY a.document_id, a.ordinal
        )
        SELECT
            f.*,
            concat('; ' || a.href || ' differs only in ' || concat_ws(
                ' and ',
                CASE WHEN {_core_of("a.href")} <> {_core_of("f.url")} THEN 'case' END,
                CASE WHEN starts_with(lower(a.href), 'https:') <> starts_with(lower(f.url), 'https:')
                    THEN 'the scheme' END,
                CASE WHEN regexp_matches(lower(a.href), '{_WWW}') <> regexp_matches(lower(f.url), '{_WWW}')
                    THEN '"www."' END,
                CASE WHEN ends_with(a.href, '/') <> ends_with(f.url, '/') THEN 'the final slash' END
            )) AS alike
        FROM found AS f
        LEFT JOIN alike AS a ON a.document_id = f.document_id AND a.ordinal = f.ordinal
    """,
    message="hreflang links do not include the page itself",
    example="hreflang links: {value}, none pointing to loc{alike}",
    effect="search engines may ignore the language versions of {places:page|pages}",
    fix="Add a link with the entry's own language and loc.",
    sources=("https://developers.google.com/search/docs/specialty/international/localized-versions",),
    checks=("I06",),
)
