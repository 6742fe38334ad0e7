"""A synchronous interface to the client: a thread that runs its event loop."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Self, TypeVar

from urlset.fetch.client import Client
from urlset.fetch.reply import Reuse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from types import TracebackType

    from urlset.fetch.response import Response
    from urlset.net.origin import Origin
    from urlset.net.trust import Trust
    from urlset.options.verbs import ReadOptions

Result = TypeVar("Result")


class Fetcher:
    """Fetches for synchronous code, from any number of threads. Use it as a context manager.

    Attributes:
        client: The client, for the thread of its event loop; that of a directory answers in any thread.
    """

    def __init__(self, options: ReadOptions, trust: Trust) -> None:
        self.client = Client(options, trust)
        self._thread = threading.Thread(target=self._work, name="urlset-fetch", daemon=True)
        self._stop = asyncio.Event()
        self._ready: Future[asyncio.AbstractEventLoop] = Future()

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop = self._ready.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def submit(
        self,
        url: str,
        *,
        via: Origin | None,
        max_bytes: int | None = None,
        accept: str | None = None,
        retries: int | None = None,
        reuse: Reuse = Reuse.CACHE,
    ) -> Future[Response]:
        """Start to fetch a URL; see `Client.get`."""
        return asyncio.run_coroutine_threadsafe(
            self.client.get(url, via=via, max_bytes=max_bytes, accept=accept, retries=retries, reuse=reuse), self._loop
        )

    def get(
        self,
        url: str,
        *,
        via: Origin | None,
        max_bytes: int | None = None,
        accept: str | None = None,
        retries: int | None = None,
        reuse: Reuse = Reuse.CACHE,
    ) -> Response:
        """Fetch a URL; see `Client.get`."""
        return self.submit(url, via=via, max_bytes=max_bytes, accept=accept, retries=retries, reuse=reuse).result()

    def post(self, url: str, json: bytes, *, max_bytes: int) -> Response:
        """Send a JSON document; see `Client.post`."""
        work = self.client.post(url, json, max_bytes=max_bytes)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def call(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, max_bytes: int
    ) -> Response:
        """Call an API; see `Client.call`."""
        work = self.client.call(method, url, headers=headers, body=body, max_bytes=max_bytes)
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def run(self, work: Callable[[Client], Awaitable[Result]]) -> Result:
        async def awaited() -> Result:
            return await work(self.client)

        return asyncio.run_coroutine_threadsafe(awaited(), self._loop).result()

    def _work(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 (raised again in the waiting thread)
            if not self._ready.done():
                self._ready.set_exception(error)

    async def _serve(self) -> None:
        """Keep the client open until `_stop` is set, then cancel the tasks that are still running."""
        async with self.client:
            self._ready.set_result(asyncio.get_running_loop())
            await self._stop.wait()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
