"""Joins a redirect map with the two sides of a migration."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from urlset import _core
from urlset.comparison.compare import URLS_AT_ONCE, Comparer
from urlset.errors import InputError, UsageError
from urlset.store.url_table import UrlTable, is_http_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

OLD_NAMES = frozenset({
    "old", "old url", "old urls", "from", "from url", "source", "source url", "redirect from", "origin", "original",
    "original url", "current url", "legacy url", "address", "before",
})  # fmt: skip
NEW_NAMES = frozenset({
    "new", "new url", "new urls", "to", "to url", "target", "target url", "destination", "destination url",
    "redirect to", "redirect url", "redirects to", "after",
})  # fmt: skip
ACTION_NAMES = frozenset({
    "action", "status", "status code", "code", "http status", "http code", "type", "redirect type", "redirect code",
    "response code",
})  # fmt: skip
"""Usual names of the columns of a redirect map."""

GONE = frozenset({"404", "410", "gone", "drop", "dropped", "delete", "deleted", "remove", "removed"})
"""Actions after which the old URL returns 404 or 410."""

OPTION = "--redirect-columns OLD,NEW"

ROWS_AT_ONCE = 10_000
"""Number of rows of the map to store at once."""

_JOIN = """
CREATE TEMP TABLE redirects AS
SELECT *, loc_hash IN (FROM listed_before) AS was_listed, loc_hash IN (FROM listed_after) AS is_still_listed,
    expected_hash IN (FROM listed_after) AS expected_is_listed
