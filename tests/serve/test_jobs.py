"""Jobs: from an address or files to a run, progress, cancel, resume, limits, and a server that is killed."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

import urlset
from urlset.serve import jobs, request_parameters
from urlset.serve.jobs import Job, JobState, Limits

from .conftest import SITE, WORDS, Bench, opened, site

PAGES = 80
PATIENCE = 60.0
"""Seconds that a job may take on a busy machine."""


class SlowSite:
    """A site on the loopback network whose pages wait until they are released.

    Attributes:
        requests: The number of requests of each path.
        released: Set when pages need not wait.
        most: Pages that are answered at once.
        seconds: How long each of the others waits.
    """

    def __init__(self, most: int, seconds: float = PATIENCE) -> None:
        self.seconds = seconds
        self.requests: Counter[str] = Counter()
        self.released = threading.Event()
        self.most = most

    @contextmanager
    def serving(self) -> Iterator[str]:
        """Serve it, and yield its origin."""
        own = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                own.requests[self.path] += 1
                origin = f"http://{self.headers['host']}"
                kind, status = "text/html", 200
                if self.path == "/robots.txt":
                    kind, text = "text/plain", f"Sitemap: {origin}/sitemap.xml\n"
                elif self.path == "/sitemap.xml":
                    kind = "application/xml"
                    entries = "".join(f"<url><loc>{origin}/p{number}</loc></url>" for number in range(PAGES))
                    text = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
                elif self.path.startswith("/p"):
                    if sum(count for path, count in own.requests.items() if path.startswith("/p")) > own.most:
                        own.released.wait(own.seconds)
                    text = f"<!DOCTYPE html><title>{self.path}</title><p>{self.path} {WORDS}"
                else:
                    status, text = 404, "none"
                content = text.encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)
                except OSError:
                    return

            def log_message(self, *_: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            self.released.set()
            server.shutdown()
            server.server_close()


def waited(bench: Bench, number: int, *states: JobState) -> Job:
    """Return a job when it is in one of these states."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        job = bench.server.jobs.get(number)
        assert job is not None
        if job.state in (states or (JobState.FINISHED, JobState.FAILED)):
            return job
        time.sleep(0.05)
    raise AssertionError(job)


PRIVATE = Limits(allow_private=True)


def test_from_an_address_to_the_pages_that_cannot_be_indexed(tmp_path: Path) -> None:
    """Without a store, in two requests of a browser, while another job waits."""
    slow = SlowSite(most=5)
    with slow.serving() as origin, opened(tmp_path, None, limits=PRIVATE) as bench:
        started = bench.post("/jobs", target=origin, kind="audit")
        assert started.headers["location"] == "/jobs/1"
        bench.post("/jobs", target=origin, kind="validate")
        waited(bench, 1, JobState.RUNNING)
        assert bench.server.jobs.get(2).state is JobState.WAITING  # type: ignore[union-attr]
        assert "Running" in bench.page("/jobs/1")
        assert "Waiting for another job" in bench.page("/jobs/2")
        slow.released.set()
        assert waited(bench, 1).run == 1
        assert bench.client.get("/jobs/1", follow_redirects=False).headers["location"] == "/runs/1/pages"
        assert f"All {PAGES} listed pages can be indexed" in bench.page("/runs/1/pages")
        assert waited(bench, 2).run == 2
        assert "No page was requested" in bench.page("/runs/2/pages")
        assert [run.pages for run in urlset.history(tmp_path / "urlset.duckdb")] == [PAGES, 0]
        events = bench.client.get("/jobs/1/events").text
        assert '"state":"finished"' in events
        assert f'"pages":{PAGES}' in events


def test_a_canceled_job_is_resumed_without_requesting_again(tmp_path: Path) -> None:
    slow = SlowSite(0, seconds=0.2)
    with slow.serving() as origin, opened(tmp_path, None, limits=PRIVATE) as bench:
        bench.post("/jobs", target=origin)
        ends = time.monotonic() + PATIENCE
        while sum(slow.requests.values()) < PAGES * 3 / 4 and time.monotonic() < ends:
            time.sleep(0.05)
        bench.post("/jobs/1/cancel")
        assert waited(bench, 1, JobState.CANCELED).is_resumable
        slow.released.set()
        assert not (tmp_path / "urlset.duckdb").exists()
        while bench.server.jobs._processes:
            time.sleep(0.05)
        bench.post("/jobs/1/resume")
        assert waited(bench, 1).run == 1
        again = sum(count > 1 for path, count in slow.requests.items() if path.startswith("/p"))
        assert again < PAGES * 3 / 4
        [run] = urlset.history(tmp_path / "urlset.duckdb")
        assert (run.pages, run.finished_at is not None) == (PAGES, True)


