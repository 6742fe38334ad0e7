"""TLS: every untrusted certificate is an error with a message, and the options that change this."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import trustme

from urlset.errors import UsageError
from urlset.fetch.fetcher import Fetcher
from urlset.fetch.response import FetchError, Response
from urlset.net.trust import Trust
from urlset.options import ReadOptions

OURS, STRANGE = trustme.CA(), trustme.CA()
LONG_AGO = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tls") / "ours.pem"
    OURS.cert_pem.write_to_path(str(path))
    return path


@pytest.fixture
def serving(behaviours: Any) -> Callable[[trustme.LeafCert], AbstractContextManager[Any]]:
    def begin(certificate: trustme.LeafCert) -> AbstractContextManager[Any]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificate.configure_cert(context)
        return behaviours.serving(tls=context)  # type: ignore[no-any-return]

    return begin


def fetched(url: str, **more: Any) -> Response:
    options = ReadOptions(timeout=5, connect_timeout=2, retries=0, cache=False, **more)
    with Fetcher(options, Trust.of([url])) as fetcher:
        return fetcher.get(url, via=None)


@pytest.mark.parametrize(
    ("certificate", "sentence"),
    [
        (lambda: OURS.issue_cert("other.example"), "IP address mismatch, certificate is not valid for '127.0.0.1'"),
        (lambda: OURS.issue_cert("127.0.0.1", not_after=LONG_AGO), "certificate has expired"),
        (lambda: STRANGE.issue_cert("127.0.0.1"), "unable to get local issuer certificate"),
    ],
    ids=["bad-name", "expired", "unknown-issuer"],
)
def test_untrusted_certificate(
    serving: Any, bundle: Path, certificate: Callable[[], trustme.LeafCert], sentence: str
) -> None:
    with serving(certificate()) as server:
        answer = fetched(f"{server.url}/good", ca_bundle=bundle)
        assert (answer.error_kind, answer.reason) == (FetchError.TLS, f"invalid TLS certificate: {sentence}")
        assert server.requests == []
        assert fetched(f"{server.url}/good", insecure=True).ok


def test_custom_ca_bundle(serving: Any, bundle: Path) -> None:
    with serving(OURS.issue_cert("127.0.0.1")) as server:
        assert fetched(f"{server.url}/good", ca_bundle=bundle).ok
        assert fetched(f"{server.url}/good").error_kind is FetchError.TLS


@pytest.fixture
def plain() -> Iterator[int]:
    """The port of a server that treats any input as invalid HTTP, as servers without TLS do."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(1)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass

        thread = threading.Thread(target=refuse, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join(5)


def test_a_server_without_tls(plain: int) -> None:
    answer = fetched(f"https://127.0.0.1:{plain}/good")
    assert answer.error_kind is FetchError.TLS
    assert str(answer.reason).startswith("TLS handshake failed: ")


@pytest.fixture
def mute() -> Iterator[int]:
    """The port of a server that accepts connections and sends nothing, not even a TLS handshake."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted: list[socket.socket] = []
        thread = threading.Thread(target=lambda: accepted.append(server.accept()[0]), daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join(5)
        for connection in accepted:
            connection.close()


def test_a_handshake_that_never_ends(mute: int) -> None:
    answer = fetched(f"https://127.0.0.1:{mute}/")
    assert (answer.error_kind, answer.reason) == (FetchError.CONNECT_TIMEOUT, "no connection within 2 s")


def test_invalid_ca_bundle(tmp_path: Path) -> None:
    file = tmp_path / "none.pem"
    file.write_text("no certificate")
    with pytest.raises(UsageError, match=r"none\.pem: no PEM certificates found"):
        fetched("https://127.0.0.1:1/", ca_bundle=file)
    with pytest.raises(UsageError, match=r"gone\.pem: cannot be read: no such file or directory"):
        fetched("https://127.0.0.1:1/", ca_bundle=tmp_path / "gone.pem")
