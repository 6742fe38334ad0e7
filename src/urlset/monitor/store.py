"""Stores the rounds of `monitor`: the state of each site, its alarms, and what is still to be sent."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import _duckdb as duckdb
from msgspec import json

from urlset import _core
from urlset.engine.store_tables import create_statement
from urlset.errors import InputError
from urlset.files.structured import decode_json
from urlset.model.monitoring import (
    Alarm,
    Delivery,
    Message,
    RoundFacts,
    SiteState,
    StoredRound,
    WaitingMessages,
)
from urlset.store.file import RUN_ID, unwritten, utc, without_zone
from urlset.store.page_states import delete_runs
from urlset.store.sites import by_site
from urlset.store.stored_values import stored_values
from urlset.tables import URLS, instant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from urlset.store.file import Store

T = TypeVar("T")

TABLES = ("urlset_sites", "urlset_rounds", "urlset_alarms", "urlset_deliveries")

MAX_TURNED = 20_000
"""Maximum pages that an alarm names."""

MAX_REMOVED = 10
"""Maximum removed URLs to name."""

# Only pages that both runs requested are compared. A page that is not known to be indexable may be.
_TURNED = f"""
SELECT now.reason, now.url FROM ({{now}}) AS now
JOIN ({{before}}) AS before ON before.loc_hash = now.loc_hash AND before.is_indexable
WHERE now.is_indexable = false
ORDER BY now.reason, now.document_id, now.ordinal
LIMIT {MAX_TURNED}
"""

# Members of alarms that are indexable again, or no longer listed in sitemaps that were all read to their end.
_RECOVERED = f"""
SELECT asked.url FROM (SELECT unnest($1::VARCHAR[]) AS url, unnest($2::BIGINT[]) AS loc_hash) AS asked
WHERE asked.loc_hash IN (SELECT loc_hash FROM ({{pages}}) WHERE is_indexable)
    OR {{is_whole}} AND asked.loc_hash NOT IN (
        SELECT loc_hash FROM {URLS.name} WHERE {RUN_ID} = {{run}} AND loc_hash IS NOT NULL
    )
"""

_REMOVED = f"""
SELECT DISTINCT loc FROM {URLS.name} WHERE {RUN_ID} = {{first}} AND loc_hash IS NOT NULL
    AND loc_hash NOT IN (
        SELECT loc_hash FROM {URLS.name} WHERE {RUN_ID} IN ({{second}}, {{third}}) AND loc_hash IS NOT NULL
    )
"""


_ROUNDS = """
SELECT r.started_at, r.run_id, r.is_complete, r.facts, count(*) FILTER (a.opened_at = r.started_at),
    count(*) FILTER (a.closed_at = r.started_at), any_value(r.rounds)
