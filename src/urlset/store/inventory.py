"""Compares the URLs in a run with a list of existing URLs: a text file, a table, or the export of a crawler."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from urlset import _core
from urlset.engine.rule_sql import quote
from urlset.errors import InputError, reason_of
from urlset.files.bounded import MAX_LIST_BYTES, read_file
from urlset.model.audit import Inventory
from urlset.store.file import RUN_ID
from urlset.store.url_table import UrlTable, is_http_url, is_table
from urlset.tables import URLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from urlset.store.file import Store

COMMON_NAMES = frozenset({
    "address", "url", "urls", "page url", "full url", "page", "pages", "loc", "location", "link", "permalink", "uri",
    "landing page", "top pages", "page location",
})  # fmt: skip
"""Usual names of a column with the URLs of pages: Screaming Frog has Address, Sitebulb and Ahrefs have URL, Semrush has
Page URL, Botify has Full URL, Search Console has Top pages."""

OPTION = "--set audit.inventory-column=NAME"

ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class InventoryFile:
    """A file with existing URLs.

    Attributes:
        table: The table that it is; None for a text file with one URL per line.
        index: The column with the URLs.
        skipped: Number of lines, or of rows of a table, without an http(s) URL.
    """

    path: Path
    table: UrlTable | None = None
    index: int = 0
    skipped: int = 0

    @classmethod
    def of(cls, path: Path, column: str | None) -> InventoryFile:
        """Open an inventory, and read it once, so that a problem is reported before anything else is done.

        Args:
            column: The column with the URLs; None to find it.

        Raises:
            InputError: It cannot be read.
            UsageError: The columns of a table leave a choice, or none has URLs.
        """
        if column is None and not is_table(path):
            return cls(path, skipped=sum(not is_http_url(line) for line in _lines(path)))
        table = UrlTable.of(path)
        index = table.find_column(COMMON_NAMES, OPTION) if column is None else table.column_of_name(column)
        skipped = sum(not is_http_url(url) for _, (url,) in table.rows([index]))
        return cls(path, table, index, skipped)

    @property
    def column(self) -> str | None:
        """The column with the URLs; None for a text file."""
        return None if self.table is None else self.table.columns[self.index] or f"column {self.index + 1}"

    def urls(self) -> Iterator[str]:
        """Yield the URLs.

        Raises:
            InputError: The file can no longer be read.
        """
        if self.table is None:
            yield from filter(is_http_url, _lines(self.path))
        else:
            yield from (url for _, (url,) in self.table.rows([self.index]) if is_http_url(url))

    def compare(self, store: Store, run_id: int, limit: int) -> Inventory:
        """Compare the URLs in a run with the list, with up to `limit` examples of each difference."""
        connection = store.connection
        connection.execute("CREATE OR REPLACE TEMP TABLE given_urls (url VARCHAR, url_hash BIGINT)")
        urls = self.urls()
        while batch := list(islice(urls, ROWS_AT_ONCE)):
            connection.execute(
                "INSERT INTO given_urls SELECT unnest($1::VARCHAR[]), unnest($2::BIGINT[])",
                [batch, [_core.url_hash(url) for url in batch]],
            )
        connection.execute(
            "CREATE OR REPLACE TEMP TABLE inventory AS "
            "SELECT min(url) AS url, url_hash FROM given_urls GROUP BY url_hash"
        )
        connection.execute("DROP TABLE given_urls")
        of_run = f"FROM {quote(URLS.name)} WHERE {RUN_ID} = {run_id:d} AND loc <> ''"
        unlisted = f"SELECT url FROM inventory WHERE url_hash NOT IN (SELECT loc_hash {of_run})"
        unknown = (
            f"SELECT min(loc) AS url {of_run} AND loc_hash NOT IN (SELECT url_hash FROM inventory) GROUP BY loc_hash"
        )

        def number(statement: str) -> int:
            [(count,)] = connection.execute(f"SELECT count(*) FROM ({statement})").fetchall()
            return int(count)

        def first(statement: str) -> tuple[str, ...]:
            return tuple(url for (url,) in connection.execute(f"{statement} ORDER BY url LIMIT {limit:d}").fetchall())

        return Inventory(
            number("FROM inventory"),
            number(unlisted),
            first(unlisted),
            number(unknown),
            first(unknown),
            self.column,
            self.skipped,
        )


def _lines(path: Path) -> list[str]:
    try:
        text = read_file(path, MAX_LIST_BYTES).decode("utf-8-sig", "replace")
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {reason_of(error)}") from None
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
