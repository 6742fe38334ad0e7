"""Copy rows of documents into tables for later queries while passing them to the next stage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from urlset.errors import InputError
from urlset.stages.outcomes import DocumentRead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from urlset._core import Table
    from urlset.stages.outcomes import Outcome


class TableSink(Protocol):
    """Stores rows: a `QueryDatabase`, or the `Run` of a store."""

    def add(self, batch: Mapping[str, object], /) -> None:
        """Add rows: an Arrow table by name."""
        ...

    def remove(self, document_id: int, /) -> None: ...


def tee(outcomes: Iterable[Outcome], sink: TableSink) -> Iterator[Outcome]:
    """Pass on outcomes, and add the rows of documents to a sink while the next stage reads them, in bounded memory.

    Args:
        sink: Stores the rows. It keeps no rows of a document that cannot be read to the end.
    """
    for outcome in outcomes:
        if isinstance(outcome, DocumentRead):
            yield structs.replace(outcome, batches=_copy(outcome, sink))
        else:
            yield outcome


def _copy(document: DocumentRead, sink: TableSink) -> Iterator[dict[str, Table]]:
    try:
        for batch in document.batches:
            sink.add(batch)
            yield batch
    except InputError:
        sink.remove(document.number)
        raise
