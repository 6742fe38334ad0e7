"""Check a redirect map after a migration: two sides, joined with the map ─> request each old URL ─> compare."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING

from urlset import _core
from urlset.comparison.removed_urls import missing_response_reason
from urlset.comparison.sides import gaps_of, open_sides, trust_in_sides
from urlset.fetch.response import FetchError
from urlset.model.redirects import CheckedRedirect, CheckedRedirects, RedirectCounts, RedirectOutcome
from urlset.net.origin import LOCAL
from urlset.net.status import TO_US
from urlset.options.probing import ProbeMethod, ProbingOptions
from urlset.probe.facts import ProbeTarget, Row
from urlset.stages.session import Session
from urlset.text.progress import ProgressEvent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.comparison.redirect_map import Mapped, MappedSides
    from urlset.options.comparing import DiffOptions
    from urlset.text.progress import Progress

PERMANENT = frozenset({301, 308})

REDIRECT_LOOPS = frozenset({FetchError.REDIRECT_LOOP, FetchError.TOO_MANY_REDIRECTS})


@contextmanager
def checked_redirects(
    before: str,
    after: str,
    path: Path,
    column_names: Sequence[str] | None,
    options: DiffOptions,
    progress: Progress | None = None,
) -> Iterator[CheckedRedirects]:
    """Request each old URL of a redirect map, and compare where it leads with its new URL.

    Args:
        before: The earlier side, as for `diff`.
        path: The map: CSV or Parquet.
        column_names: The columns of the old and of the new URLs; None to find them.
        progress: Called after each document, then after each batch of URLs.

    Yields:
        The redirects, to be read inside the context.

    Raises:
        InputError: A side or the map cannot be read.
        UsageError: A side is invalid, or the columns are unclear.
    """
    from urlset.comparison.redirect_map import MappedSides, RedirectTable

    # A map that is wrong raises an error before any side is read.
    table = RedirectTable(path, column_names)
    reading = replace(options, rules=False)
    trust = trust_in_sides((before, after), reading)
    with Session(reading, trust, progress) as session, open_sides(before, after, reading, session) as sides:
        old, new = sides.before, sides.after
        mapped = MappedSides(sides.database, old.run, new.run, 0)
        mapped.load(table)
        counts = RedirectCounts(Counter(), mapped.repeated, *mapped.mismatches())
        checked = _count_outcomes(_check_redirects(mapped, session), counts)
        gaps = gaps_of("before", old, mapped), gaps_of("after", new, mapped)
        yield CheckedRedirects(table.columns, checked, counts, gaps)


def _count_outcomes(checked: Iterator[CheckedRedirect], counts: RedirectCounts) -> Iterator[CheckedRedirect]:
    for redirect in checked:
        counts.outcomes[redirect.outcome] = counts.outcomes.get(redirect.outcome, 0) + 1
        yield redirect


def _check_redirects(sides: MappedSides, session: Session) -> Iterator[CheckedRedirect]:
    from urlset.probe.prober import Prober

    mapped, total, done_count = _Mapped(chain.from_iterable(sides.redirects())), sides.mapped_count(), 0
    # With GET, as search engines request them: HEAD may get another response.
    asking = ProbingOptions(method=ProbeMethod.GET)
    prober = Prober(session.site, asking, mapped.next)
    for rows in prober:
        yield from mapped.in_order(rows)
        done_count += len(rows)
        if session.progress is not None:
            session.progress(ProgressEvent(done_count, total, "redirects", done_count, prober.usage.bytes))
    yield from (CheckedRedirect(RedirectOutcome.UNMAPPED, url) for url in sides.unmapped_urls())


@dataclass
class _Mapped:
    """The rows of the map: requested, and returned in the same order whatever arrives first."""

    rows: Iterator[Mapped]
    requests: int = 0
    returned_count: int = 0
    early_outcomes: list[tuple[int, CheckedRedirect]] = field(default_factory=list)

    def next(self, limit: int) -> list[ProbeTarget]:
        """Return the next URLs to request."""
        targets = []
        for row in self.rows:
            facts = {"number": self.requests, "mapped": row}
            # Who wrote the map is unknown, as for any local file.
            targets.append(ProbeTarget(row.url, facts, LOCAL))
            self.requests += 1
            if len(targets) == limit:
                break
        return targets

    def in_order(self, rows: Sequence[Row]) -> Iterator[CheckedRedirect]:
        """Take responses, and yield the results whose turn it is."""
        for row in rows:
            heappush(self.early_outcomes, (row["number"], outcome_of(row["mapped"], row)))
        while self.early_outcomes and self.early_outcomes[0][0] == self.returned_count:
            self.returned_count += 1
            yield heappop(self.early_outcomes)[1]


def outcome_of(mapped: Mapped, row: Row) -> CheckedRedirect:
    """Return the outcome of an old URL, by the row of its response."""
    hops, kind = row.get("hop_statuses") or [], row.get("error_kind")
    status = None if kind in REDIRECT_LOOPS else row.get("status")
    requested = not row.get("skipped")
    outcome, reason = _outcome(mapped, row, status, hops)
    return CheckedRedirect(
        outcome,
        mapped.url,
        mapped.expected,
        status,
        row["final_url"] if hops else None,
        len(hops) if requested else None,
        mapped.expected_is_listed,
        reason,
    )


def _outcome(mapped: Mapped, row: Row, status: int | None, hops: Sequence[int]) -> tuple[RedirectOutcome, str | None]:
    kind = row.get("error_kind")
    if kind in REDIRECT_LOOPS:
        return RedirectOutcome.LOOP, row["error"]
    if kind is FetchError.BAD_REDIRECT:
        return RedirectOutcome.BROKEN, row["error"]
    if (reason := missing_response_reason(row)) is not None:
        return RedirectOutcome.UNKNOWN, reason
    assert status is not None
    if status in TO_US or status >= 500:
        return RedirectOutcome.UNKNOWN, None
    if mapped.expected is None:
        if not hops and status in (404, 410):
            return RedirectOutcome.GONE, None
        return _unexpected_outcome(status, hops)
    if _core.page_key(row["final_url"]) != _core.page_key(mapped.expected):
        return _unexpected_outcome(status, hops)
    if status >= 300:
        return (RedirectOutcome.BROKEN if hops else RedirectOutcome.LOST), None
    if not hops:
        return RedirectOutcome.SAME, None
    if any(hop not in PERMANENT for hop in hops):
        return RedirectOutcome.TEMPORARY, None
    return (RedirectOutcome.CHAIN if len(hops) > 1 else RedirectOutcome.ARRIVES), None


def _unexpected_outcome(status: int, hops: Sequence[int]) -> tuple[RedirectOutcome, None]:
    """Return the outcome for a response at another URL than the new one."""
    if status < 300:
        return (RedirectOutcome.WRONG if hops else RedirectOutcome.STILL_THERE), None
    return (RedirectOutcome.BROKEN if hops else RedirectOutcome.LOST), None
