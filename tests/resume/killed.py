"""A site that remembers what it is asked for, and audits of it that are killed and resumed until they end."""

from __future__ import annotations

import math
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import patch

from tests.build.killing import MOMENT, Call, Children

from urlset.cli.main import main
from urlset.store.file import Store
from urlset.store.run import Run

KILLS = "kills of an audit"
"""Subject of tests/tiers.py."""

XML = {"Content-Type": "application/xml"}
HTML = {"Content-Type": "text/html"}


class Site:
    """A site on loopback; `answer` returns status, headers and body for this site, a host and a path."""

    def __init__(self, port: int, answer: Callable[[Site, str, str], tuple[int, dict[str, str], str]]) -> None:
        self.port = port
        self.origin = f"http://127.0.0.1:{port}"
        self.asked: list[str] = []
        self._answer = answer
        self._lock = threading.Lock()

    def forget(self) -> list[str]:
        """Returns the URLs that were requested since the last time."""
        with self._lock:
            asked, self.asked = self.asked, []
        return asked

    def answer(self, host: str, path: str) -> tuple[int, dict[str, str], str]:
        """Returns status, headers and body."""
        with self._lock:
            self.asked.append(f"http://{host}{path}")
        return self._answer(self, host, path)


@contextmanager
def serving(answer: Callable[[Site, str, str], tuple[int, dict[str, str], str]]) -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            if self.headers["Accept"] == "text/markdown" or self.path.endswith(".md"):
                # The Markdown version of a page is requested again: it is in no row that was committed.
                status, headers, body = 404, dict[str, str](), ""
            else:
                status, headers, body = site.answer(self.headers["Host"], self.path)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())
            except OSError:
                # Whoever asked was killed.
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        site = Site(server.server_address[1], answer)
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


def audit(arguments: list[str], seed: int) -> None:
    """Runs `urlset audit` with commits by chance and not by the clock; before and after each it may be killed."""
    drawn = random.Random(seed)
    plain = Run.commit

    def commit(run: Run) -> None:
        sys.audit(MOMENT)
        plain(run)
        sys.audit(MOMENT)

    def seconds(_: Run) -> float:
        sys.audit(MOMENT)
        return math.inf if drawn.random() < 0.5 else 0.0

    common = ["--no-config", "--no-cache", "--retries", "0", "--format", "none", "--fail-on", "never"]
    # How long a response takes is not up to the site alone.
    common += ["--ignore", "PGE020"]
    with patch.object(Run, "commit", commit), patch.object(Run, "seconds_since_commit", property(seconds)):
        code = main(["audit", *arguments, *common])
    assert code == 0, code


def killed_audits(
    children: Children,
    site: Site,
    options: list[str],
    folder: Path,
    count: int,
    committed: Callable[[Path], set[str]],
) -> tuple[Path, list[Path]]:
    """Kills audits, resumes each until it ends, and then begins another one.

    Args:
        children: What runs them.
        site: The site to audit.
        options: Options of the command.
        folder: The folder of the stores.
        count: The number of kills.
        committed: Returns the URLs that a store has the rows of; none of them is requested again.

    Returns:
        The store of an audit that was not killed, and those of the ones that were.
    """
    whole = folder / "whole.duckdb"
    moments = children.run([Call(audit, ([site.origin, "--store", str(whole), *options], 0))], folder)
    assert moments is not None
    site.forget()
    drawn, stores, known = random.Random(6), [folder / "0.duckdb"], set[str]()
    kills, progress, resume, is_left = 0, 0, list[str](), False

    def most() -> int:
        """The number of kills: more if those so far happened to come too early to change anything."""
        return count if progress > count // 4 else 10 * count

    while kills < most() or resume:
        call = Call(audit, ([site.origin, *resume, "--store", str(stores[-1]), *options], kills))
        # Every other one in the middle, where something is committed and something is left.
        moment = drawn.randrange(moments) if kills % 2 else drawn.randrange(moments // 4, 3 * moments // 4)
        # An audit that has got no further since the last kill is left to its end, for others to begin.
        kill_before = None if is_left or kills >= most() else moment
        kills += children.run([call], folder, kill_before) is None
        assert known.isdisjoint(site.forget()), "what was committed was requested again"
        with Store.create(stores[-1]) as opened:  # What was begun is undone when it is opened.
            runs = opened.runs()
        if runs and runs[-1].finished_at is not None:
            stores.append(folder / f"{len(stores)}.duckdb")
            known, resume, is_left = set(), [], False
            continue
        before, known = known, committed(stores[-1])
        assert before <= known
        progress += before < known
        is_left = bool(known) and before == known
        resume = ["--resume"] if runs else []
    assert progress > count // 4, "the kills came too early to change anything"
    return whole, [store for store in stores if store.exists()]
