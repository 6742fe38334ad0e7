"""`pages`: a run in a store ─> its pages that are not indexable, each with the reason."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from urlset.errors import InputError
from urlset.model.page_list import PageList
from urlset.store.file import Store
from urlset.store.page_list import count_listed_pages, page_rows, systems_by_reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.web.indexability import PageReason

COLUMNS = ("url", "is_indexable", "reason", "value", "document", "line", "col", "status")
TYPES = ("VARCHAR", "BOOLEAN", "VARCHAR", "VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "INTEGER")


@contextmanager
def page_list(
    path: Path, run_id: int | None = None, reasons: Sequence[PageReason] = (), *, every: bool = False
) -> Iterator[PageList]:
    """Yield the pages of a run that are not indexable; their rows are read as they are used.

    Args:
        run_id: The run; None for the newest complete one.
        reasons: Reasons of the pages to list; empty for all.
        every: Whether to list pages that are indexable as well.

    Raises:
        InputError: The store cannot be read, the run does not exist, or it requested no pages.
    """
    with Store.read(path) as store:
        run = store.run_of_site(run_id)
        listed, counts = count_listed_pages(store, run.run_id)
        if not listed:
            of_target = f" of {run.targets[0]}" if run.targets else ""
            raise InputError(
                str(path),
                f"run {run.run_id}{of_target} requested no pages, so it is unknown which are "
                "indexable; choose another run with --run, or audit without --no-pages",
            )
        rows = page_rows(store, run.run_id, tuple(map(str, reasons)), every=every)
        systems = systems_by_reason(store, run.run_id) if counts else {}
        yield PageList(COLUMNS, TYPES, rows, run.run_id, listed, counts, tuple(map(str, reasons)), systems)
