"""A store of two runs on a small directory of pages, whose texts are hostile, and clients of a workbench on it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from tests.shared_database import copy_store

import urlset
from urlset.options.auditing import AuditOptions
from urlset.serve import snapshots as snapshots_module
from urlset.serve.app import Place, application, server_config
from urlset.serve.guard import Access
from urlset.serve.jobs import Jobs, Limits
from urlset.serve.server import Server
from urlset.serve.snapshots import Snapshots

SITE = "https://www.example.com"
EVIL = "<script>alert(1)</script>'\"&\u202e"
WORDS = "Oak tables for small rooms, made to order. " * 12
PAGES = {
    "index.html": "<p>home</p>",
    "blog/one.html": "<p>one</p>",
    "blog/two.html": '<meta name="robots" content="noindex">',
    "shop/three.html": f'<link rel="canonical" href="{SITE}/blog/one.html">',
    "four.html": f"<title>{EVIL}</title>",
}
LISTED = [*PAGES, "gone.html", "a%3Cscript%3Ealert(2)%3C/script%3E.html"]


def site(folder: Path, lastmod: str) -> Path:
    """Write the directory."""
    public = folder / "public"
    for name, head in PAGES.items():
        path = public / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<!DOCTYPE html><html><head>{head}</head><body>{name} {WORDS}</body></html>", "utf-8")
    entries = "".join(
        f"<url><loc>{SITE}/{name}</loc><lastmod>{lastmod}</lastmod></url>"
        for name in LISTED
        if lastmod > "2026" or name != "four.html"
    )
    namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"
    (public / "sitemap.xml").write_text(f'<urlset xmlns="{namespace}">{entries}</urlset>', "utf-8")
    (public / "robots.txt").write_text(f"Sitemap: {SITE}/sitemap.xml\n", "utf-8")
    return public


HERE, PUBLIC = Place(), Limits()

# No page says that it is being prepared because the machine is busy.
snapshots_module.PATIENCE = 600.0


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store, made once."""
    folder = tmp_path_factory.mktemp("serve")
    store = folder / "urlset.duckdb"
    for lastmod in ("2025-01-01", "2026-01-01"):
        urlset.audit(str(site(folder, lastmod)), base_url=f"{SITE}/", store=store)
    return store


@dataclass
class Bench:
    """A workbench under test.

    Attributes:
        client: A browser, which has its cookies.
        server: What the application runs on.
        app: The application.
    """

    client: TestClient
    server: Server
    app: Any

    def page(self, address: str, status: int = 200) -> str:
        """Return a page."""
        response = self.client.get(address, follow_redirects=False)
        assert response.status_code == status, (address, response.status_code, response.text[-800:])
        return response.text

    def token(self, address: str = "/") -> str:
        """Return the token of the forms on a page."""
        found = re.search(r'name="token" value="(\w+)"', self.page(address))
        assert found is not None
        return found[1]

    def post(self, address: str, **fields: str) -> Any:
        """Send a form, with its token."""
        return self.client.post(address, data={"token": self.token(), **fields}, follow_redirects=False)


@contextmanager
def opened(
    folder: Path,
    store: Path | None,
    place: Place = HERE,
    limits: Limits = PUBLIC,
    access: Access | None = None,
    path: Path | None = None,
) -> Iterator[Bench]:
    """Open a workbench on a copy of a store, or on what is at `path`, by default `urlset.duckdb` in the folder."""
    path = path or folder / "urlset.duckdb"
    if store is not None:
        copy_store(store, path)
    snapshots = Snapshots(path, folder / "state" / "snapshots")
    jobs = Jobs(folder / "state" / "jobs", snapshots, AuditOptions(cache=False, retries=0), limits)
    server = Server(snapshots, jobs, access or place.access(), folder / "known.json")
    app = application(server)
    try:
        with TestClient(app, base_url="http://127.0.0.1:8080") as client:
            yield Bench(client, server, app)
    finally:
        jobs.close()
        snapshots.close()


@pytest.fixture(scope="module")
def bench(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A workbench on the store, for tests that change nothing."""
    with opened(tmp_path_factory.mktemp("bench"), made) as found:
        yield found


@contextmanager
def running(bench: Bench) -> Iterator[str]:
    """Serve a workbench to other clients, and yield its address."""
    server = uvicorn.Server(server_config(bench.app))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)


Opened = Callable[..., Bench]


@pytest.fixture
def own(made: Path, tmp_path: Path) -> Iterator[Bench]:
    """A workbench on a copy of the store, for tests that change something."""
    with opened(tmp_path, made) as found:
        yield found
