"""An object store with the S3 protocol, and the environment in which it is found."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from tests.objects import store as server

ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "testing-id",
    "AWS_SECRET_ACCESS_KEY": "testing-secret",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@pytest.fixture(scope="session")
def running_store() -> Iterator[server.ObjectStore]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with server.serving() as running, pytest.MonkeyPatch.context() as patch:
        for name, value in (ENVIRONMENT | {"AWS_ENDPOINT_URL": running.address}).items():
            patch.setenv(name, value)
        # The stores of one process share their objects.
        fsspec.filesystem("s3").makedirs(server.BUCKET, exist_ok=True)
        yield running


@pytest.fixture
def objects(running_store: server.ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The file system of an empty bucket; its server is in `objects.server`. The cache is empty, too."""
    monkeypatch.setenv("URLSET_CACHE_DIR", str(tmp_path / "cache"))
    system = fsspec.filesystem("s3", use_listings_cache=False)
    system.server = running_store
    running_store.requests.clear()
    yield system
    running_store.replacing = lambda: None
    for path in system.find(server.BUCKET):
        system.rm_file(path)
