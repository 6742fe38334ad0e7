"""Reads columns of URLs from a table: CSV of any dialect, Parquet, and the exports of crawlers.

Nothing is guessed in silence: a column is named by the user, or the only one whose name or content fits. A table that
leaves a choice is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import chain, islice
from typing import TYPE_CHECKING

from urlset import _core
from urlset.build.sources.csv_list import SEPARATORS
from urlset.build.sources.url_list import MARKS
from urlset.database.connections import connect, system_reason
from urlset.engine.rule_sql import quote, text_literal
from urlset.errors import InputError, UsageError, reason_of
from urlset.files.gunzip import READ_ERRORS, open_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

Row = tuple[int, list[str]]
"""The line where a row of CSV ends, or the number of a row of Parquet, and its values without surrounding blanks."""

PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
SAMPLE = 1_000
"""Number of rows that decide which column has URLs."""

LINES_COMPARED = 50
"""Number of lines that decide which separator a CSV file has."""

LONGEST_LINE = 1024 * 1024
"""Maximum characters of a line to read at once."""

ROWS_AT_ONCE = 10_000

# "All Pages", "Internal - HTML": some exports start with a title, and spreadsheets with the separator.
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UrlTable:
    """A table in a file.

    Attributes:
        columns: The name of each column, as written; empty for a column without a name.
        skipped: Number of rows before the data: titles and the names of the columns.
        separator: The separator of CSV; None for Parquet.
    """

    path: Path
    columns: tuple[str, ...]
    sample: tuple[list[str], ...]
    skipped: int = 0
    separator: str | None = None

    @classmethod
    def of(cls, path: Path) -> UrlTable:
        """Open a table.

        Raises:
            InputError: It cannot be read.
        """
        with _reading(path):
            if _start(path) == PARQUET:
                return cls(path, *_parquet_sample(path))
            separator, skipped, names = _dialect(path)
            rows = [row for _, _, row in islice(_csv_rows(path, separator), skipped, SAMPLE + skipped)]
            return cls(path, names or ("",) * max(map(len, rows), default=0), tuple(rows), skipped, separator)

    def rows(self, indexes: Sequence[int]) -> Iterator[Row]:
        """Yield these columns of all rows. Rows without any value are skipped.

        Raises:
            InputError: The file cannot be read, or a row has more or fewer values than there are columns.
        """
        with _reading(self.path):
            if self.separator is None:
                yield from _parquet_rows(self.path, [self.columns[index] for index in indexes])
                return
            for line, width, row in islice(_csv_rows(self.path, self.separator, indexes), self.skipped, None):
                if width != len(self.columns):
                    raise InputError(
                        f"{self.path}:{line}",
                        f"the row has a different number of values ({width}) than there are columns "
                        f"({len(self.columns)}); put values that contain the separator in quotes",
                    )
                yield line, row

    def column_of_name(self, name: str) -> int:
        """Return the column of this name.

        Raises:
            UsageError: There is no such column, or more than one.
        """
        places = [index for index, column in enumerate(self.columns) if column == name]
        places = places or [
            index for index, column in enumerate(self.columns) if _normalize(column) == _normalize(name)
        ]
        if len(places) != 1:
            problem = "several columns are" if places else "no column is"
            raise UsageError(f"{self.path}: {problem} named {name!r}; the columns are {self.shown_columns}")
        return places[0]

    def find_column(self, names: frozenset[str], option: str) -> int:
        """Return the only column with one of these names; without such a column, the only one with URLs.

        Args:
            names: Usual names, in lowercase and with single blanks between words.
            option: The option that names a column, for messages.

        Raises:
            UsageError: The columns leave a choice, or none has URLs.
        """
        everywhere = range(len(self.columns))
        likely = [index for index in everywhere if self.is_named(index, names) and self._is_mostly_urls(index)]
        full = likely or [index for index in everywhere if self._has_only_urls(index)]
        if len(full) == 1:
            return full[0]
        problem = f"several columns have URLs: {', '.join(map(self.display_name, full))}"
        if not full:
            problem = f"no column has http(s) URLs; the columns are {self.shown_columns}"
        raise UsageError(f"{self.path}: {problem}; name one with {option}")

    def display_name(self, index: int) -> str:
        """Return the name of a column for messages."""
        return repr(self.columns[index]) if self.columns[index] else f"column {index + 1}"

    def is_named(self, index: int, names: frozenset[str]) -> bool:
        """Return whether a column has one of these names, as in `find_column`."""
        return _normalize(self.columns[index]) in names

    @property
    def shown_columns(self) -> str:
        """The names of all columns, for messages."""
        return ", ".join(map(self.display_name, range(len(self.columns)))) or "missing"

    def _values(self, index: int) -> list[str]:
        return [row[index] for row in self.sample if index < len(row) and row[index]]

    def _has_only_urls(self, index: int) -> bool:
        values = self._values(index)
        return bool(values) and all(map(is_http_url, values))

    def _is_mostly_urls(self, index: int) -> bool:
        values = self._values(index)
        return 2 * sum(map(is_http_url, values)) > len(values)


def is_table(path: Path) -> bool:
    """Return whether a file is a table, and not a list with one URL per line.

    Raises:
        InputError: It cannot be read, or is of a format that is not supported.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    with _reading(path):
        start = _start(path)
        if start == ZIP:
            raise InputError(str(path), "is an Excel or ZIP file; export it as CSV")
        if start == PARQUET:
            return True
        lines = _first_lines(path)
        if lines and lines[0].lstrip().startswith(("{", "[")):
            raise InputError(str(path), "is JSON; give a text file with one URL per line, CSV, or Parquet")
    if suffixes[-1:] in ([".csv"], [".tsv"]) or suffixes[-2:] in ([".csv", ".gz"], [".tsv", ".gz"]):
        return True
    # A list starts with a URL or a comment.
    return bool(lines) and not lines[0].lstrip().startswith("#") and not is_http_url(lines[0].lstrip())


