"""Selects the listed images, thumbnails, and videos of a run to request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.store.file import RUN_ID
from urlset.store.page_selection import PendingRows, select_pages
from urlset.tables import MEDIA

if TYPE_CHECKING:
    from urlset.store.file import Store
    from urlset.store.page_selection import PageSelection

LISTED = ("document_id", "ordinal", "position", "line", "col", "kind", "url")
"""The columns of `media` that come from a record."""

_PLACE = "document_id, ordinal, position, line, col"

# A file that several records list is requested once, for the first of them.
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
    SEMI JOIN (FROM media_pages WHERE is_usable) AS p ON p.document_id = n.document_id AND p.ordinal = n.ordinal
    WHERE regexp_matches(n.url, '^https?://[^/]', 'i')
    QUALIFY row_number() OVER (PARTITION BY kind, url ORDER BY n.document_id, n.ordinal, n.position) = 1
)
SELECT *, row_number() OVER (ORDER BY document_id, ordinal, kind, position) AS place FROM firsts ORDER BY place
"""


class PendingMedia(PendingRows):
    """The files in the entries of selected pages that were not requested yet, with the columns of `media`."""

    def __init__(self, store: Store, run_id: int, selection: PageSelection) -> None:
        select_pages(store, run_id, selection, "media_pages")
        store.connection.execute(_CHOSEN.format(place=_PLACE, run=f"{RUN_ID} = {run_id:d}"))
        store.connection.execute("DROP TABLE media_pages")
        super().__init__(store, run_id, "chosen_media", LISTED, MEDIA, "kind, url", LISTED)
