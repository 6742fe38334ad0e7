"""Split entries into parts by a column: a category, or the month of their lastmod."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from urlset.build.sources import tabular
from urlset.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from urlset.build.sources.source import SiteLog
    from urlset.options.sources import SourceSpec

MAX_PARTS = 1_000
"""Maximum parts of a column; incomplete parts are held in memory."""

MAX_NAME = 80
"""Longest name of a part, in characters."""

AT_ONCE = 10_000
"""Rows to assign to parts per batch."""

MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


class Rows:
    """Entries with the value of the column that determines their part."""

    def __init__(self, rows: Iterator[tuple[object, dict[str, object]]]) -> None:
        self.rows = rows


def in_parts(entries: Any, source: SourceSpec, log: SiteLog) -> Iterator[tuple[str, Any]]:
    """Assign the entries of a source to parts.

    Args:
        entries: The entries of the source: columns, rows, or an iterator.
        log: Collects notes on values that share a part.

    Yields:
        The name of a part with some of its entries. A part may occur several times.

    Raises:
        UsageError: The source does not have the column, or the column has too many values.
    """
    part_by = source.parted_by
    if part_by is None:
        yield source.part, entries
        return
    names = _Names(source.part, part_by.column, log)
    if isinstance(entries, tabular.Columns):
        grouped: dict[str, list[str | None]] = {}
        for value in entries.values():
            grouped.setdefault(names.of(value), []).append(value)
        for name, values in grouped.items():
            yield name, entries.having(values)
        return
    if isinstance(entries, Rows):
        rows: Iterable[tuple[object, object]] = entries.rows
    elif part_by.column == "lastmod":
        rows = ((tabular.lastmod_month(entry), entry) for entry in entries)
    else:
        raise UsageError(f"part-by: this source has no column {part_by.column!r}; use lastmod:month instead")
    yield from _group_by_part(rows, names)


def _group_by_part(rows: Iterable[tuple[object, object]], names: _Names) -> Iterator[tuple[str, list[object]]]:
    waiting: dict[str, list[object]] = {}
    count = 0
    for value, entry in rows:
        waiting.setdefault(names.of(None if value is None else str(value)), []).append(entry)
        count += 1
        if count >= AT_ONCE:
            yield from waiting.items()
            waiting, count = {}, 0
    yield from waiting.items()


class _Names:
    def __init__(self, part: str, column: str, log: SiteLog) -> None:
        self._part = part
        self._column = column
        self._log = log
        self._names: dict[str, str] = {}
        self._values: dict[str, str] = {}

    def of(self, value: str | None) -> str:
        """Return the name of the part for a value; entries without a value have a part of their own."""
        value = (value or "").strip()
        if value not in self._names:
            self._names[value] = self._new_name(value)
            if len(self._names) > MAX_PARTS:
                raise UsageError(
                    f"part-by: the column {self._column!r} has more than {MAX_PARTS:,} values, the maximum "
                    "number of parts; use a column with fewer values"
                )
        return self._names[value]

    def _new_name(self, value: str) -> str:
        name = part_name(value or f"no {self._column}", self._column)
        if self._part:
            name = f"{self._part}-{name}"
        other = self._values.setdefault(name, value)
        if other != value:
            first, second = (repr(part) if part else f"entries without {self._column}" for part in (other, value))
            self._log.note(f"{first} and {second} share the part {name!r}")
        return name


def part_name(value: str, column: str) -> str:
    """Return the name of a part for a value, in a form that is valid in a file name.

    Example:
        >>> [part_name(value, "shelf") for value in ("Crème brûlée", "2025-11", "12", "Size 12")]
        ['creme-brulee', '2025-11', 'shelf_12', 'size_12']
    """
    if MONTH.fullmatch(value):
        return value
    plain = unicodedata.normalize("NFKD", value).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:MAX_NAME].strip("-_")
    if not name:
        return "part_" + blake2b(value.encode(), digest_size=4).hexdigest()
    if name.isdecimal() or name == "index":
        # By themselves, these could be confused with the number of a part, or with an index.
        before = re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_") or "part"
        return f"{before}_{name}"
    return re.sub(r"-(\d+)$", r"_\1", name)
