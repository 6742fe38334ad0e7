"""What is read decides nothing about files: neither a folder, nor a server, nor a store changes or adds one."""

from __future__ import annotations

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from tests.hosting.folders import page, urlset, write
from tests.loopback import served

from urlset import api

BASE = "https://example.com/"
SITE = {
    "index.html": page(BASE, links=["../../../escape.html"], text="home"),
    "sitemap.xml": urlset(BASE, f"{BASE}..%2f..%2fescape.xml"),
    "robots.txt": f"User-agent: *\nSitemap: {BASE}sitemap.xml\nSitemap: ../../escape.xml\n",
}


def files_of(folder: Path) -> dict[str, bytes | None]:
    """Return the files and directories below a directory, other than the store that `audit` is to write."""
    found = (path for path in folder.rglob("*") if path.name != "urlset.duckdb")
    return {path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in found}


class Naming(BaseHTTPRequestHandler):
    """Names a file to save each response under, above the directory of whoever does."""

    def do_GET(self) -> None:
        content = SITE.get(self.path.lstrip("/"), "").replace(BASE, f"http://{self.headers['Host']}/").encode()
        self.send_response(200 if content else 404)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Disposition", 'attachment; filename="../escape.xml"')
        self.send_header("Content-Location", "file:../escape.xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


OF_A_FOLDER = (
    ("validate", "FOLDER"),
    ("audit", "FOLDER", "--base-url", BASE),
    ("inspect", "FOLDER"),
    ("fix", "FOLDER", "--dry-run"),
    ("build", "FOLDER", "--base-url", BASE, "--dry-run"),
)
OF_A_SERVER = (("validate", "SERVER/sitemap.xml"), ("discover", "SERVER"), ("fix", "SERVER/sitemap.xml"))
OF_A_STORE = (
    ("history", "STORE"), ("pages", "STORE"), ("sql", "SELECT 1", "STORE"), ("diff", "STORE@1", "STORE@1"),
    ("report", "STORE", "-o", "-"),
)  # fmt: skip


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a site, in which the commands run."""
    write(tmp_path / "above" / "here" / "public", SITE)
    monkeypatch.chdir(tmp_path / "above" / "here")
    return tmp_path


@pytest.mark.parametrize("arguments", OF_A_FOLDER, ids=" ".join)
def test_a_folder(arguments: tuple[str, ...], workdir: Path, cli: Callable[..., Any]) -> None:
    before = files_of(workdir)
    outcome = cli(*(one.replace("FOLDER", "public") for one in arguments))
    assert outcome.code in (0, 1), outcome
    assert files_of(workdir) == before


@pytest.mark.parametrize("arguments", OF_A_SERVER, ids=" ".join)
def test_a_server(arguments: tuple[str, ...], workdir: Path, cli: Callable[..., Any]) -> None:
    before = files_of(workdir)
    with served(Naming) as origin:
        outcome = cli(*(one.replace("SERVER", origin) for one in arguments))
    assert outcome.code in (0, 1), outcome
    assert files_of(workdir) == before


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = write(tmp_path_factory.mktemp("audited") / "public", SITE)
    api.audit([str(folder)], base_url=BASE, store=str(folder.parent / "s.duckdb"))
    return (folder.parent / "s.duckdb").read_bytes()


@pytest.mark.parametrize("arguments", OF_A_STORE, ids=" ".join)
def test_a_store(arguments: tuple[str, ...], store: bytes, workdir: Path, cli: Callable[..., Any]) -> None:
    Path("s.duckdb").write_bytes(store)
    before = files_of(workdir)
    outcome = cli(*(one.replace("STORE", "s.duckdb") for one in arguments))
    assert outcome.code in (0, 1), outcome
    assert files_of(workdir) == before
