"""Selects the listed pages of a run to request."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from urlset.engine.page_verdicts import IS_SERVED, TEXT_VERSION
from urlset.engine.rule_sql import identifier_list, quote, text_literal
from urlset.store.file import RUN_ID
from urlset.store.run_documents import stream
from urlset.tables import PAGES, RUNS, URLS
from urlset.text.masking import are_same_targets
from urlset.web.indexability import INVALID, PageReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from urlset import _core
    from urlset.model.build import DateProof
    from urlset.net.trust import MeantUrls
    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table

OF_ENTRY = {
    "document_id": "document_id",
    "ordinal": "ordinal",
    "line": "coalesce(loc_line, line)",
    "col": "coalesce(loc_col, col)",
    "url": "loc",
    "loc_hash": "loc_hash",
    "lastmod": "lastmod",
    "lastmod_at": "lastmod_at",
    "lastmod_precision": "lastmod_precision",
}
"""SQL for the columns of `pages` that come from an entry."""

# A URL in several entries is requested once, in the spelling of the first of them.
_FIRSTS = """
SELECT {columns}
FROM urls
WHERE {usable} AND {wanted}
QUALIFY row_number() OVER (PARTITION BY loc_hash ORDER BY document_id, ordinal) = 1
"""

# What search engines cannot request either counts as listed, so that a sitemap of invalid URLs is not healthy.
_INVALID = """
SELECT {columns}
FROM urls
WHERE NOT coalesce({usable}, false) AND loc <> '' AND {wanted}
QUALIFY row_number() OVER (PARTITION BY loc ORDER BY document_id, ordinal) = 1
"""

_ADD_INVALID = f"""
INSERT INTO {PAGES.name} ({RUN_ID}, {{names}}, page_hash, skipped)
SELECT {{run}}, {{names}}, coalesce(loc_hash, hash(url)::HUGEINT - 9223372036854775808)::BIGINT, '{INVALID}'
FROM {{chosen}}
"""

_LISTED = "SELECT *, true AS is_usable FROM ({usable}) UNION ALL SELECT *, false AS is_usable FROM ({invalid})"

# A sample is spaced evenly over the entries in order, so that each document gets its share. Excluded entries have no
# number, so that a sample has its full size.
_CHOSEN = """
CREATE OR REPLACE TEMP TABLE {name} AS
WITH numbered AS (
    SELECT *, row_number() OVER (ORDER BY document_id, ordinal) AS place, count(*) OVER () AS total
    FROM ({listed}) WHERE {filters}
)
SELECT * FROM numbered WHERE {sampled} ORDER BY place
"""


_PATH = "(loc_problem = 'relative' AND NOT regexp_matches(loc, '^(//|[?#]|[^/?#]+[.][a-z]{2,}/)'))"
"""Whether a loc is a path, and not a host without a scheme."""

OF_URL = ("document_id", "ordinal", "line", "col", "loc", "loc_line", "loc_col", "scheme", "host", "port")
"""The columns of `urls` for checks against robots.txt."""


class PageSelection(Struct, frozen=True):
    """Which pages to select.

    Attributes:
        include: Globs of URLs; if there are any, only matching pages are selected.
        exclude: Globs of URLs to skip.
        sample: Number of pages, spaced evenly over all; None for all.
        meant: The URLs that are meant by paths without a host, and by URLs with stray characters; None if unknown.
        is_stable: Whether the sample depends on the URLs instead of their places, so that it hardly changes when URLs
            are added or removed.
        max_pages: Maximum number of pages, the first ones; None for no limit.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    sample: int | None = None
    max_pages: int | None = None
    is_stable: bool = False
    meant: MeantUrls | None = None

    @property
    def filters(self) -> tuple[str, ...]:
        """SQL for which listed pages can be selected, with the columns of `OF_ENTRY`; the others still count as listed.

        An option that selects pages other than by globs adds its condition here. Samples are taken after filtering.
        """
        return ()


