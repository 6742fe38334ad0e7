"""The URLs of what was found across documents: the engine compares numbers alone, and texts are looked up afterwards.

The texts of ten million URLs would not fit into memory. Those of the first some hundred thousand are held; for the few
examples of other documents, which are mostly among the first entries, their files are read again.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from urlset._core import Table
    from urlset.model.finding import Example, Finding
    from urlset.options.verbs import ReadOptions
    from urlset.sources import Source

MOST_BYTES_HELD = 16_000_000
"""Bytes of URLs that are held for this, at most."""

COLUMNS = ("ordinal", "loc")

AGAIN = frozenset({SourceKind.PATH, SourceKind.BYTES})
"""Sources that can be read a second time at no one's expense."""


class UrlLookup(Struct):
    """Puts URLs to findings that lack them.

    Args:
        options: How the documents are read.
        elsewhere: Gives the entries of a document that is not held, in their order; None to read it again.
    """

    options: ReadOptions
    elsewhere: Callable[[int], Iterable[Table]] | None = None
    _sources: dict[int, tuple[Source, object]] = field(default_factory=dict)
    _held: dict[int, list[Table]] = field(default_factory=dict)
    _room: int = field(default_factory=lambda: MOST_BYTES_HELD)

    def hold(self, reader: DocumentReader, tables: Mapping[str, Table]) -> None:
        """Remembers where a document is, and its URLs as long as there is room.

        Args:
            reader: The document, begun or read.
            tables: All of its rows; nothing where they are too many.
        """
        document_id = reader.facts["document_id"]
        if reader.source.kind in AGAIN:
            self._sources[document_id] = (reader.source, _state(reader.source))
        if "urls" in tables and self._room > 0:
            held = tables["urls"].select(COLUMNS)
            self._room -= held.nbytes
            self._held[document_id] = [held]

    def named(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings, with the URL of each example of a rule across documents that is an entry and has none."""
        findings = list(findings)
        wanted: dict[int, set[int]] = {}
        for finding in findings:
            for example in finding.examples:
                if example.ordinal is not None and _lacks_url(finding, example):
                    wanted.setdefault(finding.document_id, set()).add(example.ordinal)
        urls = {document_id: self._urls(document_id, ordinals) for document_id, ordinals in wanted.items()}
        return [_with_urls(finding, urls.get(finding.document_id, {})) for finding in findings]

    def _urls(self, document_id: int, ordinals: Collection[int]) -> dict[int, str]:
        """The URLs of these entries, by ordinal."""
        last = max(ordinals)
        urls: dict[int, str] = {}
        for table in self._tables(document_id):
            read = table.column("ordinal")
            urls |= {
                ordinal: loc for ordinal, loc in zip(read, table.column("loc"), strict=True) if ordinal in ordinals
            }
            if read and read[-1] >= last:
                break
        return urls

    def _tables(self, document_id: int) -> Iterator[Table]:
        if document_id in self._held:
            yield from self._held[document_id]
            return
        if self.elsewhere is not None:
            yield from self.elsewhere(document_id)
            return
        source, state = self._sources.get(document_id, (None, None))
        if source is None or _state(source) != state:
            return  # It cannot be read again, or is no longer what was read.
        try:
            for batch in DocumentReader(source, fetch(source, self.options), 0, self.options, hashed=False):
                if "urls" in batch:
                    yield batch["urls"]
        except InputError:
            return  # It was there a moment ago: its findings stay as they are.


def _lacks_url(finding: Finding, example: Example) -> bool:
    return finding.rule.spans_run and finding.rule.table == "urls" and example.url is None


def _state(source: Source) -> object:
    """What tells a file from the same file changed; the same for all that does not change."""
    if source.kind is not SourceKind.PATH:
        return None
    try:
        found = Path(str(source.place)).stat()
    except OSError:
        return "not there"
    return found.st_size, found.st_mtime_ns, found.st_ino


def _with_urls(finding: Finding, urls: Mapping[int, str]) -> Finding:
    if not urls:
        return finding
    examples = (
        replace(example, url=urls.get(example.ordinal))
        if example.ordinal is not None and _lacks_url(finding, example)
        else example
        for example in finding.examples
    )
    return replace(finding, examples=tuple(examples))
