"""Lists and queries as columns through DuckDB, passed to the writer as Arrow, without a Python object per row."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.sources.source import HOST, PAGE, SCHEME, UNSET
from urlset.database.connections import connect
from urlset.errors import InputError, UsageError
from urlset.files.scratch import Scratch
from urlset.model.build import Reason
from urlset.options.sources import LastmodSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from urlset import _core
    from urlset.build.sources.source import SourceContext
    from urlset.options.sources import PartBy, SourceSpec

SCALARS = ("loc", "lastmod", "changefreq", "priority", "hreflang")
RECORDS = ("alternates", "images", "videos", "news")
PART = "urlset_part"
"""The column that determines the part of a row."""

FIELDS = (*SCALARS, *RECORDS)
"""Fields of an entry that a column can contain."""

ALIASES: Mapping[str, str] = {
    "url": "loc",
    "link": "loc",
    "address": "loc",
    "location": "loc",
    "last_modified": "lastmod",
    "lastmodified": "lastmod",
    "last-modified": "lastmod",
    "modified": "lastmod",
    "updated": "lastmod",
    "updated_at": "lastmod",
    "lang": "hreflang",
    "language": "hreflang",
}
"""Other common names of columns, used if there is no column with the name of the field."""


IN_CONFIGURATION = 'columns = { loc = "…" } in urlset.toml'
IN_QUERY = "SELECT … AS loc"
"""The advice on how to specify the column with the URLs."""


@contextmanager
def open_duckdb(folder: Path, *, readable: Sequence[Path] | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open an in-memory DuckDB, in which paths are relative to a directory.

    Args:
        readable: The only files that it may open; None for all files.
    """
    with Scratch() as scratch:
        config = {"threads": 2, "temp_directory": str(scratch.path / "spilled")}
        with connect(config, files=readable is None, readable=readable or (), relations=True) as connection:
            if folder != Path():
                connection.execute("SET file_search_path = $1", [str(folder)])
            connection.execute("SET lock_configuration = true")
            yield connection


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Convert a DuckDB error to an InputError, in one line."""
    try:
        yield
    except _unreadable() as error:
        raise InputError(what, f"cannot be read: {_brief(str(error))}") from None
    except ValueError as error:
        # An error while the writer reads: an Arrow stream only has the text of errors.
        _, mark, text = str(error).partition("Producer error: ")
        if not mark:
            raise
        raise InputError(what, f"cannot be read: {_brief(text)}") from None


def _unreadable() -> tuple[type[Exception], ...]:
    """Return the errors of a source; DuckDB is imported only once there is one, because the core may need no help."""
    import duckdb

    return duckdb.Error, UnicodeDecodeError


def _brief(text: str) -> str:
    """Return DuckDB's message without its suggestions for SQL and its excerpt of the query."""
    text = text.replace("\\n", "\n").split("\n\n")[0].partition("\nPossible")[0].strip()
    text = re.sub(r"^\w[\w ]* Error: ", "", text)
    # From PostgreSQL, whose rows are streamed.
    text = re.sub(r"^reading the Arrow source failed: (\[libpq\] (Execution error \[\w+\]: )?)?", "", text)
    # From the core.
    text = re.sub(r"^Io error: | \(os error \d+\)$", "", text)
    return ", ".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


class Stream:
    """Rows as an Arrow stream, computed while the writer reads them. Messages name their source `what`."""

    def __init__(self, rows: duckdb.DuckDBPyRelation | _core.CsvColumns, what: str) -> None:
        self._rows = rows
        self.what = what

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rows, which must be read inside `readable(what)`."""
        return self._rows.__arrow_c_stream__(requested_schema)


class Columns(Stream):
    """The rows of a query.

    Args:
        is_parted: Whether the column `PART` determines the part of each row. The rows are then computed at once,
            because they are read part by part.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation, what: str, *, is_parted: bool = False) -> None:
        super().__init__(relation, what)
        self._relation = relation
        if is_parted:
            # A temporary table, since the database itself is opened read-only.
            relation.query("urlset_given", "CREATE TEMP TABLE urlset_parted AS SELECT * FROM urlset_given")

    def values(self) -> list[str | None]:
        """Return the values of the column `PART`, in order of first occurrence."""
        sql = f"SELECT {PART} FROM urlset_parted GROUP BY {PART} ORDER BY min(rowid)"
        return [value for (value,) in self._query_rows(sql).fetchall()]

    def having(self, values: Sequence[str | None]) -> Columns:
        """Return the rows whose `PART` is one of these values, in order."""
        literals = ", ".join(literal(value) for value in values if value is not None)
        conditions = [f"{PART} IN ({literals})"] if literals else []
        if None in values:
            conditions.append(f"{PART} IS NULL")
        sql = f"SELECT * EXCLUDE ({PART}) FROM urlset_parted WHERE {' OR '.join(conditions)} ORDER BY rowid"
        return Columns(self._query_rows(sql), self.what)

    def _query_rows(self, sql: str) -> duckdb.DuckDBPyRelation:
        """Return a query on the computed rows, on the connection of the relation."""
        rows = self._relation.query("urlset_given", sql)
        assert rows is not None, "a SELECT has rows"
        return rows