class PendingRows:
    """Selected rows that were not requested yet: a temporary table with rows numbered by `place`.

    Args:
        name: The temporary table; rows that the run has already requested are removed from it.
        requests: The table of requested rows.
        key: The columns that identify a row.
        listed: The columns that say where a sitemap lists a row. A resumed run has requested some rows before it read
            the sitemaps again, so these columns are updated, and rows that are no longer selected are removed.

    Attributes:
        selected_count: Number of selected rows, including those that were already requested.
        remaining_count: Number of rows that were not requested yet.
        removed_count: Number of requested rows that are no longer selected.
    """

    def __init__(
        self,
        store: Store,
        run_id: int,
        name: str,
        columns: Sequence[str],
        requests: Table,
        key: str,
        listed: Sequence[str] = (),
    ) -> None:
        self._connection = store.connection
        self._name = name
        self._columns = tuple(columns)
        self._place = 0
        self._is_done = False
        self.selected_count = self._number("count(*)")
        own = f"{RUN_ID} = {run_id:d}"
        keys = f"SELECT {key} FROM {requests.name} WHERE {own}"
        self.removed_count = 0
        self.remaining_count = self.selected_count
        if not self.selected_count and not listed:
            return
        if not self._connection.execute(f"{keys} LIMIT 1").fetchall():
            return
        if listed:
            places = ", ".join(f"{column} = now.{column}" for column in listed)
            same = " AND ".join(f"{requests.name}.{column} = now.{column}" for column in key.split(", "))
            self._connection.execute(f"UPDATE {requests.name} SET {places} FROM {name} AS now WHERE {own} AND {same}")
            [(removed,)] = self._connection.execute(
                f"DELETE FROM {requests.name} WHERE {own} AND ({key}) NOT IN (SELECT {key} FROM {name})"
            ).fetchall()
            self.removed_count = int(removed)
        self._connection.execute(f"DELETE FROM {name} WHERE ({key}) IN ({keys})")
        self.remaining_count = self._number("count(*)")

    def next(self, limit: int) -> list[Mapping[str, Any]]:
        if self._is_done:
            return []
        rows = self._connection.execute(
            f"SELECT place, {identifier_list(self._columns)} FROM {self._name} WHERE place > {self._place:d} "
            f"ORDER BY place LIMIT {limit:d}"
        ).fetchall()
        self._is_done = len(rows) < limit
        if rows:
            self._place = rows[-1][0]
        return [dict(zip(self._columns, row[1:], strict=True)) for row in rows]

    def forget(self) -> None:
        """Drop the table to free its memory."""
        self._connection.execute(f"DROP TABLE IF EXISTS {self._name}")

    def _number(self, expression: str) -> int:
        [(number,)] = self._connection.execute(f"SELECT {expression} FROM {self._name}").fetchall()
        return int(number)


class PendingPages(PendingRows):
    """The selected pages of a run that were not requested yet, with the columns of `pages` that come from entries.

    Attributes:
        total: Number of distinct listed pages that match the globs, and of listed URLs that are invalid.
    """

    def __init__(self, store: Store, run_id: int, selection: PageSelection) -> None:
        select_pages(store, run_id, selection, "chosen")
        # Counted first: a resumed run may have requested all of them.
        [(total, invalid)] = store.rows("SELECT coalesce(max(total), 0), count(*) FILTER (NOT is_usable) FROM chosen")
        self.total = int(total)
        if selection.filters:
            [(listed,)] = store.rows(f"SELECT count(*) FROM ({_listed(run_id, selection)})")
            self.total = int(listed)
        store.connection.execute(
            "CREATE OR REPLACE TEMP TABLE invalid_urls AS FROM chosen WHERE NOT is_usable;"
            "DELETE FROM chosen WHERE NOT is_usable"
        )
        super().__init__(store, run_id, "chosen", tuple(OF_ENTRY), PAGES, "url", tuple(OF_ENTRY))
        self.selected_count += int(invalid)

    def add_invalid_urls(self, run: Run) -> None:
        """Add a row for each selected URL that is not a valid http or https URL."""
        own = f"{RUN_ID} = {run.run_id:d}"
        names = identifier_list(OF_ENTRY)
        with run.writing() as connection:
            connection.execute(
                f"DELETE FROM {PAGES.name} WHERE {own} AND skipped = '{INVALID}';"
                f"{_ADD_INVALID.format(names=names, run=f'{run.run_id:d}', chosen='invalid_urls')};"
                "DROP TABLE invalid_urls"
            )


def select_pages(store: Store, run_id: int, selection: PageSelection, name: str) -> None:
    """Create a temporary table of the entries whose pages are selected, in order.

    Those with an invalid URL, which cannot be requested, are among them, so that they have their share of a sample.
    """
    filters = " AND ".join(f"({each})" for each in selection.filters) or "true"
    listed, sampled = _listed(run_id, selection), _sample_condition(selection)
    store.connection.execute(_CHOSEN.format(name=name, listed=listed, filters=filters, sampled=sampled))


def _listed(run_id: int, selection: PageSelection) -> str:
    """Return SQL for the listed pages that match the globs."""
    wanted = f"{RUN_ID} = {run_id:d} AND {_glob_condition(selection)}"
    return _LISTED.format(
        usable=first_entries(wanted, selection.meant), invalid=invalid_entries(wanted, selection.meant)
    )


