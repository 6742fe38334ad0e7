"""Reads exports of webmaster tools. What a file is, its content decides: names and headers are in many languages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from urlset.coverage.csv_tables import MAX_MEMBERS, CsvTable, tables_in
from urlset.coverage.export_dates import date_of, looks_like_date, order_of
from urlset.coverage.reasons import reason_of, state_of
from urlset.errors import InputError, Unreadable, UsageError
from urlset.model.coverage import BING, GOOGLE, ExportKind, ImportedFile, IndexReason, IndexState
from urlset.net.origin import origin_of
from urlset.options.convert import hint
from urlset.options.coverage import DateOrder
from urlset.store.possible import AHEAD

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from urlset.options.coverage import ImportOptions

EXPORT_SUFFIXES = frozenset({".csv", ".zip", ".xlsx"})
"""The extensions of the files of a directory that are read. An Excel workbook is refused with what to do."""

MAX_FILES = 1_000
"""Maximum files in a directory to read."""

MAX_EXPORTED = 1_000
"""Maximum URLs in an export of Search Console: https://support.google.com/webmasters/answer/7440203#limits"""

_URL = re.compile(r"https?://\S", re.IGNORECASE)
_DATE_LIKE = re.compile(r"[\d\-/.:,T ZUC+AaPpMm]{6,40}")
_PERCENTAGE = re.compile(r"\d[\d.,]*\s*[%\u066a]")
_PAGE_OR_SITE = re.compile(r"\S+\.\S+")
_RATE = 3
"""The column of a performance report with the share of clicks."""

_SITEMAP_KEYS = ("sitemap", "サイトマップ", "站点地图", "網站地圖", "사이트맵", "mapa witryny")
"""Names of the sitemap that an export is filtered by: its other row is the reason."""

_NEVER = datetime(1970, 1, 2, tzinfo=UTC)
"""Dates before it mean that the URL was never crawled: Search Console writes 1969-12-31."""

_BING = ("url", "last crawled", "discovered on", "http code")
"""Columns of Site Explorer by which its export is recognized, in lowercase."""

_BING_FIELDS = {"url": "URL", "last_crawled": "Last crawled"}


@dataclass(slots=True)
class Export:
    """A file that was read.

    Attributes:
        at: The date of the report; None if the file has none.
        state: The state of all URLs without their own.
        reason_text: The reason of all URLs without their own, as written.
        rows: The URLs, with the fields of `options.coverage.FIELDS` as written.
        skipped: Number of rows without an absolute http(s) URL.
        order: The order of the dates of `last_crawled`.
    """

    kind: ExportKind
    engine: str
    at: datetime | None = None
    state: IndexState | None = None
    reason_text: str | None = None
    rows: list[Mapping[str, str]] = field(default_factory=list)
    skipped: int = 0
    order: DateOrder = DateOrder.DMY


def read_exports(paths: Sequence[Path], options: ImportOptions) -> tuple[list[tuple[Path, Export]], list[Unreadable]]:
    """Read exports: files, archives, and directories of both. The files of an unzipped export belong together.

    Returns:
        The exports, each with its file or directory; and what is an export of something else.

    Raises:
        InputError: A file cannot be read, or is not an export with URLs; or a part of an export is missing.
        UsageError: `fields` names a column that a file does not have.
    """
    read: list[tuple[Path, Export]] = []
    others: list[Unreadable] = []
    parts: dict[Path, list[tuple[Path, CsvTable]]] = {}
    for path in paths:
        for file in _files_at(path):
            tables, is_archive = tables_in(file)
            if not options.fields and (other := _other_export(tables, is_archive=is_archive)) is not None:
                others.append(Unreadable(str(file), other))
            elif is_archive or options.fields or _is_bing(tables[0]):
                read.append((file, _read_export(tables, file, options, is_archive=is_archive)))
            else:
                parts.setdefault(file.parent, []).append((file, tables[0]))
    folders = {path for path in paths if path.is_dir()}
    for folder, members in parts.items():
        if len(members) > MAX_MEMBERS:
            raise InputError(str(folder), f"has more than {MAX_MEMBERS} CSV files; exports have at most six")
        # One of the files decides the message about what is missing; the table of URLs has the others next to it.
        of_urls = [file for file, table in members if _is_url_table(table)]
        name = folder if folder in folders else (of_urls or [file for file, _ in members])[0]
        tables = tuple(table for _, table in members)
        if not of_urls and (other := _other_export(tables, is_archive=True)) is not None:
            others.append(Unreadable(str(members[0][0] if len(members) == 1 else name), other))
        elif len(members) == 1 and not of_urls and not _is_chart(tables[0]):
            read.append((name, _read_export(tables, name, options, is_archive=False)))
        else:
            read.append((name, _of_search_console(tables, name, options)))
    if others and not read:
        raise InputError(others[0].target, others[0].reason)
    return read, others


