"""`monitor`: sites that are due ─> observe ─> decide ─> record ─> notify.

A round is recorded in one transaction, together with its messages: an interrupted round leaves nothing, and no message
is lost. A message that a sink does not take is sent again in the next round.
"""

from __future__ import annotations

import shutil
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import starmap
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from urlset.errors import InputError, OutputError, UsageError, internal_error, reason_of
from urlset.files.own_files import open_own
from urlset.files.publish import publish
from urlset.files.repository_links import is_foreign
from urlset.model.monitoring import Delivery, MonitorResult, SiteRound
from urlset.monitor.alarm_feed import MAX_ALARMS, atom
from urlset.monitor.decide import decide, is_due
from urlset.monitor.openmetrics import openmetrics
from urlset.monitor.sinks import message_of, sinks_of
from urlset.monitor.store import MonitorStore, prune
from urlset.options.verbs import ReadOptions
from urlset.pipeline.observe import SiteObservation, observe
from urlset.stages.named import trust_in_none
from urlset.stages.session import Session
from urlset.store.file import Store
from urlset.store.page_states import delete_dates
from urlset.text.masking import mask_target
from urlset.text.sizes import quantity, size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from urlset.model.monitoring import Alarm, SiteState
    from urlset.monitor.sinks import Sink
    from urlset.options.monitoring import Monitor, MonitoredSite
    from urlset.text.progress import Progress

Observe: TypeAlias = "Callable[[MonitoredSite, Path, SiteState, Sequence[Alarm], datetime], SiteObservation]"


def monitor(
    plan: Monitor,
    *,
    is_forced: bool = False,
    progress: Progress | None = None,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    look: Observe = observe,
) -> MonitorResult:
    """Run a round on the sites that are due.

    Args:
        is_forced: Whether to check every site, also those that are not due.
        progress: Called after each site.
        now: The clock, in UTC.
        free: Returns the free bytes of the disk of a directory.

    Raises:
        OutputError: Another round is running, the disk is full, the store belongs to another user, or the store or a
            file cannot be written.
        MissingExtraError: Apprise is needed, and not installed.
        UsageError: Apprise does not know a URL.
    """
    with Session(ReadOptions(), trust_in_none()) as session:
        sinks = sinks_of(plan.webhooks, plan.apprise, plan.issue, session)
        return _monitor(plan, sinks, is_forced=is_forced, progress=progress, now=now, free=free, look=look)


def _monitor(
    plan: Monitor,
    sinks: Sequence[Sink],
    *,
    is_forced: bool,
    progress: Progress | None,
    now: Callable[[], datetime],
    free: Callable[[Path], int],
    look: Observe,
) -> MonitorResult:
    path = plan.file.store
    if path.exists() and is_foreign(path, plan.path.resolve().parent):
        raise OutputError(
            f"{path}: belongs to another user, who could change what is sent; set your own store in {plan.path}"
        )
    with _only_round(path):
        folder = path.resolve().parent
        if (space := free(folder)) < plan.file.min_free:
            raise OutputError(
                f"{folder}: has {size(space)} free, less than min-free ({size(plan.file.min_free)}); "
                "no site was checked"
            )
        sites, others = [], 0
        with Store.create(path) as store:
            stored = MonitorStore(store)
            for site in plan.sites:
                last = stored.last_round(site.spec.url)
                began = None if last is None else last[0].timestamp()
                if is_forced or is_due(began, site.spec.seconds, now().timestamp()):
                    sites.append((site, stored.state(site.spec.url), stored.open_alarms(site.spec.url)))
                else:
                    others += 1
        rounds = []
        for number, (site, state, alarms) in enumerate(sites, start=1):
            rounds.append(_round(site, state, alarms, path, sinks, now(), look))
            if progress is not None:
                from urlset.text.progress import ProgressEvent

                progress(ProgressEvent(number, len(sites), mask_target(site.spec.url)))
        with Store.create(path) as store:
            undelivered, refused = _deliver(MonitorStore(store), sinks)
            _write_files(MonitorStore(store), plan, now())
            if plan.file.keep is not None:
                prune(store, plan.file.keep)
    return MonitorResult(sites=tuple(rounds), not_due=others, undelivered=undelivered, refused=refused)


def metrics(path: Path) -> str:
    """Return the last round of each site in a store as OpenMetrics.

    Raises:
        InputError: The store cannot be read, or has no rounds.
    """
    with Store.read(path) as store:
        stored = MonitorStore(store, create=False)
        return _metrics(stored, stored.sites())


def prune_runs(path: Path, keep: int) -> tuple[int, ...]:
    """Delete all but the newest finished runs of each site in a store, and return the numbers of the deleted runs.

    Raises:
        InputError: The store cannot be read.
        OutputError: It cannot be written.
    """
    # Read first: a store that does not exist must not be created.
    Store.read(path).close()
    with Store.create(path) as store:
        return prune(store, keep)


