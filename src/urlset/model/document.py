"""Documents as `inspect` shows them, and rows of documents that every report has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import Struct

from urlset.errors import Unreadable
from urlset.model.fields import about
from urlset.model.result import with_short_repr

if TYPE_CHECKING:
    from collections.abc import Iterable


Row: TypeAlias = Mapping[str, object]

COMPRESSED = (".gz", ".zst", ".br")
"""The endings of compressed copies."""


class SkippedFile(Struct, frozen=True):
    """A file of a directory that is neither a sitemap nor named like one."""

    target: Annotated[str, about("Its path.")]
    kind: Annotated[str, about("Its kind: xml (of another vocabulary), robots, unknown …")]


class InspectedDocument(Struct, frozen=True):
    """One document as `inspect` shows it."""

    facts: Annotated[Row, about("Its row of `tables.DOCUMENTS`.")]
    children: Annotated[
        Sequence[Row], about("Its rows of `tables.CHILDREN`, in document order, with the columns to show.")
    ] = ()
    anomalies: Annotated[Sequence[Row], about("Its rows of `tables.ANOMALIES`, in document order.")] = ()
    histogram: Annotated[
        Sequence[tuple[str, int]],
        about("Number of entries last modified in each period: label and count, oldest first."),
    ] = ()

    @property
    def number(self) -> int:
        """Its number in the run."""
        return number_of(self.facts, "document_id")


@with_short_repr
class InspectReport(Struct, frozen=True):
    """Result of `inspect`."""

    documents: Annotated[
        Sequence[InspectedDocument], about("Documents that were read, and listed documents that were not fetched.")
    ]
    unreadable: Annotated[Sequence[Unreadable], about("Targets that could not be read.")] = ()
    skipped: Annotated[Sequence[SkippedFile], about("Skipped files of directories, which are not sitemaps.")] = ()
    cuts: Annotated[Sequence[Row], about("Rows of `tables.CUTS`: entries of indexes that were not followed.")] = ()
    notes: Annotated[Sequence[str], about("Notes on how sites were searched.")] = ()


def was_read(row: Row) -> bool:
    """Return whether a row of `tables.DOCUMENTS` describes a document that was read, in whole or in part."""
    return row.get("kind") is not None


def number_of(row: Row, name: str) -> int:
    """Return the integer in a column of a row; 0 if it is null."""
    value = row.get(name)
    return value if isinstance(value, int) else 0


_CONTENT = ("kind", "bytes", "entries", "lastmod_newest", "lastmod_oldest", "loc_longest")
"""Columns of `tables.DOCUMENTS` that are equal for a sitemap and its compressed copy."""


def without_copies(documents: Iterable[Row]) -> list[Row]:
    """Return the documents without the compressed copies of others, such as `sitemap.xml.gz` next to `sitemap.xml`.

    Their URLs are those of the other document.
    """
    rows = list(documents)
    contents = {(str(row["url"]), *(row.get(name) for name in _CONTENT)) for row in rows if row.get("entries")}
    return [
        row
        for row in rows
        if not (name := str(row["url"])).endswith(COMPRESSED)
        or (name.rpartition(".")[0], *(row.get(column) for column in _CONTENT)) not in contents
    ]
