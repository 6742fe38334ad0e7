"""CSV lists: the core reads ordinary rows, DuckDB everything else."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.sources import tabular
from urlset.errors import InputError, reason_of
from urlset.files.gunzip import MAGIC, READ_ERRORS, open_file
from urlset.options.sources import LastmodSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack

    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import UrlList

UNNAMED = ["loc", "lastmod", "changefreq", "priority"]
"""Columns of a CSV file without a header."""

SEPARATORS = (",", ";", "\t", "|")

HEAD = 64 * 1024
"""Bytes at the start of a list from which its format is detected."""


@dataclass(frozen=True, slots=True)
class _Dialect:
    """The form of a CSV file.

    Attributes:
        is_ordinary: Whether the core can read the first line: uncompressed, without quotes, and nothing precedes it.
        is_compressed: Whether it is compressed with gzip, whatever its name says.
    """

    names: list[str]
    separator: str
    has_header: bool
    is_ordinary: bool
    is_compressed: bool


def entries(spec: UrlList, context: SourceContext, path: Path, name: str, resources: ExitStack) -> tabular.Streams:
    """Return the entries of a CSV file.

    Raises:
        InputError: The file cannot be read.
        UsageError: It has no column with URLs.
    """
    try:
        dialect = _dialect(path)
    except READ_ERRORS as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None
    except csv.Error as error:
        raise InputError(name, f"cannot be read: {error}") from None
    if dialect is not None and (fields := _ordinary_fields(dialect, spec, context, name)) is not None:
        return _Rows(spec, context, path, name, resources, dialect, fields)
    return _of_duckdb(spec, context, path, name, resources, dialect)


class _Rows(tabular.Streams):
    """The rows that the core reads, and then those that follow the first row that it cannot read."""

    def __init__(
        self,
        spec: UrlList,
        context: SourceContext,
        path: Path,
        name: str,
        resources: ExitStack,
        dialect: _Dialect,
        fields: list[tuple[int, str]],
    ) -> None:
        super().__init__(name)
        self._arguments = (spec, context, path, name, resources, dialect)
        self._fields = fields

    def streams(self) -> Iterator[object]:
        spec, context, path, name, _, dialect = self._arguments
        place = context.place(spec)
        try:
            rows = _core.CsvRows(
                str(path), dialect.separator, self._fields, len(dialect.names), dialect.has_header, place
            )
        except OSError as error:
            raise InputError(name, f"cannot be read: {reason_of(error)}") from None
        yield rows
        if (lines := rows.stopped_after()) is not None:
            # The header alone is left to DuckDB, too.
            yield from _of_duckdb(*self._arguments, lines=lines if lines > dialect.has_header else 0).streams()


def _ordinary_fields(
    dialect: _Dialect, spec: UrlList, context: SourceContext, name: str
) -> list[tuple[int, str]] | None:
    """Return index and field of each used column; None if the core cannot read it as the options require."""
    if (
        not dialect.is_ordinary
        or spec.parted_by is not None
        or spec.defaults
        or context.bare_paths
        or context.resolver.explains
        or context.robots_filter.forbids_anything
    ):
        return None
    places = tabular.choose_columns(dialect.names, spec.columns, context, name)
    if LastmodSource.GIVEN not in context.lastmod_sources(spec):
        places.pop("lastmod", None)
    if any(field not in tabular.SCALARS for field in places):
        return None
    return [(dialect.names.index(column), field) for field, column in places.items()]


def _of_duckdb(
    spec: UrlList,
    context: SourceContext,
    path: Path,
    name: str,
    resources: ExitStack,
    dialect: _Dialect | None,
    lines: int = 0,
) -> tabular.Columns:
    """Return the rows as DuckDB reads them, after some lines that were read already."""
    connection = resources.enter_context(tabular.open_duckdb(Path()))
    with tabular.readable(name):
        if dialect is None:
            # DuckDB finds no columns in an empty file, but an empty list is valid.
            relation = connection.sql("SELECT '' AS loc WHERE false")
        else:
            # Everything is explicit, because DuckDB's detection drops lines that do not match the others.
            relation = connection.read_csv(
                str(path),
                header=dialect.has_header and not lines,
                compression="gzip" if dialect.is_compressed else "none",
                sep=dialect.separator,
                quotechar='"',
                escapechar='"',
                auto_detect=False,
                columns=dict.fromkeys(dialect.names, "VARCHAR"),
                skiprows=lines,
            )
        return tabular.entries(relation, spec, context, spec.columns, name)


def _dialect(path: Path) -> _Dialect | None:
    """Return the form of a CSV file; None if it is empty. Without a header, the first column has the URLs."""
    with path.open("rb") as file:
        start = file.read(HEAD)
    is_compressed = start.startswith(MAGIC)
    if is_compressed:
        with open_file(path) as file:
            start = file.read(HEAD)
    written = start.decode("utf-8-sig", "replace")
    first = re.split("[\r\n]", written.lstrip(), maxsplit=1)[0].strip()
    if not first:
        return None
    has_header = not first.strip(" \"'").lower().startswith(("http://", "https://", "/"))
    separator = max(
        SEPARATORS, key=lambda candidate: len(known_names(first, candidate) if has_header else first.split(candidate))
    )
    names = next(csv.reader([first], delimiter=separator))
    if not has_header:
        names = [*UNNAMED, *([""] * len(names))][: len(names)]
    line = start.split(b"\n", 1)[0].removesuffix(b"\r")
    is_ordinary = not is_compressed and '"' not in first and line == first.encode()
    return _Dialect(list(_unique(names)), separator, has_header, is_ordinary, is_compressed)


def known_names(line: str, separator: str) -> list[str]:
    """Return the known column names in a first line, if this is the separator."""
    names = [name.strip().lower() for name in next(csv.reader([line], delimiter=separator), [])]
    return [name for name in names if name in tabular.FIELDS or name in tabular.ALIASES]


def _unique(names: Sequence[str]) -> Iterator[str]:
    """Return unique column names, as SQL requires, replacing duplicates and empty names."""
    met: set[str] = set()
    for number, name in enumerate(names, 1):
        unique = name.strip()
        if not unique or unique.lower() in met:
            unique = f"{unique or 'column'} {number}"
        met.add(unique.lower())
        yield unique