def _other_export(tables: Sequence[CsvTable], *, is_archive: bool) -> str | None:
    """Return what an export of Search Console without states of URLs is, as a sentence; None for other files.

    Args:
        is_archive: Whether the tables are all of an export.
    """
    if is_archive and not any(table.rows or len(table.header) < 2 or _is_url_table(table) for table in tables):
        return "has no rows; not imported"
    if any(map(_is_performance, tables)):
        return "is an export of the performance report, which says nothing about indexing; not imported"
    if any(map(_is_link_table, tables)) or (not is_archive and _is_link_list(tables[0])):
        return "is an export of the links report, which says nothing about indexing; not imported"
    if is_archive and not any(map(_is_url_table, tables)) and _is_report_summary(tables):
        return (
            "is the summary of the report, which has no URLs, whatever its name; open a reason in the report "
            "and export its list of pages; not imported"
        )
    return None


def _is_performance(table: CsvTable) -> bool:
    """Return whether each row has clicks, impressions, and their rate in percent."""
    return bool(table.rows) and all(len(row) > _RATE and _PERCENTAGE.fullmatch(row[_RATE]) for row in table.rows)


def _is_link_table(table: CsvTable) -> bool:
    """Return whether each row is a page or a site with the numbers of its links, or the rank of a text of links."""
    if not table.rows or len(table.header) not in (2, 3) or any(len(row) != len(table.header) for row in table.rows):
        return False
    if len(table.header) == 2 and all(row[0] == str(rank) for rank, row in enumerate(table.rows, 1)):
        return not all(row[1].isdecimal() for row in table.rows)
    return all(
        _PAGE_OR_SITE.fullmatch(row[0]) and not looks_like_date(row[0]) and all(map(str.isdecimal, row[1:]))
        for row in table.rows
    )


def _is_link_list(table: CsvTable) -> bool:
    """Return whether a table has the pages with the latest links, whose header does not name them URLs.

    The header of a table of URLs of the page indexing report is `URL` in every language.
    """
    return bool(table.rows) and _is_url_table(table) and table.header[0].casefold() != "url"


def _files_at(path: Path) -> list[Path]:
    """Return a file, or the exports in a directory and in the directories in it."""
    if not path.is_dir():
        return [path]
    files: list[Path] = []
    for pattern in ("*", "*/*"):
        matches = islice((file for file in path.glob(pattern) if _is_export_file(file)), MAX_FILES + 1)
        files += sorted(matches)
    if not files:
        raise InputError(str(path), "no file in this directory ends in .csv or .zip")
    if len(files) > MAX_FILES:
        raise InputError(str(path), f"has more than {MAX_FILES:,} CSV and ZIP files; name those to import")
    return files


def _is_export_file(file: Path) -> bool:
    """Return whether a file of a directory is read; macOS adds hidden files and a directory to what it unpacks."""
    hidden = file.name.startswith(".") or file.parent.name == "__MACOSX"
    return not hidden and file.suffix.lower() in EXPORT_SUFFIXES and file.is_file()


def _is_bing(table: CsvTable) -> bool:
    names = [name.lower() for name in table.header]
    return all(name in names for name in _BING)