def _serving(folder: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "urlset", "serve", "--port", "0", "--allow-private", "--no-config"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    with server.stdout:
        return server, server.stdout.readline().strip()


def _send(address: str, path: str, **fields: str) -> httpx2.Response:
    """Send a form as a browser does, with the token from a page."""
    with httpx2.Client() as browser:
        token = re.search(r'name="token" value="(\w+)"', browser.get(address).text)
        assert token is not None
        return browser.post(f"{address}{path}", data={"token": token[1], **fields})


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    """The next server can go on with the job; what was stored is not requested again."""
    # So slow that pages are committed several times before the kill.
    slow = SlowSite(0, seconds=0.6)
    with slow.serving() as origin:
        server, address = _serving(tmp_path)
        try:
            assert _send(address, "jobs", target=origin).headers["location"] == "/jobs/1"
            ends = time.monotonic() + PATIENCE
            while sum(slow.requests.values()) < PAGES / 2 and time.monotonic() < ends:
                time.sleep(0.05)
        finally:
            server.send_signal(signal.SIGKILL)
            server.wait()
        slow.released.set()
        server, address = _serving(tmp_path)
        try:
            # It may come from somebody else, so the server asks.
            assert "Interrupted" in httpx2.get(f"{address}jobs/1").text
            assert _send(address, "jobs/1/resume").status_code == 303
            events = httpx2.get(f"{address}jobs/1/events", timeout=PATIENCE).text.split("\n\n")
            job: dict[str, Any] = json.loads([event for event in events if event.startswith("data: ")][-1][6:])
            assert (job["state"], job["run"]) == ("finished", 1), job
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(PATIENCE) == 0
        again = sum(count > 1 for path, count in slow.requests.items() if path.startswith("/p"))
        assert again < PAGES / 2
    assert [run.pages for run in urlset.history(tmp_path / "urlset.duckdb")] == [PAGES]


def test_private_addresses_are_refused_unless_the_terminal_allowed_them(tmp_path: Path) -> None:
    slow = SlowSite(most=100)
    with slow.serving() as origin, opened(tmp_path, None) as bench:
        bench.post("/jobs", target=origin)
        bench.post("/jobs", target=f"{origin}/p1", kind="page")
        job = waited(bench, 1)
        assert job.state is JobState.FAILED
        assert "private" in (job.message or "")
        assert "private" in bench.page("/jobs/1")
        waited(bench, 2)
        assert slow.requests == {}


def _uploads(folder: Path) -> list[tuple[str, tuple[str, bytes]]]:
    return [
        ("files", (f"public/{path.relative_to(folder).as_posix()}", path.read_bytes()))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


@pytest.mark.long("slow cases")
def test_a_folder_is_audited_before_it_is_deployed(own: Bench, tmp_path: Path) -> None:
    public = site(tmp_path / "built", "2027-01-01")
    form = {"token": own.token(), "kind": "audit", "base_url": f"{SITE}/", "target": "ignored"}
    response = own.client.post("/jobs", data=form, files=_uploads(public), follow_redirects=False)
    assert response.status_code == 303, response.text
    job = waited(own, 1)
    assert (job.state, job.run, job.target) == (JobState.FINISHED, 3, "public")
    text = own.page("/runs/3/pages")
    assert "noindex" in text
    assert str(tmp_path) not in text
    assert "lastmod" in own.page("/compare?before=2&after=3")
    assert own.server.snapshots.store.stat().st_nlink <= 2
    # Others can read the store while the workbench runs.
    assert len(urlset.history(own.server.snapshots.store)) == 3


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"target": ""}, "enter an address"),
        ({"target": "/etc/passwd"}, "not a site or URL"),
        ({"target": "file:///etc/passwd"}, "not a site or URL"),
        ({"target": "-"}, "not a site or URL"),
        ({"target": "s3://bucket/sitemap.xml"}, "s3://"),
        ({"target": "example.com", "kind": "delete"}, "kind must be"),
        ({"target": "example.com", "sample": "0"}, "sample"),
        ({"target": "example.com", "kind": "page"}, "not the URL of a page"),
        ({"target": "a\nb.example"}, "line breaks"),
    ],
)
def test_a_job_that_makes_no_sense_is_refused_with_a_reason(bench: Bench, fields: dict[str, str], says: str) -> None:
    response = bench.post("/jobs", **fields)
    assert response.status_code == 400, response.text
    assert says in html.unescape(response.text)
    assert bench.server.jobs.list() == []