def first_entries(condition: str = "true", meant: MeantUrls | None = None) -> str:
    """Return SQL for the listed pages: the first entry of each, with the columns of `pages` that come from it.

    Args:
        condition: SQL for whether an entry is selected.
        meant: The URLs that are meant by others than valid ones.
    """
    of_entry = OF_ENTRY
    if meant is not None:
        cases = " ".join(f"WHEN {is_such} THEN {there}" for is_such, there in _meant_urls(meant))
        of_entry = OF_ENTRY | {"url": f"CASE {cases} ELSE loc END"}
    columns = ", ".join(f"{expression} AS {quote(column)}" for column, expression in of_entry.items())
    return _FIRSTS.format(columns=columns, usable=_usable(meant), wanted=condition)


def invalid_entries(condition: str = "true", meant: MeantUrls | None = None) -> str:
    """Return SQL for the first entry of each listed URL that is not a valid http or https URL; see `first_entries`."""
    columns = ", ".join(f"{expression} AS {quote(column)}" for column, expression in OF_ENTRY.items())
    return _INVALID.format(columns=columns, usable=_usable(meant), wanted=condition)


def _meant_urls(meant: MeantUrls) -> Iterator[tuple[str, str]]:
    """Yield SQL for whether an entry has a URL that means another one, and SQL for that one."""
    base = text_literal(meant.base)
    yield _PATH, f"{base} || ltrim(loc, '/')"
    for stray in map(text_literal, meant.strays):
        yield f"starts_with(loc, {stray})", f"{base} || substr(loc, length({stray}) + 1)"


def _usable(meant: MeantUrls | None) -> str:
    """Return SQL for whether an entry has, or means, a valid http or https URL."""
    others = () if meant is None else (is_such for is_such, _ in _meant_urls(meant))
    return "(" + " OR ".join(("loc_problem IS NULL AND scheme IN ('http', 'https')", *others)) + ")"


def judge_meant_pages(run: Run, meant: MeantUrls) -> None:
    """Store that pages are not indexable at their listed URL if that only means the URL that was requested."""
    own = f"{RUN_ID} = {run.run_id:d}"
    is_meant = " OR ".join(is_such for is_such, _ in _meant_urls(meant))
    with run.writing() as connection:
        connection.execute(
            f"UPDATE {PAGES.name} AS p SET is_indexable = false, reason = '{PageReason.INVALID_URL}' "
            f"FROM (SELECT document_id, ordinal FROM {URLS.name} WHERE {own} AND ({is_meant})) AS u "
            f"WHERE p.{own} AND p.is_indexable AND u.document_id = p.document_id AND u.ordinal = p.ordinal"
        )
    run.commit()


def _glob_condition(selection: PageSelection) -> str:
    """Return SQL for whether the globs select an entry."""
    included = " OR ".join(f"loc GLOB {text_literal(glob)}" for glob in selection.include) or "true"
    excluded = " OR ".join(f"loc GLOB {text_literal(glob)}" for glob in selection.exclude) or "false"
    return f"({included}) AND NOT ({excluded})"


def _sample_condition(selection: PageSelection) -> str:
    """Return SQL for which of the numbered pages are selected."""
    condition = "true"
    if selection.sample is not None:
        condition = evenly_spaced(selection.sample)
        if selection.is_stable:
            first = f"SELECT place FROM numbered ORDER BY hash(loc_hash), place LIMIT {selection.sample:d}"
            condition = f"place IN ({first})"
    if selection.max_pages is not None:
        condition += f" QUALIFY row_number() OVER (ORDER BY place) <= {selection.max_pages:d}"
    return condition


def evenly_spaced(size: int) -> str:
    """Return SQL for rows with `place` and `total` that takes some of them, spaced evenly."""
    return f"(place * {size:d}) // total > ((place - 1) * {size:d}) // total"