def is_http_url(value: str) -> bool:
    """Return whether a value is an absolute http(s) URL without a replacement character of a wrong encoding."""
    return value[:8].lower().startswith(("http://", "https://")) and "\ufffd" not in value


def _normalize(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name).strip().lower()


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Convert errors of reading a file to an InputError."""
    import duckdb

    try:
        yield
    except READ_ERRORS as error:
        raise InputError(str(path), f"cannot be read: {reason_of(error)}") from None
    except (duckdb.Error, UnicodeError) as error:
        raise InputError(str(path), f"cannot be read: {system_reason(error)}") from None
    except ValueError as error:
        raise InputError(str(path), f"is not valid CSV: {error}") from None


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4)


@contextmanager
def _text(path: Path) -> Iterator[TextIOWrapper]:
    """Open a file as text: UTF-8, or what its byte order mark says."""
    with open_file(path) as file:
        start = file.read(4)
        file.seek(0)
        encoding = next((encoding for mark, encoding in MARKS if start.startswith(mark)), "utf-8-sig")
        with TextIOWrapper(file, encoding=encoding, errors="replace", newline="") as text:
            yield text


class _Utf8:
    """Encodes a text file as UTF-8, for the core."""

    def __init__(self, file: TextIOWrapper) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return self._file.read(size).encode()


def _csv_rows(path: Path, separator: str, indexes: Sequence[int] | None = None) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the line, the number of values, and these values of each row with any value."""
    with _text(path) as file:
        yield from _core.CsvRows(_Utf8(file), separator, indexes)


def _sample_rows(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Return the rows in the first lines of a file, except for one that is cut."""
    rows: list[list[str]] = []
    with suppress(ValueError):
        rows.extend(row for _, _, row in _core.CsvRows("".join(lines).encode(), separator))
    return rows


def _first_lines(path: Path) -> list[str]:
    """Return those of the first lines that are not blank."""
    with _text(path) as file:
        lines = islice(iter(lambda: file.readline(LONGEST_LINE), ""), LINES_COMPARED)
        return [line for line in lines if line.strip()]


def _dialect(path: Path) -> tuple[str, int, tuple[str, ...]]:
    """Return the separator of a CSV file, the number of rows before its data, and the names of its columns."""
    lines = _first_lines(path)
    match = _SEPARATOR_LINE.fullmatch(lines[0].strip()) if lines else None
    separator = match[1] if match else _separator(lines)
    rows = _sample_rows(lines, separator)
    skipped = 1 if match else 0
    width = Counter(len(row) for row in rows[skipped:]).most_common(1)
    while width and len(rows) > skipped + 1 and len(rows[skipped]) == 1 < width[0][0]:
        skipped += 1
    names = tuple(rows[skipped]) if len(rows) > skipped else ()
    return (separator, skipped, ()) if any(map(is_http_url, names)) else (separator, skipped + 1, names)


def _separator(lines: Sequence[str]) -> str:
    """Return the separator of the columns; one that never occurs for a single column.

    Most rows have as many values as the first one or, after a title, as the most frequent number.
    """

    def fitness(separator: str) -> tuple[float, int]:
        sizes = [len(row) for row in _sample_rows(lines, separator)]
        size = sizes[0] if sizes and sizes[0] > 1 else Counter(sizes).most_common(1)[0][0] if sizes else 1
        return (sizes.count(size) / len(sizes), size) if size > 1 else (0.0, 0)

    best = max(SEPARATORS, key=fitness)
    # Only some of the URLs in a single column have commas.
    return best if fitness(best)[0] >= 1 / 2 else "\x1f"


def _parquet_sample(path: Path) -> tuple[tuple[str, ...], tuple[list[str], ...]]:
    with connect(readable=[path]) as connection:
        cursor = connection.execute(f"SELECT * FROM {_parquet(path)} LIMIT {SAMPLE}")
        names = tuple(name for name, *_ in cursor.description or ())
        return names, tuple([_value(value) for value in row] for row in cursor.fetchall())


def _parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    with connect(readable=[path]) as connection:
        cursor = connection.execute(f"SELECT {', '.join(map(quote, columns))} FROM {_parquet(path)}")
        batches = iter(lambda: cursor.fetchmany(ROWS_AT_ONCE), [])
        for number, row in enumerate(chain.from_iterable(batches), 1):
            values = [_value(value) for value in row]
            if any(values):
                yield number, values


def _parquet(path: Path) -> str:
    return f"read_parquet({text_literal(str(path.absolute()))})"


def _value(value: object) -> str:
    return value.strip() if isinstance(value, str) else "" if value is None else str(value)