@pytest.mark.parametrize(
    "name", ["../evil.xml", "/etc/evil.xml", "a/../../evil.xml", "C:\\evil.xml", "a\\..\\evil", "a\x01b", "x" * 300]
)
def test_an_upload_cannot_leave_its_folder(own: Bench, tmp_path: Path, name: str) -> None:
    token = own.token()
    response = own.client.post("/jobs", data={"token": token}, files=[("files", (name, b"<urlset/>"))])
    if response.status_code == 200:
        # The client may have changed the name; then it is a plain one.
        assert own.server.jobs.list()[0].target.isprintable()
    else:
        assert "relative path" in html.unescape(response.text) or "cannot be stored" in html.unescape(response.text)
        assert own.server.jobs.list() == []
    assert not list(tmp_path.rglob("evil*")) or all("files" in path.parts for path in tmp_path.rglob("evil*"))


def test_uploads_are_bounded(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_parameters, "MAX_UPLOADED", 1_000)
    monkeypatch.setattr(request_parameters, "MAX_FILES", 2)
    many = [("files", (f"{number}.xml", b"a")) for number in range(3)]
    for files in (many, [("files", ("a.xml", b"a" * 1_001))]):
        response = own.client.post("/jobs", data={"token": own.token()}, files=files)
        assert response.status_code == 400
        assert "an upload has at most" in response.text
    assert own.server.jobs.list() == []
    assert not list((own.server.snapshots.store.parent / "state" / "jobs").iterdir())


def test_jobs_are_bounded(own: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_WAITING", 0)
    response = own.post("/jobs", target="example.com")
    assert response.status_code == 400
    assert "wait or run already" in response.text


def test_what_another_program_wrote_meanwhile_is_not_lost(own: Bench, tmp_path: Path) -> None:
    snapshots = own.server.snapshots
    with snapshots.current() as snapshot:
        basis = snapshot.state
    made = tmp_path / "made.duckdb"
    made.write_bytes(snapshots.store.read_bytes())
    os.utime(snapshots.store, (1, 1))
    with pytest.raises(urlset.UrlsetError, match="changed by another program"):
        snapshots.replace(made, basis)


def test_a_request_ends_on_the_state_that_it_began_with(own: Bench, tmp_path: Path) -> None:
    snapshots = own.server.snapshots
    with snapshots.current() as before:
        made = tmp_path / "made.duckdb"
        made.write_bytes(snapshots.store.read_bytes())
        urlset.history(made, keep=1)
        snapshots.replace(made, before.state)
        with snapshots.current() as after:
            with before.reading() as store:
                assert len(store.runs()) == 2
            with after.reading() as store:
                assert len(store.runs()) == 1
        folder = before.path.parent
    assert not folder.exists()


def test_a_check_and_a_page_have_their_results(tmp_path: Path) -> None:
    slow = SlowSite(most=100)
    with slow.serving() as origin, opened(tmp_path, None, limits=PRIVATE) as bench:
        bench.post("/jobs", target=origin, kind="check")
        bench.post("/jobs", target=f"{origin}/p1", kind="page")
        assert waited(bench, 1).state is JobState.FINISHED
        assert "of 1: " in bench.page("/jobs/1")
        assert waited(bench, 2).state is JobState.FINISHED
        assert "can index this page" in bench.page("/jobs/2")
        bench.post("/jobs/1/remove")
        assert [job.id for job in bench.server.jobs.list()] == [2]
        bench.page("/jobs/1", 404)


def test_only_one_server_has_a_store(own: Bench, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    server, address = _serving(folder)
    try:
        assert address.startswith("http://127.0.0.1:")
        command = [sys.executable, "-m", "urlset", "serve", "--port", "0", "--no-config"]
        second = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert "another `urlset serve` has this store" in second.stderr
        taken = [*command[:-1], "--port", address.rstrip("/").rpartition(":")[2], "other.duckdb"]
        third = subprocess.run(taken, cwd=folder, capture_output=True, text=True, check=False)
        assert third.returncode == 2
        assert "address already in use; choose another --port or --address" in third.stderr
        assert not (folder / "other.duckdb.serve").exists()
    finally:
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 130
    assert list(folder.glob("*.serve")) == []


def test_a_server_is_stopped_as_soon_as_it_says_its_address(tmp_path: Path) -> None:
    for number, code in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        server, _ = _serving(tmp_path)
        server.send_signal(number)
        assert server.wait(PATIENCE) == code
        assert list(tmp_path.iterdir()) == []
