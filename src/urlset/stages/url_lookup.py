"""Look up the URLs of findings across documents, for which the engine only compares numbers.

The text of ten million URLs would not fit in memory. The first few hundred thousand are held; other documents, which
have only a few examples, mostly among their first entries, are read again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from urlset.documents import DocumentReader
from urlset.errors import InputError
from urlset.fetch import fetch
from urlset.sources import SourceKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from urlset._core import Table
    from urlset.model.finding import Example, Finding
    from urlset.options.verbs import ReadOptions
    from urlset.sources import Source

MAX_BUFFERED_BYTES = 16_000_000
"""Maximum bytes of URLs to hold."""

COLUMNS = ("ordinal", "loc")

REREADABLE = frozenset({SourceKind.PATH, SourceKind.BYTES})
"""Sources that can be read again without a network request."""


class UrlLookup(Struct):
    """Adds URLs to findings that lack them."""

    options: ReadOptions
    _sources: dict[int, tuple[Source, object]] = field(default_factory=dict)
    _tables: dict[int, list[Table]] = field(default_factory=dict)
    _room: int = field(default_factory=lambda: MAX_BUFFERED_BYTES)

    def hold(self, reader: DocumentReader, tables: Mapping[str, Table]) -> None:
        """Remember the location of a document, and its URLs as long as memory allows.

        Args:
            reader: The document, which may be only partly read.
            tables: All of its rows; empty if there are too many.
        """
        document_id = reader.facts["document_id"]
        if reader.source.kind in REREADABLE:
            self._sources[document_id] = (reader.source, _state(reader.source))
        if "urls" in tables and self._room > 0:
            urls = tables["urls"].select(COLUMNS)
            self._room -= urls.nbytes
            self._tables[document_id] = [urls]

    def add_urls(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings, with missing URLs added to examples that are entries."""
        findings = list(findings)
        urls = {document_id: self._urls(document_id, ordinals) for document_id, ordinals in wanted_urls(findings)}
        return [with_urls(finding, urls.get(finding.document_id, {})) for finding in findings]

    def _urls(self, document_id: int, ordinals: Collection[int]) -> dict[int, str]:
        last = max(ordinals)
        urls: dict[int, str] = {}
        for table in self._url_tables(document_id):
            read = table.column("ordinal")
            urls |= {
                ordinal: loc for ordinal, loc in zip(read, table.column("loc"), strict=True) if ordinal in ordinals
            }
            if read and read[-1] >= last:
                break
        return urls

    def _url_tables(self, document_id: int) -> Iterator[Table]:
        if document_id in self._tables:
            yield from self._tables[document_id]
            return
        source, state = self._sources.get(document_id, (None, None))
        if source is None or _state(source) != state:
            return  # The document cannot be read again, or has changed.
        try:
            for batch in DocumentReader(source, fetch(source, self.options), 0, self.options, hashed=False):
                if "urls" in batch:
                    yield batch["urls"]
        except InputError:
            return  # The file disappeared in the meantime; its findings are left without URLs.


def wanted_urls(findings: Iterable[Finding]) -> Iterable[tuple[int, set[int]]]:
    """Return the entries of which findings lack the URL: their ordinals by document."""
    wanted: dict[int, set[int]] = {}
    for finding in findings:
        for example in finding.examples:
            if example.ordinal is not None and lacks_url(finding, example):
                wanted.setdefault(finding.document_id, set()).add(example.ordinal)
    return wanted.items()


def lacks_url(finding: Finding, example: Example) -> bool:
    """Return whether an example is an entry of which only the numbers are known."""
    return finding.rule.spans_run and finding.rule.table == "urls" and example.url is None


def _state(source: Source) -> object:
    """Return a fingerprint that changes when a file changes, and is constant for other sources."""
    if source.kind is not SourceKind.PATH:
        return None
    try:
        status = Path(str(source.place)).stat()
    except OSError:
        return "not there"
    return status.st_size, status.st_mtime_ns, status.st_ino


def with_urls(finding: Finding, urls: Mapping[int, str]) -> Finding:
    """Return a finding with the URLs of its examples, by ordinal."""
    if not urls:
        return finding
    examples = (
        replace(example, url=urls.get(example.ordinal))
        if example.ordinal is not None and lacks_url(finding, example)
        else example
        for example in finding.examples
    )
    return replace(finding, examples=tuple(examples))
