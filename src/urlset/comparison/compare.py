"""Compares two runs by joining their tables in SQL, which spills to disk if memory is insufficient."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from urlset import _core
from urlset.comparison.compare_pages import (
    NEW_UNLISTED,
    PAGE_KEY,
    RENAMED,
    compare_pages,
    moved_pages,
    take_folder_pages,
)
from urlset.comparison.robots_changes import llms_changes, robots_changes
from urlset.comparison.run_tables import is_text_comparable
from urlset.comparison.unchecked import Lost, UncheckedPlaces
from urlset.errors import Unreadable
from urlset.model.comparison import (
    FindingChange,
    IncompleteDocuments,
    LastmodChange,
    LastmodChangeKind,
    ListedUrl,
    MovedPage,
    Part,
    RenamedPage,
    RespelledUrl,
    State,
    Unchecked,
    UnindexedPage,
)
from urlset.net.urlparts import join_url
from urlset.rules.queries import sql_list
from urlset.rules.rule import Severity
from urlset.store.site_files import KINDS
from urlset.store.stored_values import stored_values
from urlset.tables import LIMITS_REACHED, PAGES, SITEMAP_KINDS, URLS
from urlset.text.sizes import quantity
from urlset.web.indexability import VALUE, PageReason, phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from urlset.comparison.run_database import RunDatabase
    from urlset.comparison.run_tables import RunTables
    from urlset.comparison.unchecked import Key
    from urlset.model.page_changes import LlmsChanges, PageChanges, RobotsChanges
    from urlset.options.comparing import PageProperty
    from urlset.store.file import Fields
    from urlset.store.rules_run import AppliedRules

Item = TypeVar("Item")

MAX_DOCUMENTS = 10
"""Maximum number of documents to list in a part."""

URLS_AT_ONCE = 1_000
"""Number of URLs to fetch at once."""

HASHED_AT_ONCE = 50_000
"""Number of URLs to hash at once."""

_STATES = {state: rank for rank, state in enumerate(State)}

HASHES_AT_ONCE = 1 << 21
"""Number of hashes to count at once, which limits the memory for it."""

# A document that both runs have has the same rows in both. Of several such documents, the first one counts.
_SAME_DOCUMENTS = """
CREATE TEMP TABLE same AS
SELECT signature, min(document_id) FILTER (side = 'before') AS before_id,
    min(document_id) FILTER (side = 'after') AS after_id
FROM (SELECT 'before' AS side, * FROM ({before}) UNION ALL SELECT 'after', * FROM ({after}))
GROUP BY signature HAVING before_id IS NOT NULL AND after_id IS NOT NULL
"""

_SIGNED = """
SELECT document_id, row(sha256, bytes, kind, encoding, entries) AS signature FROM {catalog}documents
WHERE {run} AND sha256 IS NOT NULL AND complete
"""

ROWS = "(SELECT document_id, loc, loc_hash, lastmod, lastmod_at FROM {catalog}urls WHERE {run} AND loc_length > 0)"
"""The rows of a side with a URL."""

OWN = f"{ROWS} WHERE document_id IN (FROM {{side}}_own) AND {{share}}"
"""Rows of documents that only one side has."""

SAME = "{before_rows} WHERE document_id IN (SELECT before_id FROM same) AND {share}"
"""Rows of documents that both sides have."""

# Whether the URLs of a hash may differ. Those of which every row of both sides has the same text and lastmod cannot:
# rows with different ones would have to agree in two hashes of 64 bits, one of which is of the URL alone. Of URLs that
# agree only in that one, the texts are compared. No URL in documents that both sides have can differ, either, unless
# another document has it.
_HASHES = f"""
CREATE OR REPLACE TEMP TABLE hashes AS
SELECT *, NOT is_equal OR loc_hash IN (SELECT loc_hash FROM {SAME}) AS is_touched
FROM (
    SELECT loc_hash, min(row_hash) = max(row_hash) AND bool_or(is_before) AND NOT bool_and(is_before) AS is_equal
    FROM (
        SELECT loc_hash, hash(loc, lastmod) AS row_hash, true AS is_before FROM {{before_own}}
        UNION ALL
        SELECT loc_hash, hash(loc, lastmod), false FROM {{after_own}}
    ) GROUP BY loc_hash
)
"""

_GROUPED = """
CREATE TEMP TABLE {side}_urls AS
SELECT loc AS url, min(document_id) AS document_id,
    arg_max(lastmod, row(lastmod_at, lastmod)) FILTER (lastmod_at IS NOT NULL) AS readable, max(lastmod) AS written,
    max(lastmod_at) AS at, bool_or(is_same) AS is_same, any_value(loc_hash) AS loc_hash
