"""Lists of URLs: text, CSV, JSON Lines, and Parquet, from files or standard input."""

from __future__ import annotations

import codecs
import shutil
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.sources import csv_list, tabular
from urlset.build.sources.csv_list import HEAD, SEPARATORS, known_names
from urlset.build.sources.source import absolute, entry_filler
from urlset.errors import InputError, UsageError, reason_of
from urlset.files.gunzip import MAGIC, READ_ERRORS, open_file
from urlset.files.scratch import Scratch
from urlset.objects.path import ObjectPath
from urlset.options.sources import STDIN, ListFormat
from urlset.text.sizes import GiB
from urlset.text.sizes import size as size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import ExitStack

    from urlset.build.sources.source import SourceContext
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
"""File name extensions of lists; all except Parquet may be followed by `.gz`."""

NO_DATE = "no date is written like this"
"""A format that matches no date, so that dates in JSON Lines stay text: DuckDB would lose their UTC offsets."""

MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks of encodings other than UTF-8; the codecs read and remove them."""

MAX_COPIED = 8 * GiB
"""Maximum bytes of standard input or an object, which are copied to a temporary file."""


def entries(spec: UrlList, context: SourceContext, resources: ExitStack) -> object:
    """Return the entries: an iterator for text, and columns for other formats.

    Raises:
        InputError: The list cannot be read.
        UsageError: It has no column with URLs.
    """
    path, name = _file(spec, resources)
    path = _as_utf8(path, name, context, resources)
    form = _format(spec, path, name)
    if form is ListFormat.TEXT:
        if spec.parted_by is not None:
            raise UsageError(f"{name}: a plain list of URLs has no column {spec.parted_by.column!r} to split by")
        return _lines(spec, context, path, name)
    if form is ListFormat.CSV:
        return csv_list.entries(spec, context, path, name, resources)
    connection = resources.enter_context(tabular.open_duckdb(Path()))
    with tabular.readable(name):
        if form is ListFormat.JSONL:
            relation = connection.read_json(str(path), date_format=NO_DATE, timestamp_format=NO_DATE)
        else:
            relation = connection.read_parquet(str(path))
        return tabular.entries(relation, spec, context, spec.columns, name)


def _file(spec: UrlList, resources: ExitStack) -> tuple[Path, str]:
    """Return the file to read and its name; standard input and objects are copied to a file for random access."""
    if (remote := ObjectPath.of(spec.file)) is not None:
        # DuckDB detects the format from the file name.
        path = resources.enter_context(Scratch()).path / (remote.name or "list")
        remote.copy_to(path, MAX_COPIED)
        return path, str(remote)
    if str(spec.file) != STDIN:
        if not spec.file.is_file():
            reason = "is a directory, not a list" if spec.file.is_dir() else "no such file"
            raise InputError(str(spec.file), reason)
        return spec.file, str(spec.file)
    folder = resources.enter_context(Scratch()).path
    path = folder / "stdin"
    start = _copied_stdin(path)
    if start == MAGIC:
        # DuckDB detects the format from the file name.
        path = path.rename(folder / "stdin.gz")
    return path, "<stdin>"


def _as_utf8(path: Path, name: str, context: SourceContext, resources: ExitStack) -> Path:
    """Return the list in UTF-8; a list in another encoding, detected by its byte order mark, is converted to a file."""
    try:
        with open_file(path) as file:
            start = file.read(4)
            # UTF-32 starts with the same bytes as UTF-16.
            encoding = next((encoding for mark, encoding in MARKS if start.startswith(mark)), None)
            if encoding is None:
                return path
            context.log.note(f"{name}: read as {encoding.upper()} because of its byte order mark")
            file.seek(0)
            text = TextIOWrapper(file, encoding=encoding, errors="replace", newline="")
            # DuckDB detects the format from the file extension.
            target = resources.enter_context(Scratch()).path / (path.name.removesuffix(".gz") or "list")
            with target.open("w", encoding="utf-8", newline="") as utf8:
                shutil.copyfileobj(text, utf8)
            return target
    except READ_ERRORS as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None


def _copied_stdin(path: Path) -> bytes:
    """Copy standard input to a file, and return its first two bytes."""
    start, size = b"", 0
    with path.open("wb") as file:
        while piece := sys.stdin.buffer.read(1024 * 1024):
            start = (start + piece[:2])[:2]
            size += len(piece)
            if size > MAX_COPIED:
                raise InputError("<stdin>", f"larger than {size_in_words(MAX_COPIED)}; use a file instead")
            file.write(piece)
    return start


def _format(spec: UrlList, path: Path, name: str) -> ListFormat:
    if spec.format is not ListFormat.AUTO:
        return spec.format
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    return SUFFIXES.get(suffix) or _by_beginning(path, name)


def _by_beginning(path: Path, name: str) -> ListFormat:
    """Return the format of a list without a known file extension."""
    try:
        with open_file(path) as file:
            start = file.read(HEAD)
    except READ_ERRORS as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None
    if start.startswith(b"PAR1"):
        return ListFormat.PARQUET
    line = start.lstrip(b"\xef\xbb\xbf\r\n\t ").split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if line.startswith(("{", "[")):
        return ListFormat.JSONL
    is_url = line.lower().startswith(("http://", "https://", "/", "#"))
    return (
        ListFormat.CSV
        if not is_url and any(known_names(line, separator) for separator in SEPARATORS)
        else ListFormat.TEXT
    )


def _lines(spec: UrlList, context: SourceContext, path: Path, name: str) -> Iterator[dict[str, object] | str]:
    """Yield the URLs of a text file, one per line."""
    place = context.place(spec)
    fill = entry_filler(spec, context) if spec.defaults or context.resolver.explains else None
    is_open = not context.robots_filter.forbids_anything
    try:
        with TextIOWrapper(open_file(path), encoding="utf-8-sig", errors="replace") as file:
            for line in file:
                url = line.strip()
                if not url or url.startswith("#"):
                    continue
                if not url.startswith(("https://", "http://")):
                    url = absolute(place, url, bare_paths=context.bare_paths)
                if is_open or context.lets_pass(url):
                    yield url if fill is None else fill({"loc": url})
    except READ_ERRORS as error:
        raise InputError(name, f"cannot be read: {reason_of(error)}") from None
