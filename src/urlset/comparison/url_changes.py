"""Finds the URLs that search engines should hear of: those that two runs list, or describe, differently."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.comparison.compare import INCOMPLETE, Comparer
from urlset.model.notification import Notice, NoticeKind, NotSent
from urlset.tables import PAGES, RUNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from urlset.comparison.run_database import RunDatabase
    from urlset.comparison.run_tables import RunTables

ROWS_AT_ONCE = 1_000
"""Number of rows to fetch at once."""

# content_hash is null for pages that were not fetched, or read by another version. A later lastmod counts unless the
# content is known to be the same; the content alone counts only without a lastmod, since a date that stays says that
# nothing significant changed.
_CHANGES = f"""
CREATE TEMP TABLE changes AS
SELECT url, document_id, CASE
        WHEN NOT is_old THEN '{NoticeKind.NEW}'
        WHEN new_at > old_at AND same_content THEN '{NotSent.SAME_CONTENT}'
        WHEN new_at > old_at THEN '{NoticeKind.CHANGED}'
        WHEN new_value IS DISTINCT FROM old_value THEN '{NotSent.NO_LATER_LASTMOD}'
        WHEN NOT same_content AND new_value IS NULL THEN '{NoticeKind.CHANGED}'
        WHEN NOT same_content THEN '{NotSent.LASTMOD_UNCHANGED}' END AS change,
    coalesce(strftime(new_at, '%Y-%m-%dT%H:%M:%S.%fZ'), left(new_value, 100), 'content ' || new_hash, '') AS version
FROM (SELECT new.url, new.document_id, new.at AS new_at, old.at AS old_at, old.url IS NOT NULL AS is_old,
        coalesce(new.readable, new.written) AS new_value, coalesce(old.readable, old.written) AS old_value,
        new_page.content_hash AS new_hash, new_page.content_hash = old_page.content_hash AS same_content
    FROM after_urls AS new LEFT JOIN paired ON after_place = new.rowid
    LEFT JOIN before_urls AS old ON old.rowid = before_place
    LEFT JOIN after_pages AS new_page ON new_page.url = new.url
    LEFT JOIN before_pages AS old_page ON old_page.url = old.url)
WHERE change IS NOT NULL
"""

_PAGES = """
CREATE TEMP TABLE {side}_pages AS
SELECT url, any_value(content_hash) AS content_hash FROM {pages}
WHERE content_hash IS NOT NULL AND {is_text_comparable} GROUP BY url
"""


class UrlChanges(Comparer):
    """Compares two runs URL by URL, to notify search engines."""

    def __init__(self, database: RunDatabase, before: RunTables, after: RunTables) -> None:
        # Pages can change although the document that lists them is the same.
        super().__init__(database, before, after, 0, skip_unchanged=False)
        is_comparable = str(self.is_text_comparable).lower()
        for side, run in self._sides.items():
            statement = _PAGES.format(side=side, pages=run.rows(PAGES), is_text_comparable=is_comparable)
            self._connection.execute(statement)
        self._connection.execute(_CHANGES)

    @property
    def url_total(self) -> int:
        """Number of URLs that the larger side lists."""
        return max(self.url_count("before"), self.url_count("after"))

    def notices(self) -> Iterator[Notice]:
        """Yield the URLs that are new or changed, sorted by URL."""
        last = ""
        while rows := self._connection.execute(
            "SELECT url, change, version FROM changes WHERE url > $1 AND change IN ($2, $3) ORDER BY url "
            f"LIMIT {ROWS_AT_ONCE:d}",
            [last, NoticeKind.NEW.value, NoticeKind.CHANGED.value],
        ).fetchall():
            yield from (Notice(url, NoticeKind(kind), version) for url, kind, version in rows)
            last = rows[-1][0]

    def texts(self, urls: Sequence[str]) -> dict[str, int]:
        """Return the hashes of the main text of pages of the later run.

        There are none if another version of urlset extracted the text.
        """
        run = self._sides["after"]
        versions = self._connection.execute(f"SELECT text_version FROM {run.rows(RUNS)}").fetchall()
        if versions != [(_core.TEXT_VERSION,)]:
            return {}
        rows = self._connection.execute(
            f"SELECT url, any_value(content_hash) FROM {run.rows(PAGES)} WHERE content_hash IS NOT NULL "
            "AND status = 200 AND coalesce(complete, true) AND url IN (SELECT unnest($1::VARCHAR[])) GROUP BY url",
            [[*urls]],
        ).fetchall()
        return {str(url): int(content_hash) for url, content_hash in rows}

    def find_removed(self) -> int:
        """Find the URLs that are no longer listed, for `urls_of("before")`, and return their number."""
        return self.only("before", "after").count

    def once_incomplete(self) -> str | None:
        """Return a document that lacked URLs in the earlier run, unless the later run read it alike; None without."""
        before, after = (self._fill_in(INCOMPLETE, side) for side in ("before", "after"))
        rows = self._connection.execute(f"({before}) EXCEPT ({after}) ORDER BY url LIMIT 1").fetchall()
        return str(rows[0][0]) if rows else None

    def unsent_counts(self) -> dict[NotSent, int]:
        """Return how many URLs differ in a way that is not worth sending, by reason."""
        rows = self._connection.execute("SELECT change, count(*) FROM changes GROUP BY change").fetchall()
        counts = {str(change): int(count) for change, count in rows}
        return {reason: counts[reason] for reason in NotSent if reason in counts}