FROM ({entries}) GROUP BY loc
"""

# A URL in several documents counts once: with the newest lastmod, in the first document.
_LISTED = _GROUPED.replace(
    "{entries}",
    f"""
    SELECT document_id, loc, loc_hash, lastmod, lastmod_at, false AS is_same
    FROM {OWN} AND loc_hash IN (FROM touched)
    UNION ALL
    SELECT {{side}}_id, loc, loc_hash, lastmod, lastmod_at, true
    FROM (SELECT * FROM {SAME} AND loc_hash IN (FROM touched)) JOIN same ON document_id = before_id
""",
)

_LISTED_WITH_UNCHANGED = _GROUPED.replace("{entries}", f"SELECT *, false AS is_same FROM {ROWS} WHERE {{share}}")

_COUNTED_HASHES = f"""
CREATE OR REPLACE TEMP TABLE hashes AS
SELECT loc_hash, count(*) > 1 AS is_repeated FROM {SAME} GROUP BY loc_hash
"""

_CHILDREN = (
    "(SELECT loc AS url, any_value(loc_hash) AS loc_hash FROM {catalog}children WHERE {run} AND loc <> '' GROUP BY loc)"
)

# A robots.txt or sitemap that was only looked for need not exist.
INCOMPLETE = f"""
SELECT url, kind, error, entries, NULL AS reached, NULL AS beyond
FROM {{catalog}}documents
WHERE {{run}} AND coalesce(kind, '') NOT IN {sql_list(("robots", *KINDS))} AND (
    kind IS NULL AND found_by IS DISTINCT FROM 'well-known'
    OR kind NOT IN {sql_list(SITEMAP_KINDS)}
    OR kind IS NOT NULL AND (error IS NOT NULL OR NOT complete))
UNION ALL
SELECT named.url, NULL, NULL, NULL, cuts.kind, sum(cuts."count")
FROM (FROM {{catalog}}cuts WHERE {{run}} AND duplicate_of IS NULL) AS cuts
JOIN (FROM {{catalog}}documents WHERE {{run}}) AS named USING (document_id)
GROUP BY named.document_id, named.url, cuts.kind
"""
"""Documents that lack URLs, each with what `_why_incomplete` says."""

# URLs that only the side `here` lists, as it spells them.
_ONLY = "SELECT * FROM {here}_urls WHERE url NOT IN (SELECT url FROM {there}_urls)"

# The same without those that the other side lists in another spelling.
_ONLY_IN_ANY_SPELLING = f"{_ONLY} AND loc_hash NOT IN (SELECT loc_hash FROM {{there}}_urls)"

# The places of URLs of the later side in their table, each with that of the same URL as the earlier side spells it.
_PAIRED = """
CREATE TEMP TABLE paired AS
SELECT new.rowid AS after_place, old.rowid AS before_place FROM before_urls AS old JOIN after_urls AS new USING (url)
UNION ALL
SELECT new.rowid, arg_min(old.rowid, old.url) FROM after_urls AS new JOIN before_urls AS old USING (loc_hash)
WHERE new.url NOT IN (SELECT url FROM before_urls) GROUP BY new.rowid
"""

# Of several URLs of the other side, any one is named.
_RESPELLED = """
CREATE TEMP TABLE {here}_respelled AS
WITH others AS (SELECT spelling_hash, min(place) AS place FROM {there}_spellings GROUP BY spelling_hash)
SELECT mine.*, theirs.url AS respelled, CASE WHEN theirs.url IS NULL THEN moved.{there} END AS moved
FROM only_{here} AS mine
LEFT JOIN {here}_spellings AS s ON s.place = mine.rowid
LEFT JOIN others USING (spelling_hash)
LEFT JOIN only_{there} AS theirs ON theirs.rowid = others.place
LEFT JOIN moved_pages AS moved ON moved.{here} = mine.url
"""

# A URL that is only written differently is still listed.
_STILL_LISTED = "DELETE FROM only_before WHERE loc_hash IN (SELECT loc_hash FROM after_urls)"

MAX_RELATIVE = 100_000
"""Relative URLs of a side from which on they are compared as they are written."""

# Entries whose URLs are relative, such as `/a`, each with the URL of its sitemap.
_RELATIVE = r"""
SELECT '{side}', listed.rowid, url, final_url
FROM {side}_urls AS listed JOIN (SELECT document_id, final_url FROM {catalog}documents WHERE {run}) USING (document_id)
WHERE NOT regexp_matches(url, '^[A-Za-z][A-Za-z0-9+.-]*:') AND starts_with(lower(final_url), 'http')
"""

_REMOVED = "(SELECT url, document_id FROM before_respelled WHERE respelled IS NULL AND moved IS NULL)"
"""URLs whose pages only the earlier side lists."""

_MOVED = f"""
CREATE TEMP TABLE moved AS
SELECT new.url, new.document_id, coalesce(old.readable, old.written) AS before_value,
    coalesce(new.readable, new.written) AS after_value,
    CASE WHEN before_value IS NULL THEN '{LastmodChangeKind.ADDED}'
        WHEN after_value IS NULL THEN '{LastmodChangeKind.REMOVED}'
        WHEN new.at > old.at THEN '{LastmodChangeKind.LATER}'
        WHEN new.at < old.at THEN '{LastmodChangeKind.EARLIER}'
        ELSE '{LastmodChangeKind.REWRITTEN}' END AS moved