def entries(
    relation: duckdb.DuckDBPyRelation,
    spec: SourceSpec,
    context: SourceContext,
    columns_by_field: Mapping[str, str],
    what: str,
    hint: str = IN_CONFIGURATION,
) -> Columns:
    """Return the entries of a relation: its columns renamed to fields, with absolute URLs.

    Args:
        columns_by_field: Mapping from field to column; empty if columns have the names of fields.
        what: The source, for messages.
        hint: How to specify the column with the URLs.

    Raises:
        UsageError: There is no column with URLs, or a given column does not exist.
    """
    part_by = spec.parted_by
    by_column = None if part_by is None or part_by.column == "lastmod" else part_by.column
    places = choose_columns(relation.columns, columns_by_field, context, what, hint, by_column)
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    selected = [f"{_loc(places['loc'], kinds[places['loc']], context.place(spec), context.bare_paths)} AS loc"]
    is_given = LastmodSource.GIVEN in context.lastmod_sources(spec)
    for field in FIELDS[1:]:
        if field == "lastmod" and not is_given:
            places.pop(field, None)
        column = places.get(field)
        value = None if column is None else _value(field, column, kinds[column])
        default = spec.defaults.get(field)
        if default is not None and value is not None:
            # SQL does not mix text and numbers; the writer accepts either.
            value = f"coalesce(CAST({value} AS VARCHAR), {literal(str(default))})"
        elif default is not None:
            value = literal(default)
        if value is not None:
            selected.append(f"{value} AS {field}")
    if part_by is not None:
        selected.append(f"{_part(part_by, relation.columns, places, what)} AS {PART}")
    rows = _filter_by_robots(relation.project(", ".join(selected)), context)
    if context.resolver.explains:
        dates = "lastmod" if "lastmod" in rows.columns else "NULL"
        for url, value in (
            rows.filter(f"loc = {literal(context.resolver.explain or '')}").project(f"loc, {dates}").fetchall()
        ):
            context.resolver.explain_given(url, value)
    return Columns(rows, what, is_parted=part_by is not None)


def _part(part_by: PartBy, columns: Sequence[str], places: Mapping[str, str], what: str) -> str:
    """Return the SQL expression that determines the part of a row."""
    if part_by.column == "lastmod":
        if "lastmod" not in places:
            raise UsageError(f"{what}: no column lastmod to split by; columns: {', '.join(columns)}")
        column = places["lastmod"]
    else:
        column = part_column(part_by.column, columns, what)
    if not part_by.by_month:
        return f"CAST({quote_identifier(column)} AS VARCHAR)"
    text = f"left(CAST({quote_identifier(column)} AS VARCHAR), 7)"
    return f"CASE WHEN regexp_full_match({text}, '[0-9]{{4}}-(0[1-9]|1[0-2])') THEN {text} END"


def part_column(column: str, columns: Sequence[str], what: str) -> str:
    """Return the column to split by.

    Raises:
        UsageError: It does not exist.
    """
    by_name = {name.strip().lower(): name for name in columns}
    if column.strip().lower() not in by_name:
        raise UsageError(f"{what}: no column {column!r} to split by; columns: {', '.join(columns)}")
    return by_name[column.strip().lower()]


def lastmod_month(entry: object) -> str | None:
    """Return the month of an entry's lastmod as written; None if it has none."""
    return month_of(entry.get("lastmod") if isinstance(entry, dict) else None)


def month_of(value: object) -> str | None:
    """Return the month of a date as written; None if it is not a date."""
    text = value.isoformat() if isinstance(value, date) else str(value or "")
    return text[:7] if re.match(r"\d{4}-(0[1-9]|1[0-2])", text) else None


