"""Lists every URL that differs between two runs, in memory that does not grow with the number of URLs.

DuckDB cannot move the groups of an aggregation on text to disk. The URLs are therefore compared share by share, by
their hash, so that each share fits into memory; the result is sorted at the end, for which DuckDB uses its temporary
folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.comparison.compare import ROWS, URLS_AT_ONCE, Comparer, share_of
from urlset.engine.rule_sql import text_literal
from urlset.model.comparison import UrlChange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ROWS_IN_SHARE = 1 << 20
"""Number of rows of both sides to compare at once, about."""

# A URL with the same lastmod on both sides is not listed.
_CHANGED_URLS = f"""
INSERT INTO url_changes
SELECT change, url, lastmod_before, lastmod_after FROM (
    SELECT coalesce(new.url, old.url) AS url, coalesce(old.readable, old.written) AS lastmod_before,
        coalesce(new.readable, new.written) AS lastmod_after,
        CASE WHEN old.url IS NULL THEN '{UrlChange.ADDED}' WHEN new.url IS NULL THEN '{UrlChange.REMOVED}'
            WHEN lastmod_before IS DISTINCT FROM lastmod_after THEN '{UrlChange.CHANGED}' END AS change
    FROM before_urls AS old FULL JOIN after_urls AS new ON new.url = old.url)
WHERE change IN ({{changes}})
"""

_SORTED = "SELECT change, url, lastmod_before, lastmod_after FROM url_changes ORDER BY url"


class UrlDifferences(Comparer):
    """Compares the URLs of two runs; only `find`, `urls`, and `write_urls` can be used."""

    def _list(self) -> None:
        """Leave it to `find`, which lists one share of the URLs after the other."""

    def find(self, changes: Iterable[UrlChange]) -> None:
        """Find all URLs with one of these changes."""
        run = self._connection.execute
        run(
            "CREATE TEMP TABLE url_changes (change VARCHAR, url VARCHAR, lastmod_before VARCHAR, lastmod_after VARCHAR)"
        )
        listed = ", ".join(text_literal(change.value) for change in changes)
        rows = sum(self._number(self._fill_in(f"SELECT count(*) FROM {ROWS}", side)) for side in self._sides)
        shares = 1 << (rows // ROWS_IN_SHARE).bit_length()
        for share in range(shares):
            self._list_urls(share_of(share, shares))
            run(_CHANGED_URLS.replace("{changes}", listed))
            run("DROP TABLE before_urls")
            run("DROP TABLE after_urls")

    def urls(self) -> Iterator[tuple[str | None, ...]]:
        """Yield every URL that was found, sorted by URL: `model.comparison.URL_COLUMNS`."""
        self._connection.execute(_SORTED)
        while rows := self._connection.fetchmany(URLS_AT_ONCE):
            yield from rows

    def write_urls(self, output: Path) -> None:
        """Write the rows of `urls` to a file, which the database may write, as Parquet."""
        target = text_literal(str(output))
        # The file exists already, and another next to it cannot be opened.
        options = "FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false"
        self._connection.execute(f"COPY ({_SORTED}) TO {target} ({options})")