def compare_with_earlier(store: Store, run_id: int, targets: Sequence[str]) -> int | None:
    """Add the values from the last finished run with the same targets to each page of a run.

    User names and passwords in targets are ignored.

    Returns:
        The number of that run; None if no run matches.
    """
    whole = store.rows(f"SELECT {RUN_ID}, targets FROM runs WHERE {RUN_ID} < {run_id:d} AND finished_at IS NOT NULL")
    earlier: int | None = max((number for number, its in whole if are_same_targets(its, targets)), default=None)
    if earlier is None:
        return None
    versions = f"SELECT DISTINCT {TEXT_VERSION} FROM {RUNS.name} WHERE {RUN_ID} IN ({earlier:d}, {run_id:d})"
    is_comparable = len(store.rows(versions)) == 1
    # The text of an error page, or of another page, says nothing of what was changed.
    hash_before = f"CASE WHEN {IS_SERVED} THEN content_hash END" if is_comparable else "NULL"
    store.connection.execute(
        f"""
        UPDATE {PAGES.name} AS now
        SET lastmod_at_before = before.lastmod_at, content_hash_before = before.content_hash
        FROM (
            SELECT url, lastmod_at, {hash_before} AS content_hash FROM {PAGES.name} WHERE {RUN_ID} = {earlier:d}
        ) AS before
        WHERE now.{RUN_ID} = {run_id:d} AND now.url = before.url
        """
    )
    return earlier


def fetched_texts(store: Store, run_id: int) -> dict[str, int | None]:
    """Return the hash of the main text of each listed page of a run that was fetched successfully, by URL, in order.

    A page without words has none.
    """
    return dict(
        store.rows(
            f"""
            SELECT url, any_value(content_hash) FILTER (words > 0) FROM {PAGES.name}
            WHERE {RUN_ID} = {run_id:d} AND status BETWEEN 200 AND 299 GROUP BY url ORDER BY url
            """
        )
    )


def set_page_dates(store: Store, run_id: int, proofs: Sequence[tuple[str, DateProof]]) -> None:
    """Set the own date of pages to that of the commit that proves it."""
    store.connection.execute(
        f"""
        UPDATE {PAGES.name} AS page
        SET page_modified = proven.written, page_modified_at = proven.at,
            page_modified_from = 'commit ' || left(proven.commit, 12) || ': ' || proven.subject,
            proof_commit = proven.commit, proof_path = proven.path, proof_subject = proven.subject,
            proof_words = proven.words, proof_files = proven.files
        FROM (
            SELECT unnest($1::VARCHAR[]) AS url, unnest($2::VARCHAR[]) AS written, unnest($3::TIMESTAMP[]) AS at,
                unnest($4::VARCHAR[]) AS commit, unnest($5::VARCHAR[]) AS path, unnest($6::VARCHAR[]) AS subject,
                unnest($7::VARCHAR[]) AS words, unnest($8::INTEGER[]) AS files
        ) AS proven
        WHERE page.{RUN_ID} = {run_id:d} AND page.url = proven.url
        """,
        [
            [url for url, _ in proofs],
            [f"{proof.committed.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" for _, proof in proofs],
            [proof.committed.astimezone(UTC).replace(tzinfo=None) for _, proof in proofs],
            [proof.commit for _, proof in proofs],
            [proof.path for _, proof in proofs],
            [proof.subject for _, proof in proofs],
            [proof.words for _, proof in proofs],
            [proof.files for _, proof in proofs],
        ],
    )


def pages_of(store: Store, run_id: int, sites: Sequence[str], size: int) -> list[str]:
    """Return up to `size` pages of a run that were fetched successfully, spaced evenly over their URLs.

    Args:
        sites: The origins whose pages may be returned, such as `https://example.com`.
    """
    rows = store.rows(
        f"""
        SELECT url FROM (
            SELECT url, row_number() OVER (ORDER BY url) AS place, count(*) OVER () AS total FROM (
                SELECT DISTINCT url FROM {PAGES.name} WHERE {RUN_ID} = {run_id:d} AND status BETWEEN 200 AND 299
                    AND list_contains($1::VARCHAR[], regexp_extract(url, '^[a-z]+://[^/?#]+'))
            )
        ) WHERE {evenly_spaced(size)} ORDER BY url
        """,
        [list(sites)],
    )
    return [url for (url,) in rows]


def urls_of_host(store: Store, run_id: int, scheme: str, host: str) -> Iterator[_core.Table]:
    """Yield the distinct listed URLs of a host in batches, with the columns of `urls` that robots.txt is applied to."""
    yield from stream(store, host_urls(f"(FROM {URLS.name} WHERE {RUN_ID} = {run_id:d})", scheme, host))


def host_urls(urls: str, scheme: str, host: str) -> str:
    """Return a query for the distinct listed URLs of a host, with the columns of `urls` that robots.txt is applied to.

    Args:
        urls: The entries of a run, as after FROM.
    """
    return (
        f"SELECT {identifier_list(OF_URL)} FROM {urls} WHERE scheme = {text_literal(scheme)} "
        f"AND host = {text_literal(host)} "
        "QUALIFY row_number() OVER (PARTITION BY loc_hash ORDER BY document_id, ordinal) = 1"
    )
