"""Decides which places of one run another run did not check.

The other run cannot say that they were fixed, or, if it is the earlier one, that they are new.

A finding is fixed only where the later run checked again: it applied the rule, read the sitemap to its end, and
requested the page, or found that it is no longer listed. `diff`, reports, the workbench, and `monitor` ask here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from urlset.comparison.run_tables import RunTables
from urlset.engine.store_tables import columns_in
from urlset.model.comparison import Unchecked
from urlset.net.status import IS_TO_US
from urlset.rules.queries import sql_list
from urlset.rules.registry import all_rules
from urlset.rules.rule import EntryRule, SetRule
from urlset.store.file import RUN_ID
from urlset.store.rules_run import AppliedRules
from urlset.store.site_files import KINDS
from urlset.tables import (
    ANCHORS,
    BROKEN_ANCHORS,
    CRAWLED,
    CUTS,
    DOCUMENTS,
    FINDINGS,
    LINKED,
    LINKED_ANCHORS,
    LINKS,
    PAGES,
    ROBOTS_FILES,
    SITEMAP_KINDS,
    URLS,
)
from urlset.web.robots_txt import Availability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import duckdb

    from urlset.rules.rule import Rule
    from urlset.store.file import Store
    from urlset.tables import Table

OF_PAGES = frozenset({PAGES.name, CRAWLED.name, LINKED.name, BROKEN_ANCHORS.name})
"""Tables with what pages say: a rule that reads one has nothing to find on a page that was not requested."""

OF_ROBOTS = frozenset({"robots", "robots_files", "robots_extensions", "blocked_urls"})
"""Tables with what a robots.txt says."""

_RESPONDED = f"(status IS NOT NULL AND status < 500 AND status NOT {IS_TO_US})"

# Pages that the earlier run requested and the later one did not, although the site still lists or links to them. A page
# that is no longer listed has no finding of its own, and so no reason; its links may still be there. Only requests
# for listed pages lead to findings on them; those of a crawl read the links.
_UNREQUESTED = f"""
CREATE OR REPLACE TEMP TABLE unrequested AS
WITH earlier AS (
    SELECT document_id, url, loc_hash, page_hash, {_RESPONDED} AS responded FROM {{before_pages}} WHERE skipped IS NULL
    UNION ALL
    SELECT NULL, url, page_hash, page_hash, {_RESPONDED} FROM {{before_crawled}} WHERE skipped IS NULL
), later AS (
    SELECT page_hash, bool_or(skipped IS NULL) AS is_read, bool_or(skipped IS NULL AND is_page) AS is_requested,
        min(skipped) AS skipped, bool_or({_RESPONDED}) AS responded
    FROM (
        SELECT page_hash, skipped, status, true AS is_page FROM {{after_pages}}
        UNION ALL
        SELECT page_hash, skipped, status, false FROM {{after_crawled}})
    GROUP BY page_hash
), others AS MATERIALIZED (
    -- Most pages are requested again, so few URLs are looked up.
    SELECT * FROM (
        SELECT e.*, l.page_hash IS NOT NULL AS is_there, l.skipped,
            coalesce(l.is_read, false) AND (l.responded OR NOT e.responded) AS is_read,
            CASE WHEN e.document_id IS NULL THEN coalesce(l.is_read, false) ELSE coalesce(l.is_requested, false) END
                AS is_requested
        FROM earlier AS e LEFT JOIN later AS l USING (page_hash))
    WHERE NOT (is_requested AND is_read)
), listed AS MATERIALIZED (
    -- An older urlset hashed URLs as written.
    SELECT loc, loc_hash FROM {{listed}}
    WHERE loc IN (SELECT url FROM others WHERE url IS NOT NULL)
        OR loc_hash IN (SELECT loc_hash FROM others WHERE loc_hash IS NOT NULL)
), judged AS (
    SELECT *, url IN (SELECT loc FROM listed WHERE loc IS NOT NULL)
        OR loc_hash IN (SELECT loc_hash FROM listed WHERE loc_hash IS NOT NULL) AS is_listed
    FROM others
)
SELECT document_id, url, page_hash, is_read,
    CASE WHEN document_id IS NOT NULL AND NOT is_listed OR is_requested AND is_read THEN NULL
        WHEN is_requested THEN '{Unchecked.RESPONSE}'
        WHEN skipped = 'robots' THEN '{Unchecked.ROBOTS}'
        ELSE '{Unchecked.PAGE}' END AS reason
