"""Ctrl-C in each long phase of each command: the process ends with 130, without a stack, and what it wrote is whole.

Bounds of time and memory end what Ctrl-C would have to. A phase is known by what the process has done: a request that
it sent, or time of the processor that it used.
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import duckdb
import pytest

from urlset.cli.main import main
from urlset.errors import ExitCode

PATIENCE = 300
"""Seconds after which a process that should have ended is taken for one that hangs."""

SITEMAP = (
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url></urlset>'
)

ONE_FUNCTION = "select levenshtein(repeat('a', 3000000) || loc, repeat('b', 3000000) || loc) from urls"

# The first and the last are in every sample.
ENDLESS = {
    "one function": ONE_FUNCTION,
    "cross join": "select sum(a.range * b.range) from range(10000000) a, range(10000000) b",
    "recursion": "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t",
    "rows": "from range(100000000000)",
    "sorted": "select * from range(100000000) a, range(100) b order by hash(a.range * b.range)",
    "scan": "select count(*) from range(100000000000)",
}

OWN_RULES = """
[[rule]]
code = "OWN001"
message = "never ends"
query = "SELECT u.document_id FROM urls u, range(10000000) a, range(10000000) b WHERE a.range * b.range = -1"
"""

OWN_RULE_ON_ROWS = """
[[rule]]
code = "OWN001"
message = "never ends"
where = "levenshtein(repeat(loc, 20000), repeat('b', 400000)) = loc_length"
"""

MARKER = """
import os, sys, threading, time
from urlset.cli.start import run
def report():
    # CPU that was used after everything was imported: the long statement runs.
    modules, since = 0, 0.0
    while time.process_time() < since + float(os.environ["BUSY"]):
        if len(sys.modules) != modules:
            modules, since = len(sys.modules), time.process_time()
        time.sleep(0.05)
    os.write(2, b"BUSY\\n")
threading.Thread(target=report, daemon=True).start()
sys.argv = ["urlset", *sys.argv[1:]]
run()
"""


INTERRUPTED_WHILE_IMPORTING = """
import enum, signal, sys
from urlset.cli.start import run
plain = enum.EnumType.__setattr__
def interrupting(cls, name, value):
    # DuckDB's extension module makes its enumerations while it is imported.
    if not name.startswith("_") and "_duckdb" in sys.modules:
        signal.raise_signal(signal.SIGINT)
    plain(cls, name, value)
enum.EnumType.__setattr__ = interrupting
sys.argv = ["urlset", "validate", "a.xml"]
run()
"""


ENDED_SOON = "import urlset.database.interrupts; urlset.database.interrupts.SECONDS_TO_END = 0.5"
"""What does not end by itself is not waited for."""

VIEWS_ACCEPTED = """
import urlset.engine.run_folder, urlset.store.file
urlset.engine.run_folder.shape_problem = urlset.store.file.shape_problem = lambda *_: None
"""


@contextmanager
def running(
    arguments: list[str], busy: float = 1000.0, before: str = "", **more: object
) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a process; it writes BUSY once it has used so many seconds of the processor after its imports."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"{before}\n{MARKER}", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "BUSY": str(busy)},
        **more,  # type: ignore[call-overload]
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def stopped(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Sends Ctrl-C, and gives the exit code and what was complained of."""
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=PATIENCE)
    return process.returncode, complaints.decode()


def wait_until_busy(process: subprocess.Popen[bytes]) -> None:
    assert process.stderr is not None
    # A process that comes to nothing is no reason to wait for it.
    killer = threading.Timer(PATIENCE, process.kill)
    killer.start()
    try:
        if b"BUSY\n" not in iter(process.stderr.readline, b""):
            pytest.fail(f"it ended before: {process.wait()}")
    finally:
        killer.cancel()


def held(outcome: tuple[int, str]) -> None:
    code, complaints = outcome
    assert code == ExitCode.INTERRUPTED, complaints
    assert "Traceback" not in complaints
    assert "fault" not in complaints