def _read_export(tables: Sequence[CsvTable], path: Path, options: ImportOptions, *, is_archive: bool) -> Export:
    """Return the export in a file of its own."""
    if options.fields:
        if len(tables) != 1:
            raise InputError(str(path), "is an archive with several files; --fields is for a CSV file")
        export = Export(ExportKind.CSV, str(options.engine), state=_state(options))
        return _of_fields(tables[0], options.fields, export, path, options.dates)
    if is_archive:
        return _of_search_console(tables, path, options)
    [table] = tables
    if _is_bing(table):
        names = [name.lower() for name in table.header]
        columns = {key: table.header[names.index(name.lower())] for key, name in _BING_FIELDS.items()}
        return _of_fields(table, columns, Export(ExportKind.BING, BING, state=_state(options)), path, options.dates)
    known = ", ".join(table.header[:20])
    raise InputError(
        str(path), f"is not an export that urlset knows; name its columns with --fields url=COLUMN (columns: {known})"
    )


def _state(options: ImportOptions) -> IndexState | None:
    return None if options.state is None else IndexState(options.state.value)


def _of_search_console(tables: Sequence[CsvTable], path: Path, options: ImportOptions) -> Export:
    """Return the export of the URLs of one reason, or of the indexed URLs."""
    with_urls = [table for table in tables if _is_url_table(table)]
    if not with_urls:
        raise InputError(str(path), _without_urls(tables))
    if len(with_urls) > 1:
        raise InputError(str(path), "has several tables of URLs; an export of Search Console has one")
    [table] = with_urls
    reason = _reason_in([other for other in tables if other is not table], path)
    export = Export(
        ExportKind.SEARCH_CONSOLE,
        GOOGLE,
        at=_last_day(tables, path, options.dates),
        state=_state(options) or _state_of_list(reason),
        reason_text=reason,
        order=_order(table, 1, path, options.dates),
    )
    for row in table.rows:
        _add(export, {"url": row[0], "last_crawled": row[1] if len(row) > 1 else ""})
    return export


def _state_of_list(reason: str | None) -> IndexState | None:
    """Return the state of the URLs of an export: only the list of indexed URLs has no reason.

    Two reasons are of indexed URLs. One of them names robots.txt in every language, but so does one of the others.
    """
    if reason is None:
        return IndexState.INDEXED
    return None if "robots.txt" in reason.casefold() else IndexState.NOT_INDEXED


def _order(
    table: CsvTable, column: int, path: Path, given: DateOrder | None, usual: DateOrder | None = None
) -> DateOrder:
    """Return the order of the dates in a column of a table."""
    cells = [row[column] for row in table.rows if column < len(row)]
    return order_of(cells, path, table.header[column] if column < len(table.header) else "", given, usual)


def _is_url_table(table: CsvTable) -> bool:
    """Return whether the first of two columns has URLs only, and the second one dates, or nothing."""
    if len(table.header) != 2 or _URL.match(table.header[0]):
        return False
    if not table.rows:
        return table.header[0] == "URL"
    return all(
        len(row) <= 2 and _URL.match(row[0]) and (len(row) < 2 or not row[1] or _DATE_LIKE.fullmatch(row[1]))
        for row in table.rows
    )


def _is_chart(table: CsvTable) -> bool:
    return bool(table.rows) and all(looks_like_date(row[0]) for row in table.rows)


def _is_report_summary(tables: Sequence[CsvTable]) -> bool:
    return any(_is_chart(table) and len(table.header) > 2 for table in tables) or any(map(_is_summary, tables))


def _is_summary(table: CsvTable) -> bool:
    """Return whether each row is a reason with the number of its pages."""
    return len(table.header) >= 4 and all(len(row) >= 4 and row[-1].isdecimal() for row in table.rows)


def _without_urls(tables: Sequence[CsvTable]) -> str:
    if any(map(_is_chart, tables)) and len(tables) > 1:
        return "Table.csv is missing, which has the URLs; export it again"
    return "has no table of URLs, so it is not an export of the page indexing report"


