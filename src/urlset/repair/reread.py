"""Read the result of `fix` again before writing it, so that no file is replaced with an invalid one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from urlset.text.sizes import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset import _core


def reread(pieces: Iterator[bytes], size: int, entries: int) -> str | None:
    """Return what is wrong with a document, if anything: not well-formed, cut off, or a wrong number of entries.

    Chunks are read one at a time and no rows are kept, so memory use does not depend on the size of the document.
    """
    from urlset import _core

    # A result may be larger than the maximum size of an input: `&` becomes `&amp;`.
    reader = _core.Reader(Pieces(pieces), max_inflated=size + 1, hash=False)
    fatal = {kind: about for kind, (about, breaks) in _core.vocabularies()["anomaly_kinds"].items() if breaks}
    first: str | None = None
    for batch in reader:
        if first is None and "anomalies" in batch:
            first = _first_fatal(batch["anomalies"], fatal)
    facts = reader.facts()
    if facts["well_formed"] is False:
        return f"it is not well-formed XML ({first})" if first is not None else "it is not well-formed XML"
    if not facts["complete"]:
        return "it ends too early"
    if facts["entries"] != entries:
        return f"it has {quantity(facts['entries'], 'entry', 'entries')} instead of {entries:,}"
    return None


def _first_fatal(anomalies: _core.Table, fatal: dict[str, str]) -> str | None:
    for kind, line in zip(anomalies.column("kind"), anomalies.column("line"), strict=True):
        if kind in fatal:
            return f"line {line}: {fatal[kind].split(';')[0].rstrip('.').lower()}"
    return None


class Pieces:
    """Chunks of bytes as a readable file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._remaining = memoryview(b"")

    def read(self, size: int) -> bytes:
        while not self._remaining:
            try:
                self._remaining = memoryview(next(self._pieces))
            except StopIteration:
                return b""
        piece, self._remaining = self._remaining[:size], self._remaining[size:]
        return bytes(piece)
