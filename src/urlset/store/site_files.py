"""Stores what a run found in key files and llms.txt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset import _core
from urlset.store.file import RUN_ID, empty
from urlset.tables import DOCUMENTS, URLS

if TYPE_CHECKING:
    from collections.abc import Collection

    from urlset.store.file import Store
    from urlset.store.run import Run
    from urlset.tables import Table


KEY_FILE, LLMS_FILE = "indexnow-key", "llms"
"""Kinds of documents that are only recorded because findings are located in them."""


def forget_files(run: Run) -> None:
    """Remove the documents of these files, which a run that was interrupted at its end has recorded."""
    with run.writing() as connection:
        connection.execute(
            f"DELETE FROM {DOCUMENTS.name} WHERE {RUN_ID} = {run.run_id:d} AND kind IN ('{KEY_FILE}', '{LLMS_FILE}')"
        )


def clear_rows(run: Run, *tables: Table) -> None:
    """Remove the rows of a run: a resumed run requests the files again."""
    with run.writing() as connection:
        empty(connection, run.run_id, [table.name for table in tables])


def listed_among(store: Store, run_id: int, urls: Collection[str]) -> frozenset[str]:
    """Return those of some URLs that a sitemap of a run lists."""
    hashes = [_core.url_hash(url) for url in urls]
    rows = store.connection.execute(
        f"SELECT DISTINCT loc FROM {URLS.name} WHERE {RUN_ID} = {run_id:d} "
        "AND loc_hash IN (SELECT unnest($1::BIGINT[])) AND loc IN (SELECT unnest($2::VARCHAR[]))",
        [hashes, list(urls)],
    ).fetchall()
    return frozenset(str(loc) for (loc,) in rows)
