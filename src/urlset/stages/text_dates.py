"""Dates of the texts of pages, from the history of their source files: what `--against` compares lastmod with."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset.build.lastmod.text_history import TextHistory
from urlset.build.layouts.page_sources import PageSources
from urlset.errors import UsageError
from urlset.store.page_selection import fetched_urls, set_page_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from urlset.hosting.site import FolderSite
    from urlset.model.build import DateProof
    from urlset.model.source_mapping import SourceMapping
    from urlset.store.file import Store


def take_text_dates(
    store: Store, run_id: int, content: Path, homes: Sequence[str], site: FolderSite | None
) -> tuple[SourceMapping, tuple[str, ...]]:
    """Record the date of the text of each fetched page of a run as the page's own date.

    Args:
        content: The directory of the files that the pages are generated from.
        homes: The site of the run.
        site: The site as a directory of pages, if it is one.

    Returns:
        Which pages have known source files, and notes on the history.

    Raises:
        InputError: The directory cannot be listed.
        UsageError: The run has no site, or several.
    """
    if len(homes) != 1:
        raise UsageError("--against requires one site, or one directory of pages")
    urls = fetched_urls(store, run_id)
    base = f"{homes[0].rstrip('/')}/" if site is None else site.base
    sources = PageSources.of(content, None if site is None else site.folder.root, urls, base)
    history = TextHistory(datetime.now(UTC))
    history.read(sources.source.top, sources.all_files())
    set_page_dates(store, run_id, list(_dates(history, sources, urls)))
    return sources.mapping, (f"dates were compared with sources: {sources.mapping}", *history.notes)


def _dates(
    history: TextHistory, sources: PageSources, urls: Sequence[str]
) -> Iterator[tuple[str, datetime, DateProof]]:
    for url in urls:
        if files := sources.files(url):
            date = history.newest(files, sources.source.top)
            if date.value is not None and date.proof is not None:
                yield url, date.value, date.proof