def choose_columns(
    columns: Sequence[str],
    columns_by_field: Mapping[str, str],
    context: SourceContext,
    what: str,
    hint: str = IN_CONFIGURATION,
    part_by: str | None = None,
) -> dict[str, str]:
    """Return the column of each field, except for the column to split by.

    Raises:
        UsageError: There is no column with URLs, or a given column does not exist.
    """
    by_name = {name.strip().lower(): name for name in columns}
    by_field: dict[str, str] = {}
    if columns_by_field:
        for field, name in columns_by_field.items():
            if name.strip().lower() not in by_name:
                raise UsageError(f"{what}: no column {name!r}; columns: {', '.join(columns)}")
            by_field[field] = by_name[name.strip().lower()]
    else:
        by_field = {field: by_name[field] for field in FIELDS if field in by_name}
        for alias, field in ALIASES.items():
            if field not in by_field and alias in by_name:
                by_field[field] = by_name[alias]
        used = [*by_field.values(), *([] if part_by is None else [part_column(part_by, columns, what)])]
        if unused := [name for name in columns if name not in used]:
            context.log.note(f"{what}: unused columns, which are not fields of an entry: {', '.join(unused)}")
    if "loc" not in by_field:
        raise UsageError(
            f"{what}: no column loc or url; columns: {', '.join(columns)}; specify the column with the URLs: {hint}"
        )
    return by_field


def _loc(column: str, kind: str, place: str, bare_paths: bool) -> str:
    """Return the SQL expression for the URL, equivalent to `source.absolute`. Most URLs are unchanged."""
    text = quote_identifier(column) if kind == "VARCHAR" else f"CAST({quote_identifier(column)} AS VARCHAR)"
    name = f"trim({text})"
    below = f"{literal(place)} || "
    scheme = place.partition("//")[0]
    bare = f"""
        WHEN {name} <> '' AND NOT regexp_matches({name}, {literal(SCHEME.pattern)})
            AND (NOT regexp_matches({name}, {literal(HOST.pattern)}) OR regexp_matches({name}, {literal(PAGE.pattern)}))
            THEN {below}{name}"""
    return f"""CASE
        WHEN starts_with({text}, 'https://') AND NOT ends_with({text}, ' ') THEN {text}
        WHEN starts_with({name}, 'https://') THEN {name}
        WHEN regexp_matches({name}, {literal(UNSET.pattern)}) THEN {name}
        WHEN starts_with({name}, '//') THEN {literal(scheme)} || {name}
        WHEN starts_with({name}, '/') THEN {below}ltrim({name}, '/')
        WHEN starts_with({name}, './') THEN {below}substr({name}, 3){bare if bare_paths else ""}
        ELSE {name}
    END"""


def _value(field: str, column: str, kind: str) -> str:
    """Return the SQL expression for a field: empty text is null, and images are separated by whitespace or `|`."""
    name = quote_identifier(column)
    if kind == "JSON" and field in RECORDS:
        raise UsageError(
            f"{field} must be records, but the column {column!r} has JSON; use a list, JSON Lines, or Parquet"
        )
    if kind != "VARCHAR":
        return name
    if field == "images":
        inner = f"regexp_replace({name}, '^[\\s|]+|[\\s|]+$', '', 'g')"
        return f"CASE WHEN {inner} <> '' THEN string_split_regex({inner}, '[\\s|]+') END"
    if field in RECORDS:
        raise UsageError(f"{field} must be records, but the column {column!r} has text; use JSON Lines or Parquet")
    return f"nullif(CASE WHEN starts_with({name}, ' ') OR ends_with({name}, ' ') THEN trim({name}) ELSE {name} END, '')"


def _filter_by_robots(rows: duckdb.DuckDBPyRelation, context: SourceContext) -> duckdb.DuckDBPyRelation:
    """Return the rows whose URL robots.txt allows.

    Only URLs whose path starts like a rule, up to its first wildcard, are checked.
    """
    if not context.robots_filter.forbids_anything:
        return rows
    assert context.robots_filter.robots is not None
    beginnings = {
        re.split(r"[*$]", rule.pattern, maxsplit=1)[0]
        for group in context.robots_filter.robots.groups
        for rule in group.rules
        if not rule.allow and rule.pattern
    }
    origin = context.base.text.split("/", 3)
    site = "/".join(origin[:3])
    conditions = " OR ".join(f"starts_with(loc, {literal(site + beginning)})" for beginning in sorted(beginnings))
    # Encoded and plain characters are equal in robots.txt, but not in SQL.
    odd = "regexp_matches(loc, '[^!-~]|%|&amp;')"
    affected = rows.filter(f"({conditions}) OR {odd}").project("loc")
    forbidden = []
    for (url,) in affected.fetchall():
        line = context.robots_filter.forbidding_line(url)
        if line is not None:
            context.log.leave_out(url, Reason.ROBOTS, f"{context.robots_filter.name}, line {line}")
            forbidden.append(url)
    if not forbidden:
        return rows
    listed = ", ".join(literal(url) for url in dict.fromkeys(forbidden))
    return rows.filter(f"loc IS NULL OR loc NOT IN ({listed})")


def quote_identifier(column: str) -> str:
    """Return a column name as a quoted SQL identifier."""
    return '"' + column.replace('"', '""') + '"'


def literal(value: str | int | float) -> str:
    """Return a SQL literal."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