FROM paired JOIN before_urls AS old ON old.rowid = before_place JOIN after_urls AS new ON new.rowid = after_place
WHERE before_value IS DISTINCT FROM after_value
"""

# A URL that is not valid is shown as it is listed as well: `url` is the one that it means.
_UNINDEXED = f"""
WITH now AS (
    SELECT url, {PAGE_KEY} AS page, reason, {VALUE} AS value, document_id, ordinal
    FROM ({{after}}) AS later WHERE NOT is_indexable
    AND {PAGE_KEY} NOT IN (SELECT {PAGE_KEY} FROM ({{after}}) AS any_entry WHERE is_indexable)
), invalid AS (
    SELECT document_id, ordinal, loc FROM {{urls}}
    WHERE (document_id, ordinal) IN (SELECT (document_id, ordinal) FROM now WHERE reason = '{PageReason.INVALID_URL}')
)
SELECT url, reason, coalesce(nullif(loc, url), value) AS value
FROM (SELECT DISTINCT {PAGE_KEY} AS page FROM ({{before}}) AS earlier WHERE is_indexable) JOIN now USING (page)
LEFT JOIN invalid USING (document_id, ordinal)
"""

# Documents are matched by path, so that a folder can be compared with another folder or with the deployed site. If a
# side has several hosts, they are matched by host and path. If both sides have a single document, they match whatever
# their names.
_FINDINGS = """
SELECT code, {key} AS place, min(document), arg_min(severity, example), sum("count") FILTER (example <= 1),
    arg_min(message, example)
FROM {catalog}findings JOIN (SELECT document_id, url, host, site_path FROM {catalog}documents WHERE {run}) AS named
    USING (document_id)
