"""Lists of URLs: text, CSV, JSON lines and Parquet, from files or standard input."""

from __future__ import annotations

import codecs
import csv
import gzip
import shutil
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from urlset.build.sources import tabular
from urlset.build.sources.source import absolute, filled
from urlset.errors import InputError, UsageError, reason_of
from urlset.gunzip import MAGIC
from urlset.options.sources import STDIN, ListFormat
from urlset.scratch import Scratch
from urlset.sizes import GiB
from urlset.sizes import size as size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import ExitStack

    from urlset.build.sources.source import Run
    from urlset.options.sources import UrlList

SUFFIXES = {
    ".txt": ListFormat.TEXT,
    ".csv": ListFormat.CSV,
    ".tsv": ListFormat.CSV,
    ".jsonl": ListFormat.JSONL,
    ".ndjson": ListFormat.JSONL,
    ".json": ListFormat.JSONL,
    ".parquet": ListFormat.PARQUET,
}
"""Ends of the names of lists; but for Parquet each may be followed by `.gz`."""

UNNAMED = ["loc", "lastmod", "changefreq", "priority"]
"""What the columns of a CSV without header are."""

SEPARATORS = (",", ";", "\t", "|")

NO_DATE = "no date is written like this"
"""A form that no date has, so that dates of JSON lines stay texts: DuckDB would lose their offsets from UTC."""

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks of encodings other than UTF-8; these two read and remove them."""

_LOOKED_AT = 64 * 1024
MOST_OF_STDIN = 8 * GiB
"""Bytes of standard input, which is put into a temporary file."""


def entries(spec: UrlList, run: Run, opened: ExitStack) -> Any:
    """What the writer takes: an iterator of entries for a text, columns for what has any.

    Raises:
        InputError: The list cannot be read.
        UsageError: It has no column with URLs.
    """
    path, name = _file(spec, opened)
    path = _as_utf8(path, name, run, opened)
    form = _format(spec, path, name)
    if form is ListFormat.TEXT:
        if spec.part_by is not None:
            raise UsageError(f"{name}: a list of URLs alone has no column {spec.part_by!r} to make parts by")
        return _lines(spec, run, path, name)
    connection = opened.enter_context(tabular.connected(Path()))
    with tabular.readable(name):
        match form:
            case ListFormat.CSV:
                relation = _csv(connection, path)
            case ListFormat.JSONL:
                relation = connection.read_json(str(path), date_format=NO_DATE, timestamp_format=NO_DATE)
            case _:
                relation = connection.read_parquet(str(path))
        return tabular.entries(relation, spec, run, spec.columns, name)


def _file(spec: UrlList, opened: ExitStack) -> tuple[Path, str]:
    """The file to read, and what it is called; standard input is put into one, since columns are read in places."""
    if str(spec.file) != STDIN:
        if not spec.file.is_file():
            reason = "is a folder and no list" if spec.file.is_dir() else "no such file"
            raise InputError(str(spec.file), reason)
        return spec.file, str(spec.file)
    folder = opened.enter_context(Scratch()).path
    path = folder / "stdin"
    start = _copied_stdin(path)
    if start == MAGIC:
        # DuckDB goes by names.
        path = path.rename(folder / "stdin.gz")
    return path, "<stdin>"


def _as_utf8(path: Path, name: str, run: Run, opened: ExitStack) -> Path:
    """The list in UTF-8: what begins with the byte order mark of another encoding is put into a file of its own."""
    try:
        with _opened(path) as file:
            start = file.read(4)
            # UTF-32 begins as UTF-16 does.
            encoding = next((encoding for mark, encoding in MARKS if start.startswith(mark)), None)
            if encoding is None:
                return path
            run.tally.note(f"{name}: read as {encoding.upper()}, by its byte order mark")
            file.seek(0)
            text = TextIOWrapper(file, encoding=encoding, errors="replace", newline="")
            # DuckDB goes by the ending of the name.
            target = opened.enter_context(Scratch()).path / (path.name.removesuffix(".gz") or "list")
            with target.open("w", encoding="utf-8", newline="") as utf8:
                shutil.copyfileobj(text, utf8)
            return target
    except (OSError, EOFError) as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None


def _copied_stdin(path: Path) -> bytes:
    """Copies standard input to a file, and returns its first two bytes."""
    start, size = b"", 0
    with path.open("wb") as file:
        while piece := sys.stdin.buffer.read(1024 * 1024):
            start = (start + piece[:2])[:2]
            size += len(piece)
            if size > MOST_OF_STDIN:
                raise InputError("<stdin>", f"larger than {size_in_words(MOST_OF_STDIN)}; give a file instead")
            file.write(piece)
    return start


def _format(spec: UrlList, path: Path, name: str) -> ListFormat:
    if spec.format is not ListFormat.AUTO:
        return spec.format
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    return SUFFIXES.get(suffix) or _by_beginning(path, name)


def _by_beginning(path: Path, name: str) -> ListFormat:
    """The format of a list whose name says nothing."""
    try:
        with _opened(path) as file:
            start = file.read(_LOOKED_AT)
    except OSError as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None
    if start.startswith(b"PAR1"):
        return ListFormat.PARQUET
    line = start.lstrip(b"\xef\xbb\xbf\r\n\t ").split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if line.startswith(("{", "[")):
        return ListFormat.JSONL
    is_url = line.lower().startswith(("http://", "https://", "/", "#"))
    return ListFormat.CSV if not is_url and any(_known_names(line, one) for one in SEPARATORS) else ListFormat.TEXT


def _known_names(line: str, separator: str) -> list[str]:
    """The columns of known names that a first line has, if this is what separates them."""
    names = [name.strip().lower() for name in next(csv.reader([line], delimiter=separator), [])]
    return [name for name in names if name in tabular.FIELDS or name in tabular.ALIASES]


def _csv(connection: Any, path: Path) -> Any:
    """The rows of a CSV file, all columns as text: the writer reads the values. Without a header URLs come first."""
    with _opened(path) as file:
        first = file.read(_LOOKED_AT).decode("utf-8-sig", "replace").lstrip().split("\n", 1)[0].strip()
    if not first:
        # DuckDB finds no columns in an empty file; there is nothing wrong with an empty list.
        return connection.sql("SELECT '' AS loc WHERE false")
    has_header = not first.strip(" \"'").lower().startswith(("http://", "https://", "/"))
    separator = max(SEPARATORS, key=lambda one: len(_known_names(first, one) if has_header else first.split(one)))
    names = next(csv.reader([first], delimiter=separator))
    if not has_header:
        names = [*UNNAMED, *([""] * len(names))][: len(names)]
    # All is said, and nothing left to be guessed: DuckDB takes lines that do not fit the others for no lines at all.
    return connection.read_csv(
        str(path),
        header=has_header,
        sep=separator,
        quotechar='"',
        escapechar='"',
        auto_detect=False,
        columns=dict.fromkeys(_unique(names), "VARCHAR"),
    )


def _unique(names: Sequence[str]) -> Iterator[str]:
    """Names of columns, made different where they are the same or empty, as SQL wants them."""
    met: set[str] = set()
    for number, name in enumerate(names, 1):
        one = name.strip()
        if not one or one.lower() in met:
            one = f"{one or 'column'} {number}"
        met.add(one.lower())
        yield one


def _opened(path: Path) -> Any:
    with path.open("rb") as file:
        is_gzip = file.read(2) == MAGIC
    return gzip.open(path) if is_gzip else path.open("rb")


def _lines(spec: UrlList, run: Run, path: Path, name: str) -> Iterator[dict[str, Any] | str]:
    """The URLs of a text, a line each."""
    place = run.place(spec)
    fill = filled(spec, run) if spec.defaults or run.dating.explains else None
    is_open = not run.gate.forbids_anything
    try:
        with TextIOWrapper(_opened(path), encoding="utf-8-sig", errors="replace") as file:
            for line in file:
                url = line.strip()
                if not url or url.startswith("#"):
                    continue
                if not url.startswith(("https://", "http://")):
                    url = absolute(place, url, bare_paths=run.bare_paths)
                if is_open or run.lets_pass(url):
                    yield url if fill is None else fill({"loc": url})
    except (OSError, EOFError) as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None
