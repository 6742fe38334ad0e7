"""SQL that compares a lastmod with what is known about its page, made of the rules on dates."""

from __future__ import annotations

from urlset.rules.date_verdict import DateVerdict
from urlset.rules.registry import rule
from urlset.rules.rule import EntryRule

DATE_FAMILY = "MOD"
"""The family of the rules on dates."""


def broken(code: str) -> str:
    """Return the SQL predicate of an entry rule, true for a row that violates it.

    Raises:
        KeyError: There is no such rule.
        TypeError: The rule is not a predicate.
    """
    entry_rule = rule(code)
    if not isinstance(entry_rule, EntryRule) or entry_rule.where is None:
        raise TypeError(f"{code} has no predicate")
    return f"({entry_rule.where})"


MOVED_WITH_CONTENT = """
    status BETWEEN 200 AND 299 AND lastmod_at > lastmod_at_before
        AND content_hash <> content_hash_before AND words >= 20
"""
"""The counterpart of MOD015 and MOD016: the date and the main text changed since the previous run."""

AGREES_WITH_PAGE = """
    status BETWEEN 200 AND 299 AND CASE lastmod_precision
        WHEN 'year' THEN date_trunc('year', page_modified_at) = lastmod_at
        WHEN 'month' THEN date_trunc('month', page_modified_at) = lastmod_at
        ELSE page_modified_at IS NOT NULL
    END
"""
"""The counterpart of MOD014 and MOD017, which are checked before."""


def page_verdict() -> str:
    """Return SQL for the `DateVerdict` of a row of `pages`.

    What changed between two runs decides before the page's own date, which the same generator may have written.
    """
    differs = broken("MOD014")
    return f"""CASE
        WHEN {broken("MOD015")} THEN '{DateVerdict.INFLATED}'
        WHEN {broken("MOD016")} THEN '{DateVerdict.FROZEN}'
        WHEN {MOVED_WITH_CONTENT} THEN '{DateVerdict.TRUE}'
        WHEN {differs} AND lastmod_at > page_modified_at THEN '{DateVerdict.INFLATED}'
        WHEN {differs} OR {broken("MOD017")} THEN '{DateVerdict.FROZEN}'
        WHEN {AGREES_WITH_PAGE} THEN '{DateVerdict.TRUE}'
        ELSE '{DateVerdict.UNKNOWN}'
    END"""


def is_request_time(now: str) -> str:
    """Return SQL for whether all dates of a row of `documents` are the time of the request; `now` is SQL for it."""
    return broken("MOD012").replace("$now", now)


def is_future(now: str) -> str:
    """Return SQL for whether the date of a row of `urls` is in the future; `now` is SQL for the time of the request."""
    return broken("MOD005").replace("$now", now)
