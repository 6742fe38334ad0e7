"""Count the requests of three crawlers by URL with one query of DuckDB on its CSV reader.

Usage: python duckdb_logs.py FILE
"""

from __future__ import annotations

import sys

import duckdb

NAMES = ("client", "ident", "user", "time", "zone", "request", "status", "bytes", "referer", "agent")

connection = duckdb.connect()
connection.execute(
    f"""
    CREATE TEMP TABLE crawls AS
    SELECT agent, split_part(request, ' ', 2) AS url, status, count(*) AS hits, sum(try_cast(bytes AS BIGINT)) AS bytes,
        min(strptime(time, '[%d/%b/%Y:%H:%M:%S')) AS first_at, max(strptime(time, '[%d/%b/%Y:%H:%M:%S')) AS last_at
    FROM read_csv($1, delim = ' ', quote = '"', escape = '\\', header = false, auto_detect = false,
        strict_mode = false, ignore_errors = true, columns = {dict.fromkeys(NAMES, "VARCHAR")})
    WHERE agent ILIKE '%googlebot%' OR agent ILIKE '%bingbot%' OR agent ILIKE '%gptbot%'
    GROUP BY ALL
    """,
    [sys.argv[1]],
)
print(connection.execute("SELECT count(*), sum(hits) FROM crawls").fetchall())
