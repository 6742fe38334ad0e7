"""Hostile requests: hosts, frames, cookies, half requests, odd values, and odd uploads."""

from __future__ import annotations

import base64
import errno
import io
import json
import os
import pickle
import shutil
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import httpx2
import pytest
from tests.serve.conftest import Bench, opened, running
from tests.serve.test_jobs import waited

from urlset.database import interrupts
from urlset.errors import ExitCode
from urlset.serve import connection_limits, request_parameters, snapshots, store_reader, user_queries, worker
from urlset.serve.app import Place
from urlset.serve.jobs import JobState
from urlset.sources import SourceKind, sources_of
from urlset.text.sizes import MiB

HOSTS = ["[::1].evil.com", "[::1]evil.com", "[::1]:80.evil.com", "127.0.0.1:80:evil.com", "127.0.0.1:evil.com",
         "localhost:80@evil.com", "a@localhost", "localhost/evil.com", "localhost evil.com", "[localhost]", "[::1",
         "::1", ":80", "127.0.0.1:", "[127.0.0.1].evil.com"]  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_taken_as_a_whole(bench: Bench, tmp_path: Path, host: str) -> None:
    """Also on a shared server, which answers to every IP address."""
    assert bench.client.get("/login", headers={"host": host}).status_code == 421
    with opened(tmp_path, None, Place("::")) as shared:
        assert shared.client.get("/login", headers={"host": host}).status_code == 421
        assert shared.client.get("/login", headers={"host": "[2001:DB8::1]:8080"}).status_code == 200


