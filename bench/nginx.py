"""Run nginx on the loopback network, as Debian packages it, and measure its CPU time."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import PeerError

if TYPE_CHECKING:
    from collections.abc import Iterator

WORKERS = 2
START_SECONDS = 10.0
STATUS = "/server-status"

_CONFIGURATION = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors warn;
worker_processes {workers};
worker_rlimit_nofile 16384;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    types {{
        text/html html;
        text/plain txt;
        application/xml xml;
    }}
    charset utf-8;
    sendfile on;
    tcp_nopush on;
    keepalive_requests 1000000;
    {temporary}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        root {root};
        location = {status} {{ stub_status; }}
    }}
}}
"""
_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def missing() -> str:
    """Return why nginx cannot be used here, and what to do about it; an empty string if it can."""
    if program() is None:
        return "nginx is not installed (Debian: `apt-get install nginx-light`)"
    if not Path("/proc/self/stat").exists():
        return "the CPU time of the server is read from /proc, which does not exist"
    return ""


class Server:
    """A running nginx.

    Attributes:
        pid: Its main process.
        port: The port that it listens on.
    """

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port
        self._own = 1

    def requests(self) -> int:
        """Return the number of requests so far, not counting this one."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", STATUS)
        # The third line: connections accepted, connections handled, requests.
        requests = int(connection.getresponse().read().split(b"\n")[2].split()[2]) - self._own
        connection.close()
        self._own += 1
        return requests

    def cpu_seconds(self) -> float:
        """Return its CPU time so far, including its workers."""
        ticks = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            # A process may end during the iteration.
            with contextlib.suppress(OSError):
                # The name, in parentheses, may contain anything.
                number, _, rest = path.read_text().partition(" (")
                fields = rest.rpartition(") ")[2].split()
                if int(number) == self.pid or int(fields[1]) == self.pid:
                    ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def serving(root: Path, port: int) -> Iterator[Server]:
    """Serve a folder on a port of the loopback network.

    Raises:
        PeerError: It did not start.
    """
    command = program()
    if command is None:
        raise PeerError(missing())
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise PeerError(f"port {port}, which the URLs of the site contain, is used by another program") from None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Its workers may run as another user.
        folder.chmod(0o755)
        temporary = "\n    ".join(f"{kind}_temp_path {folder}/{kind};" for kind in _TEMPORARY)
        user = "user root;\n" if os.geteuid() == 0 else ""
        text = _CONFIGURATION.format(
            folder=folder, workers=WORKERS, port=port, root=root.resolve(), temporary=temporary, status=STATUS
        )
        (folder / "nginx.conf").write_text(user + text)
        process = subprocess.Popen([command, "-p", name, "-e", f"{name}/errors", "-c", f"{name}/nginx.conf"])
        try:
            _wait(process, folder, port)
            yield Server(process.pid, port)
        finally:
            process.terminate()
            process.wait()


def program() -> str | None:
    """Return the path of nginx; None if it is not installed."""
    # Debian installs servers in folders that are not in the PATH of users.
    return shutil.which("nginx", path=f"{os.environ.get('PATH', os.defpath)}{os.pathsep}/usr/sbin")


def _wait(process: subprocess.Popen[bytes], folder: Path, port: int) -> None:
    ends = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < ends:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    errors = folder / "errors"
    last = errors.read_text().strip().splitlines()[-1:] if errors.exists() else []
    raise PeerError(f"nginx did not start: {''.join(last) or 'no word on why'}")
