"""Which listed images, thumbnails and videos of a run are looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlset.engine.sql import listed
from urlset.store.file import RUN_ID
from urlset.store.pages import choose
from urlset.tables import MEDIA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from urlset.store.file import Store
    from urlset.store.pages import Wish

LISTED = ("document_id", "ordinal", "position", "line", "col", "kind", "url")
"""The columns of `media` that a record fills."""

_PLACE = "document_id, ordinal, position, line, col"

# A file that several records name is looked at once, for the first of them.
_CHOSEN = """
CREATE OR REPLACE TEMP TABLE chosen_media AS
WITH named AS (
    SELECT {place}, 'image' AS kind, loc AS url FROM images WHERE {run} AND loc_problem IS NULL
    UNION ALL
    SELECT {place}, 'thumbnail', thumbnail_loc FROM videos WHERE {run} AND thumbnail_loc_problem IS NULL
    UNION ALL
    SELECT {place}, 'video', content_loc FROM videos WHERE {run} AND content_loc_problem IS NULL
), firsts AS (
    SELECT n.*
    FROM named AS n
    SEMI JOIN media_pages AS p ON p.document_id = n.document_id AND p.ordinal = n.ordinal
    WHERE regexp_matches(n.url, '^https?://[^/]', 'i')
    QUALIFY row_number() OVER (PARTITION BY kind, url ORDER BY n.document_id, n.ordinal, n.position) = 1
)
SELECT *, row_number() OVER (ORDER BY document_id, ordinal, kind, position) AS place FROM firsts ORDER BY place
"""


class MediaSelection:
    """The files that the chosen pages' entries name, and that were not looked at yet.

    Attributes:
        chosen: How many there are, those that were looked at included.
        left: How many were not.
    """

    def __init__(self, store: Store, run_id: int, wish: Wish) -> None:
        self._connection = store.connection
        run = f"{RUN_ID} = {run_id:d}"
        choose(store, run_id, wish, "media_pages")
        self._connection.execute(_CHOSEN.format(place=_PLACE, run=run))
        self._connection.execute("DROP TABLE media_pages")
        self.chosen = self._count()
        self._connection.execute(
            f"DELETE FROM chosen_media WHERE (kind, url) IN (SELECT kind, url FROM {MEDIA.name} WHERE {run})"
        )
        self.left = self._count()
        self._place = 0

    def next(self, most: int) -> list[Mapping[str, Any]]:
        """The next files, at most so many: for each the columns of `media` that its record fills."""
        rows = self._connection.execute(
            f"SELECT place, {listed(LISTED)} FROM chosen_media WHERE place > {self._place:d} "
            f"ORDER BY place LIMIT {most:d}"
        ).fetchall()
        if rows:
            self._place = rows[-1][0]
        return [dict(zip(LISTED, row[1:], strict=True)) for row in rows]

    def _count(self) -> int:
        [(number,)] = self._connection.execute("SELECT count(*) FROM chosen_media").fetchall()
        return int(number)
