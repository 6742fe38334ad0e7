"""Documents as `inspect` shows them, and what every report says of documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from urlset.errors import Unreadable


Row: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file of a folder that turned out to be no sitemap, and was not called one either.

    Attributes:
        target: Its path.
        kind: What it is: xml (of another vocabulary), robots, unknown …
    """

    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class InspectedDocument:
    """One document as `inspect` shows it.

    Attributes:
        facts: Its row of `tables.DOCUMENTS`.
        children: Its rows of `tables.CHILDREN`, in document order; the columns that are shown.
        anomalies: Its rows of `tables.ANOMALIES`, in document order.
        histogram: How many entries were last modified in each period: label and count, oldest first.
    """

    facts: Row
    children: Sequence[Row] = ()
    anomalies: Sequence[Row] = ()
    histogram: Sequence[tuple[str, int]] = ()

    @property
    def number(self) -> int:
        """Its number in the run."""
        return number_of(self.facts, "document_id")


@dataclass(frozen=True, slots=True)
class InspectReport:
    """The result of `inspect`.

    Attributes:
        documents: What was read, and what is listed and did not come.
        unreadable: What could not be read.
        left_out: Files of folders that are no sitemaps.
        cuts: Rows of `tables.CUTS`: what indexes list and was not followed.
        notes: What a user should know about how sites were searched.
    """

    documents: Sequence[InspectedDocument]
    unreadable: Sequence[Unreadable] = ()
    left_out: Sequence[LeftOut] = ()
    cuts: Sequence[Row] = ()
    notes: Sequence[str] = ()


def was_read(row: Row) -> bool:
    """Whether a row of `tables.DOCUMENTS` is of a document that came, in whole or in part."""
    return row.get("kind") is not None


def number_of(row: Row, name: str) -> int:
    """The integer in a column of a row; 0 where there is none."""
    value = row.get(name)
    return value if isinstance(value, int) else 0
