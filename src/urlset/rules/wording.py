"""How the problems of a value are put into words: SQL that turns a `*_problem` column into the end of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

URL_PROBLEMS: Mapping[str, str] = {
    "empty": "it is empty",
    "relative": "it has no scheme and host",
    "not-http": "its scheme is not http or https",
    "no-host": "it names no host",
    "bad-host": "its host is not a valid name or address",
    "bad-port": "its port is not a number from 0 to 65535",
    "whitespace": "it contains white space",
    "control-character": "it contains a control character",
    "bad-percent-escape": "a % in it is not followed by two hexadecimal digits",
    "illegal-character": "it contains a character that must be percent-encoded",
}
"""For each UrlProblem what is wrong, said of `it`."""

DATE_PROBLEMS: Mapping[str, str] = {
    "empty": "it is empty",
    "not-a-date": "it is not written as YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm",
    "no-timezone": "it has a time but no timezone",
    "offset-without-colon": "its offset is not written as +hh:mm",
    "offset-out-of-range": "no timezone has such an offset",
    "impossible-date": "there is no such day",
    "impossible-time": "there is no such time",
    "timezone-without-time": "it has a timezone but no time",
    "space-instead-of-t": "a space stands where T must",
    "lower-case": "T and Z must be in upper case",
    "year-out-of-range": "the year must be from 0001 to 9999, in four digits",
    "rfc-822": "it is written as in e-mail and RSS",
}
"""For each DateProblem what is wrong, said of `it`."""

DATE_ELEMENT = "coalesce(lastmod_from, 'lastmod')"
"""SQL for the element that the date of an entry is read from: a feed has another one than a sitemap."""


def in_words(column: str, words: Mapping[str, str]) -> str:
    """SQL that yields the words for the problem in `column`; the problem's own name if there are none for it."""
    cases = " ".join(f"WHEN '{problem}' THEN '{text}'" for problem, text in words.items())
    return f"CASE {column} {cases} ELSE {column} END"


def url_problem_in_words(url: str, problem: str) -> str:
    """Return SQL for what is wrong with a URL, which names the part of it at fault where that can be told.

    Args:
        url: The column of the URL.
        problem: The column of its UrlProblem.
    """
    tail = f"regexp_replace({url}, '^[^/?#]*//[^/?#]*', '')"
    parts = {
        "not-http": (f"regexp_extract({url}, '^([^:/?#]*):', 1)", "its scheme is ", ", not http or https"),
        "bad-host": (f"regexp_extract({url}, '//([^/?#]+)', 1)", "its host ", " is not a valid name or address"),
        "bad-port": (
            f"regexp_extract({url}, '//[^/?#]*:([^/?#]+)', 1)",
            "its port ",
            " is not a number from 0 to 65535",
        ),
        "bad-percent-escape": (
            f"regexp_extract({url}, '%([^0-9A-Fa-f].?|[0-9A-Fa-f][^0-9A-Fa-f]|[0-9A-Fa-f]?$)')",
            "the % in ",
            " is not followed by two hexadecimal digits",
        ),
        "illegal-character": (
            f"regexp_extract({tail}, '[^!$%&''()*+,./0-9:;=?@A-Z_a-z~#-]')",
            "it contains ",
            ", which must be percent-encoded",
        ),
    }
    cases = " ".join(
        f"WHEN {problem} = '{name}' AND {part} <> '' THEN '{before}' || {part} || '{after}'"
        for name, (part, before, after) in parts.items()
    )
    return f"CASE {cases} ELSE {in_words(problem, URL_PROBLEMS)} END"