FROM (
    SELECT *, count(*) OVER () AS rounds FROM urlset_rounds WHERE site = $1 ORDER BY started_at DESC LIMIT {limit:d}
) AS r
LEFT JOIN urlset_alarms AS a ON a.site = r.site AND r.started_at IN (a.opened_at, a.closed_at)
GROUP BY r.started_at, r.run_id, r.is_complete, r.facts ORDER BY r.started_at DESC
"""


def has_rounds(store: Store) -> bool:
    """Return whether a store has the tables of rounds."""
    return all(map(store.has_table, TABLES))


class MonitorStore:
    """The part of a store that `monitor` keeps.

    Args:
        store: The store, open for writing, or for reading if it has these tables.

    Raises:
        OutputError: The store cannot be written.
    """

    def __init__(self, store: Store, *, create: bool = True) -> None:
        self._store = store
        self._connection = store.connection
        if create:
            with self._writing():
                for name in TABLES:
                    self._connection.execute(create_statement(name))
        elif not has_rounds(store):
            raise InputError(str(store.path), "has no rounds of `urlset monitor`")

    def sites(self) -> tuple[str, ...]:
        """Return the sites of all rounds."""
        return tuple(site for (site,) in self._store.rows("SELECT DISTINCT site FROM urlset_rounds ORDER BY site"))

    def state(self, site: str) -> SiteState:
        """Return the state of a site; the initial one if it has none."""
        rows = self._store.rows("SELECT facts FROM urlset_sites WHERE site = $1", [site])
        return self._decode(rows[-1][0], SiteState) if rows else SiteState()

    def last_round(self, site: str) -> tuple[datetime, RoundFacts, bool] | None:
        """Return when the last round of a site began, its numbers, and whether it was complete; None without one."""
        rows = self._store.rows(
            "SELECT started_at, facts, is_complete FROM urlset_rounds WHERE site = $1 ORDER BY started_at DESC LIMIT 1",
            [site],
        )
        return (utc(rows[0][0]), self._decode(rows[0][1], RoundFacts), bool(rows[0][2])) if rows else None

    def open_alarms(self, site: str) -> tuple[Alarm, ...]:
        """Return the open alarms of a site, oldest first."""
        return self._alarms("WHERE site = $1 AND closed_at IS NULL ORDER BY alarm_id", [site])

    def newest_alarms(self, limit: int) -> tuple[Alarm, ...]:
        """Return the alarms that were opened or closed last, newest first."""
        order = "ORDER BY greatest(opened_at, coalesce(closed_at, opened_at)) DESC, alarm_id DESC"
        return self._alarms(f"{order} LIMIT {limit:d}", [])

    def _alarms(self, which: str, values: list[object]) -> tuple[Alarm, ...]:
        rows = self._store.rows(f"SELECT facts FROM urlset_alarms {which}", values)
        return tuple(self._decode(facts, Alarm) for (facts,) in rows)

    def closed_alarms(self, site: str, limit: int) -> tuple[Alarm, ...]:
        """Return the alarms of a site that were closed last, newest first."""
        order = "ORDER BY closed_at DESC, alarm_id DESC"
        return self._alarms(f"WHERE site = $1 AND closed_at IS NOT NULL {order} LIMIT {limit:d}", [site])

    def rounds(self, site: str, limit: int) -> tuple[tuple[StoredRound, ...], int]:
        """Return the last rounds of a site, newest first, and the number of all."""
        rows = self._store.rows(_ROUNDS.format(limit=limit), [site])
        rounds = tuple(
            StoredRound(
                at=utc(at),
                run_id=run_id,
                is_complete=bool(is_complete),
                facts=self._decode(facts, RoundFacts),
                opened=opened,
                closed=closed,
            )
            for at, run_id, is_complete, facts, opened, closed, _ in rows
        )
        return rounds, int(rows[0][-1]) if rows else 0

    def waiting_messages(self) -> tuple[WaitingMessages, ...]:
        """Return the messages that sinks have not taken yet."""
        rows = self._store.rows(
            "SELECT sink, count(*), min(created_at), arg_max(problem, delivery_id) FROM urlset_deliveries "
            "GROUP BY sink ORDER BY sink"
        )
        return tuple(WaitingMessages(sink, count, utc(since), problem) for sink, count, since, problem in rows)

    def next_alarm(self) -> int:
        """Return the number of the next alarm."""
        [(number,)] = self._store.rows("SELECT coalesce(max(alarm_id), 0) + 1 FROM urlset_alarms")
        return int(number)

    def record(
        self,
        site: str,
        at: datetime,
        run_id: int | None,
        facts: RoundFacts,
        state: SiteState,
        alarms: Sequence[Alarm],
        deliveries: Sequence[Delivery],
        *,
        is_complete: bool,
    ) -> None:
        """Record a round in one transaction, so that an interrupted round leaves nothing.

        Args:
            at: When the round began.
            run_id: Its run; None if nothing could be read.
            state: The state for the next round.
            alarms: The alarms that were opened, changed, or closed.
            is_complete: Whether it ended without reaching a limit.
        """
        with self._writing():
            self._connection.begin()
            self._connection.execute("DELETE FROM urlset_sites WHERE site = $1", [site])
            self._connection.execute("INSERT INTO urlset_sites VALUES ($1, $2)", [site, _encode(state)])
            self._connection.execute(
                "INSERT INTO urlset_rounds VALUES ($1, $2, $3, $4, $5)",
                [site, without_zone(at), run_id, is_complete, _encode(facts)],
            )
            for alarm in alarms:
                self._connection.execute("DELETE FROM urlset_alarms WHERE alarm_id = $1", [alarm.alarm_id])
                closed = None if alarm.closed_at is None else without_zone(alarm.closed_at)
                self._connection.execute(
                    "INSERT INTO urlset_alarms VALUES ($1, $2, $3, $4, $5)",
                    [alarm.alarm_id, site, without_zone(alarm.opened_at), closed, _encode(alarm)],
                )
            for delivery in deliveries:
                self._connection.execute(
                    "INSERT INTO urlset_deliveries SELECT coalesce(max(delivery_id), 0) + 1, $1, $2, 0, NULL, $3 "
                    "FROM urlset_deliveries",
                    [delivery.sink, without_zone(at), delivery.content],
                )
            self._connection.commit()

    def pending_deliveries(self, sink: str) -> tuple[Delivery, ...]:
        """Return what is still to be sent to a sink, oldest first."""
        rows = self._store.rows(
            "SELECT delivery_id, sink, facts, tries, problem FROM urlset_deliveries WHERE sink = $1 "
            "ORDER BY delivery_id",
            [sink],
        )
        for _, _, facts, *_ in rows:
            self._decode(facts, Message)
        return tuple(Delivery(*row) for row in rows)

    def waiting(self) -> int:
        """Return the number of messages that could not be sent so far."""
        [(count,)] = self._store.rows("SELECT count(*) FROM urlset_deliveries")
        return int(count)

    def forget_delivery(self, delivery_id: int) -> None:
        """Forget a message that was sent."""
        with self._writing():
            self._connection.execute("DELETE FROM urlset_deliveries WHERE delivery_id = $1", [delivery_id])

    def drop_other_sinks(self, names: Sequence[str]) -> None:
        """Forget messages to sinks that the file no longer names."""
        with self._writing():
            self._connection.execute(
                "DELETE FROM urlset_deliveries WHERE sink NOT IN (SELECT unnest($1::VARCHAR[]))", [list(names)]
            )

    def record_failure(self, delivery_id: int, problem: str) -> None:
        with self._writing():
            self._connection.execute(
                "UPDATE urlset_deliveries SET tries = tries + 1, problem = $2 WHERE delivery_id = $1",
                [delivery_id, problem],
            )

    def has_run(self, run_id: int | None) -> bool:
        """Return whether a run is in the store and finished; runs may have been deleted."""
        return any(run.run_id == run_id and run.finished_at is not None for run in self._store.runs())

    def unindexable_pages(self, before: int, now: int) -> dict[str, list[str]]:
        """Return the pages that were indexable in a run and are not in a later one, by reason."""
        by_reason: dict[str, list[str]] = {}
        for reason, url in self._store.rows(
            _TURNED.format(before=self._store.pages(before), now=self._store.pages(now))
        ):
            by_reason.setdefault(reason, []).append(url)
        return by_reason

    def recovered_pages(self, run_id: int, urls: Sequence[str], *, is_whole: bool) -> frozenset[str]:
        """Return those of some URLs that are indexable in a run, or no longer listed.

        Args:
            is_whole: Whether the run read all sitemaps to their end.
        """
        if not urls:
            return frozenset()
        query = _RECOVERED.format(pages=self._store.pages(run_id), run=f"{run_id:d}", is_whole=str(is_whole).lower())
        rows = self._store.rows(query, [list(urls), [*map(_core.url_hash, urls)]])
        return frozenset(url for (url,) in rows)

    def listed_count(self, run_id: int) -> int:
        """Return the number of distinct listed URLs of a run."""
        [(count,)] = self._store.rows(f"SELECT count(DISTINCT loc_hash) FROM {URLS.name} WHERE {RUN_ID} = {run_id:d}")
        return int(count)

    def removed_urls(self, first: int, second: int, third: int) -> tuple[int, tuple[str, ...]]:
        """Return the number of URLs of a run that the next two runs do not list, and some of them."""
        query = _REMOVED.format(first=f"{first:d}", second=f"{second:d}", third=f"{third:d}")
        [(count,)] = self._store.rows(f"SELECT count(*) FROM ({query})")
        rows = self._store.rows(f"{query} ORDER BY loc LIMIT {MAX_REMOVED}") if count else []
        return int(count), tuple(url for (url,) in rows)

    def newest_lastmod(self, run_id: int, now: datetime) -> datetime | None:
        """Return the newest lastmod of the URLs of a run that is not in the future."""
        [(newest,)] = self._store.rows(
            f"SELECT max(lastmod_at) FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} AND lastmod_at <= $1",
            [without_zone(now)],
        )
        return instant(newest) if isinstance(newest, int) else None if newest is None else utc(newest)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            raise unwritten(self._store.path, error) from None

    def _decode(self, text: str, kind: type[T]) -> T:
        with stored_values(self._store.path, "a round"):
            return decode_json(text, kind)


def prune(store: Store, keep: int) -> tuple[int, ...]:
    """Delete all but the newest finished runs of each site, and return the numbers of the deleted runs.

    An unfinished run stays only if it is newer than every finished run of its site: it can be resumed. A run also stays
    while later ones have not checked its findings again.
    """
    removed = []
    needed: set[int] = set()
    if store.has_table("urlset_sites"):
        stored = MonitorStore(store, create=False)
        needed = {run for site in stored.sites() for run in stored.state(site).unchecked_since.values()}
    for runs in by_site(store.runs()):
        ended = [run.run_id for run in runs if run.finished_at is not None]
        last = ended[-1] if ended else 0
        staying = {
            *needed,
            *ended[-keep:],
            *(run.run_id for run in runs if run.finished_at is None and run.run_id > last),
        }
        removed += [run.run_id for run in runs if run.run_id not in staying]
    delete_runs(store, removed)
    return tuple(sorted(removed))


def _encode(value: object) -> str:
    return json.encode(value).decode()
