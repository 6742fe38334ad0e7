"""Checks for URLs, titles, captions, and descriptions in which UTF-8 was read as Latin-1 or windows-1252 and encoded
again: `cafÃ©` instead of `café`, also percent-encoded as `caf%C3%83%C2%A9`. Text is reported only if all of its letters
beyond ASCII may be such bytes.

## Why is this bad
The file is valid, so nothing else reports it. The URLs lead to pages that do not exist, and search results show
unreadable titles. It usually comes from a database connection or a script that does not use UTF-8.

## Fails
```xml
<url><loc>https://www.example.com/cafÃ©</loc></url>
```

## Passes
```xml
<url><loc>https://www.example.com/café</loc></url>
<url><loc>https://www.example.com/caf%C3%A9</loc></url>
```
"""

from urlset.rules.queries import has_trait
from urlset.rules.rule import SetRule, Severity

# The characters that windows-1252 has for the bytes 80 to BF; it leaves some out, which Latin-1 has.
_LETTERS = (
    "\u0192\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u017d\u02dc\u0161\u203a\u0153\u017e\u0178\u20ac\u201a\u201e"
)
_MARKS = "\u2026\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u2122"
_ANY = rf"[\x{{80}}-\x{{BF}}{_LETTERS}{_MARKS}]"
"""A byte that continues a character."""

# Without those that can follow a letter at the end of a word, such as a quotation mark, a dash, or a degree sign.
_SURE = (
    r"[\x{80}-\x{9F}\x{A1}-\x{A8}\x{AA}\x{AC}\x{AD}\x{AF}\x{B1}\x{B5}\x{B6}\x{B8}-\x{BA}\x{BC}-\x{BF}"
    f"{_LETTERS}]"
)

_TWO, _THREE, _FOUR = r"[\x{C2}-\x{DF}]", r"[\x{E0}-\x{EF}]", r"[\x{F0}-\x{F4}]"
"""A byte that begins a character of two, three, or four bytes."""

_WHOLE = rf"^([\x{{00}}-\x{{7F}}]|{_TWO}{_ANY}|{_THREE}{_ANY}{_ANY}|{_FOUR}{_ANY}{_ANY}{_ANY})*$"
_CLEAR = "|".join(
    (
        rf"[\x{{C2}}\x{{C3}}]{_ANY}",
        rf"{_TWO}{_SURE}",
        rf"({_TWO}{_ANY}){{2}}",
        rf"\x{{E2}}\x{{20AC}}{_ANY}",
        rf"{_THREE}({_SURE}{_ANY}|{_ANY}{_SURE})",
        rf"({_THREE}{_ANY}{_ANY}){{2}}",
        rf"{_FOUR}{_ANY}{_ANY}{_ANY}",
    )
)
_ESCAPED = r"(%C2%[89AB][0-9A-F]|%C5%[0-9A-F]{2}|%C6%92|%CB%[0-9A-F]{2}|%E2%[0-9A-F]{2}%[0-9A-F]{2})"
_CLEAR_ESCAPED = rf"(?i)%C3%8[23]{_ESCAPED}|(%C3%[89][0-9A-F]{_ESCAPED}){{2}}|(%C3%A[0-9A-F]{_ESCAPED}{_ESCAPED}){{2}}"


def _misread(text: str) -> str:
    """Return SQL for whether text was decoded in the wrong encoding."""
    return f"(regexp_matches({text}, '{_CLEAR}') AND regexp_matches({text}, '{_WHOLE}'))"


_TEXTS = " UNION ALL ".join(
    f"SELECT document_id, ordinal, line, col, '{prefix}:{field}' AS field, {field} AS value FROM {table}"
    for table, prefix, fields in (
        ("images", "image", ("title", "caption")),
        ("videos", "video", ("title", "description")),
        ("news", "news", ("title",)),
    )
    for field in fields
)

RULE = SetRule(
    code="ENC013",
    name="text-decoded-wrongly",
    severity=Severity.WARNING,
    table="urls",
    needs=("misread|images|videos|news",),
    query=f"""
        WITH texts AS ({_TEXTS})
        SELECT
            document_id, ordinal, coalesce(loc_line, line) AS line, coalesce(loc_col, col) AS col,
            CAST(NULL AS VARCHAR) AS url, 'loc' AS field, loc AS value
        FROM urls
        WHERE {has_trait(["misread"])} AND ({_misread("loc")} OR regexp_matches(loc, '{_CLEAR_ESCAPED}'))
        UNION ALL
        SELECT t.document_id, t.ordinal, t.line, t.col, u.loc AS url, t.field, t.value
        FROM texts AS t
        JOIN urls AS u ON u.document_id = t.document_id AND u.ordinal = t.ordinal
        WHERE {_misread("t.value")}
    """,
    message="UTF-8 was read in another encoding and encoded again",
    example="{field} {value} was decoded in the wrong encoding",
    effect="search engines request or show garbled text from {places:entry|entries}",
    fix="Read the text as UTF-8 where it comes from: set the encoding of the database connection and of files.",
    sources=("https://www.sitemaps.org/protocol.html#escaping", "urlset"),
    checks=("B01",),
)