def prune_dates(path: Path, start: datetime) -> int:
    """Delete the dates of pages from before a time, and return their number. Errors as for `prune_runs`."""
    with Store.create(path) as store:
        return delete_dates(store, start)


def _round(
    site: MonitoredSite,
    state: SiteState,
    alarms: Sequence[Alarm],
    path: Path,
    sinks: Sequence[Sink],
    at: datetime,
    look: Observe,
) -> SiteRound:
    url = site.spec.url
    try:
        observation = look(site, path, state, alarms, at)
    except (InputError, UsageError) as error:
        return SiteRound(site=mask_target(url), problem=str(error))
    except Exception as error:  # noqa: BLE001 (errors of the whole run are raised again)
        return SiteRound(site=mask_target(url), problem=internal_error(error))
    decision = decide(url, state, alarms, observation.observation)
    after = decision.state
    if observation.observation.is_complete and observation.run_id is not None:
        after = replace(after, finding_run=observation.run_id)
        if observation.facts.pages is not None:
            after = replace(after, page_run=observation.run_id)
        if observation.observation.listed is not None:
            after = replace(after, url_runs=(*state.url_runs[-1:], observation.run_id))
    with Store.create(path) as store:
        stored = MonitorStore(store)
        first = stored.next_alarm()
        opened_alarms = [replace(alarm, alarm_id=first + number) for number, alarm in enumerate(decision.opened)]
        open_now = Counter(alarm.kind.value for alarm in (*decision.still_open, *opened_alarms))
        message = message_of(mask_target(url), at.isoformat(), opened_alarms, decision.closed, decision.still_open)
        has_news = opened_alarms or decision.closed
        stored.record(
            url,
            at,
            observation.run_id,
            replace(observation.facts, open=dict(open_now)),
            after,
            [*opened_alarms, *decision.closed, *decision.still_open],
            [Delivery(0, sink.name, message) for sink in sinks] if has_news else [],
            is_complete=observation.observation.is_complete,
        )
    is_first = state.rounds == 0 and after.rounds == 1
    return SiteRound(
        site=mask_target(url),
        opened=tuple(opened_alarms),
        closed=decision.closed,
        still_open=decision.still_open,
        is_first=is_first,
        known=len(after.known) if is_first else 0,
        notes=observation.notes,
    )


def _deliver(stored: MonitorStore, sinks: Sequence[Sink]) -> tuple[dict[str, str], dict[str, str]]:
    """Send what is waiting, in order, and return why a sink does not take it, and why it never will."""
    stored.drop_other_sinks([sink.name for sink in sinks])
    undelivered: dict[str, Counter[str]] = {}
    refused: dict[str, Counter[str]] = {}
    for sink in sinks:
        for sent in sink.send(stored.pending_deliveries(sink.name)):
            for delivery in sent.deliveries:
                if sent.problem is None or sent.is_refused:
                    stored.forget_delivery(delivery.delivery_id)
                else:
                    stored.record_failure(delivery.delivery_id, sent.problem)
            if sent.problem is not None:
                problems = (refused if sent.is_refused else undelivered).setdefault(sink.name, Counter())
                problems[sent.problem] += len(sent.deliveries)
    return (
        {name: "; ".join(problems) for name, problems in undelivered.items()},
        # Those are gone, while what waits is counted in the store.
        {name: "; ".join(starmap(_counted, problems.items())) for name, problems in refused.items()},
    )


def _counted(problem: str, messages: int) -> str:
    return problem if messages == 1 else f"{problem} ({quantity(messages, 'message')})"


def _write_files(stored: MonitorStore, plan: Monitor, at: datetime) -> None:
    if plan.file.feed is not None:
        publish(plan.file.feed, atom(stored.newest_alarms(MAX_ALARMS), at))
    if plan.file.metrics is not None:
        publish(plan.file.metrics, _metrics(stored, [site.spec.url for site in plan.sites]).encode())


def _metrics(stored: MonitorStore, sites: Sequence[str]) -> str:
    rounds = {mask_target(site): last for site in sites if (last := stored.last_round(site)) is not None}
    return openmetrics(rounds, stored.waiting())


@contextmanager
def _only_round(path: Path) -> Iterator[None]:
    """Keep other rounds with the same store out. The system releases the lock whenever the process ends."""
    from filelock import lock_descriptor

    lock = path.parent / f"{path.name}.lock"
    try:
        file = open_own(lock, "ab")
    except OSError as error:
        raise OutputError(f"{lock}: cannot be locked: {reason_of(error)}") from None
    with file:
        if not lock_descriptor(file.fileno(), blocking=False):
            raise OutputError(f"{path}: locked by another round of `urlset monitor`, which is still running")
        yield