def _reason_in(tables: Sequence[CsvTable], path: Path) -> str | None:
    """Return the reason that applies to all URLs, as written; None for the list of indexed URLs.

    That list only has the sitemap that it is filtered by, in one row; others have the reason in a second row.
    """
    pairs = [table for table in tables if len(table.header) == 2 and not _is_chart(table)]
    facts = [row for table in pairs for row in table.rows if len(row) == 2]
    if not facts:
        raise InputError(
            str(path),
            "Metadata.csv is missing, which states the reason; import the ZIP file, or the directory with all files of "
            "the export, or use --fields",
        )
    if reasons := [value for _, value in facts if reason_of(value) is not None]:
        return reasons[0]
    if len(facts) == 1:
        return None
    is_sitemap = [_URL.match(value) or any(name in key.casefold() for name in _SITEMAP_KEYS) for key, value in facts]
    values = [value for (_, value), of_sitemap in zip(facts, is_sitemap, strict=True) if not of_sitemap]
    return values[-1] if values else facts[-1][1]


def _last_day(tables: Sequence[CsvTable], path: Path, given: DateOrder | None) -> datetime | None:
    days = []
    for chart in filter(_is_chart, tables):
        order = _order(chart, 0, path, given)
        days += [day for row in chart.rows if (day := date_of(row[0], order)) is not None]
    return max(days, default=None)


def _of_fields(
    table: CsvTable, columns: Mapping[str, str], export: Export, path: Path, given: DateOrder | None
) -> Export:
    places: dict[str, int] = {}
    for name, column in columns.items():
        if column not in table.header:
            known = ", ".join(table.header[:20])
            near = hint(column, table.header)
            raise UsageError(f"--fields {name}: {path} has no column {column!r}{near}; it has {known}")
        places[name] = table.header.index(column)
    if "last_crawled" in places:
        # Bing writes the month first.
        usual = DateOrder.MDY if export.kind is ExportKind.BING else None
        export.order = _order(table, places["last_crawled"], path, given, usual)
    for row in table.rows:
        _add(export, {name: row[place] if place < len(row) else "" for name, place in places.items()})
    return export


def _add(export: Export, row: Mapping[str, str]) -> None:
    if origin_of(row["url"]) is None:
        export.skipped += 1
    else:
        export.rows.append(row)


def rows_of(export: Export, path: Path, now: datetime) -> tuple[list[dict[str, object]], ImportedFile]:
    """Return the rows of `index_states` without their hashes, one for each URL, and what they say."""
    at = export.at or now
    rows: dict[str, dict[str, object]] = {}
    unread = 0
    for row in export.rows:
        crawled, is_unread = _crawl_date(row.get("last_crawled", ""), export.order, now)
        unread += is_unread
        rows[row["url"]] = _row(export, row, crawled, at)
    states = Counter(IndexState(str(row["state"])) for row in rows.values() if row["state"])
    stateless = [row for row in rows.values() if not row["state"]]
    unknown = Counter(str(row["reason_text"]) for row in stateless if row["reason_text"])
    facts = ImportedFile(
        path=str(path),
        kind=export.kind,
        engine=export.engine,
        urls=len(rows),
        states=states,
        reason=export.reason_text,
        unknown_reasons=dict(unknown.most_common()),
        skipped=export.skipped,
        unread_dates=unread,
        at=at,
        is_dated=export.at is not None,
        is_cut=export.kind is ExportKind.SEARCH_CONSOLE and len(export.rows) >= MAX_EXPORTED,
    )
    return list(rows.values()), facts


def _row(export: Export, row: Mapping[str, str], crawled: datetime | None, at: datetime) -> dict[str, object]:
    text = row.get("reason") or row.get("state") or export.reason_text
    reason: IndexReason | None = None if text is None else reason_of(text)
    state = state_of(row["state"]) if row.get("state") else None
    if state is None:
        state = export.state if reason is None else reason.state
    if row.get("state") and state is None:
        text = row["state"]
    return {
        "url": row["url"],
        "engine": export.engine,
        "source": export.kind.value,
        "state": None if state is None else state.value,
        "reason": None if reason is None else reason.value,
        "reason_text": text,
        "last_crawled": crawled,
        "canonical": row.get("canonical") or None,
        "user_canonical": row.get("user_canonical") or None,
        "at": at,
    }


def _crawl_date(text: str, order: DateOrder, now: datetime) -> tuple[datetime | None, bool]:
    """Return when a URL was crawled, and whether the date could not be read, or is in the future."""
    if not text:
        return None, False
    moment = date_of(text, order)
    if moment is None or moment > now + AHEAD:
        return None, True
    return (moment if moment >= _NEVER else None), False
