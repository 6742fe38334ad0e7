"""SQL that compares a lastmod with what is known about its page, made of the rules on dates."""

from __future__ import annotations

from urlset.rules.date_verdict import DateVerdict
from urlset.rules.queries import LASTMOD_IS_PROVEN, LASTMODS_ARE_EQUAL, LASTMODS_ARE_OF_NOW
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

    A commit that proves when the text changed decides alone. What changed between two runs decides before the page's
    own date, which the same generator may have written.
    """
    differs = broken("MOD014")
    return f"""CASE
        WHEN {LASTMOD_IS_PROVEN} THEN '{DateVerdict.TRUE}'
        WHEN proof_commit IS NOT NULL AND lastmod_at > page_modified_at THEN '{DateVerdict.INFLATED}'
        WHEN proof_commit IS NOT NULL AND lastmod_at IS NOT NULL THEN '{DateVerdict.FROZEN}'
        WHEN {broken("MOD015")} THEN '{DateVerdict.INFLATED}'
        WHEN {broken("MOD016")} THEN '{DateVerdict.FROZEN}'
        WHEN {MOVED_WITH_CONTENT} THEN '{DateVerdict.TRUE}'
        WHEN {differs} AND lastmod_at > page_modified_at THEN '{DateVerdict.INFLATED}'
        WHEN {differs} OR {broken("MOD017")} THEN '{DateVerdict.FROZEN}'
        WHEN {AGREES_WITH_PAGE} THEN '{DateVerdict.TRUE}'
        ELSE '{DateVerdict.UNKNOWN}'
    END"""


ENTRY_VERDICT = f"""CASE
        WHEN d.is_future THEN '{DateVerdict.INFLATED}'
        WHEN j.is_proven THEN '{DateVerdict.TRUE}'
        WHEN l.is_request_time THEN '{DateVerdict.INFLATED}'
        ELSE coalesce(j.verdict, '{DateVerdict.UNKNOWN}')
    END"""
"""SQL for the `DateVerdict` of an entry `d` of a document `l` whose page is `j`, if it was fetched.

That all dates are the same does not make them false: on a new site, they are true.
"""

# The dates that a source of a build would publish, as if it had been audited. A build has no response to judge.
_BUILT = """
WITH judged AS (
    SELECT place, lastmod_at, lastmod_at_before, page_modified_at, proof_commit, {future} AS is_future,
        {proven} AS is_proven, {verdict} AS verdict
    FROM (SELECT *, 200 AS status, NULL::TIMESTAMP AS last_modified_at, 0 AS words FROM {built})
), document AS (
    SELECT 'urlset' AS kind, 0 AS news, '' AS host, count(*) AS entries,
        count(*) - count(lastmod_at) AS lastmod_missing, min(lastmod_at) AS lastmod_oldest,
        max(lastmod_at) AS lastmod_newest, count(*) FILTER (lastmod_precision = 'day') AS lastmod_days
    FROM {built}
), listed AS (
    SELECT {request_time} AS is_request_time, {uniform} AS is_uniform FROM document
)
SELECT j.place, CASE
        WHEN j.is_future THEN 'it is in the future'
        WHEN l.is_request_time THEN 'all dates are the time of the build'
        WHEN j.proof_commit IS NOT NULL THEN 'the text last changed on ' || strftime(j.page_modified_at, '%Y-%m-%d')
            || ', in commit ' || left(j.proof_commit, 12)
        WHEN j.verdict = '{inflated}' THEN 'the text is that of the last build, which had '
            || strftime(j.lastmod_at_before, '%Y-%m-%d')
        ELSE 'all dates are the same'
    END
FROM judged AS j JOIN judged AS d USING (place) CROSS JOIN listed AS l
WHERE {entry} = '{inflated}' OR (l.is_uniform AND {entry} = '{unknown}')
ORDER BY j.place
"""


def inflated_dates(built: str, now: str) -> str:
    """Return SQL for the dates of a source of a build that are newer than the last change: their places, and why.

    Args:
        built: The table of the dates, by `place`, with the columns of `pages` that say when the text changed.
        now: SQL for the time of the build.
    """
    return _BUILT.format(
        built=built,
        future=is_future(now),
        proven=LASTMOD_IS_PROVEN,
        verdict=page_verdict(),
        request_time=is_request_time(now),
        uniform=LASTMODS_ARE_EQUAL,
        inflated=DateVerdict.INFLATED,
        unknown=DateVerdict.UNKNOWN,
        entry=ENTRY_VERDICT,
    )


def is_request_time(now: str) -> str:
    """Return SQL for whether all dates of a row of `documents` are the time of the request; `now` is SQL for it."""
    return LASTMODS_ARE_OF_NOW.format(now=now)


def is_future(now: str) -> str:
    """Return SQL for whether the date of a row of `urls` is in the future; `now` is SQL for the time of the request."""
    return broken("MOD005").replace("$now", now)
