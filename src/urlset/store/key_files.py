"""Stores the IndexNow key files of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.store.file import empty
from urlset.tables import KEY_FILES

if TYPE_CHECKING:
    from urlset.store.run import Run


def clear_key_files(run: Run) -> None:
    """Remove the rows of a run: a resumed run requests the files again."""
    with run.writing() as connection:
        empty(connection, run.run_id, [KEY_FILES.name])
