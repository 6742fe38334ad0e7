"""WSGI application that serves a sitemap, to mount in Flask, Bottle, Pyramid, or any other WSGI framework."""

from __future__ import annotations

from collections.abc import AsyncIterable
from itertools import chain
from typing import TYPE_CHECKING, Any

from urlset.adapters.served import Compressor, Request, Served, ServedResponse
from urlset.build.stream import stream
from urlset.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping


class SitemapApp(Served):
    """A WSGI application that streams a sitemap while it reads the entries; see `Served` for the arguments.

    It serves `sitemap.xml`, wherever it is mounted. If there are more entries than fit in one sitemap, this is an index
    of the parts `sitemap-1.xml`, `sitemap-2.xml`, and so on.

    Example:
        >>> app = SitemapApp(["https://example.com/"], "https://example.com/")
        >>> began = []
        >>> body = app({"REQUEST_METHOD": "GET", "PATH_INFO": "/sitemap.xml"}, lambda *line: began.append(line))
        >>> began[0][0], b"".join(body)[:21]
        ('200 OK', b'<?xml version="1.0" e')
    """

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        request = Request(environ["REQUEST_METHOD"], environ.get("PATH_INFO", ""), _headers(environ))
        response = self.response(request)
        pieces = self._pieces(response)
        # An error at the start is raised here, so that the server can send an error response.
        first = next(pieces, b"")
        start_response(f"{response.status.value} {response.status.phrase}", response.headers)
        return () if request.method == "HEAD" else _Body(chain([first], pieces), pieces)

    def _pieces(self, response: ServedResponse) -> Generator[bytes]:
        compressor = Compressor(response.is_gzip)
        if response.content is not None:
            yield compressor.add(response.content) + compressor.end()
            return
        if isinstance(response.entries, AsyncIterable):
            raise UsageError("WSGI does not support asynchronous iterables; use urlset.adapters.asgi")
        for piece in stream(response.entries, base_url=self.base.text, **self.stream_options):
            if ready := compressor.add(piece):
                yield ready
        if rest := compressor.end():
            yield rest


class _Body:
    """The body, which the server closes when the client disconnects."""

    def __init__(self, pieces: Iterator[bytes], source: Generator[bytes]) -> None:
        self._pieces = pieces
        self._source = source

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        self._source.close()


def _headers(environ: Mapping[str, str]) -> dict[str, str]:
    prefix = "HTTP_"
    return {
        name.removeprefix(prefix).replace("_", "-").lower(): value
        for name, value in environ.items()
        if name.startswith(prefix)
    }