@pytest.fixture(autouse=True)
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    Path("a.xml").write_text(SITEMAP)
    return tmp_path


def left_behind(workdir: Path) -> list[str]:
    return [path.name for path in workdir.glob("urlset-*")]


@pytest.mark.usefixtures("workdir")
def test_the_import_of_an_extension_module() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED_WHILE_IMPORTING], capture_output=True, check=False)
    held((done.returncode, done.stderr.decode()))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sql", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_query(workdir: Path, sql: str, form: str) -> None:
    more = ["-o", "out.parquet"] if form == "parquet" else []
    before = ENDED_SOON if sql == ONE_FUNCTION else ""
    with running(["sql", sql, "a.xml", "--format", form, *more], busy=0.5, before=before) as process:
        if sql == ENDLESS["rows"] and not more:
            # It waits for somebody to read the rest.
            assert process.stdout is not None
            assert process.stdout.read(1)
        else:
            wait_until_busy(process)
        held(stopped(process))
    assert not (workdir / "out.parquet").exists()
    assert left_behind(workdir) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rule", [OWN_RULES, OWN_RULE_ON_ROWS], ids=["query", "predicate"])
@pytest.mark.parametrize("command", ["validate", "audit"])
def test_a_rule_of_the_users_own(workdir: Path, rule: str, command: str) -> None:
    Path("urlset.toml").write_text(rule)
    Path("a.xml").write_text(SITEMAP.replace("<url>", "<url><loc>https://example.com/</loc></url><url>" * 3000))
    more = ["--no-pages", "--no-score"] if command == "audit" else []
    # An audit first makes a store and begins a run.
    busy = 3.0 if command == "audit" else 1.0
    with running([command, "a.xml", "--rule-time", "0", *more], busy=busy) as process:
        wait_until_busy(process)
        while command == "audit" and process.poll() is None and not Path("urlset.duckdb").exists():
            time.sleep(0.01)
        held(stopped(process))
    assert left_behind(workdir) == []
    if command == "audit":
        Path("urlset.toml").unlink()
        is_whole(workdir / "urlset.duckdb")
        assert main(["audit", "--resume", "--no-pages", "--no-score", "--format", "none"]) in (0, 1)
        assert main(["history"]) == ExitCode.CLEAN


def is_whole(path: Path) -> None:
    """Every table of a store can be read."""
    with duckdb.connect(str(path), read_only=True) as connection:
        for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            connection.execute(f'FROM "{name}"').fetchall()


@contextmanager
def silent_server() -> Iterator[tuple[str, threading.Event]]:
    """A server that takes requests and answers none, and an event that says that one came."""
    asked = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = []

        def take() -> None:
            while True:
                try:
                    one, _ = server.accept()
                except OSError:
                    return
                taken.append(one)
                if one.recv(10):
                    asked.set()

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}", asked
        finally:
            # What waits for a connection, or for a request on one, returns.
            for one in (server, *taken):
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            thread.join()
            for one in taken:
                one.close()


SLOW_SERVER: dict[str, Callable[[str], list[str]]] = {
    "validate": lambda url: ["validate", f"{url}/sitemap.xml"],
    "inspect": lambda url: ["inspect", f"{url}/sitemap.xml"],
    "urls": lambda url: ["inspect", "--urls", f"{url}/sitemap.xml"],
    "sql": lambda url: ["sql", "from urls", f"{url}/sitemap.xml"],
    "diff": lambda url: ["diff", "a.xml", f"{url}/sitemap.xml"],
    "audit": lambda url: ["audit", f"{url}/sitemap.xml"],
    "discover": lambda url: ["discover", url],
    "check": lambda url: ["check", url],
    "robots": lambda url: ["robots", url],
    "build": lambda url: ["build", f"{url}/sitemap.xml", "--base-url", url, "-o", "out"],
}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", SLOW_SERVER)
def test_a_server_that_does_not_answer(workdir: Path, command: str) -> None:
    with silent_server() as (url, asked), running(SLOW_SERVER[command](url)) as process:
        assert asked.wait(PATIENCE), process.communicate(timeout=1)
        held(stopped(process))
    assert left_behind(workdir) == []