WHERE {run} GROUP BY code, place
"""


class OneSidedUrls(NamedTuple):
    """The URLs that only one side lists.

    Attributes:
        removed: Those of the earlier side.
        added: Those of the later side.
        respelled: Those of the earlier side that the later one lists in another spelling.
        respelled_added: Number of those of the later side that the earlier one lists in another spelling.
        moved: Those of the earlier side whose page the later one lists at another URL.
    """

    removed: Part[ListedUrl]
    added: Part[ListedUrl]
    respelled: Part[RespelledUrl]
    respelled_added: int
    moved: Part[MovedPage]


class Comparer:
    """Compares two runs in a database.

    The texts of URLs are only compared where their hashes show that something may differ.

    Args:
        database: The database, for a single comparison.
        before: The earlier run.
        after: The later run.
        max_examples: Maximum number of examples per part.
        skip_unchanged: Whether to leave out URLs that cannot differ.
    """

    def __init__(
        self,
        database: RunDatabase,
        before: RunTables,
        after: RunTables,
        max_examples: int,
        *,
        skip_unchanged: bool = True,
    ) -> None:
        self._max_examples = max_examples
        self._names = database.names
        self._connection = database.connection
        self._sides = {"before": before, "after": after}
        self._skips_unchanged = skip_unchanged
        self._unchanged = 0
        if skip_unchanged:
            self._find_same_documents()
        self._list()

    def _list(self) -> None:
        """Create tables of what each side lists."""
        self._list_urls()
        self._connection.execute(_PAIRED)

    def _list_urls(self, share: str = "true") -> None:
        """Create tables of a share of the URLs of each side."""
        if self._skips_unchanged:
            self._find_touched(share)
        listed = _LISTED if self._skips_unchanged else _LISTED_WITH_UNCHANGED
        for side in self._sides:
            self._connection.execute(self._fill_in(listed, side, share))
        relative: dict[str, list[tuple[int, str, str]]] = {}
        both = "UNION ALL".join(f"({self._fill_in(_RELATIVE, side)} LIMIT {MAX_RELATIVE:d})" for side in self._sides)
        for side, *entry in self._connection.execute(both).fetchall():
            relative.setdefault(side, []).append((*entry,))
        for side, entries in relative.items():
            if len(entries) < MAX_RELATIVE:
                self._resolve(side, entries)

    def _resolve(self, side: str, relative: Sequence[tuple[int, str, str]]) -> None:
        """Resolve relative URLs of `{side}_urls`, so that `/a` is the URL that the other side may list in full.

        Args:
            relative: The row of each, as written, and the URL of its sitemap.
        """
        run = self._connection.execute
        urls = [join_url(base, url) for _, url, base in relative]
        run(
            f"UPDATE {side}_urls SET url = resolved.url, loc_hash = resolved.url_hash FROM (SELECT "
            "unnest($1::BIGINT[]) AS place, unnest($2::VARCHAR[]) AS url, unnest($3::BIGINT[]) AS url_hash"
            f") AS resolved WHERE {side}_urls.rowid = place",
            [[place for place, _, _ in relative], urls, [*map(_core.url_hash, urls)]],
        )
        repeats = f"rowid NOT IN (SELECT min(rowid) FROM {side}_urls GROUP BY url)"
        if self._skips_unchanged:
            # Both sides list the URLs that are not touched.
            listed = f"SELECT loc_hash FROM {self.all_urls(side)} WHERE loc_hash NOT IN (FROM touched)"
            repeats += f" OR loc_hash NOT IN (FROM touched) AND loc_hash IN ({listed})"
        run(f"DELETE FROM {side}_urls WHERE {repeats}")

    def _find_touched(self, of_share: str) -> None:
        """Create a table of the hashes of URLs that may differ, and count the other URLs, which both sides have."""
        run = self._connection.execute
        run("CREATE OR REPLACE TEMP TABLE touched (loc_hash BIGINT)")
        count = f"SELECT count(*) FROM {OWN}"
        shares = _shares(sum(self._number(self._fill_in(count, side, of_share)) for side in self._sides))
        for share in range(shares):
            condition = f"{of_share} AND {share_of(share, shares)}"
            rows = {f"{side}_own": self._fill_in(OWN, side, condition) for side in self._sides}
            run(self._fill_in(_HASHES, "before", condition).format(**rows))
            run("INSERT INTO touched SELECT loc_hash FROM hashes WHERE is_touched")
            self._unchanged += self._number("SELECT count(*) FROM hashes WHERE NOT is_touched")
        run("DROP TABLE hashes")

    def unindexed_pages(self) -> Part[UnindexedPage] | None:
        """Return the pages that are no longer indexable; None if the pages of a side are unknown."""
        if not self._has_pages:
            return None
        old, new = self.runs
        source = f"({_UNINDEXED.format(before=old.pages, after=new.pages, urls=new.rows(URLS))})"
        rows, count = self._first(source, "url, reason, value", "url")
        return Part(count, tuple(UnindexedPage(url, phrase(reason, value)) for url, reason, value in rows))

    @property
    def _has_pages(self) -> bool:
        return all(PAGES.name in run.columns for run in self.runs)

    @property
    def runs(self) -> tuple[RunTables, RunTables]:
        """The tables of both runs."""
        return self._sides["before"], self._sides["after"]

    @property
    def is_text_comparable(self) -> bool:
        """Whether both runs read the main text of pages in the same way."""
        return is_text_comparable(self._connection, *self.runs)

    def page_changes(self, properties: Collection[PageProperty]) -> PageChanges | None:
        """Return what changed on the pages; None if the pages of a side are unknown."""
        return compare_pages(self._connection, *self.runs, self._max_examples, properties) if self._has_pages else None

    def site_file_changes(self) -> tuple[tuple[RobotsChanges, ...], tuple[LlmsChanges, ...]]:
        """Return what changed in the robots.txt and llms.txt files."""
        robots = robots_changes(self._connection, *self.runs, self._max_examples)
        return tuple(robots), tuple(llms_changes(self._connection, *self.runs, self._max_examples))

    def _find_same_documents(self) -> None:
        """Create tables of the documents that both sides have, and of those that one side has.

        The latter, instead of the former, are what rows are filtered by: DuckDB then skips the blocks of all others.

        If two versions of urlset read the runs, there are none, because they may read documents differently.
        """
        run = self._connection.execute
        versions = " UNION ".join(
            self._fill_in("SELECT version FROM {catalog}runs WHERE {run}", s) for s in self._sides
        )
        is_one_version = str(len(run(versions).fetchall()) == 1).lower()
        signed = {side: f"{self._fill_in(_SIGNED, side)} AND {is_one_version}" for side in self._sides}
        run(_SAME_DOCUMENTS.format(**signed))
        for side, documents in signed.items():
            listing = self._fill_in("SELECT DISTINCT document_id FROM {catalog}urls WHERE {run}", side)
            same = f"SELECT document_id FROM ({documents}) WHERE signature IN (SELECT signature FROM same)"
            run(f"CREATE TEMP TABLE {side}_own AS {listing} AND document_id NOT IN ({same})")

    def url_count(self, side: str) -> int:
        """Return the number of distinct URLs on a side."""
        own = self._number(f"SELECT count(*) FROM {side}_urls WHERE NOT is_same") + self._unchanged
        return own + self._same_urls if self._skips_unchanged else own

    @cached_property
    def _same_urls(self) -> int:
        """The number of distinct URLs in the documents that both sides have."""
        shares, single = self._count_same_hashes()
        if not self._number("SELECT count(*) FROM repeated"):
            return single
        counted = f"SELECT count(DISTINCT loc) FROM {SAME} AND loc_hash IN (SELECT loc_hash FROM repeated)"
        return single + sum(
            self._number(self._fill_in(counted, "before", share_of(share, shares))) for share in range(shares)
        )

    def _count_same_hashes(self) -> tuple[int, int]:
        """Return in how many shares the hashes of the documents of both sides were counted, and those of one row.

        Those of several rows are in the table `repeated`.
        Hashes are fewer bytes than URLs, which are only compared where several rows have the same hash.
        """
        run = self._connection.execute
        shares, single = _shares(self._number(self._fill_in(f"SELECT count(*) FROM {SAME}", "before"))), 0
        run("CREATE TEMP TABLE repeated (loc_hash BIGINT)")
        for share in range(shares):
            run(self._fill_in(_COUNTED_HASHES, "before", share_of(share, shares)))
            single += self._number("SELECT count(*) FROM hashes WHERE NOT is_repeated")
            run("INSERT INTO repeated SELECT loc_hash FROM hashes WHERE is_repeated")
        run("DROP TABLE hashes")
        return shares, single

    def only(self, here: str, there: str) -> Part[ListedUrl]:
        """Return the URLs that only one side lists, in any spelling."""
        only = _ONLY_IN_ANY_SPELLING.format(here=here, there=there)
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE only_{here} AS {only}")
        return self._part(
            f"only_{here}", here, "url, document, coalesce(readable, written)", lambda row: ListedUrl(*row)
        )

    def one_sided(self) -> OneSidedUrls:
        """Return the URLs that only one side lists, and those of them that the other one lists in another spelling."""
        run = self._connection.execute
        sides = {"before": "after", "after": "before"}
        tables = (
            f"CREATE OR REPLACE TEMP TABLE only_{here} AS {_ONLY.format(here=here, there=there)};"
            f"CREATE TEMP TABLE {here}_spellings (place BIGINT, spelling_hash BIGINT);"
            for here, there in sides.items()
        )
        run("".join(tables))
        [counts] = run("SELECT (SELECT count(*) FROM only_before), (SELECT count(*) FROM only_after)").fetchall()
        for here, count in zip(sides, counts, strict=True):
            if all(counts):
                self._add_spellings(here, count)
        self._find_moved_pages()
        run(
            ";".join(_RESPELLED.replace("{here}", here).replace("{there}", there) for here, there in sides.items())
            + f";{_STILL_LISTED}"
        )
        columns = "url, document, coalesce(readable, written), respelled, moved"
        # The real differences stand out.
        removed, added = (
            self._part(
                f"{here}_respelled",
                here,
                columns,
                lambda row: ListedUrl(*row),
                "respelled IS NOT NULL, moved IS NOT NULL, url",
            )
            for here in sides
        )
        respelled = self._part(
            "(FROM before_respelled WHERE respelled IS NOT NULL)",
            "before",
            "url, respelled, document",
            lambda row: RespelledUrl(row[0], row[1], row[2], _core.page_hash(row[0]) == _core.page_hash(row[1])),
        )
        moved = self._part(
            "(FROM before_respelled WHERE moved IS NOT NULL)",
            "before",
            "url, moved, document",
            lambda row: MovedPage(*row),
        )
        paired = self._number("SELECT count(respelled) FROM after_respelled")
        return OneSidedUrls(removed, added, respelled, paired, moved)

    def folder_pages(self) -> tuple[Part[RenamedPage], Part[str]]:
        """Return the pages that two builds of a directory have at different URLs, and the new ones in no sitemap.

        Pages whose old and new URLs are listed are among those of `one_sided`, which must be called first.
        """
        take_folder_pages(self._connection, *self.runs)
        listed = "SELECT url FROM before_respelled WHERE moved IS NOT NULL"
        renamed: tuple[list[Fields], int] = ([], 0)
        if self.is_text_comparable:
            renamed = self._first(f"(FROM {RENAMED} WHERE url NOT IN ({listed}))", "url, after", "url")
        new, count = self._first(NEW_UNLISTED, "url", "url")
        return (
            Part(renamed[1], tuple(RenamedPage(*row) for row in renamed[0])),
            Part(count, tuple(str(url) for (url,) in new)),
        )

    def _find_moved_pages(self) -> None:
        """Create a table of the pages that each side lists at another URL."""
        if self._has_pages and self.is_text_comparable:
            moved = moved_pages(*self.runs)
        else:
            moved = "SELECT NULL::VARCHAR AS before, NULL::VARCHAR AS after WHERE false"
        self._connection.execute(f"CREATE OR REPLACE TEMP TABLE moved_pages AS {moved}")

    def _add_spellings(self, here: str, count: int) -> None:
        """Add the hash of each URL of `only_{here}`, of which nothing was deleted."""
        for first in range(0, count, HASHED_AT_ONCE):
            rows = self._connection.execute(
                f"SELECT rowid, url FROM only_{here} WHERE rowid BETWEEN {first:d} AND {first + HASHED_AT_ONCE - 1:d}"
            ).fetchall()
            self._connection.execute(
                f"INSERT INTO {here}_spellings SELECT unnest($1::BIGINT[]), unnest($2::BIGINT[])",
                [[place for place, _ in rows], [_core.spelling_hash(url) for _, url in rows]],
            )

    def urls_of(self, here: str) -> Iterator[tuple[str, str]]:
        """Yield the URLs found by `only`, each with the URL of its document, sorted by URL.

        After `one_sided`, those of the earlier side that the later one does not list, in any spelling.
        """
        documents = self._fill_in("(SELECT document_id, final_url FROM {catalog}documents WHERE {run})", here)
        last = ""
        while rows := self._connection.execute(
            f"SELECT url, final_url FROM only_{here} JOIN {documents} USING (document_id) "
            f"WHERE url > $1 ORDER BY url LIMIT {URLS_AT_ONCE:d}",
            [last],
        ).fetchall():
            yield from rows
            last = rows[-1][0]

    def lists(self, side: str, urls: list[str]) -> set[str]:
        """Return those of the given URLs that a side lists, in any spelling."""
        if not urls:
            return set()
        rows = self._connection.execute(
            f"SELECT DISTINCT loc_hash FROM {self.all_urls(side)} WHERE loc_hash IN (SELECT unnest($1::BIGINT[]))",
            [[*map(_core.url_hash, urls)]],
        ).fetchall()
        listed = {number for (number,) in rows}
        return {url for url in urls if _core.url_hash(url) in listed}

    def moved_to(self, urls: list[str]) -> dict[str, str]:
        """Return the URLs at which the later side lists the same pages as these of the earlier side.

        Call `one_sided` first.
        """
        rows = self._connection.execute(
            "SELECT url, coalesce(respelled, moved) AS there FROM before_respelled "
            "WHERE there IS NOT NULL AND url IN (SELECT unnest($1::VARCHAR[]))",
            [urls],
        ).fetchall()
        return {str(url): str(there) for url, there in rows}

    def all_urls(self, side: str) -> str:
        """Return SQL for the columns `loc` and `loc_hash` of all entries of a side."""
        return self._fill_in(ROWS, side)

    def lastmods(self) -> tuple[Part[LastmodChange], dict[LastmodChangeKind, int]]:
        """Return the URLs whose lastmod changed, and the number of changes of each kind."""
        self._connection.execute(_MOVED)
        part = self._part(
            "moved",
            "after",
            "url, document, before_value, after_value, moved",
            lambda row: LastmodChange(row[0], row[1], row[2], row[3], LastmodChangeKind(row[4])),
        )
        if not part.count:
            return part, {}
        counts = dict(self._connection.execute("SELECT moved, count(*) FROM moved GROUP BY moved").fetchall())
        return part, {kind: counts[kind.value] for kind in LastmodChangeKind if kind.value in counts}

    def children(self, here: str, there: str) -> Part[str]:
        """Return the sitemaps that only indexes of one side list."""
        if not self._has_children:
            return Part(0)
        own, others = (self._fill_in(_CHILDREN, side) for side in (here, there))
        # An older urlset hashed URLs as written.
        only = f"url NOT IN (SELECT url FROM {others}) AND loc_hash NOT IN (SELECT loc_hash FROM {others})"
        rows, count = self._first(f"(FROM {own} WHERE {only})", "url", "url")
        return Part(count, tuple(url for (url,) in rows))

    @cached_property
    def _has_children(self) -> bool:
        """Whether a side has an index."""
        some = (self._fill_in("(SELECT 1 FROM {catalog}children WHERE {run} LIMIT 1)", side) for side in self._sides)
        return bool(self._number(f"SELECT count(*) FROM ({' UNION ALL '.join(some)})"))

    def incomplete(self, side: str, limit: int) -> IncompleteDocuments:
        """Return the documents of a side that lack URLs: `model.comparison.Gaps.incomplete`."""
        rows, count = self._first(f"({self._fill_in(INCOMPLETE, side)})", "*", "url, reached", limit)
        return IncompleteDocuments(count, tuple(Unreadable(url, _why_incomplete(*rest)) for url, *rest in rows))

    def findings(self, before: AppliedRules, after: AppliedRules) -> tuple[tuple[FindingChange, ...], tuple[str, ...]]:
        """Return the changes in findings, new findings first, then by severity, document, and code.

        Call `one_sided` first.

        Returns:
            The changes, and the codes of findings of rules that only the later run applied, which are not compared.
        """
        only_after: set[str] = set()
        rows: dict[Key, dict[str, Any]] = {}
        key = self._document_key()
        for side in ("before", "after"):
            statement = self._fill_in(_FINDINGS, side).replace("{key}", key)
            for code, place, document, severity, count, message in self._connection.execute(statement).fetchall():
                if side == "after" and not before.compares(after, code):
                    only_after.add(code)
                    continue
                row = rows.setdefault((code, place), {"before": 0, "after": 0})
                with stored_values(self._names, f"the finding {code}"):
                    row |= {
                        side: int(count),
                        "document": document,
                        "severity": Severity(severity),
                        "message": str(message),
                    }
        unchecked = {
            (code, place): {Unchecked.RULE: row["before"]}
            for (code, place), row in rows.items()
            if not before.compares(after, code)
        }
        fewer = {
            one: Lost(row["before"], row["after"])
            for one, row in rows.items()
            if row["after"] < row["before"] and one not in unchecked
        }
        old, new = self.runs
        places = UncheckedPlaces(self._connection, old, new, key, self.all_urls("after"), _REMOVED)
        unchecked |= places.reasons(fewer)
        more = {one: Lost(row["after"], row["before"]) for one, row in rows.items() if row["after"] > row["before"]}
        reverse = UncheckedPlaces(self._connection, new, old, key, self.all_urls("before"))
        unchecked_before = reverse.reasons(more)
        changes = [
            FindingChange(
                code=code,
                unchecked=unchecked.get((code, place), {}),
                unchecked_before=unchecked_before.get((code, place), {}),
                unlisted=places.unlisted.get((code, place), 0),
                **row,
            )
            for (code, place), row in rows.items()
        ]

        def order(change: FindingChange) -> tuple[int, int, str, str]:
            return (_STATES[change.state], change.severity.rank, change.document, change.code)

        return tuple(sorted(changes, key=order)), tuple(sorted(only_after))

    def _document_key(self) -> str:
        """Return SQL for the key that matches documents of the two sides."""
        counted = "SELECT count(*), count(DISTINCT host) FROM {catalog}documents WHERE {run}"
        counts = self._connection.execute(
            " UNION ALL ".join(self._fill_in(counted, side) for side in self._sides)
        ).fetchall()
        if all(documents == 1 for documents, _ in counts):
            return "''"
        path = "coalesce(named.site_path, named.url)"
        return f"coalesce(named.host, '') || {path}" if any(hosts > 1 for _, hosts in counts) else path

    def _fill_in(self, statement: str, side: str, share: str = "true") -> str:
        """Fill in a side with its database and run, and the condition for a share."""
        run = self._sides[side]
        if "{before_rows}" in statement:
            statement = statement.replace("{before_rows}", self._fill_in(ROWS, "before"))
        values = {
            "{side}": side,
            "{catalog}": run.prefix,
            "{run}": run.condition,
            "{share}": share,
        }
        for name, value in values.items():
            statement = statement.replace(name, value)
        return statement

    def _part(
        self, table: str, side: str, columns: str, make: Callable[[Fields], Item], order: str = "url"
    ) -> Part[Item]:
        documents = self._fill_in("(SELECT document_id, url AS document FROM {catalog}documents WHERE {run})", side)
        source = f"{table} JOIN {documents} AS named USING (document_id)"
        count = self._number(f"SELECT count(*) FROM {table}")
        if not count:
            return Part(0)
        rows = self._connection.execute(
            f"SELECT {columns} FROM {source} ORDER BY {order} LIMIT {self._max_examples:d}"
        ).fetchall()
        top_documents = self._connection.execute(
            f"SELECT document, count(*) AS size FROM {source} GROUP BY document ORDER BY size DESC, document "
            f"LIMIT {MAX_DOCUMENTS:d}"
        ).fetchall()
        return Part(
            count, tuple(make(row) for row in rows), tuple((str(name), int(size)) for name, size in top_documents)
        )

    def _first(self, source: str, columns: str, order: str, limit: int | None = None) -> tuple[list[Fields], int]:
        """Return the first rows of a table or query, by default at most `max_examples`, and the number of all."""
        limit = self._max_examples if limit is None else limit
        run = self._connection.execute
        rows = run(f"SELECT {columns} FROM {source} ORDER BY {order} LIMIT {limit:d}").fetchall()
        return rows, len(rows) if len(rows) < limit else self._number(f"SELECT count(*) FROM {source}")

    def _number(self, statement: str) -> int:
        [(number,)] = self._connection.execute(statement).fetchall()
        return int(number)


def _shares(rows: int) -> int:
    """Return in how many shares to count the hashes of this many rows."""
    return 1 << (rows // HASHES_AT_ONCE).bit_length()


def share_of(number: int, shares: int) -> str:
    """Return the condition for a share of the URLs, by their hash; the number of shares is a power of two."""
    return f"loc_hash & {shares - 1:d} = {number:d}"


def _why_incomplete(
    kind: str | None, error: str | None, entries: int | None, reached: str | None, beyond: int | None
) -> str:
    """Return why a document lacks URLs, by its row of `INCOMPLETE`."""
    if reached is not None:
        return f"{quantity(beyond or 0, 'listed sitemap')} not read: {LIMITS_REACHED[reached]} reached"
    if error is not None:
        return error
    if kind in SITEMAP_KINDS:
        return f"incomplete: it ends too early or exceeds a limit; {quantity(entries or 0, 'entry', 'entries')} read"
    return "could not be read" if kind is None else f"not a sitemap ({kind})"
