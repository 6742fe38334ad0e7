"""The application: its routes, and the server that runs it."""

from __future__ import annotations

import hashlib
import secrets
import shutil
import signal
import socket
import sys
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from filelock import FileLock, Timeout
from msgspec import Struct
from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Route

from urlset.errors import UrlsetError, UsageError, reason_of
from urlset.files.own_files import check_own, make_own_folder
from urlset.serve import views
from urlset.serve.connection_limits import MAX_ACCEPTED, LimitedConnection
from urlset.serve.guard import LOOPBACK, Access, Guard
from urlset.serve.jobs import MAX_UPLOADED, Jobs, Limits
from urlset.serve.server import Server
from urlset.serve.snapshots import InPreparationError, Snapshots, own_state
from urlset.serve.user_queries import Queries
from urlset.text.sizes import MiB

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path
    from types import FrameType

    from urlset.options.auditing import AuditOptions


class _NumberConvertor(IntegerConvertor):
    """A number in a path. Python converts no integer of more than 4,300 digits."""

    regex = "[0-9]{1,18}"


register_url_convertor("int", _NumberConvertor())

ROUTES = (
    Route("/", views.start),
    Route("/login", views.login, methods=["GET", "POST"]),
    Route("/static/{name}", views.static),
    Route("/jobs", views.start_job, methods=["POST"]),
    Route("/jobs/{number:int}", views.job),
    Route("/jobs/{number:int}/events", views.job_events),
    Route("/jobs/{number:int}/{action:str}", views.act_on_job, methods=["POST"]),
    Route("/runs", views.runs),
    Route("/runs/{number:int}", views.run),
    Route("/runs/{number:int}/report", views.run_report),
    Route("/runs/{number:int}/pages", views.pages),
    Route("/runs/{number:int}/url", views.url),
    Route("/runs/{number:int}/findings", views.findings),
    Route("/runs/{number:int}/clock", views.clock),
    Route("/runs/{number:int}/accept", views.accept, methods=["POST"]),
    Route("/runs/{number:int}/urlset.toml", views.configuration),
    Route("/compare", views.compare),
    Route("/monitor", views.monitor),
    Route("/preparations/{number:int}/cancel", views.cancel_preparation, methods=["POST"]),
    Route("/explore", views.explore),
    Route("/explore/{name}", views.table),
    Route("/sql", views.sql),
)
"""The pages, and the events of a job."""

SECONDS_TO_CLOSE = 2
"""Seconds for requests to end when the server stops."""


class Place(Struct, frozen=True):
    """The address of a workbench.

    Attributes:
        host: The address to listen on.
        port: The port; 0 for any.
        names: Further names of the server.
    """

    host: str = "127.0.0.1"
    port: int = 8080
    names: tuple[str, ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether other machines may reach it."""
        return self.host not in LOOPBACK

    def access(self, cookies: str = "") -> Access:
        """Return what protects it.

        Args:
            cookies: What the names of its cookies end with.
        """
        names = {*LOOPBACK, self.host.lower(), *map(str.lower, self.names)}
        return Access(frozenset(names), secrets.token_urlsafe(32) if self.is_shared else None, cookies=cookies)


def application(server: Server) -> Starlette:
    """Return the workbench as an ASGI application, behind its guard."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.queries = Queries()
        yield

    errors = {
        HTTPException: views.error_response,
        UrlsetError: views.error_response,
        InPreparationError: views.error_response,
        OSError: views.disk_error_response,
        # Nobody gets this response.
        ClientDisconnect: lambda _request, _error: Response(status_code=400),
        Exception: views.error_response,
    }
    app = Starlette(
        routes=ROUTES,
        middleware=[Middleware(Guard, access=server.access)],
        exception_handlers=errors,
        lifespan=lifespan,
        max_body_size=MAX_UPLOADED + 10 * MiB,
    )
    app.state.server = server
    return app


def serve(place: Place, store: Path, baseline: Path, options: AuditOptions, limits: Limits) -> None:
    """Serve a store until the process is interrupted. Neither the store nor the baseline needs to exist.

    Raises:
        UsageError: Another server has the store, or the port is taken.
        OutputError: The store cannot be opened, or the files next to it are not from a server of this user.
    """
    folder = store.parent / f"{store.name}.serve"
    with own_state(folder):
        make_own_folder(folder)
        folder.chmod(0o700)
        check_own(folder / "lock")
    lock = FileLock(folder / "lock", blocking=False)
    try:
        lock.acquire()
    except Timeout:
        raise UsageError(f"{store}: another `urlset serve` has this store") from None
    with lock:
        try:
            _serve(place, store, folder, baseline, options, limits)
        finally:
            if not any((folder / "jobs").glob("*")):
                # Nothing to resume or to show.
                shutil.rmtree(folder, ignore_errors=True)


def _serve(place: Place, store: Path, folder: Path, baseline: Path, options: AuditOptions, limits: Limits) -> None:
    access = place.access(f"-{hashlib.sha256(bytes(store)).hexdigest()[:12]}")
    with _listening(place) as listening, ExitStack() as resources:
        snapshots = Snapshots(store, folder / "snapshots")
        resources.callback(snapshots.close)
        jobs = Jobs(folder / "jobs", snapshots, options, limits)
        resources.callback(jobs.close)
        config = server_config(application(Server(snapshots, jobs, access, baseline)))
        name = f"[{place.host}]" if ":" in place.host else place.host
        url = f"http://{name}:{listening.getsockname()[1]}/"
        if access.token is not None:
            url += f"login?token={access.token}"
        server = _StoppableServer(config)
        # Before the address is printed: whoever reads it may stop the server at once.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, server.handle_exit)
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        server.run(sockets=[listening])
    if server.is_interrupted:
        raise KeyboardInterrupt


def server_config(app: Starlette) -> uvicorn.Config:
    """Return how the workbench is served."""
    return uvicorn.Config(
        app,
        port=0,
        log_level="warning",
        access_log=False,
        ws="none",
        http=LimitedConnection,
        backlog=MAX_ACCEPTED,
        # Pages that follow a job never end their request.
        timeout_graceful_shutdown=SECONDS_TO_CLOSE,
    )


class _StoppableServer(uvicorn.Server):
    """An HTTP server that ends when a signal stops it.

    Uvicorn sends the signal again, and a second Ctrl-C ends the process before jobs and files are closed.
    """

    is_interrupted = False

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        self.is_interrupted = sig == signal.SIGINT
        self.should_exit = True


def _listening(place: Place) -> socket.socket:
    """Return a socket that listens, or raise a UsageError."""
    # asyncio sends without delay (TCP_NODELAY) only if the protocol is named: each page would take 40 ms more.
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # Connections of the last server may still be closing.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((place.host, place.port))
        listener.listen()
    except OSError as error:
        listener.close()
        where = f"{place.host}, port {place.port}"
        raise UsageError(f"cannot listen on {where}: {reason_of(error)}; choose another --port or --address") from None
    return listener
