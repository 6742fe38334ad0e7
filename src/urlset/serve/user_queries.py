"""Runs the SQL of users in a process of its own, which its limits and the server can end."""

from __future__ import annotations

import asyncio
import pickle
import sys
from contextlib import asynccontextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from urlset.errors import ExitCode, UrlsetError, UsageError, reason_of
from urlset.files.scratch import Scratch
from urlset.processes.children import child_environment, module_command
from urlset.text.safe import safe

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.requests import Request

MAX_SECONDS = 30.0
"""Time limit of a query."""

MAX_QUERIES = 2
"""Maximum queries at the same time; others wait."""

MAX_WAITING = 20
"""Maximum queries that wait or run."""

MAX_SHOWN = 1_000
"""Maximum rows to show; files have all rows."""

BETWEEN = 0.2
"""Seconds between two checks whether the client still waits."""


class QueryForm(StrEnum):
    """The form of the result of a query."""

    SHOWN = "shown"
    CSV = "csv"
    JSON = "json"
    JSONL = "jsonl"
    PARQUET = "parquet"
    XLSX = "xlsx"


MEDIA_TYPES = {
    QueryForm.CSV: "text/csv; charset=utf-8",
    QueryForm.JSON: "application/json",
    QueryForm.JSONL: "application/x-ndjson",
    QueryForm.PARQUET: "application/vnd.apache.parquet",
    QueryForm.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class Query(Struct):
    """A query.

    Attributes:
        sql: The SELECT.
        store: The store.
        run: The run.
        form: What it results in.
        path: The file for it.
        seconds: Its time limit.
    """

    sql: str
    store: Path
    run: int
    form: QueryForm
    path: Path
    seconds: float = MAX_SECONDS


class ShownRows(Struct):
    """The rows of a query to show, as values that JSON can have.

    Attributes:
        columns: Their columns.
        types: The types of the columns.
        rows: The first rows.
        is_all: Whether these are all rows.
    """

    columns: list[str]
    types: list[str]
    rows: list[list[Any]]
    is_all: bool


class CanceledError(Exception):
    """The client no longer waits for the result."""


class Queries:
    """Runs queries, a few at a time."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(MAX_QUERIES)
        self._waiting = 0

    @asynccontextmanager
    async def result(self, request: Request, sql: str, store: Path, run: int, form: QueryForm) -> AsyncIterator[Path]:
        """Yield the file with the result of a query.

        Raises:
            UsageError: The SQL is wrong, a limit is reached, or too many queries wait.
            CanceledError: The client has gone.
        """
        if self._waiting >= MAX_WAITING:
            raise UsageError("too many queries run; try again in a minute")
        self._waiting += 1
        try:
            with Scratch() as scratch:
                path = scratch.path / "result"
                async with self._room:
                    await _run(Query(sql, store, run, form, path, MAX_SECONDS), request)
                yield path
        finally:
            self._waiting -= 1


async def _run(query: Query, request: Request) -> None:
    process = await asyncio.create_subprocess_exec(
        *module_command("urlset.serve.user_queries"),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env=child_environment(), start_new_session=True,
    )  # fmt: skip
    exchange = asyncio.create_task(process.communicate(pickle.dumps(query)))
    try:
        while not (await asyncio.wait({exchange}, timeout=BETWEEN))[0]:
            if await request.is_disconnected():
                raise CanceledError
        _, complaint = exchange.result()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        exchange.cancel()
    if process.returncode == ExitCode.USAGE:
        raise UsageError(complaint.decode("utf-8", "replace").strip())
    if process.returncode != ExitCode.CLEAN:
        sys.stderr.writelines(f"{safe(line)}\n" for line in complaint.decode("utf-8", "replace").splitlines())
        raise UsageError("the query was stopped; the log of the server may say why")


def main() -> int:
    """Run the query on standard input."""
    from urlset.database.interrupts import end_on_interrupt

    query: Query = pickle.load(sys.stdin.buffer)
    # A few functions of DuckDB cannot be stopped otherwise than with their process.
    end_on_interrupt()
    try:
        answer(query)
    except UrlsetError as error:
        sys.stderr.write(f"{getattr(error, 'reason', None) or error}\n")
        return ExitCode.USAGE
    except OSError as error:
        sys.stderr.write(f"the result cannot be written: {reason_of(error)}\n")
        return ExitCode.USAGE
    return ExitCode.CLEAN


def answer(query: Query) -> None:
    """Write the result of a query to its file.

    Raises:
        UrlsetError: The SQL is wrong, or a limit is reached.
    """
    from itertools import islice

    from urlset.model.json_values import plain_value
    from urlset.options.querying import QueryOptions
    from urlset.pipeline.sql import open_query
    from urlset.report.formats import render
    from urlset.serve.worksheet import write_xlsx

    parquet = query.path if query.form is QueryForm.PARQUET else None
    options = QueryOptions(max_time=query.seconds)
    with open_query(query.sql, [f"{query.store}@{query.run}"], options, parquet) as opened_query:
        if parquet is not None:
            opened_query.write_parquet()
            return
        result = opened_query.run()
        if query.form is QueryForm.SHOWN:
            rows = [list(map(plain_value, row)) for row in islice(result.rows, MAX_SHOWN + 1)]
            display = ShownRows(list(result.columns), list(result.types), rows[:MAX_SHOWN], len(rows) <= MAX_SHOWN)
            query.path.write_bytes(msgspec.json.encode(display))
        elif query.form is QueryForm.XLSX:
            write_xlsx(query.path, result)
        else:
            with query.path.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(f"{line}\n" for line in render("sql", query.form, result))


if __name__ == "__main__":
    # The classes of `__main__` are others than those of a query from the server.
    from urlset.serve import user_queries

    sys.exit(user_queries.main())
