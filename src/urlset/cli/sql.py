"""`urlset sql`: the user's own SQL over the tables of whatever was read."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from urlset.cli.configured import given_on_command_line
from urlset.cli.fetching import Reading, with_following_options
from urlset.cli.options import Colour, ColourOption, file_or_stdout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.cli.output import Output
    from urlset.config import ValidateOptions
    from urlset.engine.query import Query
    from urlset.errors import ExitCode, QueryError
    from urlset.report.paint import Paint


class RowsFormat(StrEnum):
    """Forms of the rows."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    PARQUET = "parquet"


EXAMPLES = """\b
Examples:
  urlset sql "select host, count(*) from urls group by all order by 2 desc" public/
  urlset sql "select loc from urls where lastmod_at < '2025-01-01'" sitemap.xml --format csv
  urlset sql "select code, document, count from findings where example <= 1" public/
  urlset sql "from images" https://example.com/sitemap.xml -o images.parquet
  urlset sql "select status, count(*) from pages group by all" urlset.duckdb
  urlset sql --tables
"""

Columns = Annotated[bool, typer.Option("--tables", help="List the tables and their columns, and read nothing.")]


@with_following_options
def sql(
    context: typer.Context,
    reading: Reading,
    query: Annotated[
        str | None, typer.Argument(metavar="SQL", help="A SELECT in DuckDB's dialect.", show_default=False)
    ] = None,
    targets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TARGET...",
            help="Files, folders, http(s) URLs, - for standard input; or a store.",
            show_default=False,
        ),
    ] = None,
    tables: Columns = False,
    form: Annotated[
        RowsFormat | None,
        typer.Option(
            "--format", metavar="FORMAT", help="table for people, csv, json, jsonl or parquet. [default: by --output]"
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            callback=file_or_stdout,
            help="Write to this file, whole or not at all; - for standard output.",
        ),
    ] = None,
    rows: Annotated[
        int, typer.Option("--rows", metavar="N", min=0, help="Show at most N rows of a table; 0 for all.")
    ] = 40,
    allow_files: Annotated[
        bool, typer.Option("--allow-files", help="Let the SQL read files of this machine too: read_csv('…').")
    ] = False,
    memory: Annotated[
        str, typer.Option("--memory", metavar="SIZE", help="Memory for the query before it uses the disk.")
    ] = "512MB",
    max_time: Annotated[
        float,
        typer.Option("--max-time", metavar="SECONDS", min=0, help="Stop the query after this time; 0 for no limit."),
    ] = 300.0,
    colour: ColourOption = Colour.AUTO,
    max_examples: Annotated[
        int, typer.Option(metavar="N", min=0, help="Rows of the table findings for one rule and document, at most.")
    ] = 10,
) -> None:
    """Ask SQL of the tables documents, urls, children, alternates, images, videos, news, anomalies, findings.

    Instants are timestamps in UTC. The SQL is checked before anything is read; it may only read, and only these tables
    unless --allow-files is given. Documents are read several at once in bounded memory, and only the tables that the
    SQL names are kept.

    Rules are run only if the SQL names the table findings: those that `urlset validate` would run, with the same
    configuration file, and without its baseline.

    A store that `urlset audit` wrote is asked as it is: FILE.duckdb for its newest whole run, FILE.duckdb@3 for run 3.
    It has the tables on pages, robots.txt and runs as well, and as store.urls, store.pages … the rows of all runs.

    With --output the form follows the name of the file: .csv, .json, .jsonl, .parquet. In CSV, text that a spreadsheet
    would take for a formula gets an apostrophe in front; JSON and Parquet give every value as it is.
    """
    from urlset.cli.output import Output
    from urlset.errors import ExitCode, MisuseError, QueryError

    screen = Output(colour)
    if tables:
        screen.write(_table_lines(screen.paint))
        return
    if query is None or not targets:
        raise MisuseError('what to ask, and of what: urlset sql "select …" TARGET…; --tables lists the tables')
    chosen = form or _form_of(output)
    if chosen is RowsFormat.PARQUET and output is None:
        raise MisuseError("parquet is no text: say where to write it with --output FILE")
    from urlset.engine.query import Query

    options = reading.settings(given_on_command_line(context, {"max_examples": max_examples})).options
    with _opened(output) as file:
        parquet = file if chosen is RowsFormat.PARQUET else None
        try:
            from urlset.pipeline.sql import run_asked

            kept = run_asked(targets)
            with Query(
                query, allow_files=allow_files, parquet=parquet, memory=memory, seconds=max_time, store=kept
            ) as asked:
                code = _read(asked, targets, options) if kept is None else ExitCode.CLEAN
                _write(asked, file, chosen, screen, rows)
        except QueryError as error:
            _explain(error)
            raise typer.Exit(error.exit_code) from None
    raise typer.Exit(code)


def _form_of(output: Path | None) -> RowsFormat:
    from urlset.errors import MisuseError

    if output is None:
        return RowsFormat.TABLE
    ending = output.suffix.lower().removeprefix(".")
    try:
        return RowsFormat({"ndjson": "jsonl", "pq": "parquet", "txt": "table"}.get(ending, ending))
    except ValueError:
        raise MisuseError(
            f"{output}: the name does not tell the form; add --format csv, json, jsonl or parquet"
        ) from None


def _opened(output: Path | None) -> AbstractContextManager[Path | None]:
    from urlset.publish import replacing

    return nullcontext() if output is None else replacing(output)


def _read(query: Query, targets: list[str], options: ValidateOptions) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.cli.progress import ProgressBar
    from urlset.errors import exit_code_for
    from urlset.pipeline.sql import load
    from urlset.report.words import left_out_line

    with ProgressBar() as progress:
        unreadable, left_out = load(query, targets, options, progress)
    for one in unreadable:
        complain(f"{one.target}: {one.reason}")
    if left_out:
        complain(left_out_line(left_out))
    return exit_code_for(one.reason for one in unreadable)


def _write(query: Query, file: Path | None, form: RowsFormat, screen: Output, rows: int) -> None:
    from urlset.report.formats import render

    if form is RowsFormat.PARQUET:
        query.write_parquet()
    elif file is None:
        screen.show("sql", form, query.run(), replace(screen.style, max_rows=rows))
    else:
        # A file in which not all rows stand would mislead; a terminal is only looked at.
        with file.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in render("sql", form, query.run()))


def _explain(error: QueryError) -> None:
    """The engine's message as it writes it, in lines, with the mark below the place."""
    from urlset.cli.output import complain
    from urlset.safe import safe

    first, *more = str(error).split("\n")
    complain(first)
    for line in more:
        sys.stderr.write(f"  {safe(line)}".rstrip() + "\n")


def _table_lines(paint: Paint) -> Iterator[str]:
    from urlset.engine.query import QUERY_TABLES, STORE_TABLES
    from urlset.report.paint import Role
    from urlset.tables import TABLES

    more = tuple(name for name in STORE_TABLES if name not in QUERY_TABLES)
    for number, name in enumerate((*QUERY_TABLES, *more)):
        if number:
            yield ""
        table = TABLES[name]
        where = " (of a store)" if name in more else ""
        yield f"{paint(name, Role.HEADING)}{where}: a row is {table.row}"
        width = max(len(column.name) for column in table.columns)
        for column in table.columns:
            yield f"  {column.name:{width}}  {paint(f'{column.type:9}', Role.FAINT)}  {column.about}"