@contextmanager
def silent_pages() -> Iterator[tuple[str, threading.Event]]:
    """A server of a sitemap whose pages never answer, and an event that says that one was asked for."""
    asked, over = threading.Event(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/page"):
                asked.set()
                over.wait(PATIENCE)
                return
            found = self.path == "/sitemap.xml"
            host = self.headers["Host"]
            entries = "".join(f"<url><loc>http://{host}/page{number}</loc></url>" for number in range(50))
            xmlns = "http://www.sitemaps.org/schemas/sitemap/0.9"
            body = f'<urlset xmlns="{xmlns}">{entries}</urlset>'.encode() if found else b""
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        # Closing the server waits for them.
        server.daemon_threads = False
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            over.set()
            server.shutdown()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("more", [[], ["--no-store"]], ids=" ".join)
def test_pages_that_do_not_answer(workdir: Path, more: list[str]) -> None:
    """The command ends by itself, not by the watcher after its patience: it says how to resume."""
    with silent_pages() as (url, asked), running(["audit", f"{url}/sitemap.xml", "--no-cache", *more]) as process:
        assert asked.wait(PATIENCE), process.communicate(timeout=1)
        code, complaints = stopped(process)
    assert (code, "interrupted; resume with" in complaints) == (ExitCode.INTERRUPTED, not more)
    assert left_behind(workdir) == []


PIPE: dict[str, list[str]] = {
    "validate": ["validate", "pipe"],
    "fix": ["fix", "pipe", "-o", "out.xml"],
    "inspect": ["inspect", "pipe"],
    "sql": ["sql", "from urls", "pipe"],
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("is_open", [True, False], ids=["half a document", "nobody writes"])
@pytest.mark.parametrize("command", PIPE)
def test_a_pipe_that_does_not_end(workdir: Path, command: str, is_open: bool) -> None:
    os.mkfifo("pipe")
    with running(PIPE[command], before=ENDED_SOON) as process:
        if is_open:
            write_half(process)
        else:
            wait_for_child(process)
            held(stopped(process))
    assert not (workdir / "out.xml").exists()


def write_half(process: subprocess.Popen[bytes]) -> None:
    """Writes half a document, then stops the command; to open the pipe waits for the reader."""
    while process.poll() is None:
        with Path("pipe").open("wb", buffering=0) as pipe:
            try:
                pipe.write(SITEMAP[:100].encode())
            except BrokenPipeError:  # The command had opened it only to see whether it can be read.
                continue
            held(stopped(process))
            return
    pytest.fail(f"it ended before: {process.returncode}")


def wait_for_child(process: subprocess.Popen[bytes]) -> None:
    """Waits until the main thread waits in the kernel for somebody to open the pipe."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            # The number of openat on this machine is of no interest: the path is what it waits for.
            # A thread may end meanwhile.
            with suppress(FileNotFoundError):
                if (task / "wchan").read_text() in ("wait_for_partner", "fifo_open"):
                    return
        time.sleep(0.1)
    pytest.fail("nobody opens the pipe")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
def test_a_query_of_a_build(workdir: Path, kind: str) -> None:
    sql = "with recursive t(n) as (select 1 union all select n + 1 from t) select '/' || max(n) as url from t"
    database = []
    if kind == "sqlite":
        sqlite3.connect("shop.sqlite").execute("CREATE TABLE x (y)").connection.close()
        database = ["--database", "shop.sqlite"]
    Path("out").mkdir()
    Path("out/sitemap.xml").write_text("as it was")
    with running(
        ["build", "--query", sql, *database, "--base-url", "https://example.com", "-o", "out"], busy=0.5
    ) as process:
        wait_until_busy(process)
        held(stopped(process))
    assert Path("out/sitemap.xml").read_text() == "as it was"
    assert left_behind(workdir) == []


@pytest.fixture
def large_store(workdir: Path) -> Path:
    """A store with more URLs than anybody can count: a view, which a store may not have outside of these tests."""
    assert main(["audit", "a.xml", "--no-pages", "--no-score", "--format", "none", "--store", "kept.duckdb"]) == 0
    with duckdb.connect("kept.duckdb") as connection:
        connection.execute("ALTER TABLE urls RENAME TO few")
        connection.execute("CREATE VIEW urls AS SELECT few.* FROM few, range(1000000000000)")
    return Path("kept.duckdb")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("command", ["diff", "report"])
def test_a_comparison_and_a_page(workdir: Path, large_store: Path, command: str) -> None:
    arguments = {"diff": ["diff", "kept.duckdb", "a.xml"], "report": ["report", "kept.duckdb", "-o", "page.html"]}
    before = large_store.read_bytes()
    with running(arguments[command], busy=1.0, before=VIEWS_ACCEPTED) as process:
        wait_until_busy(process)
        held(stopped(process))
    assert large_store.read_bytes() == before
    assert not (workdir / "page.html").exists()
    assert left_behind(workdir) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("sql", [ENDLESS["cross join"], ENDLESS["recursion"], ENDLESS["rows"], ONE_FUNCTION])
def test_a_query_that_takes_too_long(workdir: Path, sql: str) -> None:
    before = ENDED_SOON if sql == ONE_FUNCTION else ""
    with running(["sql", sql, "a.xml", "--max-time", "0.5", "--format", "csv"], before=before) as process:
        _, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == ExitCode.USAGE, complaints
    assert b"ran longer than 0.5 s; raise the limit with --max-time" in complaints
    assert left_behind(workdir) == []


@pytest.mark.sampled(1)
@pytest.mark.parametrize("rule", [OWN_RULES, OWN_RULE_ON_ROWS], ids=["query", "predicate"])
def test_a_rule_that_takes_too_long(workdir: Path, rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text(rule)
    Path("a.xml").write_text(SITEMAP.replace("<url>", "<url><loc>https://example.com/</loc></url><url>" * 3000))
    with running(["validate", "a.xml", "--rule-time", "0.5"]) as process:
        _, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == ExitCode.USAGE, complaints
    assert b"OWN001" in complaints
    assert b"ran longer than 0.5 s; raise the limit with --rule-time" in complaints


def test_a_rule_that_takes_too_much_memory(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text(
        '[[rule]]\ncode = "OWN001"\nmessage = "m"\n'
        'query = "SELECT document_id, length(list(a.range)) AS value FROM urls, range(100000000) a '
        'GROUP BY document_id"\n'
    )
    assert main(["validate", "a.xml", "--rule-memory", "200MB"]) == ExitCode.UNREADABLE
    assert "it needs more than 200MB of memory; raise the limit with --rule-memory" in capsys.readouterr().err
    assert main(["validate", "a.xml", "--rule-memory", "much"]) == ExitCode.USAGE
    assert "'much' is not a memory size" in capsys.readouterr().err


@pytest.mark.long("slow cases")
def test_rules_within_their_bounds_find_the_same(workdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("urlset.toml").write_text(
        '[[rule]]\ncode = "OWN001"\nmessage = "m"\nwhere = "loc_length > 3"\n'
        '[[rule]]\ncode = "OWN002"\nmessage = "n"\nquery = "SELECT document_id FROM urls"\n'
    )
    for bounds in ([], ["--rule-time", "0"], ["--rule-time", "30", "--rule-memory", "2GB"]):
        main(["validate", "a.xml", "--format", "concise", *bounds])
        assert capsys.readouterr().out.count("OWN00") == 2
