"""An object store on loopback with the S3 protocol: moto's server, and faults by the key of the object."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from tests.tiers import amount

BUCKET = "sitemaps"
REFUSED = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
PAGE = 1000
"""Keys of a page of a listing, as in S3."""


def many() -> int:
    """How many keys are below `many/`; every thousandth is a sitemap. The tier may be known after the import only."""
    return amount("memory for long listings of object stores")


@dataclass
class ObjectStore:
    """The server, and what was requested of it.

    Attributes:
        address: Its URL.
        requests: Method, path and query of each request.
        released: Ends slow bodies.
        replacing: Called before each body is sent.
    """

    address: str = ""
    requests: list[str] = field(default_factory=list)
    released: threading.Event = field(default_factory=threading.Event)
    replacing: Callable[[], object] = lambda: None
    app: Any = None

    def __call__(self, environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        method, path = environment["REQUEST_METHOD"], environment["PATH_INFO"]
        query = environment.get("QUERY_STRING", "")
        self.requests.append(f"{method} {path}{'?' if query else ''}{query}")
        asked = {name: values[0] for name, values in parse_qs(query).items()}
        key = asked.get("prefix", "") if "list-type" in asked else path.removeprefix(f"/{BUCKET}/")
        if key.startswith("refused/"):
            start("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(REFUSED)))])
            return [] if method == "HEAD" else [REFUSED]
        if key.startswith("many/") and "list-type" in asked:
            content = _listing(int(asked.get("continuation-token", 0)))
            start("200 OK", [("Content-Type", "application/xml"), ("Content-Length", str(len(content)))])
            return [content]
        if method == "GET" and "list-type" not in asked:
            if key.startswith(("slow/", "torn/")):
                start("206 Partial Content", [("Content-Length", "1000"), ("ETag", '"it"')])
                return self._slowly() if key.startswith("slow/") else [b"<urlset>"]
            self.replacing()
        return self.app(environment, start)  # type: ignore[no-any-return]

    def _slowly(self) -> Iterator[bytes]:
        yield b"<urlset>"
        self.released.wait()

    @property
    def bodies(self) -> list[str]:
        """The objects whose bodies were requested."""
        gets = [one.split()[1] for one in self.requests if one.startswith("GET") and "list-type" not in one]
        return sorted(path.partition("?")[0].removeprefix(f"/{BUCKET}/") for path in gets)


def _listing(first: int) -> bytes:
    """A page of the keys below `many/`; moto would sort all of them for each page."""
    # botocore takes longer for the dates of a page than for all else, so that one key in a hundred has one.
    date = "<LastModified>2026-01-01T00:00:00.000Z</LastModified>"
    contents = "".join(
        f"<Contents><Key>many/{number:06d}.{'xml' if number % 1000 == 0 else 'json'}</Key>"
        f'<ETag>"e"</ETag><Size>1</Size>{"" if number % 100 else date}<StorageClass>STANDARD</StorageClass></Contents>'
        for number in range(first, first + PAGE)
    )
    more = first + PAGE < many()
    token = f"<NextContinuationToken>{first + PAGE}</NextContinuationToken>" if more else ""
    return (
        f'<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>{BUCKET}</Name>'
        f"<IsTruncated>{'true' if more else 'false'}</IsTruncated>{token}{contents}</ListBucketResult>"
    ).encode()


@contextmanager
def serving() -> Iterator[ObjectStore]:
    """The store, while it runs."""
    # Imported here, because it takes a second.
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
    from s3fs import S3FileSystem
    from werkzeug.serving import make_server

    # fsspec would return a file system of an earlier store, with its address.
    S3FileSystem.clear_instance_cache()
    store = ObjectStore(app=DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, store, threaded=True, request_handler=MotoRequestHandler)
    store.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield store
    finally:
        store.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
