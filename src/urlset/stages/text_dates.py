"""Dates of the texts of pages, from the history of their source files: what `--against` compares lastmod with."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from urlset import _core
from urlset.build.lastmod.text_history import TextHistory
from urlset.build.layouts.page_sources import PageSources
from urlset.build.sources.page_store import kept_dates
from urlset.errors import UsageError
from urlset.store.page_selection import fetched_texts, set_page_dates
from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from urlset.hosting.site import FolderSite
    from urlset.model.build import DateProof
    from urlset.model.source_mapping import SourceMapping
    from urlset.store.file import Store


class TextEvidence(NamedTuple):
    """What the dates of a run were compared with.

    Attributes:
        mapping: Which pages have known source files; None for a state file.
        notes: Sentences on an incomplete history, or on the proofs of a state file.
    """

    mapping: SourceMapping | None = None
    notes: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it, for a report."""
        sources = () if self.mapping is None else (f"dates were compared with sources: {self.mapping}",)
        return (*sources, *self.notes)


def take_text_dates(
    store: Store, run_id: int, evidence: Path, homes: Sequence[str], site: FolderSite | None
) -> TextEvidence:
    """Record the date of the text of each fetched page of a run as the page's own date.

    Args:
        evidence: The directory of the files that the pages are generated from, or the state file of their build.
        homes: The site of the run.
        site: The site as a directory of pages, if it is one.

    Raises:
        InputError: The directory cannot be listed, or the file is not the state of a build.
        UsageError: The run has no site, or several.
    """
    if len(homes) != 1:
        raise UsageError("--against requires one site, or one directory of pages")
    texts = fetched_texts(store, run_id)
    if evidence.is_file():
        proofs, note = _proofs_of_build(evidence, texts)
        set_page_dates(store, run_id, proofs)
        return TextEvidence(None, (note,))
    urls = list(texts)
    base = f"{homes[0].rstrip('/')}/" if site is None else site.base
    sources = PageSources.of(evidence, None if site is None else site.folder.root, urls, base)
    history = TextHistory(datetime.now(UTC))
    history.read(sources.source.top, sources.all_files(), sources.code)
    set_page_dates(store, run_id, list(_proofs(history, sources, urls)))
    return TextEvidence(sources.mapping, tuple(history.notes))


def _proofs(history: TextHistory, sources: PageSources, urls: Sequence[str]) -> Iterator[tuple[str, DateProof]]:
    for url in urls:
        if files := sources.files(url):
            date = history.newest(files, sources.source.top)
            if date.proof is not None:
                yield url, date.proof


def _proofs_of_build(state: Path, texts: Mapping[str, int | None]) -> tuple[list[tuple[str, DateProof]], str]:
    """Return the proofs that a build recorded for pages whose text is still the same, and a sentence on all of them.

    A page can be listed in another spelling of its URL.

    Args:
        texts: Hashes of the texts of the pages as fetched, by URL.
    """
    dates = {_core.page_key(url): date for url, date in kept_dates(state).items()}
    proofs: list[tuple[str, DateProof]] = []
    unknown = different = 0
    for url, text in texts.items():
        date = dates.get(_core.page_key(url))
        if date is None or date.proof is None:
            continue
        if date.text is None or text is None:
            unknown += 1
        elif date.text != text:
            different += 1
        else:
            proofs.append((url, date.proof))
    note = (
        f"dates were compared with {state}, which proves the date of {len(proofs):,} of {quantity(len(texts), 'page')}"
    )
    if different:
        note += f"; {quantity(different, 'page has', 'pages have')} another text than in that build"
    if unknown:
        note += (
            f"; the proofs of {quantity(unknown, 'page')} are not used, because the text of that build is unknown: "
            "build from the directory of HTML pages, with this version of urlset"
        )
    return proofs, note