FROM judged
WHERE is_there OR is_listed OR page_hash IN (SELECT page_hash FROM {{after_linked}} WHERE page_hash IS NOT NULL)
"""

_DOCUMENTS = """
SELECT named.document_id, {key} AS place, named.parent_id,
    named.kind IN {kinds} AND named.error IS NULL AND coalesce(named.complete, true)
        AND named.document_id NOT IN (SELECT document_id FROM {cuts} WHERE duplicate_of IS NULL) AS is_whole,
    coalesce(named.kind, '') NOT IN {other_kinds}
        AND named.document_id NOT IN (SELECT document_id FROM {robots_files} WHERE document_id IS NOT NULL)
        AS is_sitemap
FROM {documents} AS named
"""

_LOST = """
SELECT f.code, named.place, f.url, f.value,
    f.url IN (SELECT loc FROM {listed}) AS is_listed,
    f.url IN (SELECT url FROM {removed}) AS is_removed,
    u.reason, v.reason AS reason_of_value,
    coalesce(t.links, 0) AS links,
    t.skipped AS skipped,
    b.page_hash IN (SELECT l.to_hash FROM {before_links} AS l SEMI JOIN (FROM unrequested WHERE NOT is_read) AS s
            ON s.page_hash = l.from_hash)
        AS has_unread_source,
    b.page_hash IN (SELECT page_hash FROM {after_anchors} WHERE NOT complete)
        OR (b.page_hash, f.fragment) IN (
            SELECT (l.to_hash, l.fragment)
            FROM {after_linked_anchors} AS l JOIN {after_anchors} AS a ON a.page_hash = l.to_hash
            WHERE NOT list_has_any(a.hashes, l.wanted)
        ) AS has_unknown_anchors
FROM (
    SELECT *, CASE WHEN code IN {of_anchors} THEN split_part(url, '#', 1) ELSE url END AS page,
        substr(url, strpos(url, '#') + 1) AS fragment
    FROM {before_findings}
) AS f
JOIN ({before_documents}) AS named USING (document_id)
JOIN lost USING (code, place)
LEFT JOIN (SELECT url, min(reason) AS reason FROM unrequested GROUP BY url) AS u ON u.url = f.page
LEFT JOIN (SELECT url, min(reason) AS reason FROM unrequested GROUP BY url) AS v ON v.url = f.value
LEFT JOIN (SELECT url, any_value(page_hash) AS page_hash FROM {before_linked} GROUP BY url) AS b ON b.url = f.page
LEFT JOIN (SELECT page_hash, max(links) AS links, min(skipped) AS skipped FROM {after_linked} GROUP BY page_hash) AS t
    ON t.page_hash = b.page_hash
WHERE f.example > 0 AND (f.code, named.place, coalesce(f.url, ''), coalesce(f.value, '')) NOT IN (
    SELECT (code, place, coalesce(url, ''), coalesce(value, ''))
    FROM {after_findings} JOIN ({after_documents}) AS named USING (document_id))
