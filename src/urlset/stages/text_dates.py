"""Dates of the texts of pages, from the history of their source files: what `--against` compares lastmod with."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.lastmod.text_history import TextHistory
from urlset.build.layouts.page_sources import PageSources
from urlset.build.sources.page_store import kept_dates
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
    store: Store, run_id: int, evidence: Path, homes: Sequence[str], site: FolderSite | None
) -> tuple[SourceMapping | None, tuple[str, ...]]:
    """Record the date of the text of each fetched page of a run as the page's own date.

    Args:
        evidence: The directory of the files that the pages are generated from, or the state file of their build.
        homes: The site of the run.
        site: The site as a directory of pages, if it is one.

    Returns:
        Which pages have known source files, and notes on the history.

    Raises:
        InputError: The directory cannot be listed, or the file is not the state of a build.
        UsageError: The run has no site, or several.
    """
    if len(homes) != 1:
        raise UsageError("--against requires one site, or one directory of pages")
    urls = fetched_urls(store, run_id)
    if evidence.is_file():
        proofs = list(_proofs_of_build(evidence, urls))
        set_page_dates(store, run_id, proofs)
        return None, (
            f"dates were compared with {evidence}, which has a proof for {len(proofs):,} of {len(urls):,} pages",
        )
    base = f"{homes[0].rstrip('/')}/" if site is None else site.base
    sources = PageSources.of(evidence, None if site is None else site.folder.root, urls, base)
    history = TextHistory(datetime.now(UTC))
    history.read(sources.source.top, sources.all_files(), sources.code)
    set_page_dates(store, run_id, list(_proofs(history, sources, urls)))
    return sources.mapping, (f"dates were compared with sources: {sources.mapping}", *history.notes)


def _proofs(history: TextHistory, sources: PageSources, urls: Sequence[str]) -> Iterator[tuple[str, DateProof]]:
    for url in urls:
        if files := sources.files(url):
            date = history.newest(files, sources.source.top)
            if date.proof is not None:
                yield url, date.proof


def _proofs_of_build(state: Path, urls: Sequence[str]) -> Iterator[tuple[str, DateProof]]:
    """Yield the proofs that a build recorded; a page can be listed in another spelling of its URL."""
    proofs = {_core.page_key(url): date.proof for url, date in kept_dates(state).items()}
    for url in urls:
        if (proof := proofs.get(_core.page_key(url))) is not None:
            yield url, proof
