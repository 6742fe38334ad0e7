"""ASGI application that serves a sitemap, to mount in FastAPI, Starlette, Quart, or any other ASGI framework."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeAlias

from urlset.adapters.served import Compressor, Request, Served, ServedResponse
from urlset.build.stream import astream, stream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator

# As Starlette declares them, so that type checkers accept the application where they expect one of theirs.
Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]


class SitemapApp(Served):
    """An ASGI application that streams a sitemap while it reads the entries; see `Served` for the arguments.

    Entries may come from an asynchronous iterable. A synchronous one is read in a thread, so that it does not block the
    event loop. The documents are the same as for `urlset.adapters.wsgi`.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or acknowledge lifespan events."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        if scope["type"] != "http":
            raise ValueError(f"a sitemap is served over HTTP, not {scope['type']}")
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        request = Request(scope["method"], scope["path"], headers)
        # Counts and dates may require a database query.
        response = await asyncio.to_thread(self.response, request)
        async with aclosing(self._pieces(response)) as pieces:
            # An error at the start is raised here, so that the server can send an error response.
            first = await anext(pieces, b"")
            sent = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
            await send({"type": "http.response.start", "status": response.status.value, "headers": sent})
            if request.method == "HEAD":
                await send({"type": "http.response.body"})
                return
            await send({"type": "http.response.body", "body": first, "more_body": True})
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body"})

    async def _pieces(self, response: ServedResponse) -> AsyncGenerator[bytes]:
        compressor = Compressor(response.is_gzip)
        if response.content is not None:
            yield compressor.add(response.content) + compressor.end()
            return
        if isinstance(response.entries, AsyncIterable):
            pieces = astream(response.entries, base_url=self.base.text, **self.stream_options)
        else:
            pieces = _in_a_thread(stream(response.entries, base_url=self.base.text, **self.stream_options))
        async for piece in pieces:
            if ready := compressor.add(piece):
                yield ready
        if rest := compressor.end():
            yield rest


async def _in_a_thread(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
        yield piece


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
