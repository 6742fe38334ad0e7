"""Queries of PostgreSQL as sources of a build, asked of a real server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import urlset
from urlset.errors import InputError, MissingExtraError, UrlsetError, UsageError
from urlset.options import BuildOptions
from urlset.options.sources import Query
from urlset.pipeline.build import build

from .judging import BASE, complaints
from .postgres_server import PASSWORD, USER, Server, running
from .test_lists import FORBIDDEN, ROBOTS, built

TABLES = (
    "CREATE TYPE mood AS ENUM ('daily', 'weekly')",
    """CREATE TABLE pages (id integer, slug text, changed timestamptz, day date, plain timestamp, weight numeric(3, 1),
                           often mood, pictures text[], title varchar(20))""",
    """INSERT INTO pages VALUES
        (1, '/a', '2025-11-14 23:30:00+02', '2025-11-14', '2025-11-14 12:00', 0.5, 'daily', '{}', 'A & B'),
        (2, 'https://example.com/b', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
        (3, '/ä ö', '2025-11-15 00:30:00+02', '2024-02-29', '2024-02-29 00:00', 1.0, 'weekly',
         '{https://example.com/1.png,https://example.com/2.png}', '')""",
    "CREATE TABLE many AS SELECT '/page/' || n AS url, date '2025-01-01' + n % 300 AS lastmod "
    "FROM generate_series(1, 120000) n",
)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running() as server:
        server.run(*TABLES)
        yield server


A, B, C = f"{BASE}a", f"{BASE}b", f"{BASE}%C3%A4%20%C3%B6"

ROWS = {
    "timestamptz": ("SELECT slug AS loc, changed AS lastmod FROM pages ORDER BY id",
                    [{"loc": A, "lastmod": "2025-11-14"}, {"loc": B}, {"loc": C, "lastmod": "2025-11-14"}]),
    "date": ("SELECT slug AS url, day AS lastmod FROM pages ORDER BY id",
             [{"loc": A, "lastmod": "2025-11-14"}, {"loc": B}, {"loc": C, "lastmod": "2024-02-29"}]),
    "timestamp": ("SELECT slug AS url, plain AS updated_at FROM pages WHERE plain IS NOT NULL ORDER BY id",
                  [{"loc": A, "lastmod": "2025-11-14"}, {"loc": C, "lastmod": "2024-02-29"}]),
    "numeric and enum": ("SELECT slug AS loc, weight AS priority, often AS changefreq FROM pages ORDER BY id",
                         [{"loc": A, "priority": "0.5", "changefreq": "daily"}, {"loc": B},
                          {"loc": C, "priority": "1.0", "changefreq": "weekly"}]),
    "its own SQL": ("WITH x AS (SELECT DISTINCT ON (often) slug, id FROM pages WHERE slug ~* '^/[A-B]' LIMIT 1) "
                    "SELECT format('%s#%s', slug, id)::varchar(2) AS loc FROM x -- of two letters", [{"loc": A}]),
    "none": ("SELECT slug AS loc FROM pages WHERE false ;\n", []),
}  # fmt: skip


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("sql", "expected"), ROWS.values(), ids=ROWS)
def test_rows_are_entries(tmp_path: Path, server: Server, sql: str, expected: list[dict[str, str]]) -> None:
    report, entries = built(tmp_path, Query(sql=sql, database=server.url()))
    assert entries == expected
    assert report.summary.refused == {}
    assert [one for one in complaints(tmp_path / "out") if one[0] != "STR012"] == []


def test_images_are_an_array_and_defaults_fill_in(tmp_path: Path, server: Server) -> None:
    sql = "SELECT slug AS loc, pictures AS images, title FROM pages ORDER BY id"
    source = Query(sql=sql, database=server.url(), defaults={"priority": 0.3}, path_prefix="/shop/")
    report, entries = built(tmp_path, source)
    assert [entry["loc"] for entry in entries] == [f"{BASE}shop/a", B, f"{BASE}shop/%C3%A4%20%C3%B6"]
    assert {entry["priority"] for entry in entries} == {"0.3"}
    assert report.summary.files[0].images == 2
    assert report.notes == (
        f"the query of postgresql://127.0.0.1:{server.port}/postgres: unused columns, which are not fields of an "
        "entry: title",
    )


@pytest.mark.long("slow cases")
def test_rows_come_in_more_than_one_batch_and_twice_where_robots_is_asked(tmp_path: Path, server: Server) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(ROBOTS)
    urls = ", ".join(f"('{url}')" for url in FORBIDDEN)
    sql = f"SELECT url AS loc FROM many UNION ALL SELECT * FROM (VALUES {urls}) AS forbidden"
    report, entries = built(tmp_path, Query(sql=sql, database=server.url()), robots=robots)
    assert len(entries) == 120_000
    assert report.left_out == {"robots": len(FORBIDDEN)}
    assert [file.entries for file in report.summary.parts] == [50_000, 50_000, 20_000]


def test_a_lastmod_is_explained(tmp_path: Path, server: Server) -> None:
    from urlset.options.building import BuildSpec, Site

    source = Query(sql="SELECT slug AS loc, day AS lastmod FROM pages", database=server.url())
    spec = BuildSpec(sites=(Site(base_url=BASE, out=str(tmp_path), sources=(source,)),))
    report, _ = build(spec, BuildOptions(dry_run=True, explain_lastmod=A))
    assert report.explained is not None
    assert str(report.explained.value) == "2025-11-14"


@pytest.mark.long("slow cases")
def test_the_same_rows_make_the_same_bytes(tmp_path: Path, server: Server) -> None:
    source = Query(sql="SELECT url AS loc, lastmod FROM many ORDER BY url", database=server.url())
    first, _ = built(tmp_path, source)
    again, _ = built(tmp_path, source)
    assert not any(file.changed for file in again.summary.files)
    assert first.summary.written == again.summary.written == 120_000


WRONG: dict[str, tuple[str, type[UrlsetError], str]] = {
    "no such table": ("SELECT * FROM nothing", InputError, r'cannot be run: ERROR: relation "nothing" does not exist$'),
    "no such column": ("SELECT nothing FROM pages", InputError, r'ERROR: column "nothing" does not exist$'),
    "wrong SQL": ("SELEC 1", InputError, r'ERROR: syntax error at or near "SELEC"$'),
    "no SQL": (" ", UsageError, "must be a single SELECT"),
    "no SELECT": ("SET work_mem = '1MB'", UsageError, "must be a single SELECT"),
    "two statements": ("SELECT slug AS loc FROM pages; SELECT 1", InputError, "multiple commands"),
    "no URLs": ("SELECT id FROM pages", UsageError, "no column loc or url; columns: id"),
    "an error in a later row": ("SELECT '/' || 1 / (90000 - n) AS loc FROM generate_series(1, 100000) n", InputError,
                                r"cannot be read: ERROR: division by zero$"),
    "records in JSON": ("SELECT slug AS loc, '[]'::jsonb AS videos FROM pages", UsageError, "'videos' has JSON"),
    "what writes": ("DROP TABLE pages", InputError, "cannot execute DROP TABLE in a read-only transaction"),
    "what writes and has rows": ("DELETE FROM pages RETURNING slug AS loc", InputError, "in a read-only transaction"),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("sql", "error", "message"), WRONG.values(), ids=WRONG)
def test_wrong_queries(tmp_path: Path, server: Server, sql: str, error: type[UrlsetError], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        built(tmp_path, Query(sql=sql, database=server.url()))
    assert PASSWORD not in str(caught.value)
    assert f"postgresql://127.0.0.1:{server.port}/postgres" in str(caught.value) or error is UsageError
    assert not (tmp_path / "out" / "sitemap.xml").exists()
    _, entries = built(tmp_path, Query(sql="SELECT slug AS loc FROM pages", database=server.url()))
    assert len(entries) == 3


# The part of each address that must not be shown, whatever libpq takes it for.
REFUSED = {
    "wrong password": ("postgresql://{user}:wr0ng@127.0.0.1:{port}/postgres", InputError, "authentication failed"),
    "no such database": ("postgresql://{user}:{password}@127.0.0.1:{port}/none", InputError, '"none" does not exist'),
    "server down": ("postgresql://{user}:{password}@127.0.0.1:1/postgres", InputError, "refused; Is the server"),
    "unknown parameter": ("postgresql://{user}@127.0.0.1:{port}/postgres?passwrod=wr0ng", InputError, "passwrod"),
    "@ in the password": ("postgresql://{user}:x@wr0ng@127.0.0.1:{port}/postgres", UsageError, "as %40"),
    "/ in the password": ("postgresql://{user}:wr0ng/x@127.0.0.1:{port}/postgres", UsageError, "as %40"),
    "% in the password": ("postgresql://{user}:wr0ng%zz@127.0.0.1:{port}/postgres", UsageError, "as %40"),
    "space in the password": ("postgresql://{user}:wr0ng x@127.0.0.1:{port}/postgres", UsageError, "as %40"),
    "password without name": ("postgresql://127.0.0.1:{port}/postgres?wr0ng", UsageError, "as %40"),
    "password as parameter": ("postgresql://{user}@127.0.0.1:{port}/none?password=wr0ng", InputError, "authentication"),
    "password with = in it": ("postgresql://127.0.0.1/x?password=a=wr0ng", UsageError, "as %40"),
}  # fmt: skip


@pytest.mark.parametrize(("address", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_addresses_that_lead_nowhere(
    tmp_path: Path, server: Server, address: str, error: type[UrlsetError], message: str
) -> None:
    database = address.format(user=USER, password=PASSWORD, port=server.port)
    with pytest.raises(error, match=message) as caught:
        built(tmp_path, Query(sql="SELECT 1", database=database))
    shown = f"{caught.value!r} {caught.value.__cause__!r}"
    assert "wr0ng" not in shown
    assert PASSWORD not in shown


def test_the_password_may_come_from_the_environment(
    tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    database = f"postgresql://{USER}@127.0.0.1:{server.port}/postgres"
    _, entries = built(tmp_path, Query(sql="SELECT slug AS loc FROM pages", database=database))
    assert len(entries) == 3


def test_the_command_asks_a_server(tmp_path: Path, server: Server) -> None:
    command = [sys.executable, "-m", "urlset", "build", "--query", "SELECT slug AS loc FROM pages ORDER BY id"]
    command += ["--database", server.url(), "--base-url", BASE, "--out", str(tmp_path / "out")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert PASSWORD not in ended.stdout
    assert [entry.loc for entry in urlset.read(tmp_path / "out" / "sitemap.xml")] == [A, B, C]


def test_the_driver_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'urlset\[postgres\]'"):
        built(tmp_path, Query(sql="SELECT 1", database="postgresql://h/d"))
