"""One document read by the core, as plain values that a test can compare."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from urlset import _core

if TYPE_CHECKING:
    from urlset._core import BinaryReader

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reading:
    """The rows of every table, and the facts."""

    tables: dict[str, list[Row]]
    facts: dict[str, Any]

    @property
    def entries(self) -> list[Row]:
        """Rows of urls and children, in the order of the document."""
        return sorted(self["urls"] + self["children"], key=lambda row: row["ordinal"])

    @property
    def locs(self) -> list[str | None]:
        return [row["loc"] for row in self.entries]

    @property
    def noted(self) -> list[tuple[str, int | None, int | None]]:
        """Kind, line and column of every anomaly."""
        return [(row["kind"], row["line"], row["col"]) for row in self["anomalies"]]

    @property
    def kinds(self) -> list[str]:
        return [row["kind"] for row in self["anomalies"]]

    def count(self, kind: str) -> int:
        """How many anomalies of a kind there are, those without a row of their own included."""
        return sum(int(row["count"]) for row in self["anomalies"] if row["kind"] == kind)

    def __getitem__(self, table: str) -> list[Row]:
        return self.tables.get(table, [])


def read(source: bytes | str | BinaryReader, **options: Any) -> Reading:
    """Reads a document to its end."""
    reader = _core.Reader(source, **options)
    tables: dict[str, list[Row]] = {}
    for batch in reader:
        for name, table in batch.items():
            tables.setdefault(name, []).extend(table.to_dicts())
    return Reading(tables, reader.facts())
