"""`coverage diff`: states of two days ─> compare ─> pages of the runs of these days ─> compare."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.comparison.state_changes import MEMORY, StateDiff
from urlset.coverage.index_states import engines_with_reports
from urlset.coverage.join import known_hosts
from urlset.errors import UsageError
from urlset.model.coverage import GOOGLE
from urlset.model.coverage_diff import CoverageDiff, StoredRun
from urlset.options.values import earlier_time
from urlset.store.file import Store
from urlset.store.sites import finished_runs, of_one_site

if TYPE_CHECKING:
    from datetime import date

    from urlset.model.run import RunRow
    from urlset.options.coverage import CoverageDiffOptions


def coverage_diff(options: CoverageDiffOptions) -> CoverageDiff:
    """Return which URLs entered the index, fell out, or got another reason, and what changed on their pages.

    Raises:
        InputError: The store cannot be read.
        UsageError: The store has no reports, the days are in the wrong order, or it has runs of several sites.
    """
    now = datetime.now(UTC)
    since = earlier_time("since", options.since, now).date()
    until = now.date() if options.until is None else earlier_time("until", options.until, now).date()
    if since >= until:
        raise UsageError(f"since: must be before --until, but {since} is not before {until}")
    with Store.read(options.store) as store, store.holding(MEMORY):
        engines = engines_with_reports(store)
        engine = options.engine or (GOOGLE if GOOGLE in engines else next(iter(engines), None))
        if engine is None or engine not in engines:
            have = f"it has those of {', '.join(engines)}" if engines else "import an export first"
            raise UsageError(f"{options.store}: no reports of {engine or 'search engines'}; {have}")
        runs = _runs_of(store, since, until)
        diff = StateDiff(store, engine, (since, until), [run.run_id for run in runs])
        compared, first_reported, not_reported = diff.counts()
        return CoverageDiff(
            store=options.store,
            engine=engine,
            since=since,
            until=until,
            compared=compared,
            first_reported=first_reported,
            not_reported=not_reported,
            changes=tuple(diff.changes(options.rows)),
            runs=runs,
        )


def _runs_of(store: Store, since: date, until: date) -> tuple[StoredRun, ...]:
    """Return the last runs up to the two days; the oldest one if there is none up to the first day."""
    runs = [
        StoredRun(run.run_id, _end(run))
        for run in of_one_site(store.path, finished_runs(store.runs()), "{}@{}".format, known_hosts(store))
        if _end(run).date() <= until
    ]
    earlier = [run for run in runs if run.made_at.date() <= since] or runs[:1]
    if not runs or earlier[-1].run_id == runs[-1].run_id:
        return ()
    return earlier[-1], runs[-1]


def _end(run: RunRow) -> datetime:
    return run.finished_at or run.started_at