"""

_REMOVED = """
SELECT place, count(*) FROM {removed} AS removed JOIN ({before_documents}) AS named USING (document_id) GROUP BY place
"""

_NONE_REMOVED = "(SELECT NULL::VARCHAR AS url, NULL::BIGINT AS document_id WHERE false)"

_DOCUMENT_KEY = "named.url"

_COUNTED = f"""
SELECT code, {_DOCUMENT_KEY} AS document, sum("count") AS places
FROM {FINDINGS.name} AS f JOIN {DOCUMENTS.name} AS named USING ({RUN_ID}, document_id)
WHERE {RUN_ID} = {{run}} AND example <= 1 GROUP BY ALL
"""

_FEWER = f"""
SELECT code, document, b.places, coalesce(a.places, 0)
FROM ({_COUNTED.format(run="{before}")}) AS b LEFT JOIN ({_COUNTED.format(run="{after}")}) AS a USING (code, document)
WHERE coalesce(a.places, 0) < b.places
"""


class Lost(NamedTuple):
    """A rule in a document, in fewer places than before.

    Attributes:
        before: Number of places before.
        after: Number of places now.
    """

    before: int
    after: int


Key = tuple[str, str]
"""The code of a rule, and the key of a document."""


@dataclass
class UncheckedPlaces:
    """Asks which of the places that a later run no longer has it did not check.

    Args:
        connection: A connection to both runs.
        key: SQL for the key by which documents of both runs are matched, of a document `named`.
        listed: SQL for the URLs that the later run lists: `loc`, `loc_hash`; None for those that it stored.
        removed: SQL for the URLs whose pages only the earlier run lists: `url`, `document_id`; None if not asked.

    Attributes:
        unlisted: How many places of each finding, after `reasons`, are on pages that only the earlier run lists.
    """

    connection: duckdb.DuckDBPyConnection
    before: RunTables
    after: RunTables
    key: str
    listed: str | None = None
    removed: str | None = None
    unlisted: dict[Key, int] = field(default_factory=dict)
    _rules: dict[str, Rule] = field(default_factory=dict)

    def reasons(self, lost: Mapping[Key, Lost]) -> dict[Key, dict[Unchecked, int]]:
        """Return how many places of each finding were not checked, by reason; nothing for those that are fixed."""
        if not lost:
            return {}
        self._rules = {rule.code: rule for rule in all_rules()}
        self._listed = self.listed or self.after.rows(URLS)
        self._prepare(lost)
        before, after = (self.connection.execute(self._documents(run)).fetchall() for run in self._runs)
        unread = _Documents.of(before, after)
        is_unreachable = f"availability = '{Availability.UNREACHABLE}'"
        # A file or directory of sitemaps has no robots.txt, and so no findings on it.
        has_robots = not (self._has(ROBOTS_FILES, is_unreachable) or self._lacks_all(ROBOTS_FILES))
        has_basis = not self._has(LINKED, "basis IS NULL")
        seen: dict[Key, int] = Counter()
        found: dict[Key, Counter[Unchecked]] = {}
        unlisted: Counter[Key] = Counter()
        for place in map(_Place._make, self.connection.execute(self._fill_in(_LOST)).fetchall()):
            reason = self._reason(place, unread, has_robots=has_robots, has_basis=has_basis)
            seen[place.key] += 1
            if reason is not None:
                found.setdefault(place.key, Counter())[reason] += 1
            elif place.is_removed and not self._is_of_url(place.code):
                unlisted[place.key] += 1
        more = self._unrequested_by_document()
        counts = {
            key: reasons
            for key, count in lost.items()
            if (reasons := self._counts(key, count, seen[key], found.get(key, Counter()), unread, more))
        }
        self._count_unlisted(unlisted, lost, seen, counts)
        return counts

    def _count_unlisted(
        self,
        unlisted: Mapping[Key, int],
        lost: Mapping[Key, Lost],
        seen: Mapping[Key, int],
        unchecked: Mapping[Key, Mapping[Unchecked, int]],
    ) -> None:
        """Count the places on removed pages; if all stored ones are, others may be on as many as were removed."""
        removed = dict(self.connection.execute(self._fill_in(_REMOVED)).fetchall()) if unlisted else {}
        for key, stored in unlisted.items():
            left = lost[key].before - lost[key].after - sum(unchecked.get(key, {}).values())
            count = max(stored, removed.get(key[1], 0)) if stored == seen[key] else stored
            self.unlisted[key] = min(count, left)

    @property
    def _runs(self) -> tuple[RunTables, RunTables]:
        return self.before, self.after

    def _prepare(self, lost: Mapping[Key, Lost]) -> None:
        run = self.connection.execute
        run(
            "CREATE OR REPLACE TEMP TABLE lost AS SELECT unnest($1::VARCHAR[]) AS code, unnest($2::VARCHAR[]) AS place",
            [[code for code, _ in lost], [place for _, place in lost]],
        )
        run(self._fill_in(_UNREQUESTED))
        if not any(self._reads_pages(code) for code, _ in lost):
            run("DELETE FROM unrequested")

    def _reads_pages(self, code: str) -> bool:
        rule = self._rules.get(code)
        return rule is not None and not OF_PAGES.isdisjoint(rule.tables)

    def _is_of_url(self, code: str) -> bool:
        """Return whether a rule is on the URL itself, which is no longer listed if it is corrected."""
        return getattr(self._rules.get(code), "field", None) == "loc"

    def _reason(self, place: _Place, documents: _Documents, *, has_robots: bool, has_basis: bool) -> Unchecked | None:
        """Return why a place was not checked; None if it was."""
        rule = self._rules.get(place.code)
        tables = rule.tables if rule is not None else frozenset()
        if documents.is_unread(place.place) and not place.is_listed:
            return Unchecked.DOCUMENT
        if rule is not None and rule.spans_run and documents.any_unread:
            return Unchecked.DOCUMENT
        if not OF_ROBOTS.isdisjoint(tables) and not has_robots:
            return Unchecked.DOCUMENT
        if OF_PAGES.isdisjoint(tables):
            return None
        if place.reason is not None:
            return Unchecked(place.reason)
        if isinstance(rule, SetRule) and place.reason_of_value is not None:
            return Unchecked(place.reason_of_value)
        if BROKEN_ANCHORS.name in tables:
            if place.has_unknown_anchors:
                return Unchecked.ANCHORS
            # A page that linked to the page may link to the anchor.
            return Unchecked.LINKS if place.has_unread_source else None
        if LINKED.name in tables:
            if place.skipped is not None:
                return Unchecked.ROBOTS if place.skipped == "robots" else Unchecked.PAGE
            is_linked = place.links > 0 or not place.has_unread_source
            if not is_linked or (_reads_basis(rule) and not has_basis):
                return Unchecked.LINKS
        return None

    def _counts(
        self,
        key: Key,
        count: Lost,
        seen: int,
        found: Counter[Unchecked],
        documents: _Documents,
        more: Mapping[str, Mapping[Unchecked, int]],
    ) -> dict[Unchecked, int]:
        """Return the places that were not checked, at most as many as are missing.

        Only the first places of a finding are stored. Of the others, as many are counted as pages were not requested.
        """
        code, place = key
        rest = count.before - count.after - seen
        if rest > 0 and documents.is_unread(place):
            found[Unchecked.DOCUMENT] += rest
        elif rest > 0 and self._reads_pages(code):
            for reason, pages in more.get(place, {}).items():
                found[reason] += min(rest, max(0, pages - found[reason]))
        left, counts = count.before - count.after, {}
        for reason in Unchecked:
            if number := min(found[reason], left):
                counts[reason] = number
                left -= number
        return counts

    def _unrequested_by_document(self) -> dict[str, dict[Unchecked, int]]:
        """Return the number of pages that were not requested, by the document that lists them."""
        statement = (
            "SELECT place, reason, count(*) "
            f"FROM unrequested JOIN ({self._documents(self.before)}) USING (document_id) "
            "WHERE reason IS NOT NULL GROUP BY place, reason"
        )
        found: dict[str, dict[Unchecked, int]] = {}
        for place, reason, count in self.connection.execute(statement).fetchall():
            found.setdefault(place, {})[Unchecked(reason)] = int(count)
        return found

    def _has(self, table: Table, condition: str) -> bool:
        """Return whether the later run has such a row, and the earlier one does not."""
        earlier, later = self._numbers(table, condition)
        return bool(later) and not earlier

    def _lacks_all(self, table: Table) -> bool:
        """Return whether the earlier run has rows of a table, and the later one has none."""
        earlier, later = self._numbers(table, "true")
        return bool(earlier) and not later

    def _numbers(self, table: Table, condition: str) -> tuple[int, int]:
        """Return the numbers of such rows in the earlier and the later run."""
        counts = (f"(SELECT count(*) FROM {run.rows(table)} WHERE {condition})" for run in self._runs)
        [(earlier, later)] = self.connection.execute(f"SELECT {', '.join(counts)}").fetchall()
        return int(earlier), int(later)

    def _documents(self, run: RunTables) -> str:
        return _DOCUMENTS.format(
            key=self.key,
            documents=run.rows(DOCUMENTS),
            cuts=run.rows(CUTS),
            robots_files=run.rows(ROBOTS_FILES),
            kinds=sql_list([*SITEMAP_KINDS, "robots", *KINDS]),
            other_kinds=sql_list(KINDS),
        )

    def _fill_in(self, statement: str) -> str:
        tables = (PAGES, CRAWLED, LINKED, LINKS, ANCHORS, LINKED_ANCHORS, FINDINGS)
        of_anchors = (code for code, rule in self._rules.items() if BROKEN_ANCHORS.name in rule.tables)
        values = {f"before_{table.name}": self.before.rows(table) for table in tables}
        values |= {f"after_{table.name}": self.after.rows(table) for table in tables}
        return statement.format(
            **values,
            before_documents=self._documents(self.before),
            after_documents=self._documents(self.after),
            listed=self._listed,
            removed=self.removed or _NONE_REMOVED,
            of_anchors=sql_list(of_anchors),
        )


def unchecked_findings(store: Store, before: int, after: int) -> dict[Key, dict[Unchecked, int]]:
    """Return the findings of a run that a later run of the same store does not have, and did not check everywhere."""
    runs = {run.run_id: run for run in store.runs()}
    applied = [AppliedRules.of(runs[number]) for number in (before, after)]
    columns = columns_in(store.connection)
    places = UncheckedPlaces(
        store.connection, RunTables("", before, columns), RunTables("", after, columns), _DOCUMENT_KEY
    )
    lost = {
        (code, document): Lost(int(earlier), int(later))
        for code, document, earlier, later in store.connection.execute(
            _FEWER.format(before=f"{before:d}", after=f"{after:d}")
        ).fetchall()
    }
    not_run = {key: count for key, count in lost.items() if not applied[0].compares(applied[1], key[0])}
    found = places.reasons({key: count for key, count in lost.items() if key not in not_run})
    return {**found, **{key: {Unchecked.RULE: count.before - count.after} for key, count in not_run.items()}}


def _reads_basis(rule: Rule | None) -> bool:
    """Return whether a rule applies only if the links of all pages are known."""
    return isinstance(rule, EntryRule) and "basis" in f"{rule.where}"


class _Place(NamedTuple):
    code: str
    place: str
    url: str | None
    value: str | None
    is_listed: bool | None
    is_removed: bool | None
    reason: str | None
    reason_of_value: str | None
    links: int
    skipped: str | None
    has_unread_source: bool | None
    has_unknown_anchors: bool | None

    @property
    def key(self) -> Key:
        return self.code, self.place


@dataclass
class _Documents:
    """The documents of both runs.

    Attributes:
        unread: Keys of those that the later run has, and did not read to the end.
        is_any_unknown: Whether one of these is a sitemap that the earlier run does not have: what it lists is unknown,
            so it may stand for any that the later run lacks.
        there: Keys of those that the later run has.
        parents: The key of the document that lists each, in the earlier run.
        any_unread: Whether the later run did not read one that the earlier one read.
    """

    unread: frozenset[str]
    is_any_unknown: bool
    there: frozenset[str]
    parents: dict[str, str]
    any_unread: bool

    @classmethod
    def of(
        cls,
        before: list[tuple[int, str, int | None, bool, bool]],
        after: list[tuple[int, str, int | None, bool, bool]],
    ) -> _Documents:
        names = {number: place for number, place, *_ in before}
        unread = frozenset(place for _, place, _, is_whole, _ in after if not is_whole)
        unknown = {place for _, place, _, is_whole, is_sitemap in after if is_sitemap and not is_whole}
        parents = {place: names[parent] for _, place, parent, *_ in before if parent is not None and parent in names}
        is_any_unknown = not unknown <= set(names.values())
        there = frozenset(place for _, place, *_ in after)
        documents = cls(unread, is_any_unknown, there, parents, any_unread=False)
        documents.any_unread = any(is_whole and documents.is_unread(place) for _, place, _, is_whole, _ in before)
        return documents

    def is_unread(self, place: str) -> bool:
        """Return whether a document was not read to the end, or may be listed by one that was not."""
        if self.is_any_unknown and place not in self.there:
            return True
        return any(each in self.unread for each in self._ancestors(place))

    def _ancestors(self, place: str) -> Iterator[str]:
        """Yield a document; if it is not in the later run, also the documents that led to it, until one that is."""
        passed = set()
        while place not in passed:
            passed.add(place)
            yield place
            if place in self.there or place not in self.parents:
                return
            place = self.parents[place]