@pytest.mark.parametrize("destination", ["iframe", "frame", "embed", "object", "fencedframe", "image", "empty"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_frame_of_another_site_is_refused(bench: Bench, destination: str, site: str) -> None:
    headers = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": destination}
    for address in ("/", "/sql?q=select+1", "/runs/2/report"):
        response = bench.client.get(address, headers=headers)
        assert response.status_code == 403
        assert response.headers["x-frame-options"] == "DENY"
    # The frames of its own pages would be of the same origin.
    assert bench.client.get("/", headers={**headers, "sec-fetch-site": "same-origin"}).status_code == 200


@pytest.mark.parametrize("form", ["", "&as=csv", "&as=parquet", "&view=chart"])
def test_a_link_of_another_site_enters_a_query_and_does_not_run_it(bench: Bench, form: str) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    address = f"/sql?q=select+6*7+as+answer{form}"
    text = bench.client.get(address, headers=link).text
    assert "select 6*7 as answer</textarea>" in text
    assert "answer</th>" not in text
    assert "42" in bench.client.get("/sql?q=select+6*7+as+answer").text


def test_two_servers_on_one_host_keep_their_sessions(tmp_path: Path) -> None:
    """Browsers send cookies to all ports of a host."""
    with ExitStack() as stack, httpx2.Client() as browser:
        addresses = []
        for number in (1, 2):
            folder = tmp_path / str(number)
            folder.mkdir()
            access = Place("0.0.0.0").access(f"-{number}")
            bench = stack.enter_context(opened(folder, None, Place("0.0.0.0"), access=access))
            addresses.append(stack.enter_context(running(bench)))
            assert browser.get(f"{addresses[-1]}/login?token={access.token}").status_code == 303
        assert [browser.get(f"{address}/").status_code for address in addresses] == [200, 200]
        assert len(browser.cookies) == 4


def half(address: str, text: str) -> socket.socket:
    """Send half of a request."""
    client = socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=10)
    client.sendall(text.encode())
    return client


def is_ended(client: socket.socket) -> bool:
    """Return whether a server has ended a connection, or wait for it to send something."""
    try:
        return client.recv(65_536) == b""
    except TimeoutError:
        raise
    except OSError:
        return True


HEAD = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
BODY = "POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\nContent-Type: {}\r\n\r\na"
HALVES = [
    "",
    "G",
    HEAD,
    BODY.format("application/x-www-form-urlencoded"),
    BODY.format("multipart/form-data; boundary=x"),
]


@pytest.mark.parametrize("limit", ["MAX_OF_ADDRESS", "MAX_CONNECTIONS"])
def test_half_requests_lock_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """A connection too many ends the one that has sent nothing for the longest time."""
    monkeypatch.setattr(connection_limits, limit, 10)
    with opened(tmp_path, None, Place("0.0.0.0")) as bench, running(bench) as address, ExitStack() as stack:
        first = stack.enter_context(half(address, HEAD))
        clients = [stack.enter_context(half(address, HALVES[number % len(HALVES)])) for number in range(100)]
        with httpx2.Client() as browser:
            assert [browser.get(f"{address}/login").status_code for _ in range(3)] == [200, 200, 200]
        assert is_ended(first)
        clients[-3].sendall(b"x")
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("text", HALVES[1:])
def test_a_half_request_ends_after_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stack: ExitStack, text: str
) -> None:
    """However often a few more bytes arrive, and also after a complete request on the same connection."""
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(connection_limits, "BODY_SECONDS", 0.3)
    complete = "GET /login HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    bench = stack.enter_context(opened(tmp_path, None, Place("0.0.0.0")))
    client = stack.enter_context(half(stack.enter_context(running(bench)), complete))
    assert client.recv(65_536).startswith(b"HTTP/1.1 200 OK")
    client.sendall(text.encode())
    client.settimeout(0.02)
    ends = time.monotonic() + 10
    while True:
        try:
            if is_ended(client):
                break
        except TimeoutError:
            assert time.monotonic() < ends
            client.sendall(b"a")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What ends with the test."""
    with ExitStack() as resources:
        yield resources


def begin(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


BEGINS = [
    begin([[{"a": 1}, 1], 0]),
    begin([[[1], 1], 0]),
    begin([["x", -1], 0]),
    begin([["x", 2**70], 0]),
    begin([["x", 1.5], 0]),
    begin([None, -1]),
    begin([None, 2**63]),
    begin({}),
    begin([]),
    begin("ab"),
    "!!",
    "e30",
    "é",
]


@pytest.mark.parametrize("value", BEGINS)
def test_an_odd_place_in_a_table_is_refused(bench: Bench, value: str) -> None:
    for address in ("/explore/urls?run=2&sort=loc&begin=", "/explore/urls?begin="):
        response = bench.client.get(f"{address}{value}")
        assert response.status_code == 400
        assert "start at the first page" in response.text


@pytest.mark.parametrize("place", [(None, 0), (("x", 2**63 - 1), 0), ((-1.5, 1), 2), ((2**63, 1), 0), ((None, 1), 5)])
def test_a_place_in_a_table_is_read_as_it_was_written(place: tuple[tuple[object, int] | None, int]) -> None:
    assert request_parameters.begin_of(request_parameters.begin_text(place)) == place


@pytest.mark.parametrize("number", ["9" * 19, "9" * 5_000, "-1", "1.0", "0x1", "٣"])
@pytest.mark.parametrize("address", ["/runs/{}", "/runs/{}/pages", "/jobs/{}", "/jobs/{}/events"])
def test_an_odd_number_is_not_found(bench: Bench, address: str, number: str) -> None:
    assert bench.client.get(address.format(number)).status_code == 404


def test_values_that_memory_has_no_room_for_are_refused(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with 160 MB and titles of 10 MB."""
    monkeypatch.setattr(snapshots, "MEMORY", "16MB")
    store = Path(shutil.copyfile(made, tmp_path / "urlset.duckdb"))
    with duckdb.connect(store) as connection:
        connection.execute("UPDATE pages SET title = url || repeat('x', 3_000_000)")
    with opened(tmp_path, None) as bench:
        for address in ("/explore/pages?run=2&columns=title", "/explore/pages?run=2&sort=title"):
            assert "too large for the memory" in bench.page(address, 400)
        assert "Run 2" in bench.page("/runs")


