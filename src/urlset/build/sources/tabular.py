"""Lists and queries as columns, by DuckDB: they reach the writer as Arrow, without a Python object for each row."""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from urlset.build.sources.source import HOST, PAGE, SCHEME
from urlset.database import connect
from urlset.errors import InputError, UsageError
from urlset.model.build import Reason
from urlset.options.sources import LastmodSource
from urlset.scratch import Scratch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import duckdb

    from urlset.build.sources.source import Run
    from urlset.options.sources import SourceSpec

SCALARS = ("loc", "lastmod", "changefreq", "priority", "hreflang")
RECORDS = ("alternates", "images", "videos", "news")
PART = "urlset_part"
"""The column with what the part of a row is named after."""

FIELDS = (*SCALARS, *RECORDS)
"""Fields of an entry that a column may hold."""

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
"""Other names that columns have in the wild, taken where the field's own name does not occur."""


IN_CONFIGURATION = 'columns = { loc = "…" } in urlset.toml'
IN_QUERY = "SELECT … AS loc"
"""How it is said which column has the URLs."""


@contextmanager
def connected(folder: Path, *, readable: Sequence[Path] | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A DuckDB in memory, in which relative paths are meant from a folder.

    Args:
        folder: The folder.
        readable: The only files that it may open; None for all.
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
    """Says of an error of DuckDB that this input cannot be read, in one line."""
    import duckdb

    try:
        yield
    except (duckdb.Error, UnicodeDecodeError) as error:
        raise InputError(what, f"cannot be read: {_brief(str(error))}") from None
    except ValueError as error:
        # A row that is met while the writer reads: its stream of Arrow knows errors as texts alone.
        _, mark, text = str(error).partition("Producer error: ")
        if not mark:
            raise
        raise InputError(what, f"cannot be read: {_brief(text)}") from None


def _brief(text: str) -> str:
    """DuckDB's words without what it would do about it in SQL, and without the drawing below them."""
    text = text.replace("\\n", "\n").split("\n\n")[0].partition("\nPossible")[0].strip()
    text = re.sub(r"^\w[\w ]* Error: ", "", text)
    # Of PostgreSQL, whose rows come while they are read.
    text = re.sub(r"^reading the Arrow source failed: (\[libpq\] (Execution error \[\w+\]: )?)?", "", text)
    return ", ".join(" ".join(line.split()) for line in text.splitlines() if line.strip())


class Columns:
    """Rows as a stream of Arrow, which the writer reads; they are computed when it does.

    Args:
        relation: The rows.
        what: The source, for messages.
        is_parted: Whether the column `PART` says which part each row goes to. The rows are then computed at once, since
            they are read part by part.
    """

    def __init__(self, relation: duckdb.DuckDBPyRelation, what: str, *, is_parted: bool = False) -> None:
        self._relation = relation
        self.what = what
        if is_parted:
            # In the catalog of temporary tables, since a database that is asked is opened for reading alone.
            relation.query("urlset_given", "CREATE TEMP TABLE urlset_parted AS SELECT * FROM urlset_given")

    def values(self) -> list[str | None]:
        """What the column `PART` has, in the order in which it first comes."""
        sql = f"SELECT {PART} FROM urlset_parted GROUP BY {PART} ORDER BY min(rowid)"
        return [value for (value,) in self._parted(sql).fetchall()]

    def having(self, values: Sequence[str | None]) -> Columns:
        """The rows whose `PART` has one of these values, in their order."""
        known = ", ".join(literal(value) for value in values if value is not None)
        conditions = [f"{PART} IN ({known})"] if known else []
        if None in values:
            conditions.append(f"{PART} IS NULL")
        sql = f"SELECT * EXCLUDE ({PART}) FROM urlset_parted WHERE {' OR '.join(conditions)} ORDER BY rowid"
        return Columns(self._parted(sql), self.what)

    def _parted(self, sql: str) -> duckdb.DuckDBPyRelation:
        """A query of the rows that were computed, on the connection of the relation."""
        found = self._relation.query("urlset_given", sql)
        assert found is not None, "a SELECT has rows"
        return found

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows; whoever reads them does so inside `readable(what)`."""
        return self._relation.__arrow_c_stream__(requested_schema)


def entries(
    relation: duckdb.DuckDBPyRelation,
    spec: SourceSpec,
    run: Run,
    named: Mapping[str, str],
    what: str,
    hint: str = IN_CONFIGURATION,
) -> Columns:
    """The entries that the rows of a relation are: its columns under the names of fields, URLs absolute.

    Args:
        relation: The rows.
        spec: Their source.
        run: What it works with.
        named: Which column is which field: field -> column; empty where columns are called as fields are.
        what: The source, for messages.
        hint: How it is said which column has the URLs.

    Raises:
        UsageError: There is no column with URLs, or none of a name that was given.
    """
    by_column = None if spec.part_by == "lastmod" else spec.part_by
    places = chosen(relation.columns, named, run, what, hint, by_column)
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    selected = [f"{_loc(places['loc'], kinds[places['loc']], run.place(spec), run.bare_paths)} AS loc"]
    is_given = LastmodSource.GIVEN in run.asked(spec)
    for field in FIELDS[1:]:
        if field == "lastmod" and not is_given:
            places.pop(field, None)
        column = places.get(field)
        value = None if column is None else _value(field, column, kinds[column])
        default = spec.defaults.get(field)
        if default is not None and value is not None:
            # Texts and numbers do not mix in SQL; the writer reads either.
            value = f"coalesce(CAST({value} AS VARCHAR), {literal(str(default))})"
        elif default is not None:
            value = literal(default)
        if value is not None:
            selected.append(f"{value} AS {field}")
    if spec.part_by is not None:
        selected.append(f"{_part(spec.part_by, relation.columns, places, what)} AS {PART}")
    found = _permitted(relation.project(", ".join(selected)), run)
    if run.dating.explains:
        dates = "lastmod" if "lastmod" in found.columns else "NULL"
        for url, value in (
            found.filter(f"loc = {literal(run.dating.explain or '')}").project(f"loc, {dates}").fetchall()
        ):
            run.dating.given(url, value)
    return Columns(found, what, is_parted=spec.part_by is not None)


def _part(column: str, columns: Sequence[str], places: Mapping[str, str], what: str) -> str:
    """SQL for what the part of a row is named after."""
    if column == "lastmod":
        if "lastmod" not in places:
            raise UsageError(f"{what}: there is no lastmod to make parts by; there are: {', '.join(columns)}")
        text = f"left(CAST({quoted(places['lastmod'])} AS VARCHAR), 7)"
        return f"CASE WHEN regexp_full_match({text}, '[0-9]{{4}}-(0[1-9]|1[0-2])') THEN {text} END"
    return f"CAST({quoted(part_column(column, columns, what))} AS VARCHAR)"


def part_column(column: str, columns: Sequence[str], what: str) -> str:
    """The column that parts are made by.

    Raises:
        UsageError: There is none of that name.
    """
    by_name = {name.strip().lower(): name for name in columns}
    if column.strip().lower() not in by_name:
        raise UsageError(f"{what}: there is no column {column!r} to make parts by; there are: {', '.join(columns)}")
    return by_name[column.strip().lower()]


def month_of(entry: object) -> str | None:
    """The month of an entry's lastmod, as it was given; None if it has none."""
    lastmod = entry.get("lastmod") if isinstance(entry, dict) else None
    text = lastmod.isoformat() if isinstance(lastmod, date) else str(lastmod or "")
    return text[:7] if re.match(r"\d{4}-(0[1-9]|1[0-2])", text) else None


def chosen(
    columns: Sequence[str],
    named: Mapping[str, str],
    run: Run,
    what: str,
    hint: str = IN_CONFIGURATION,
    part_by: str | None = None,
) -> dict[str, str]:
    """Which column each field is in; the one that parts are made by has another use.

    Raises:
        UsageError: There is no column with URLs, or none of a name that was given.
    """
    by_name = {name.strip().lower(): name for name in columns}
    found: dict[str, str] = {}
    if named:
        for field, name in named.items():
            if name.strip().lower() not in by_name:
                raise UsageError(f"{what}: there is no column {name!r}; there are: {', '.join(columns)}")
            found[field] = by_name[name.strip().lower()]
    else:
        found = {field: by_name[field] for field in FIELDS if field in by_name}
        for alias, field in ALIASES.items():
            if field not in found and alias in by_name:
                found[field] = by_name[alias]
        used = [*found.values(), *([] if part_by is None else [part_column(part_by, columns, what)])]
        if unused := [name for name in columns if name not in used]:
            run.tally.note(f"{what}: these columns are no fields of an entry and are not used: {', '.join(unused)}")
    if "loc" not in found:
        raise UsageError(
            f"{what}: no column is called loc or url; there are: {', '.join(columns)}. Which one has the URLs? {hint}"
        )
    return found


def _loc(column: str, kind: str, place: str, bare_paths: bool) -> str:
    """SQL for the URL, as `source.absolute` has it. Most are taken as they lie."""
    text = quoted(column) if kind == "VARCHAR" else f"CAST({quoted(column)} AS VARCHAR)"
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
        WHEN starts_with({name}, '//') THEN {literal(scheme)} || {name}
        WHEN starts_with({name}, '/') THEN {below}ltrim({name}, '/')
        WHEN starts_with({name}, './') THEN {below}substr({name}, 3){bare if bare_paths else ""}
        ELSE {name}
    END"""


def _value(field: str, column: str, kind: str) -> str:
    """SQL for a field: of a text an empty one is none, and images are separated by white space or `|`."""
    name = quoted(column)
    if kind == "JSON" and field in RECORDS:
        raise UsageError(f"{field} are records, and the column {column!r} has JSON: use a list, JSON lines or Parquet")
    if kind != "VARCHAR":
        return name
    if field == "images":
        inner = f"regexp_replace({name}, '^[\\s|]+|[\\s|]+$', '', 'g')"
        return f"CASE WHEN {inner} <> '' THEN string_split_regex({inner}, '[\\s|]+') END"
    if field in RECORDS:
        raise UsageError(f"{field} are records, and the column {column!r} has text: use JSON lines or Parquet")
    return f"nullif(CASE WHEN starts_with({name}, ' ') OR ends_with({name}, ' ') THEN trim({name}) ELSE {name} END, '')"


def _permitted(found: duckdb.DuckDBPyRelation, run: Run) -> duckdb.DuckDBPyRelation:
    """The rows whose URL robots.txt does not forbid.

    It is asked only about URLs whose path begins as a rule does, up to its first wildcard.
    """
    if not run.gate.forbids_anything:
        return found
    assert run.gate.robots is not None
    beginnings = {
        re.split(r"[*$]", rule.pattern, maxsplit=1)[0]
        for group in run.gate.robots.groups
        for rule in group.rules
        if not rule.allow and rule.pattern
    }
    origin = run.base.text.split("/", 3)
    site = "/".join(origin[:3])
    conditions = " OR ".join(f"starts_with(loc, {literal(site + beginning)})" for beginning in sorted(beginnings))
    # Encoded and plain characters are the same to robots.txt, and not to SQL.
    odd = "regexp_matches(loc, '[^!-~]|%|&amp;')"
    asked = found.filter(f"({conditions}) OR {odd}").project("loc")
    forbidden = []
    for (url,) in asked.fetchall():
        line = run.gate.forbidding_line(url)
        if line is not None:
            run.tally.leave_out(url, Reason.ROBOTS, f"{run.gate.name}, line {line}")
            forbidden.append(url)
    if not forbidden:
        return found
    listed = ", ".join(literal(url) for url in dict.fromkeys(forbidden))
    return found.filter(f"loc IS NULL OR loc NOT IN ({listed})")


def quoted(column: str) -> str:
    """A name of a column in SQL."""
    return '"' + column.replace('"', '""') + '"'


def literal(value: str | int | float) -> str:
    """A value in SQL."""
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
