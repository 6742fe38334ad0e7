"""Descriptions of invalid values: SQL that turns a `*_problem` column into the end of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

URL_PROBLEMS: Mapping[str, str] = {
    "empty": "it is empty",
    "unset-variable": "it contains a variable without a value, such as None or undefined",
    "relative": "it has no scheme and host",
    "not-http": "its scheme is not http or https",
    "no-host": "it has no host",
    "bad-host": "its host is not a valid name or IP address",
    "bad-port": "its port is not a number from 0 to 65535",
    "whitespace": "it contains whitespace",
    "control-character": "it contains a control character",
    "bad-percent-escape": "it contains a % that is not followed by two hexadecimal digits",
    "illegal-character": "it contains a character that must be percent-encoded",
}
"""A description of each UrlProblem, with `it` as the URL."""

DATE_PROBLEMS: Mapping[str, str] = {
    "empty": "it is empty",
    "not-a-date": "it is not in the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+hh:mm",
    "no-timezone": "it has a time but no time zone",
    "offset-without-colon": "its offset is not in the form +hh:mm",
    "offset-out-of-range": "its offset is outside the range of time zones",
    "impossible-date": "the month or the day does not exist",
    "impossible-time": "the time does not exist",
    "timezone-without-time": "it has a time zone but no time",
    "space-instead-of-t": "it has a space instead of the T",
    "lower-case": "T and Z must be uppercase",
    "year-out-of-range": "the year must have four digits, from 0001 to 9999",
    "rfc-822": "it is in the RFC 822 format of email and RSS",
}
"""A description of each DateProblem, with `it` as the date."""

DATE_ELEMENT = "coalesce(lastmod_from, 'lastmod')"
"""SQL for the element that the date of an entry comes from; feeds and sitemaps use different ones."""


def in_words(column: str, words: Mapping[str, str]) -> str:
    """Return SQL for the description of the problem in `column`, or for the name of the problem if it has none."""
    cases = " ".join(f"WHEN '{problem}' THEN '{text}'" for problem, text in words.items())
    return f"CASE {column} {cases} ELSE {column} END"


LOST = "it has a character or reference that cannot be decoded"
"""What is wrong with a URL that has U+FFFD."""


def date_problem_in_words(date: str, problem: str) -> str:
    """Return SQL for the description of a date problem, which tells an impossible month from an impossible day.

    Args:
        date: The column of the date.
        problem: The column of its DateProblem.
    """
    month = f"regexp_extract({date}, '^[0-9]{{4}}-([0-9]{{2}})', 1)"
    return f"""CASE
        WHEN {problem} = 'impossible-date' AND {month} NOT BETWEEN '01' AND '12' AND {month} <> ''
        THEN 'the month does not exist'
        WHEN {problem} = 'impossible-date' THEN 'the day does not exist'
        ELSE {in_words(problem, DATE_PROBLEMS)} END"""


def url_problem_in_words(url: str, problem: str) -> str:
    """Return SQL for the description of a URL problem, which names the invalid part of the URL where possible.

    Args:
        url: The column of the URL.
        problem: The column of its UrlProblem.
    """
    tail = f"regexp_replace({url}, '^[^/?#]*//[^/?#]*', '')"
    parts = {
        "not-http": (f"regexp_extract({url}, '^([^:/?#]*):', 1)", "its scheme is ", ", not http or https"),
        "bad-host": (f"regexp_extract({url}, '//([^/?#]+)', 1)", "its host ", " is not a valid name or IP address"),
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
    replacement = f"WHEN {problem} = 'illegal-character' AND contains({url}, '\ufffd') THEN '{LOST}'"
    return f"CASE {replacement} {cases} ELSE {in_words(problem, URL_PROBLEMS)} END"


def usage_problem_in_words(problem: str, evidence: str) -> str:
    """Return SQL for the description of what is wrong with preferences of Content-Usage.

    Args:
        problem: The column of its ExtensionProblem.
        evidence: The column of the part that has the problem.
    """
    return f"""
        CASE {problem}
            WHEN 'empty' THEN 'it states no preference'
            WHEN 'key-plural' THEN 'the key is ' || {evidence} || ' instead of Content-Usage'
            WHEN 'usage-form' THEN {evidence} || ' is not a list of preferences such as train-ai=n, search=y'
            WHEN 'usage-unknown' THEN {evidence} || ' is not one of the preferences search, ai-use, and train-ai'
            WHEN 'usage-value' THEN {evidence} || ' is neither y nor n'
            WHEN 'signal-conflict' THEN {evidence} || ' contradicts another preference for the same content'
            ELSE 'it is before the first User-agent line'
        END
    """
