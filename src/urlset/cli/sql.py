"""`urlset sql`: query sitemaps with SQL."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from urlset.cli.command import CommandSpec
from urlset.cli.show import ColorOptions, file_or_stdout, output_option, targets_facts, unnamed_store
from urlset.errors import ExitCode, UsageError
from urlset.options.configuring import ConfiguringOptions
from urlset.options.declare import COMMAND_LINE, Natural, OptionFacts, Panel, Text, option, option_group
from urlset.options.querying import QueryOptions
from urlset.text.sizes import enumeration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from urlset.cli.output import Output
    from urlset.errors import QueryError
    from urlset.options.resolve import ResolvedOptions
    from urlset.pipeline.sql import OpenQuery
    from urlset.report.paint import Paint


class RowsFormat(StrEnum):
    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    PARQUET = "parquet"
    LLM = "llm"


@option_group
class Options(QueryOptions, ColorOptions, ConfiguringOptions):
    """Options of `urlset sql`."""

    query: Text | None = option(
        None,
        OptionFacts(
            help="A SELECT in DuckDB's dialect",
            panel=Panel.TARGETS,
            metavar="SQL",
            faces=COMMAND_LINE,
            positional=True,
        ),
    )
    targets: tuple[Text, ...] = option(
        (),
        structs.replace(
            targets_facts(),
            help="Files, directories, http(s) or object store URLs, - for standard input; or a store",
            default_text="urlset.duckdb, or else the store of directories audited from this working directory",
        ),
    )
    tables: bool = output_option(False, "List the tables and their columns, without reading anything")
    format: RowsFormat | None = output_option(
        None, f"Output format: {enumeration([*RowsFormat], 'or')}", "FORMAT", default_text="by --output, else table"
    )
    output: Path | None = output_option(None, "Write to FILE; - for standard output", "FILE", short="o")
    rows: Natural = output_option(40, "Maximum rows of a table to show; 0 for all", "N")


def run(configuration: ResolvedOptions[Options]) -> ExitCode:
    from urlset.cli.output import Output
    from urlset.errors import QueryError

    options = configuration.options
    screen = Output(options.color)
    if options.tables:
        screen.write(_table_lines(screen.paint))
        return ExitCode.CLEAN
    targets = options.targets
    if not targets and (store := unnamed_store()).exists():
        targets = (str(store),)
    if options.query is None or not targets:
        what = "query" if options.query is None else "target"
        raise UsageError(f'{what} missing; use urlset sql "SELECT …" TARGET…, or --tables to list the tables')
    output = file_or_stdout(options.output)
    chosen = options.format or _form_of(output)
    if chosen is RowsFormat.PARQUET and output is None:
        raise UsageError("parquet is a binary format; name a file with --output FILE")
    from urlset.pipeline.sql import open_query
    from urlset.stages.ruleset import check_rules

    check_rules(configuration)
    try:
        # If the query fails, the old file is kept, so the error must pass through.
        with _replacement(output) as file:
            parquet = file if chosen is RowsFormat.PARQUET else None
            with open_query(options.query, targets, options, parquet) as opened_query:
                code = _read(opened_query)
                _write(opened_query, file, chosen, screen, options.rows)
    except QueryError as error:
        _explain(error)
        return error.exit_code
    return code


def _form_of(output: Path | None) -> RowsFormat:
    if output is None:
        return RowsFormat.TABLE
    ending = output.suffix.lower().removeprefix(".")
    try:
        return RowsFormat({"ndjson": "jsonl", "pq": "parquet", "txt": "table"}.get(ending, ending))
    except ValueError:
        raise UsageError(
            f"{output}: the extension does not show the format; add --format csv, json, jsonl or parquet"
        ) from None


def _replacement(output: Path | None) -> AbstractContextManager[Path | None]:
    from urlset.files.publish import replacing

    return nullcontext() if output is None else replacing(output)


def _read(query: OpenQuery) -> ExitCode:
    from urlset.cli.output import complain
    from urlset.cli.progress_bar import ProgressBar
    from urlset.errors import exit_code_for
    from urlset.report.words import skipped_line

    with ProgressBar() as progress:
        unreadable, skipped = query.read(progress)
    for target in unreadable:
        complain(f"{target.target}: {target.reason}")
    if skipped:
        line = skipped_line(skipped).removesuffix(".")
        complain(line[:1].lower() + line[1:])
    return exit_code_for(target.reason for target in unreadable)


def _write(query: OpenQuery, file: Path | None, form: RowsFormat, screen: Output, rows: int) -> None:
    from urlset.report.formats import render

    if form is RowsFormat.PARQUET:
        query.write_parquet()
    elif file is None:
        screen.show("sql", form, query.run(), replace(screen.style, max_rows=rows))
    else:
        # A file has all rows.
        with file.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{line}\n" for line in render("sql", form, query.run()))


def _explain(error: QueryError) -> None:
    """Write the message of the engine line by line, with the mark below the place."""
    from urlset.cli.output import complain, write_error

    first, *more = error.on_command_line.split("\n")
    complain(first)
    for line in more:
        write_error(f"  {line}".rstrip())


def _table_lines(paint: Paint) -> Iterator[str]:
    from urlset.pipeline.sql import tables
    from urlset.report.paint import Role

    for number, (table, is_of_stores) in enumerate(tables()):
        if number:
            yield ""
        where = " (of a store)" if is_of_stores else ""
        yield f"{paint(table.name, Role.HEADING)}{where}: a row is {table.row}"
        width = max(len(column.name) for column in table.columns)
        for column in table.columns:
            yield f"  {column.name:{width}}  {paint(f'{column.type:9}', Role.FAINT)}  {column.about}"


COMMAND = CommandSpec(
    options=Options,
    run=run,
    about="""Query sitemaps with SQL: documents, urls, children, alternates, images, videos, news, anomalies, findings.

    The query is checked before anything is read. It can only read, and only these tables; --allow-files also allows
    files. Several documents are read at a time with limited memory, and only the tables in the query are kept.
    Timestamps are in UTC. The rules run only if the query uses the table findings: the same rules as in `urlset
    validate`, with the same configuration, but without the baseline.

    A store that `urlset audit` wrote can be a target: FILE.duckdb for its newest complete run, FILE.duckdb@3 for run 3.
    It also has tables on pages, robots.txt, and runs; store.urls, store.pages, and so on have the rows of all runs.
    Without a target, the store is read that `urlset pages` reads as well: that of the last audit from this directory.

    In CSV, text that a spreadsheet would evaluate as a formula gets a leading apostrophe; JSON and Parquet values are
    unchanged.""",
    examples=(
        'urlset sql "select host, count(*) from urls group by all order by 2 desc" public/',
        "urlset sql \"select loc from urls where lastmod_at < '2025-01-01'\" sitemap.xml --format csv",
        'urlset sql "select code, document, count from findings where example <= 1" public/',
        'urlset sql "from images" https://example.com/sitemap.xml -o images.parquet',
        'urlset sql "select status, count(*) from pages group by all" urlset.duckdb',
        'urlset sql "select url, reason from pages where not is_indexable"',
        "urlset sql --tables",
    ),
)