@pytest.mark.skipif(os.name == "nt", reason="a program of a shell")
def test_a_query_whose_process_ends_shows_no_traceback(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The log of the server has it, without what could steer a terminal."""
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nprintf 'Traceback\\033[2J' >&2\nexit 1\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(program))
    text = bench.page("/sql?q=select+1", 400)
    assert "the query was stopped; the log of the server may say why" in text
    assert "Traceback" not in text
    assert "Traceback\\u{1b}[2J\n" in capfd.readouterr().err


def test_a_query_on_a_full_disk_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    content = pickle.dumps(user_queries.Query("select 1", Path("x"), 1, user_queries.QueryForm.CSV, Path("y")))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    monkeypatch.setattr(interrupts, "end_on_interrupt", lambda: None)
    monkeypatch.setattr(user_queries, "answer", full)
    assert user_queries.main() == ExitCode.USAGE
    assert capsys.readouterr().err == "the result cannot be written: no space left on device\n"


def test_a_job_without_room_for_its_copy_says_how_much_it_needs(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10 * MiB))
    assert uploaded(own, "a.txt").status_code == 303
    job = waited(own, 1)
    assert job.state is JobState.FAILED
    assert (job.message or "").startswith("not enough disk space next to the store: 10 MiB free, 2")


# Uploads.


def uploaded(bench: Bench, *names: str) -> Any:
    """Upload files of these names."""
    content = b"https://www.example.com/\n"
    files = [("files", (name, content)) for name in names]
    form = {"token": bench.token(), "kind": "validate"}
    return bench.client.post("/jobs", data=form, files=files, follow_redirects=False)


def test_an_upload_named_as_standard_input_is_read(own: Bench) -> None:
    """It would wait for the server, and all later jobs for it."""
    assert uploaded(own, "-").status_code == 303
    assert uploaded(own, "-/-", "-/a.txt").status_code == 303
    for number in (1, 2):
        job = waited(own, number)
        assert job.state is JobState.FINISHED, job
        with own.server.snapshots.current() as snapshot:
            assert (store_reader.run_of(snapshot, job.run).urls or 0) >= 1


@pytest.mark.parametrize(
    ("names", "target"),
    [(("-",), "./-"), (("-", "a.txt"), "."), (("-a",), "-a"), (("~",), "~"), (("example.com",), "example.com")],
)
def test_an_upload_is_the_target_of_its_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        Path(name).touch()
    assert worker._upload() == target
    # It is never a URL, or standard input, whatever its name.
    sources = list(sources_of(target))
    assert all(source.kind is SourceKind.PATH for source in sources)


@pytest.mark.parametrize(
    "names",
    [
        ("a", "a/b.xml"),
        ("a/b.xml", "a"),
        ("a", "a"),
        ("a/../b",),
        ("/".join("x" * 250 for _ in range(30)) + "/a.xml",),
        ("x" * 256,),
        ("é" * 200,),
        ("..",),
        (".",),
    ],
)
def test_uploads_that_cannot_be_stored_are_refused(own: Bench, names: tuple[str, ...]) -> None:
    response = uploaded(own, *names)
    assert response.status_code == 400
    assert own.server.jobs.list() == []


def full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, "No space left on device")


Full = Callable[[pytest.MonkeyPatch], None]
FULL: dict[str, Full] = {
    "while an upload is written": lambda patch: patch.setattr(Path, "open", full),
    "when the folder is made": lambda patch: patch.setattr(Path, "mkdir", full),
    "when the state is stored": lambda patch: patch.setattr(os, "fsync", full),
    "when a query needs a file": lambda patch: patch.setattr("urlset.serve.user_queries.Scratch", full),
}


@pytest.mark.parametrize("name", FULL)
def test_a_full_disk_is_said(own: Bench, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    token = own.token()
    with monkeypatch.context() as patched:
        FULL[name](patched)
        if "query" in name:
            response = own.client.get("/sql?q=select+1")
        else:
            response = own.client.post(
                "/jobs", data={"token": token, "kind": "validate"}, files=[("files", ("a.xml", b"a"))]
            )
        assert response.status_code in (400, 507)
        assert "no space left on device" in response.text
    assert own.server.jobs.list() == []
    assert uploaded(own, "a.txt").status_code == 303
    assert waited(own, own.server.jobs.list()[0].id).state is JobState.FINISHED