FROM given_redirects
"""


_GivenRow: TypeAlias = "tuple[int, str, int, int, str | None, int | None]"
"""A row of the map: its line, the old URL with its hashes, and the new URL with its hash."""


class Mapped(NamedTuple):
    """A row of the map.

    Attributes:
        place: Its line in the file.
        url: The old URL.
        expected: The new URL; None if the map gives none.
        expected_is_listed: Whether the later side lists it; None without a new URL.
    """

    place: int
    url: str
    expected: str | None
    expected_is_listed: bool | None


class RedirectTable:
    """The columns of a redirect map.

    Args:
        column_names: The names of the columns with the old and the new URLs; None to find them.

    Raises:
        InputError: The file cannot be read.
        UsageError: It has no such columns, or more than one that fits.
    """

    def __init__(self, path: Path, column_names: Sequence[str] | None) -> None:
        self.path = path
        table = self._table = UrlTable.of(path)
        if column_names is not None:
            self._columns = table.column_of_name(column_names[0]), table.column_of_name(column_names[1])
        else:
            self._columns = _pair(table)
        actions = [index for index in range(len(table.columns)) if table.is_named(index, ACTION_NAMES)]
        # Unless one of the two has such a name.
        self._action = actions if len(actions) == 1 and actions[0] not in self._columns else []
        if self._columns[0] == self._columns[1]:
            raise UsageError(f"{path}: the old and the new URLs are the same column; name two with {OPTION}")

    @property
    def columns(self) -> tuple[str, str]:
        """The columns of the old and of the new URLs, for messages."""
        old, new = self._columns
        return self._table.display_name(old), self._table.display_name(new)

    def rows(self, site_of: Callable[[str], str | None]) -> Iterator[tuple[int, str, str | None]]:
        """Yield line, old URL, and new URL of each row.

        Without a new URL, the old one is gone; with an action that does not say so, it should stay.

        Args:
            site_of: Returns the site to which the paths of a side belong, `before` or `after`; None if it is unclear.

        Raises:
            InputError: A value is neither an http(s) URL nor a path, or the file cannot be read.
        """
        for place, (old, new, *actions) in self._table.rows([*self._columns, *self._action]):
            action = actions[0].strip().lower() if actions else ""
            old_url = self._absolute(old, "before", place, site_of)
            new_url = self._absolute(new, "after", place, site_of) if new else old_url if action else None
            if action in GONE:
                if new:
                    raise InputError(f"{self.path}:{place}", f"has a new URL and the action {action}; keep one of them")
                new_url = None
            yield place, old_url, new_url

    def _absolute(self, value: str, side: str, place: int, site_of: Callable[[str], str | None]) -> str:
        """Return a URL of the map; a path is on the site of its side."""
        if is_http_url(value):
            return value
        if not value.startswith("/") or value.startswith("//") or "\ufffd" in value:
            raise InputError(f"{self.path}:{place}", f"neither an absolute http(s) URL nor a path: {value!r}")
        if (site := site_of(side)) is None:
            name = "earlier" if side == "before" else "later"
            raise InputError(
                f"{self.path}:{place}",
                f"a path, but the {name} side does not list URLs of exactly one site; write absolute URLs: {value!r}",
            )
        return f"{site}{value}"


def _pair(table: UrlTable) -> tuple[int, int]:
    old, new = (
        [index for index in range(len(table.columns)) if table.is_named(index, names)]
        for names in (OLD_NAMES, NEW_NAMES)
    )
    if len(old) == len(new) == 1:
        return old[0], new[0]
    if len(table.columns) == 2 and not old and not new:
        return 0, 1
    raise UsageError(
        f"{table.path}: cannot tell which columns have the old and the new URLs; name them with {OPTION}; "
        f"the columns are {table.shown_columns}"
    )


class MappedSides(Comparer):
    """Compares two runs, and joins them with a redirect map."""

    repeated: int = 0

    def load(self, table: RedirectTable) -> None:
        """Load the map.

        Raises:
            InputError: It cannot be read, or gives a URL two new ones.
        """
        run = self._connection.execute
        run(
            "CREATE TEMP TABLE given_rows (place BIGINT, url VARCHAR, page_hash BIGINT, loc_hash BIGINT, "
            "expected VARCHAR, expected_hash BIGINT)"
        )
        batch: list[_GivenRow] = []
        for place, old, new in table.rows(self._site_of):
            new_hash = None if new is None else _core.url_hash(new)
            batch.append((place, old, _core.page_hash(old), _core.url_hash(old), new, new_hash))
            if len(batch) >= ROWS_AT_ONCE:
                self._insert(batch)
                batch = []
        self._insert(batch)
        self._check(table.path)
        run(
            "CREATE TEMP TABLE given_redirects AS SELECT min(place) AS place, arg_min(url, place) AS url, page_hash, "
            "arg_min(loc_hash, place) AS loc_hash, arg_min(expected, place) AS expected, "
            "any_value(expected_hash) AS expected_hash FROM given_rows GROUP BY page_hash"
        )
        self.repeated = self._number("SELECT count(*) - count(DISTINCT page_hash) FROM given_rows")
        run("DROP TABLE given_rows")
        for side in ("before", "after"):
            run(
                f"CREATE TEMP TABLE listed_{side} AS SELECT DISTINCT loc_hash FROM {self.all_urls(side)} "
                "WHERE loc_hash IN (SELECT unnest([loc_hash, expected_hash]) FROM given_redirects)"
            )
        run(_JOIN)

    @cache  # noqa: B019 - a comparison is short-lived
    def _site_of(self, side: str) -> str | None:
        """Return scheme and host of all URLs of a side; None if they differ."""
        site = "regexp_extract(loc, '^https?://[^/?#]+', 0, 'i')"
        rows = self._connection.execute(f"SELECT DISTINCT {site} FROM {self.all_urls(side)} LIMIT 2").fetchall()
        return str(rows[0][0]) or None if len(rows) == 1 else None

    def _insert(self, rows: Sequence[_GivenRow]) -> None:
        columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], [], [], []]
        self._connection.execute(
            "INSERT INTO given_rows SELECT unnest($1::BIGINT[]), unnest($2::VARCHAR[]), unnest($3::BIGINT[]), "
            "unnest($4::BIGINT[]), unnest($5::VARCHAR[]), unnest($6::BIGINT[])",
            columns,
        )

    def _check(self, path: Path) -> None:
        [(rows,)] = self._connection.execute("SELECT count(*) FROM given_rows").fetchall()
        if not rows:
            raise InputError(str(path), "has no redirects")
        conflicts = self._connection.execute(
            "SELECT arg_min(url, place), min(place), arg_max(place, place) FROM given_rows GROUP BY page_hash "
            "HAVING count(DISTINCT coalesce(expected_hash::VARCHAR, '')) > 1 ORDER BY min(place) LIMIT 1"
        ).fetchall()
        for url, first, last in conflicts:
            raise InputError(f"{path}:{last}", f"gives {url} another new URL than line {first}; keep one of them")

    def redirects(self) -> Iterator[list[Mapped]]:
        """Yield the rows of the map in its order, in batches."""
        last = -1
        while rows := self._connection.execute(
            "SELECT place, url, expected, expected_is_listed FROM redirects WHERE place > $1 ORDER BY place "
            f"LIMIT {URLS_AT_ONCE:d}",
            [last],
        ).fetchall():
            yield [Mapped(*row) for row in rows]
            last = rows[-1][0]

    def mapped_count(self) -> int:
        """Return the number of old URLs in the map."""
        return self._number("SELECT count(*) FROM redirects")

    def unmapped_urls(self) -> Iterator[str]:
        """Yield the URLs that only the earlier side lists and that are not in the map, sorted by URL."""
        self.only("before", "after")
        batch: list[str] = []
        for url, _ in self.urls_of("before"):
            batch.append(url)
            if len(batch) >= URLS_AT_ONCE:
                yield from self._without_redirect(batch)
                batch = []
        yield from self._without_redirect(batch)

    def _without_redirect(self, urls: Sequence[str]) -> Iterator[str]:
        hashes = [_core.page_hash(url) for url in urls]
        rows = self._connection.execute(
            "SELECT page_hash FROM redirects WHERE page_hash IN (SELECT unnest($1::BIGINT[]))", [hashes]
        ).fetchall()
        listed_numbers = {number for (number,) in rows}
        return (url for url, number in zip(urls, hashes, strict=True) if number not in listed_numbers)

    def mismatches(self) -> tuple[int, int, int]:
        """Return numbers of mapped URLs: not listed before, still listed after, and with a new URL not listed after."""
        [(missing, still_listed, unlisted)] = self._connection.execute(
            "SELECT count(*) FILTER (NOT was_listed), "
            "count(*) FILTER (is_still_listed AND expected_hash IS DISTINCT FROM loc_hash), "
            "count(*) FILTER (NOT expected_is_listed) FROM redirects"
        ).fetchall()
        return int(missing), int(still_listed), int(unlisted)
