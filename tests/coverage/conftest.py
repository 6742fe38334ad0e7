"""A store with a run, exports in several languages, and the loopback API of Google."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.coverage import discovery
from tests.coverage.google_api import key_of_account, serving
from tests.shared_database import copy_store

from urlset import api
from urlset.model.coverage import InspectResult
from urlset.model.impressions import ImpressionsResult

HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


@pytest.fixture(scope="session")
def running_google() -> Iterator[Any]:
    with serving() as google:
        yield google


@pytest.fixture
def google(running_google: Any) -> Iterator[Any]:
    """The server with its usual answers, and nothing asked; every request must be one of the discovery document."""
    running_google.clear()
    yield running_google
    for method, requests in ((discovery.INSPECT, running_google.asked), (discovery.QUERY, running_google.queries)):
        for request in requests:
            discovery.check(method, "request", request)


@pytest.fixture(scope="session")
def account_key(running_google: Any) -> str:
    return key_of_account(f"{running_google.url}/token")


@pytest.fixture
def credentials(account_key: str, tmp_path: Path) -> Path:
    """The JSON key of a service account."""
    path = tmp_path / "key.json"
    path.touch(mode=0o600)
    path.write_text(account_key)
    return path


@pytest.fixture(scope="session")
def audited_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, Sequence[str]]], Path]:
    """Audits the same sitemaps once for all tests, and returns the store."""
    kept: dict[tuple[tuple[str, tuple[str, ...]], ...], Path] = {}

    def audit(sitemaps: Mapping[str, Sequence[str]]) -> Path:
        key = tuple((name, tuple(urls)) for name, urls in sitemaps.items())
        if key not in kept:
            folder = tmp_path_factory.mktemp("site")
            for name, urls in sitemaps.items():
                entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
                (folder / name).write_text(f"{HEAD}{entries}</urlset>")
            store = folder / "urlset.duckdb"
            api.audit(str(folder), store=store, pages=False, score=False, select=["LOC001"])
            kept[key] = store
        return kept[key]

    return audit


@pytest.fixture
def audited(
    tmp_path: Path, audited_once: Callable[[Mapping[str, Sequence[str]]], Path]
) -> Callable[[Mapping[str, Sequence[str]]], Path]:
    """Returns a new store with a run on sitemaps, whose pages are not fetched."""

    def audit(sitemaps: Mapping[str, Sequence[str]]) -> Path:
        store = tmp_path / "urlset.duckdb"
        assert not store.exists()
        return copy_store(audited_once(sitemaps), store)

    return audit


@pytest.fixture
def inspect(google: Any, credentials: Path, tmp_path: Path) -> Callable[..., InspectResult]:
    """Inspects the URLs of example.com with the loopback API."""

    def call(**fields: Any) -> InspectResult:
        usual = {
            "store": tmp_path / "urlset.duckdb",
            "property": "sc-domain:example.com",
            "credentials": credentials,
            "api": google.url,
            "rate": 1_000,
        }
        return api.inspect_coverage(**{**usual, **fields})

    return call


@pytest.fixture
def impressions(google: Any, credentials: Path, tmp_path: Path) -> Callable[..., ImpressionsResult]:
    """Fetches the impressions of example.com from the loopback API."""

    def call(**fields: Any) -> ImpressionsResult:
        usual = {
            "store": tmp_path / "urlset.duckdb",
            "property": "sc-domain:example.com",
            "credentials": credentials,
            "api": google.url,
            "rate": 1_000,
            "retries": 1,
        }
        return api.fetch_impressions(**{**usual, **fields})

    return call


def zipped(members: Mapping[str, bytes]) -> bytes:
    """A ZIP file; names that are not ASCII are in CP932 without the flag for UTF-8, as Search Console writes them."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.encode("cp932").decode("cp437"), data)
    return content.getvalue()


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Path]:
    """Writes a ZIP file, and returns its path."""

    def write(members: Mapping[str, str | bytes], name: str = "example.com-Coverage-Drilldown-2026-11-20.zip") -> Path:
        path = tmp_path / name
        content = {key: value.encode() if isinstance(value, str) else value for key, value in members.items()}
        path.write_bytes(zipped(content))
        return path

    return write
