"""CSV lists: the core reads their rows, and DuckDB computes what the options of a source require."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.sources import tabular
from urlset.errors import InputError, reason_of
from urlset.files.gunzip import READ_ERRORS, open_file
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
    """The form of a CSV file."""

    names: list[str]
    separator: str
    has_header: bool


_EMPTY = _Dialect(UNNAMED[:1], SEPARATORS[0], has_header=False)
"""The form of an empty file, which is a valid list."""


def entries(spec: UrlList, context: SourceContext, path: Path, name: str, resources: ExitStack) -> tabular.Stream:
    """Return the entries of a CSV file.

    Raises:
        InputError: The file cannot be read.
        UsageError: It has no column with URLs.
    """
    try:
        dialect = _dialect(path)
    except READ_ERRORS as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None

    def columns(fields: Sequence[tuple[int, str]], place: str | None = None) -> _core.CsvColumns:
        return _core.CsvColumns(str(path), dialect.separator, fields, len(dialect.names), dialect.has_header, place)

    if (fields := _plain_fields(dialect, spec, context, name)) is not None:
        return tabular.Stream(columns(fields, context.place(spec)), name)
    connection = resources.enter_context(tabular.open_duckdb(Path()))
    with tabular.readable(name):
        relation = connection.from_arrow(columns(list(enumerate(dialect.names))))
        return tabular.entries(relation, spec, context, spec.columns, name)


def _plain_fields(dialect: _Dialect, spec: UrlList, context: SourceContext, name: str) -> list[tuple[int, str]] | None:
    """Return index and field of each used column; None if the options require more than the values of columns."""
    if (
        spec.parted_by is not None
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


def _dialect(path: Path) -> _Dialect:
    """Return the form of a CSV file. Without a header, the first column has the URLs."""
    with open_file(path) as file:
        start = file.read(HEAD).decode("utf-8-sig", "replace").lstrip()
    first = re.split("[\r\n]", start, maxsplit=1)[0].strip()
    if not first:
        return _EMPTY
    has_header = not first.strip(" \"'").lower().startswith(("http://", "https://", "/"))
    separator = max(
        SEPARATORS, key=lambda candidate: len(known_names(first, candidate) if has_header else first.split(candidate))
    )
    names = _first_row(start, separator)
    if not has_header:
        names = [*UNNAMED, *([""] * len(names))][: len(names)]
    return _Dialect(list(_unique(names)), separator, has_header)


def known_names(line: str, separator: str) -> list[str]:
    """Return the known column names in a first line, if this is the separator."""
    names = [name.lower() for name in _first_row(line, separator)]
    return [name for name in names if name in tabular.FIELDS or name in tabular.ALIASES]


def _first_row(text: str, separator: str) -> list[str]:
    """Return the values of the first row; none if it is incomplete."""
    try:
        return next((values for _, _, values in _core.CsvRows(text.encode(), separator)), [])
    except ValueError:
        return []


def _unique(names: Sequence[str]) -> Iterator[str]:
    """Return unique column names, as SQL requires, replacing duplicates and empty names."""
    met: set[str] = set()
    for number, name in enumerate(names, 1):
        unique = name
        if not unique or unique.lower() in met:
            unique = f"{unique or 'column'} {number}"
        met.add(unique.lower())
        yield unique
